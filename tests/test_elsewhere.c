/* test_elsewhere.c - what other tools got wrong, by the number of its issue there. Only the
 * public interface is asked. */
#include "ask.h"
#include "test.h"
#include "ways.h"

#include <math.h>

/* IfcOpenShell #4594: 50 mm of overlap of walls with flush sides were not reported. */
TEST(ifcopenshell_4594_flush_aligned_overlap)
{
    double end = as_float(1.95), volume = 2 - end;
    truth t = clash(volume, STLCLASH_NEITHER);
    truth_box a = {{0, 0, 0}, {2, 1, 1}}, b = {{end, 0, 0}, {3, 1, 1}};

    CHECK(fabs(volume - 0.0499999523163) < 1e-13, "the table is wrong");
    try_pair(image_of_box(&a, 1), image_of_box(&b, 1), &t, "flush-aligned overlap");
    stl_image ia = image_of_box(&a, 1), ib = image_of_box(&b, 1);
    stlclash_options o = ask_usual();
    CHECK(ask_status(&ia, &ib, &o) == STLCLASH_CLASH, "not a clash by default");
    image_free(&ia);
    image_free(&ib);
}

/* ifc-lite #1362, #1455: touching faces were reported as a hard clash. IfcOpenShell
 * #2430: a wall that only touches had a penetration depth. */
TEST(ifc_lite_1362_flush_touch)
{
    truth_box a = {{0, 0, 0}, {2, 1, 1}}, b = {{2, 0, 0}, {3, 1, 1}};
    truth t = boxes_truth(&a, &b);

    CHECK(t.area == 1 && t.status == STLCLASH_CONTACT, "the table is wrong");
    try_pair(image_of_box(&a, 1), image_of_box(&b, 1), &t, "flush touch");
    stl_image ia = image_of_box(&a, 1), ib = image_of_box(&b, 1);
    for (int tolerant = 0; tolerant < 2; tolerant++) {
        stlclash_options o = tolerant ? ask_usual() : exact();
        stlclash_result *r = ask_images(&ia, &ib, &o);
        CHECK(r->status == STLCLASH_CONTACT && r->pass, "status %s",
              stlclash_status_text(r->status));
        CHECK(r->has_contact_area && r->contact_area == 1, "contact area %g", r->contact_area);
        CHECK(r->overlap.volume == 0 && r->overlap.depth == 0, "volume %g, depth %g",
              r->overlap.volume, r->overlap.depth);
        CHECK(r->has_normal && r->normal[0] == -1 && r->normal[1] == 0 && r->normal[2] == 0,
              "normal %g %g %g", r->normal[0], r->normal[1], r->normal[2]);
        stlclash_result_free(r);
    }
    image_free(&ia);
    image_free(&ib);
}

/* trimesh #1875, #23: an object inside another was no collision. */
TEST(trimesh_1875_contained_object)
{
    stl_image a = cube(-2, 2), b = make_sphere(1, 6);
    stlclash_options o = ask_usual();
    double volume = oracle_volume(&b);
    truth t = clash(volume, STLCLASH_B);

    stlclash_result *r = ask_images(&a, &b, &o);
    check_truth(r, &t, 4, "contained");
    CHECK(r->separation.distance == 1 && r->hit_count == 0, "distance %g of the surfaces",
          r->separation.distance);
    check_deepest(r, &a, &b, 0.01, "contained");
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}

/* fcl #503, #106: flush boxes had wrong depths and points. BlocksCAD #16, OpenJSCAD #807:
 * the same box with T-junctions. */
TEST(fcl_503_touching_boxes_tessellated_anew)
{
    oracle_frame plain = oracle_frame_plain();
    truth_box a = {{0, 0, 0}, {2, 1, 1}}, b = {{2, 0.25, -1}, {3, 1, 0.5}};
    truth t = boxes_truth(&a, &b);

    for (uint32_t cells = 1; cells <= 5; cells++) {
        try_pair(image_of_box(&a, cells), image_of_box(&b, 6 - cells), &t, "tessellated anew");
        try_pair(oracle_split_box(a.low, a.high, 0, &plain),
                 oracle_split_box(b.low, b.high, 0, &plain), &t, "split at random");
    }
}

/* A box in the notch of an L fills it: the hull of the L would clash. */
TEST(convex_hulls_box_in_the_notch_of_an_l)
{
    truth t = contact(4);
    try_pair(make_l(), simple_box(1, 3, 1, 3, 0, 1), &t, "in the notch");
    t = contact(2);
    try_pair(make_l(), simple_box(1, 2, 1, 2, 0, 1), &t, "in the corner of the notch");
    t = clear();
    try_pair(make_l(), simple_box(1.5, 2, 1.5, 2, 0, 1), &t, "loose in the notch");
}
