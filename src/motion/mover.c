/* mover.c - see mover.h. */
#include "mover.h"

#include "motion.h"
#include "screw.h"

#include <string.h>

/* ---- what a part sweeps out ----------------------------------------------- */

static sc_box box_of_screws(const sc_mover *mover, const sc_part *part)
{
    const stlclash_motion *motion = mover->motion;
    const double *from = mover->placement;
    sc_box swept = part->bounds;

    for (size_t i = 0; i < motion->placement_count; i++) {
        sc_screw leg = sc_screw_between(from, motion->placements[i]);
        sc_box box = sc_screw_sweep(&leg, 0.0, 1.0, &part->mesh->blocks.bounds);
        sc_box_add_box(&swept, &box);
        from = motion->placements[i];
    }
    return swept;
}

static sc_box box_of_way(const sc_part *part, const double way[3])
{
    sc_box end = sc_box_moved(&part->bounds, sc_vec3_of(way));
    sc_box_add_box(&end, &part->bounds);
    return sc_box_grown(&end, 0.0);
}

stlclash_code sc_mover_sweep(const sc_mover *mover, const sc_part *part, const char *whose,
                             sc_box *swept, stlclash_error *error)
{
    const stlclash_motion *motion = mover->motion;
    sc_part end;

    *swept = part->bounds;
    if (!motion) {
        return STLCLASH_OK;
    }
    stlclash_code code = sc_motion_check(motion, 0, part->mesh, whose, error);
    if (code != STLCLASH_OK || part->mesh->file.facets.count == 0) {
        return code;
    }
    switch (motion->kind) {
    case STLCLASH_STRAIGHT: *swept = box_of_way(part, motion->way[0]); break;
    case STLCLASH_SCREW: *swept = box_of_screws(mover, part); break;
    case STLCLASH_VERTEX_PATHS:
        code = sc_part_place(motion->end, mover->placement, whose, &end, error);
        if (code == STLCLASH_OK) {
            sc_box_add_box(swept, &end.bounds);
        }
        break;
    case STLCLASH_INDEPENDENT: break; /* no motion of one part */
    }
    return code;
}

/* ---- two parts ------------------------------------------------------------ */

/* Where B stands as seen from A. */
static void seen_from(const double *a, const double *b, double out[12], double *size)
{
    a = sc_placement_numbers(a);
    b = sc_placement_numbers(b);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            double column[3] = {b[j], b[4 + j], b[8 + j]};
            for (int k = 0; j == 3 && k < 3; k++) {
                column[k] -= a[4 * k + 3];
                *size = sc_fmax(*size, sc_fmax(fabs(a[4 * k + 3]), fabs(b[4 * k + 3])));
            }
            out[4 * i + j] = a[i] * column[0] + a[4 + i] * column[1] + a[8 + i] * column[2];
        }
    }
}

/* Whether both go along the same screws, leg by leg: B then stands as seen from A all the
 * time where it stood at the start, but for the rounding of the placements: of how they turn, and
 * of shifts as large as the placements have them or as the parts are. */
static bool keep_together(const sc_mover *a, const sc_mover *b)
{
    const stlclash_motion *x = a->motion, *y = b->motion;
    double before[12], now[12], size = sc_fmax(a->reach, b->reach);

    if (x->kind != STLCLASH_SCREW || y->kind != STLCLASH_SCREW ||
        x->placement_count != y->placement_count) {
        return false;
    }
    seen_from(a->placement, b->placement, before, &size);
    for (size_t i = 0; i < x->placement_count; i++) {
        seen_from(x->placements[i], y->placements[i], now, &size);
        for (int k = 0; k < 12; k++) {
            double slack = k % 4 == 3 ? 0x1p-46 * size : 0x1p-46;
            if (!(fabs(now[k] - before[k]) <= slack)) {
                return false;
            }
        }
    }
    return true;
}

/* Whether the part moves straight or rests, and by how much: an end of the same attitude is a
 * straight way too (motion_screw.c). */
static bool goes_straight(const sc_mover *mover, double way[3])
{
    const stlclash_motion *motion = mover->motion;
    const double *from = sc_placement_numbers(mover->placement);

    if (!motion || motion->kind == STLCLASH_STRAIGHT) {
        for (int k = 0; k < 3; k++) {
            way[k] = motion ? motion->way[0][k] : 0.0;
        }
        return true;
    }
    if (motion->kind != STLCLASH_SCREW || motion->placement_count != 1 ||
        !sc_same_attitude(from, motion->placements[0])) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        way[k] = motion->placements[0][4 * k + 3] - from[4 * k + 3];
    }
    return true;
}

/* The smaller of the tolerances that are given. */
static double tolerance_of_both(const stlclash_motion *a, const stlclash_motion *b)
{
    const double x = a->tolerance, y = b->tolerance;
    return x > 0.0 && y > 0.0 ? sc_fmin(x, y) : sc_fmax(x, y);
}

bool sc_movers_relate(const sc_mover *a, const sc_mover *b, stlclash_motion *motion)
{
    *motion = (stlclash_motion){.kind = STLCLASH_STRAIGHT};
    if ((!a->motion && !b->motion) || (a->motion && b->motion && keep_together(a, b))) {
        return false;
    }
    const bool both_straight = goes_straight(a, motion->way[0]) && goes_straight(b, motion->way[1]);
    if (!both_straight && a->motion && b->motion) {
        *motion = (stlclash_motion){.kind = STLCLASH_INDEPENDENT,
                                    .each = {a->motion, b->motion},
                                    .tolerance = tolerance_of_both(a->motion, b->motion)};
    } else if (!a->motion || !b->motion) {
        const stlclash_motion *only = a->motion ? a->motion : b->motion;
        if (only->kind != STLCLASH_STRAIGHT) {
            *motion = *only;
            motion->moves = a->motion ? STLCLASH_A : STLCLASH_B;
        }
    }
    return true;
}
