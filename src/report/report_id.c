/* report_id.c - see report_id.h. */
#include "report_id.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* FNV-1a over a text and its terminator, which keeps "ab", "c" from "a", "bc". */
static uint64_t hash_text(uint64_t hash, const char *text)
{
    do {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    } while (*text++);
    return hash;
}

const char *report_id(char id[REPORT_ID_SIZE], const char *name_a, const char *name_b)
{
    bool ordered = strcmp(name_a, name_b) <= 0;
    uint64_t hash = hash_text(0xcbf29ce484222325u, ordered ? name_a : name_b);
    hash = hash_text(hash, ordered ? name_b : name_a);

    /* FNV mixes the last bytes little; names often differ in their last digit. */
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    snprintf(id, REPORT_ID_SIZE, "%016" PRIx64, hash ^ (hash >> 31));
    return id;
}
