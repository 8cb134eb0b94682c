/* test_contact.c - the area in which parts touch face to face: when it is told, and of what. */
#include "ask.h"
#include "test.h"

#include <math.h>

static stl_image block(double x, double y, double z, double to_x, double to_y, double to_z)
{
    return make_box((double[]){x, y, z}, (double[]){to_x, to_y, to_z}, 2);
}

/* ---- when it is told -------------------------------------------------------------------- */

/* Each pair both ways: the same area, or none, for the same reason. */
static void expect_area(const stl_image *a, const stl_image *b, const stlclash_options *o,
                        stlclash_status status, double area, const char *note, const char *what)
{
    for (int way = 0; way < 2; way++) {
        stlclash_result *r = way ? ask_images(b, a, o) : ask_images(a, b, o);
        CHECK(r->status == status, "%s: %s", what, stlclash_status_text(r->status));
        CHECK(r->has_contact_area == !isnan(area), "%s: %s contact area", what,
              r->has_contact_area ? "a" : "no");
        CHECK(isnan(area) || fabs(r->contact_area - area) <= 1e-6, "%s: contact area %.9g of %.9g",
              what, r->contact_area, area);
        CHECK(note ? r->note_count == 1 && ask_has_note(r, note) : r->note_count == 0,
              "%s: %d notes, the first is %s", what, (int)r->note_count,
              r->note_count > 0 ? r->notes[0] : "none");
        stlclash_result_free(r);
    }
}

TEST(contact_area_is_told_or_a_note_says_why_not)
{
    const double step = 0x1p-21; /* the resolution of coordinates up to 8 */
    stl_image plate = block(0, 0, 0, 7, 7, 1), inner = block(1, 1, 0.25, 2, 2, 0.75);
    stl_image close = block(1, 1, 0.25, 2, 2, 1 - step), on_top = block(1, 1, 1 + step, 2, 2, 2);
    stl_image edge = block(7 + step, 1, 1, 8 - step, 2, 2), apart = block(1, 1, 1.5, 2, 2, 2);
    stl_image open = make_facets(NULL, 0);
    for (size_t i = 1; i < image_facets(&on_top); i++) {
        const shape_facet f = image_get(&on_top, i);
        open = image_joined(open, make_facets(&f.corner[0][0], 1));
    }
    stlclash_options o = ask_usual();

    expect_area(&plate, &inner, &o, STLCLASH_CLASH, 0, NULL, "inside");
    expect_area(&plate, &close, &o, STLCLASH_CLASH, 0, NULL, "just inside");
    expect_area(&plate, &on_top, &o, STLCLASH_CONTACT, 1, NULL, "on top");
    expect_area(&plate, &edge, &o, STLCLASH_CONTACT, 0, NULL, "edge to edge");
    expect_area(&plate, &apart, &o, STLCLASH_CLEAR, NAN, NULL, "apart");
    expect_area(&plate, &open, &o, STLCLASH_CONTACT, NAN, "open_part", "open");
    o.touch_gap = 0;
    expect_area(&plate, &on_top, &o, STLCLASH_CLEAR, NAN, NULL, "on top, but for a gap");
    o.touch_gap = STLCLASH_AUTO;
    o.no_overlap = true;
    expect_area(&plate, &on_top, &o, STLCLASH_CONTACT, NAN, "overlap_skipped", "not measured");
    image_free(&plate);
    image_free(&inner);
    image_free(&close);
    image_free(&on_top);
    image_free(&edge);
    image_free(&apart);
    image_free(&open);
}
