#include "judged.h"
#include "ask.h"
#include "test.h"

#include <string.h>

void judge(judged *j, const stl_image *image, bool full)
{
    stlclash_error error = {STLCLASH_OK, ""};
    j->mesh = ask_mesh(image);
    CHECK_INT(sc_health_judge(j->mesh, full, &j->health, &error), STLCLASH_OK);
}

void judged_free(judged *j)
{
    sc_health_free(&j->health);
    stlclash_mesh_free(j->mesh);
}

uint64_t warned(const sc_health *h, const char *code, uint64_t *first)
{
    for (size_t i = 0; i < h->warning_count; i++) {
        if (strcmp(h->warnings[i].code, code) == 0) {
            if (first) {
                *first = h->warnings[i].first;
            }
            CHECK(h->warnings[i].count > 0 && strlen(h->warnings[i].text) > 20, "%s: \"%s\"", code,
                  h->warnings[i].text);
            return h->warnings[i].count;
        }
    }
    return 0;
}

void check_warned(const sc_health *h, const char *code, int count, int first, int round)
{
    uint64_t first_told = 0, told = warned(h, code, &first_told);
    CHECK(told == (uint64_t)count && (count == 0 || first_told == (uint64_t)first),
          "round %d: %llu %s from %llu, expected %d from %d", round, (unsigned long long)told, code,
          (unsigned long long)first_told, count, first);
}

int turned(const sc_health *h, size_t facet)
{
    return h->orientation ? h->orientation[facet] : 1;
}
