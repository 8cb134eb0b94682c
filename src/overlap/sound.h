/* sound.h - whether facets may be read as they are stored, without a look at whole shells. */
#ifndef SC_SOUND_H
#define SC_SOUND_H

#include "crossings.h"

/* Of two closed parts, facets read as stored, with their winding numbers (sc_crossings_wind):
 * *sound tells that whatever of either meets or lies inside the other is read the right way
 * round. False tells nothing. *sound is set, and `apart` of the crossings; false if memory ran
 * out. */
bool sc_sound_as_stored(sc_crossings *crossings, sc_crew *crew, bool *sound);

#endif
