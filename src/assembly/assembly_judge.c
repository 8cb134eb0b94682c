/* assembly_judge.c - stlclash_assembly_judge: the mesh of a part of an assembly, in full. */
#include "assembly.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "check/result.h"
#include "health/health_once.h"

static stlclash_code judge(const stlclash_mesh *mesh, sc_member *member, stlclash_error *error)
{
    const sc_health *health;
    stlclash_code code = sc_health_get(mesh, true, &health, error);
    if (code == STLCLASH_OK && !sc_tell_health(health, &member->judged, &member->kept)) {
        member->judged = (stlclash_part_result){.has_health = false};
        code = sc_error_memory(error);
    }
    return code;
}

stlclash_code stlclash_assembly_judge(stlclash_assembly *assembly, size_t part,
                                      const stlclash_part_result **result, stlclash_error *error)
{
    SC_STANDARD_FLOATS;
    sc_member *member = &assembly->members[part];
    const stlclash_mesh *mesh;
    stlclash_code code = STLCLASH_OK;

    *result = NULL;
    if (member->info.error.code != STLCLASH_OK) {
        *error = member->info.error;
        return error->code;
    }
    if (!member->judged.has_health) {
        code = sc_store_acquire(assembly->store, member->file, &mesh, error);
        if (code == STLCLASH_OK) {
            code = judge(mesh, member, error);
            sc_store_release(assembly->store, member->file);
        }
        memcpy(member->judged.bounds, member->info.bounds, sizeof member->judged.bounds);
    }
    *result = code == STLCLASH_OK ? &member->judged : NULL;
    return code;
}
