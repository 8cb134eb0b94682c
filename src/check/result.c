/* result.c - see result.h; and the words of the public interface. */
#include "result.h"

#include "base/alloc.h"

#include <string.h>

sc_result *sc_result_make(void)
{
    sc_result *result = sc_calloc(1, sizeof *result);
    if (result) {
        result->public.status = STLCLASH_UNDECIDED;
        result->public.notes = result->notes;
    }
    return result;
}

bool sc_tell_health(const sc_health *health, stlclash_part_result *result, sc_kept_warnings **kept)
{
    result->has_health = true;
    result->closed = result->has_volume = health->closed;
    result->volume = health->closed ? health->volume : 0.0;
    result->has_components = health->full;
    result->components = health->components;
    *kept = health->warning_count > 0 ? sc_alloc(1, sizeof **kept) : NULL;
    if (*kept) {
        memcpy((*kept)->warnings, health->warnings, sizeof health->warnings);
        memcpy((*kept)->texts, health->texts, sizeof health->texts);
        for (size_t i = 0; i < health->warning_count; i++) {
            (*kept)->warnings[i].text = (*kept)->texts[i];
        }
        result->warnings = (*kept)->warnings;
        result->warning_count = health->warning_count;
    }
    return health->warning_count == 0 || *kept;
}

void sc_result_note(sc_result *result, const char *note)
{
    sc_notes_add(result->notes, &result->public.note_count, note);
}

stlclash_separation sc_separation_of(const sc_closest *closest, const uint32_t triangle[2],
                                     bool swapped, double distance)
{
    const sc_feature feature[2] = {closest->feature_a, closest->feature_b};
    const int a = swapped, b = !swapped;
    stlclash_separation s = {.distance = distance,
                             .triangle_a = triangle[a],
                             .triangle_b = triangle[b],
                             .feature_a = (stlclash_feature)feature[a],
                             .feature_b = (stlclash_feature)feature[b]};

    sc_vec3_store(closest->on_a, swapped ? s.point_b : s.point_a);
    sc_vec3_store(closest->on_b, swapped ? s.point_a : s.point_b);
    for (int k = 0; k < 3; k++) {
        s.vector[k] = s.point_a[k] - s.point_b[k];
    }
    return s;
}

void stlclash_result_free(stlclash_result *result)
{
    if (result) {
        sc_result *whole = (sc_result *)result; /* its first member */
        sc_free(whole->hits);
        sc_free(whole->regions);
        sc_free(whole->vertices);
        sc_free(whole->facets);
        sc_free(whole->gaps);
        sc_free(whole->curves);
        sc_free(whole->curve_points);
        sc_free(whole->kept[0]);
        sc_free(whole->kept[1]);
        sc_free(whole);
    }
}

const char *stlclash_status_text(stlclash_status status)
{
    switch (status) {
    case STLCLASH_UNDECIDED: return "undecided";
    case STLCLASH_CLASH: return "clash";
    case STLCLASH_CONTACT: return "contact";
    case STLCLASH_NEAR: return "near";
    case STLCLASH_CLEAR: return "clear";
    }
    return "unknown status";
}

const char *stlclash_feature_text(stlclash_feature feature)
{
    switch (feature) {
    case STLCLASH_VERTEX: return "vertex";
    case STLCLASH_EDGE: return "edge";
    case STLCLASH_FACE: return "face";
    }
    return "unknown feature";
}

const char *stlclash_version(void)
{
    return STLCLASH_VERSION;
}

static const struct {
    const char *note, *text;
} note_texts[] = {
    {"no_triangles", "a part has no triangles, so there is nothing to compare"},
    {"open_part", "a part is not closed, so it has no inside: only surfaces are judged, and volume "
                  "and depth are not defined"},
    {"open_faces_alike", "faces of both lie on each other and face the same way, as where solids "
                         "overlap: look at them, or --require-closed leaves such parts undecided"},
    {"open_part_refused", "a part is not closed, and all were required to be"},
    {"containment_unknown", "a part that is not closed may hold the other one, or be held by it"},
    {"depth_undecided",
     "how deep the parts lie in each other could not be settled within the effort allowed, or not "
     "as exactly as asked"},
    {"contact_area_unknown",
     "the touch tolerances are so wide that too many facets lie within them to tell the contact "
     "area"},
    {"counted_with_multiplicity",
     "a part overlaps itself: its overlap counts as often as the part covers it"},
    {"overlap_without_volume",
     "the surfaces pass through each other, but what the parts have in common has no volume"},
    {"limit_undecided",
     "it is not known whether the overlap keeps its limits of volume and depth: they lie within "
     "the error of what was measured, or nothing could be measured"},
    {"overlap_skipped", "volume and depth of the overlap were not asked for"},
    {"depth_skipped", "the depth of the overlap was not asked for"},
    {"region_depth_unknown",
     "how deep some region of the overlap is could not be settled within the effort allowed, or it "
     "is not one of the 100 largest"},
    {"gaps_unknown", "too many pairs of triangles lie so near each other for the gaps between the "
                     "parts to be listed"},
    {"units_differ", "the parts differ in size by a factor near 25.4 or 1000 and lie apart: check "
                     "that both files use the same unit"},
    {"stopped_at_proof", "quick: the search stopped at the first proof of the status"},
    {"clear_by_boxes", "the boxes around the parts show that they are clear"},
    {"distance_not_needed",
     "the distance was not asked for: it exceeds all that can change the status"},
    {"start_undecided", "the parts could not be judged as they stand at the start"},
    {"pose_undecided", "the parts could not be judged as they stand at some time of the motion"},
    {"motion_depth_undecided",
     "on the way the parts overlap, and neither was the overlap found to be "
     "deeper than the touch overlap nor shown not to be (--exact allows for none)"},
    {"passage_unknown",
     "on the way a part that is not closed touches the other one, or nearly, and may pass through "
     "it between the poses that were looked at"},
    {"motion_steps",
     "the motion keeps so near, or is so long, that the poses allowed did not cover "
     "it: a larger tolerance takes fewer"},
    {"possible_contact", "the parts come within the tolerance of each other, and may meet or not"},
    {"probe_too_wide", "coordinates of the probe differ too much: end it nearer by, or use a ray"},
    {"contact_early", "the capsule grazes the surface: it can go farther than up to its contact"},
    {"within_rounding", "whether the probe is too deep lies within the rounding of its distance"},
    {"time_limit", "the time limit was reached before the pair was decided"},
    {"cancelled", "the check was cancelled before the pair was decided"},
};

const char *stlclash_note_text(const char *note)
{
    for (size_t i = 0; i < sizeof note_texts / sizeof note_texts[0]; i++) {
        if (strcmp(note, note_texts[i].note) == 0) {
            return note_texts[i].text;
        }
    }
    return note;
}
