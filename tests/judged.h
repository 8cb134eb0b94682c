/* judged.h - a mesh and what is told of its health. */
#ifndef TEST_JUDGED_H
#define TEST_JUDGED_H

#include "health/health.h"
#include "shapes.h"

typedef struct judged {
    stlclash_mesh *mesh;
    sc_health health;
} judged;

/* `full`: all there is to warn about. The image must outlive it. Freed by judged_free. */
void judge(judged *j, const stl_image *image, bool full);
void judged_free(judged *j);

/* How many of `code` are warned about; `first`, which may be NULL, is left where none are. */
uint64_t warned(const sc_health *h, const char *code, uint64_t *first);
/* Checks that `count` of `code` are warned about, the first of them at facet `first`. */
void check_warned(const sc_health *h, const char *code, int count, int first, int round);
/* 1 where a facet is read as stored, -1 the other way round. */
int turned(const sc_health *h, size_t facet);

#endif
