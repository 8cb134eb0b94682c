/* quota.h - how many processors' time a process is allowed, as in a container. */
#ifndef SC_QUOTA_H
#define SC_QUOTA_H

/* So many processors, rounded up, as the control groups of a process and all above them allow it
 * the time of (Linux, cgroups 2 and 1); INT_MAX: no quota, or none to be found. `groups` is the
 * file that lists them, /proc/self/cgroup, `root` the folder that has their own, /sys/fs/cgroup. */
int sc_quota_processors(const char *groups, const char *root);

#endif
