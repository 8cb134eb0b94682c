/* measured.c - see measured.h. */
#include "measured.h"

#include "test.h"

void measured_make(measured *m, const stl_image *first, const stl_image *second)
{
    *m = (measured){.overlap = {.none = true}};
    both_make(&m->b, first, second);
    sc_solid *solid[2] = {&m->b.solid[0], &m->b.solid[1]};
    CHECK(sc_crossings_find(solid, m->b.hits, m->b.hit_count, NULL, &m->crossings) &&
              sc_crossings_wind(&m->crossings, NULL) &&
              sc_overlap_measure(&m->crossings, NULL, &m->pieces, &m->overlap),
          "out of memory");
    CHECK(m->overlap.none || sc_regions_make(&m->crossings, &m->pieces, &m->overlap, &m->regions),
          "out of memory");
}

void measured_free(measured *m)
{
    sc_regions_free(&m->regions);
    sc_overlap_free(&m->overlap);
    sc_pieces_free(&m->pieces);
    sc_crossings_free(&m->crossings);
    both_free(&m->b);
}
