/* process.c - see process.h. */
#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Input files are mapped, so one that is cut while it is read ends in SIGBUS. */
static void on_bus_error(int signal_number)
{
    static const char line[] = "stlclash: an input file was truncated while it was being read\n";
    (void)signal_number;
    ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    (void)written; /* nothing is left to be done about it */
    _exit(2);
}

/* Makes sure that 0, 1 and 2 are taken: a file of ours that got one of them would
 * receive what is meant for the caller. Opened the wrong way round, so that
 * using them still fails. */
static void occupy_standard_descriptors(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) == -1) {
            int opened = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
            (void)opened; /* the lowest free one, which is this descriptor */
        }
    }
}

void process_prepare(void)
{
    occupy_standard_descriptors();
    signal(SIGPIPE, SIG_IGN); /* a write then fails, and the failure is reported */
    signal(SIGXFSZ, SIG_IGN); /* as well, beyond a limit on file sizes */
    struct sigaction action = {.sa_handler = on_bus_error};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

static double clock_seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double process_seconds(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

double process_cpu_seconds(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

uint64_t process_peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}
