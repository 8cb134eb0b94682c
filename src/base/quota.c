/* quota.c - see quota.h, cgroups(7), and of the kernel's documentation cgroup-v2 ("cpu.max") and
 * sched-bwc ("cpu.cfs_quota_us"). */
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

/* Of one group, whichever version it is of: none has both files. */
static int allowed_in(const char *folder)
{
    double time[2], period[2];
    bool known = read_numbers(folder, "cpu.max", time) == 2;
    if (!known && read_numbers(folder, "cpu.cfs_quota_us", time) > 0) {
        known = read_numbers(folder, "cpu.cfs_period_us", period) > 0;
        time[1] = period[0];
    }
    if (!known || !(time[0] > 0.0 && time[1] > 0.0) || !(time[0] / time[1] < INT_MAX / 2)) {
        return INT_MAX; /* -1, or "max" */
    }
    return (int)sc_ceil(time[0] / time[1]);
}

/* Of a group and all above it. In a container the path may be that of the machine outside, of which
 * only the end is to be seen: its own files are those of the root. */
static int allowed_up_from(const char *root, const char *group)
{
    char folder[MOST_PATH];
    const size_t least = strlen(root);
    int allowed = INT_MAX;
    const int length = snprintf(folder, sizeof folder, "%s%s", root, group);
    if (length < 0 || (size_t)length >= sizeof folder) {
        return INT_MAX;
    }
    for (char *end = folder + length; end && end >= folder + least; end = strrchr(folder, '/')) {
        *end = '\0';
        const int here = allowed_in(folder);
        allowed = here < allowed ? here : allowed;
    }
    return allowed;
}

/* Whether a list like "cpu,cpuacct" has the controller of processors. */
static bool has_cpu(const char *controllers)
{
    const char *at = strstr(controllers, "cpu");
    for (; at; at = strstr(at + 1, "cpu")) {
        const bool begins = at == controllers || at[-1] == ',';
        if (begins && (at[3] == '\0' || at[3] == ',')) {
            return true;
        }
    }
    return false;
}

int sc_quota_processors(const char *groups, const char *root)
{
    char line[MOST_PATH], mount[MOST_PATH / 2];
    int allowed = INT_MAX;
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
        if (!unified && !has_cpu(controllers)) {
            continue;
        }
        const int length =
            snprintf(mount, sizeof mount, "%s%s%s", root, unified ? "" : "/", controllers);
        if (length > 0 && (size_t)length < sizeof mount) {
            const int here = allowed_up_from(mount, path);
            allowed = here < allowed ? here : allowed;
        }
    }
    if (file) {
        fclose(file);
    }
    return allowed;
}
