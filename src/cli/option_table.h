/* option_table.h - all options there are, and what --help says of them. */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

typedef enum option_id {
    OPTION_TOPIC, /* no option: a heading in the help */
    OPTION_CLEARANCE,
    OPTION_TOUCH_OVERLAP,
    OPTION_TOUCH_GAP,
    OPTION_CONTACT,
    OPTION_REQUIRE_CLOSED,
    OPTION_EXACT,
    OPTION_PLACE_A,
    OPTION_PLACE_B,
    OPTION_MOVE_A,
    OPTION_MOVE_B,
    OPTION_END_A,
    OPTION_END_B,
    OPTION_WAYPOINTS,
    OPTION_TO_B,
    OPTION_MOTION_TOLERANCE,
    OPTION_QUICK,
    OPTION_NO_DISTANCE,
    OPTION_NO_OVERLAP,
    OPTION_NO_DEPTH,
    OPTION_DEPTH_ERROR,
    OPTION_HEALTH,
    OPTION_RULE,
    OPTION_PROBE,
    OPTION_PROBES,
    OPTION_MEMORY,
    OPTION_MAX_TIME,
    OPTION_THREADS,
    OPTION_FORMAT,
    OPTION_OUTPUT,
    OPTION_BASELINE,
    OPTION_OVERLAP,
    OPTION_GAPS,
    OPTION_CURVES,
    OPTION_LIST,
    OPTION_LIST_PAIRS,
    OPTION_MAX_HITS,
    OPTION_UNITS,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_PROGRESS,
    OPTION_COLOR,
    OPTION_HELP,
    OPTION_VERSION
} option_id;

typedef struct option_entry {
    option_id id;
    char letter;              /* or 0 */
    const char *name, *value; /* value: NULL where the option takes none */
    const char *help;         /* lines end in \n, the last one does not */
} option_entry;

/* In the order of the help, headings among them; the last entry has no name. */
extern const option_entry option_table[];

/* A long option is OPTION_LONG + its id to getopt_long, so that it is told from every letter. */
enum { OPTION_LONG = 256, OPTION_IDS = OPTION_VERSION + 1 };

/* The option that getopt_long returned, or NULL. */
const option_entry *option_of_getopt(int value);

#endif
