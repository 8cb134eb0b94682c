/* quota.c - see quota.h, cgroups(7), and of the kernel's documentation cgroup-v2 ("cpu.max",
 * "memory.max"), sched-bwc ("cpu.cfs_quota_us") and cgroup-v1/memory ("memory.limit_in_bytes"). */
#include "quota.h"

#include "real.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PATH = 4096 };

/* Up to two numbers that a file of a group begins with; how many there are. */
static int read_numbers(const char *folder, const char *name, double number[2])
{
    char path[MOST_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "re");
    int found = file ? fscanf(file, "%lf %lf", &number[0], &number[1]) : 0;
    if (file) {
        fclose(file);
    }
    return found > 0 ? found : 0;
}

/* What a controller shares out, and how much of it one group is allowed, whichever version it is
 * of: none has the files of both. Infinite: no quota. */
typedef struct resource {
    const char *controller;
    double (*allowed_in)(const char *folder);
} resource;

static double processors_in(const char *folder)
{
    double time[2], period[2];
    bool known = read_numbers(folder, "cpu.max", time) == 2;
    if (!known && read_numbers(folder, "cpu.cfs_quota_us", time) > 0) {
        known = read_numbers(folder, "cpu.cfs_period_us", period) > 0;
        time[1] = period[0];
    }
    return known && time[0] > 0.0 && time[1] > 0.0 ? time[0] / time[1] : INFINITY; /* -1, "max" */
}

static double bytes_in(const char *folder)
{
    double bytes[2];
    const bool known = read_numbers(folder, "memory.max", bytes) > 0 ||
                       read_numbers(folder, "memory.limit_in_bytes", bytes) > 0;
    return known && bytes[0] > 0.0 ? bytes[0] : INFINITY;
}

/* Of a group and all above it. In a container the path may be that of the machine outside, of which
 * only the end is to be seen: its own files are those of the root. */
static double allowed_up_from(const resource *of, const char *root, const char *group)
{
    char folder[MOST_PATH];
    const size_t least = strlen(root);
    double allowed = INFINITY;
    const int length = snprintf(folder, sizeof folder, "%s%s", root, group);
    if (length < 0 || (size_t)length >= sizeof folder) {
        return INFINITY;
    }
    for (char *end = folder + length; end && end >= folder + least; end = strrchr(folder, '/')) {
        *end = '\0';
        allowed = sc_min(allowed, of->allowed_in(folder));
    }
    return allowed;
}

/* Whether a list like "cpu,cpuacct" has a controller. */
static bool has_controller(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(list, name); at; at = strstr(at + 1, name)) {
        const bool begins = at == list || at[-1] == ',';
        if (begins && (at[length] == '\0' || at[length] == ',')) {
            return true;
        }
    }
    return false;
}

static double allowed_to(const resource *of, const char *groups, const char *root)
{
    char line[MOST_PATH], mount[MOST_PATH / 2];
    double allowed = INFINITY;
    FILE *file = fopen(groups, "re");
    while (file && fgets(line, sizeof line, file)) { /* number:controllers:path */
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path) {
            continue;
        }
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        controllers++;
        const bool unified = *controllers == '\0';
        if (!unified && !has_controller(controllers, of->controller)) {
            continue;
        }
        const int length =
            snprintf(mount, sizeof mount, "%s%s%s", root, unified ? "" : "/", controllers);
        if (length > 0 && (size_t)length < sizeof mount) {
            allowed = sc_min(allowed, allowed_up_from(of, mount, path));
        }
    }
    if (file) {
        fclose(file);
    }
    return allowed;
}

int sc_quota_processors(const char *groups, const char *root)
{
    static const resource processors = {"cpu", processors_in};
    const double allowed = allowed_to(&processors, groups, root);
    return allowed < INT_MAX / 2 ? (int)sc_ceil(allowed) : INT_MAX;
}

uint64_t sc_quota_memory(const char *groups, const char *root)
{
    static const resource memory = {"memory", bytes_in};
    const double allowed = allowed_to(&memory, groups, root);
    return allowed < 0x1p60 ? (uint64_t)allowed : UINT64_MAX;
}
