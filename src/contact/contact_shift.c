/* contact_shift.c - see contact_shift.h. The centre is looked for by projection on the planes that
 * it misses (Agmon 1954), with room to spare, less and less of it. */
#include "contact_shift.h"

#include "geom/vec3.h"

#include <stdbool.h>

static bool leaves_all(const sc_shift *shift, const sc_contact_plane *planes, int count)
{
    for (int i = 0; i < count; i++) {
        if (sc_shift_across(shift, planes[i].normal) <= 0) {
            return false;
        }
    }
    return true;
}

/* How far the centre lies on the side of a plane that it must be on: in front of it to move
 * towards it, behind it to move away. */
static double room_at(const sc_contact_plane *plane, sc_vec3 centre, int towards)
{
    double at = sc_dot(plane->normal, centre);
    return towards > 0 ? at - plane->high : plane->low - at;
}

/* The plane with the least room. */
static int narrowest(const sc_contact_plane *planes, int count, sc_vec3 centre, int towards,
                     double *room)
{
    int least = 0;
    *room = INFINITY;
    for (int i = 0; i < count; i++) {
        double here = room_at(&planes[i], centre, towards);
        if (here < *room) {
            *room = here;
            least = i;
        }
    }
    return least;
}

static sc_vec3 rounded(sc_vec3 p)
{
    return (sc_vec3){(double)(float)p.x, (double)(float)p.y, (double)(float)p.z};
}

static bool is_float(sc_vec3 p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

/* A centre, from the origin, with so much room to all planes that rounding leaves some, and no
 * farther off than floats reach. */
static bool find_centre(const sc_contact_plane *planes, int count, sc_vec3 origin, double extent,
                        int towards, sc_vec3 *centre)
{
    enum { STEPS = 64, HALVINGS = 20 };
    sc_vec3 at = {0.0, 0.0, 0.0};
    double wanted = extent, room;

    for (int i = 0; i < HALVINGS; i++, wanted *= 0.5) {
        for (int step = 0; step < STEPS; step++) {
            int least = narrowest(planes, count, at, towards, &room);
            if (room >= wanted) {
                *centre = rounded(sc_add(origin, at));
                if (!is_float(*centre)) {
                    at = (sc_vec3){0.0, 0.0, 0.0};
                    break;
                }
                narrowest(planes, count, sc_sub(*centre, origin), towards, &room);
                return room > 0.0;
            }
            at = sc_mul_add(at, towards * (wanted - room), planes[least].normal);
        }
    }
    return false;
}

sc_shift sc_contact_shift(const sc_contact_plane *planes, int count, sc_vec3 away, sc_vec3 origin,
                          double extent)
{
    sc_shift shift = sc_shift_along(away);
    if (leaves_all(&shift, planes, count)) {
        return shift;
    }
    for (int towards = 1; towards >= -1; towards -= 2) {
        if (find_centre(planes, count, origin, extent, towards, &shift.centre)) {
            shift.towards = (int8_t)towards;
            return shift;
        }
    }
    return shift;
}
