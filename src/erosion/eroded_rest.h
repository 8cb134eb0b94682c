/* eroded_rest.h - where the surfaces of two parts still have points in common once one of them is
 * eroded: nowhere else do the parts lie deep in each other.
 *
 * Say a common point p lies deeper than vertices were displaced. If it is not common to what is
 * left, the surface that was displaced passed p (erosion_proof.h), and ended that near to p inside
 * the other part. Else it is in a piece of what is left in common, whose border is connected, and
 * of facets of either part that meet, or lie in the other one. So p is as near as that to the box
 * around such facets, of all that hang together as far as their own boxes tell. */
#ifndef SC_ERODED_REST_H
#define SC_ERODED_REST_H

#include "proving.h"

/* Solid[i] is eroded, and then just the facets of `met` meet, all of them. Tells what the proof has
 * room for: boxes around all that may lie deeper than the limit, or none, if that is too much; or
 * which regions are shown to be shallow, and what is left of others (regional.h). False if memory
 * ran out. */
bool sc_eroded_rest_boxes(const sc_erosion_proof *proof, int i, const sc_erosion *eroded,
                          const sc_eroded_pairs *met);

/* The same, unless some place is told that lies deeper than it may; boxes, unless less was left
 * before. *shallow: all regions are shown to be. */
bool sc_eroded_rest_tell(const sc_erosion_proof *proof, int i, const sc_erosion *eroded,
                         const sc_eroded_pairs *met, bool *shallow);

/* Tells the deepest place of facets that meet, of their corners and halfway along their edges as
 * these are before they are eroded, if it lies deeper than what is told already: of all, or of each
 * region. False if memory ran out. */
bool sc_eroded_rest_place(const sc_erosion_proof *proof, int i, const sc_eroded_pairs *met);

/* Whether such a place lies deeper than it may: then nothing comes of eroding. */
bool sc_eroded_is_refuted(const sc_erosion_proof *proof);

#endif
