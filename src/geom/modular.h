/* modular.h - arithmetic modulo a prime below 2^61: rational functions of doubles are
 * zero in it if they are zero, and otherwise only by a chance of about their degree
 * over the prime. */
#ifndef SC_MODULAR_H
#define SC_MODULAR_H

#include "vec3.h"

#include <stddef.h>
#include <stdint.h>

/* Of the powers of 2 that a double may have as a factor, 2^-1074 to 2^971, the words. */
enum { SC_FIELD_FIRST = -17, SC_FIELD_WORDS = 33 };

/* Residues stand for themselves times 2^64 (Montgomery, Modular Multiplication Without
 * Trial Division, 1985); only 0 is 0. */
typedef struct sc_field {
    uint64_t prime;
    uint64_t negated_inverse;       /* -1 / prime modulo 2^64 */
    uint64_t square;                /* 2^128 modulo the prime: makes a number a residue */
    uint64_t half, two;             /* residues of 1/2 and 2 */
    uint64_t small[64];             /* of 2^i */
    uint64_t large[SC_FIELD_WORDS]; /* of 2^(64 i), from SC_FIELD_FIRST on, times 2^64 */
} sc_field;

/* 2^61 - 1, and a prime between 2^60 and 2^61 that nobody could foresee. */
sc_field sc_field_fixed(void);
sc_field sc_field_random(void);

typedef struct sc_residue3 {
    uint64_t x, y, z;
} sc_residue3;

/* Finite coordinates. */
sc_residue3 sc_field_from3(const sc_field *f, sc_vec3 p);

uint64_t sc_field_add(const sc_field *f, uint64_t a, uint64_t b);
uint64_t sc_field_subtract(const sc_field *f, uint64_t a, uint64_t b);
uint64_t sc_field_multiply(const sc_field *f, uint64_t a, uint64_t b);
uint64_t sc_field_inverse(const sc_field *f, uint64_t a); /* 0 for 0 */
uint64_t sc_field_integer(const sc_field *f, int64_t a);

/* One of many numbers that become their inverses at once, which takes a fraction of the time. */
typedef struct sc_invertible {
    uint64_t number; /* 0 stays */
    uint64_t room;
} sc_invertible;

/* They lie `stride` bytes apart, in items of some array. */
void sc_field_invert(const sc_field *f, sc_invertible *first, size_t stride, size_t count);

static inline uint64_t sc_residue_component(sc_residue3 a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/* a - b, a . b, a x b, and a . (b x c). */
sc_residue3 sc_field_subtract3(const sc_field *f, sc_residue3 a, sc_residue3 b);
uint64_t sc_field_dot(const sc_field *f, sc_residue3 a, sc_residue3 b);
sc_residue3 sc_field_cross(const sc_field *f, sc_residue3 a, sc_residue3 b);
uint64_t sc_field_det(const sc_field *f, sc_residue3 a, sc_residue3 b, sc_residue3 c);

/* The first component that is not 0, if there is one. */
uint64_t sc_residue_leading(sc_residue3 a);

/* What tells the line through p apart from others: the same for all points and directions of it.
 * The inverse is that of the leading component of `along`: many are cheaper at a time. */
uint64_t sc_field_line_key(const sc_field *f, sc_residue3 p, sc_residue3 along, uint64_t inverse);

#endif
