/* ascii.h - ASCII STL -> an array of facets.
 *
 *     solid [name to the end of the line]
 *       facet [normal n n n]
 *         outer loop
 *           vertex n n n      (three times)
 *         endloop
 *       endfacet
 *     endsolid [anything to the end of the line]      (any number of solids)
 *
 * Words in any case, any white space between them, lines ended by CR, LF or both;
 * "end solid", "end loop" and "end facet" too. Names are bytes of any encoding and
 * length, but end where a facet begins in their line, or, where none follows, an
 * "endsolid". Normals are checked for syntax and otherwise ignored. */
#ifndef SC_ASCII_H
#define SC_ASCII_H

#include "reader.h"
#include "stream.h"

/* No facet, no other word than a name, and no white space in front of all takes more bytes than
 * this: what comes through a pipe may have no end. */
enum { SC_MOST_AT_ONCE = 1 << 20 };

/* What tells text from binary files shows within so many bytes of the start. */
enum { SC_SIGN_BYTES = 512 };

/* As C has it of ASCII, in any locale. */
static inline bool sc_is_space(unsigned char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* True if the bytes start with "solid", behind white space and a UTF-8 byte order mark. */
bool sc_ascii_begins(const unsigned char *bytes, size_t size);

/* True if the bytes are text that starts with "solid", behind white space and a
 * UTF-8 byte order mark. Binary files whose header starts so have zero bytes near. */
bool sc_ascii_starts(const unsigned char *bytes, size_t size);

/* Behind both. */
const unsigned char *sc_text_start(const unsigned char *bytes, const unsigned char *end);

/* Reads such text, of about `expected` bytes (0: not known), into file->buffer and
 * file->facets, through a window that need not hold more than one facet. On failure
 * file->buffer may be set. */
stlclash_code sc_ascii_read(sc_stream *stream, size_t expected, sc_file *file,
                            stlclash_error *error);

#endif
