/* stlclash.h - do two STL parts clash, touch, or how far apart are they.
 *
 * Load two meshes, check one against the other, read the result:
 *
 *     stlclash_mesh *a, *b;
 *     stlclash_result *r;
 *     stlclash_error e;
 *     if (stlclash_mesh_read("a.stl", &a, &e) == STLCLASH_OK && ...)
 *         stlclash_check(a, b, NULL, &r, &e);
 *
 * Units     Every length is in the unit of the STL files, which record none. All
 *           parts of one check share that unit and one right-handed frame.
 * Exactness Whether triangles meet is decided exactly, for the exact coordinates
 *           (after a placement: for the placed coordinates, rounded once to
 *           double). Distances are doubles with the error stated below.
 * Trust     Files may be hostile: memory follows what a file really holds, never
 *           the count it claims, and no content makes a call crash or hang.
 *           A regular file may be mapped: it must not be truncated while a mesh
 *           that was read from it is in use.
 * Threads   There is no global state. A mesh never changes once it is read, so
 *           any number of threads may check it at once. A call takes less than
 *           96 kB of its thread's stack, where it is compiled with optimisation.
 * Results   are the same, bit for bit, for any number of threads. Exchanging the
 *           parts exchanges their roles and negates the vector, nothing else.
 *           Nor do they depend on how the caller has set up floating-point
 *           arithmetic (rounding, subnormal numbers, traps): that is put back
 *           when a call returns; callbacks find the standard set-up.
 * Pointers  are non-NULL unless said otherwise. What a call creates the caller
 *           frees with the matching _free, which accepts NULL. */
#ifndef STLCLASH_H
#define STLCLASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STLCLASH_VERSION "0.1.0"

#if defined(__GNUC__)
#define STLCLASH_API __attribute__((visibility("default")))
#else
#define STLCLASH_API
#endif

/* ---- errors -------------------------------------------------------------- */

typedef enum stlclash_code {
    STLCLASH_OK = 0,
    STLCLASH_E_ARGUMENT,  /* an argument lies outside the range stated here */
    STLCLASH_E_IO,        /* the file could not be opened or read */
    STLCLASH_E_FORMAT,    /* not an STL file, or one that contradicts itself */
    STLCLASH_E_NONFINITE, /* a vertex coordinate is NaN or infinite */
    STLCLASH_E_RANGE,     /* a placed coordinate exceeds 2^200 in magnitude, or one of a motion
                             or probe what is stated there */
    STLCLASH_E_MEMORY     /* an allocation failed */
} stlclash_code;

/* What went wrong, filled whenever a call does not return STLCLASH_OK. */
typedef struct stlclash_error {
    stlclash_code code;
    char text[240]; /* one line without file name or line end, always terminated:
                       what is wrong, where (byte, line or triangle), and the
                       remedy where there is one */
} stlclash_error;

/* A short description, for any value of code; static storage. */
STLCLASH_API const char *stlclash_code_text(stlclash_code code);

/* The version of the library that is linked, like "0.1.0"; static storage. */
STLCLASH_API const char *stlclash_version(void);

/* ---- meshes -------------------------------------------------------------- */

/* One STL file: its triangles as stored, and what a first pass learnt of them. */
typedef struct stlclash_mesh stlclash_mesh;

typedef enum stlclash_format { STLCLASH_BINARY, STLCLASH_ASCII } stlclash_format;

#define STLCLASH_NO_TRIANGLE UINT64_MAX

/* Something odd about a file that did not stop it from being read. */
typedef struct stlclash_warning {
    const char *code; /* stable, snake_case: "degenerate_triangles", ... */
    uint64_t count;   /* of triangles, bytes, edges or shells, as `text` says */
    uint64_t first;   /* first triangle concerned, from 0 in file order, or
                       * STLCLASH_NO_TRIANGLE */
    const char *text; /* one sentence for people */
} stlclash_warning;

/* Facts about a mesh; pointers stay valid as long as the mesh. */
typedef struct stlclash_mesh_info {
    stlclash_format format;
    uint64_t triangles;  /* degenerate ones included */
    double bounds[2][3]; /* smallest and largest corner as stored; zeros if there are none */
    const stlclash_warning *warnings; /* [warning_count] */
    size_t warning_count;
} stlclash_mesh_info;

/* Reads an STL file, binary or ASCII. path "-" reads standard input, to its end
 * unless something is wrong before. On failure *mesh is NULL and *error tells why. */
STLCLASH_API stlclash_code stlclash_mesh_read(const char *path, stlclash_mesh **mesh,
                                              stlclash_error *error);

/* The same for a file already in memory: `size` bytes, which the mesh does not
 * copy and which must outlive it unchanged. */
STLCLASH_API stlclash_code stlclash_mesh_parse(const void *bytes, size_t size, stlclash_mesh **mesh,
                                               stlclash_error *error);

STLCLASH_API void stlclash_mesh_free(stlclash_mesh *mesh);

STLCLASH_API stlclash_mesh_info stlclash_mesh_get_info(const stlclash_mesh *mesh);

/* ---- checks -------------------------------------------------------------- */

/* The relation of two parts: the first that applies, in this order. */
typedef enum stlclash_status {
    STLCLASH_UNDECIDED, /* could not be judged; notes say why */
    STLCLASH_CLASH,     /* surfaces cross, or interiors overlap */
    STLCLASH_CONTACT,   /* they touch: distance <= touch gap, no deeper overlap */
    STLCLASH_NEAR,      /* distance < clearance */
    STLCLASH_CLEAR      /* otherwise */
} stlclash_status;

/* "undecided", "clash", "contact", "near" or "clear"; static storage. */
STLCLASH_API const char *stlclash_status_text(stlclash_status status);

typedef enum stlclash_feature { STLCLASH_VERTEX, STLCLASH_EDGE, STLCLASH_FACE } stlclash_feature;

/* "vertex", "edge" or "face"; static storage. */
STLCLASH_API const char *stlclash_feature_text(stlclash_feature feature);

#define STLCLASH_AUTO (-1.0)
#define STLCLASH_ALL_HITS UINT64_MAX
#define STLCLASH_NO_LIMIT (-1.0)

/* How to check. Start from stlclash_options_default(). */
typedef struct stlclash_options {
    double clearance; /* required gap, >= 0 and finite; 0 requires none */

    /* Gap, and depth of overlap, up to which parts count as touching: >= 0 and
     * finite, or STLCLASH_AUTO: twice the resolution. */
    double touch_gap;
    double touch_overlap;

    /* Judge the coordinates as they stand: automatic touch tolerances are 0, and
     * the clearance has no resolution slack. */
    bool exact;

    bool contact_fails; /* a contact does not pass */

    /* A clash passes all the same (a press fit) if volume and depth of the overlap are
     * proven to be at most this, but for a billionth of it, fails if one is proven to be
     * more, and is undecided in between: >= 0 and finite, or STLCLASH_NO_LIMIT. With neither,
     * every clash fails; with one, the overlap is measured even if quick or no_overlap leaves
     * it out, and with a max_depth its depth even if no_depth does. */
    double max_volume, max_depth;

    bool quick;          /* only the status: stop at the first proof */
    bool no_distance;    /* the distance only where the status depends on it */
    bool no_overlap;     /* do not measure the overlap, only judge it */
    bool no_depth;       /* measure its volume and regions, but not how deep they are */
    bool health;         /* judge both meshes fully, needed or not */
    bool require_closed; /* undecided where a part is not closed, unless they clash */
    bool gaps;           /* list where the parts come near each other, but with `quick` */
    bool curves;         /* list the curves in which the surfaces meet */
    bool overlap_mesh;   /* make a mesh of the overlap, where it is measured */

    /* Relative error to which the depth is found: in 1e-6 .. 1, or 0 for 0.01. */
    double depth_error;

    /* Intersecting triangle pairs to list, lowest triangle numbers first. The count
     * is complete all the same. */
    uint64_t max_hits;

    double max_seconds; /* give up as undecided after this time; 0: never */
    int threads;        /* >= 1, or 0: the processors that the process may use */

    /* Of A and of B: 16 numbers, row-major, or NULL. Rigid: every entry of
     * R^T R - I at most 1e-9 in magnitude, determinant positive, last row 0 0 0 1. */
    const double *placement[2];

    /* Called now and then from the calling thread, with the work done so far in
     * 0..1; NULL: never. Returning false ends the check: undecided, but for a clash that
     * is proven by then. */
    bool (*progress)(void *context, double done);
    void *progress_context;
} stlclash_options;

/* No clearance, automatic touch tolerances, no limits, 100 hits; all else is zero. */
STLCLASH_API stlclash_options stlclash_options_default(void);

/* A triangle of A and one of B with at least one common point. */
typedef struct stlclash_hit {
    uint32_t triangle_a, triangle_b; /* from 0, in file order */
    /* 1: they share a point; 2: a segment, its ends; 3..6: a polygon, its corners in
     * order. */
    uint32_t point_count;
    double points[6][3];
} stlclash_hit;

/* The distance of two surfaces. Error of `distance`: at most 2^-50 times the
 * largest extent of the two triangles and the gap between them; 2^-46 times that where
 * very many pairs of triangles are equally far apart but for rounding. */
typedef struct stlclash_separation {
    double distance;                       /* 0 exactly where the surfaces share a point */
    double vector[3];                      /* point_a - point_b */
    double point_a[3], point_b[3];         /* witness points; equal where they meet */
    uint32_t triangle_a, triangle_b;       /* those that the points lie on; as in stlclash_hit */
    stlclash_feature feature_a, feature_b; /* where on its triangle a point lies */
} stlclash_separation;

/* Work counters; they depend on the number of threads. */
typedef struct stlclash_stats {
    uint64_t blocks[2];        /* blocks of triangles in each part */
    uint64_t blocks_kept[2];   /* those near the other part */
    uint64_t blocks_opened[2]; /* of these, those whose triangles were looked at one by one */
    uint64_t box_tests;        /* pairs of octree nodes looked at */
    uint64_t triangle_pairs;   /* candidate pairs that reached the narrow phase */
    uint64_t exact_calls;      /* signs that needed expansion arithmetic */
} stlclash_stats;

/* What is known of one of the two parts. */
typedef struct stlclash_part_result {
    double bounds[2][3]; /* after placement: smallest, largest corner */

    /* Health, judged only if the verdict needs it or options.health asks. A closed
     * mesh bounds a solid: geometrically, every edge is used as often one way as
     * the other. A component is a piece of the surface: triangles with area that hang
     * together by vertices of the same coordinates in the file. Bodies that have a vertex in
     * common are one component, a cavity is one of its own; of a closed mesh each is closed. */
    bool has_health;
    bool closed;
    bool has_volume;                  /* of a closed part, where the verdict needed it */
    double volume;                    /* inside-out shells read the right way round */
    bool has_components;              /* if options.health asks */
    uint64_t components;              /* 0 of a mesh without area */
    const stlclash_warning *warnings; /* [warning_count], of health */
    size_t warning_count;
} stlclash_part_result;

/* One connected piece of an overlap. Flush faces join no pieces, unless they face opposite
 * ways. On both sides of a wall where bodies of one part stand on each other they are one if an
 * edge of the other part passes it there or the walls share a corner there, and else may be two.
 * Pieces that meet in an edge, or hang together by faces that touch on both sides,
 * may count as one. */
typedef struct stlclash_region {
    double volume;
    double bounds[2][3]; /* of what has volume; of parts with T-junctions perhaps more of the
                            bounds of the overlap */
    double depth;        /* of its own points; NaN if it was not found */
    size_t first_facet, facet_count; /* of the mesh of the overlap */
} stlclash_region;

typedef enum stlclash_side { STLCLASH_NEITHER, STLCLASH_A, STLCLASH_B } stlclash_side;

/* The common interior of two closed parts. Where a part overlaps itself, its
 * overlap counts as often as the part covers it (note "counted_with_multiplicity", unless that
 * is a small place which the other part's surface does not pass). */
typedef struct stlclash_overlap {
    stlclash_side contained;     /* the part that lies inside; neither where surfaces meet */
    double volume, volume_error; /* the exact volume is within volume_error */
    double centroid[3];
    double bounds[2][3]; /* of what has volume, however thin: faces that are flush but for rounding
                            may overlap, exactly flush ones do not */
    /* The deepest that a common point lies inside either part. The depth is that of
     * deepest_point, and no common point lies deeper than depth + depth_error. A depth
     * of 0: so little that no point of it could be told, and deepest_* mean nothing. */
    bool has_depth; /* false: notes say why */
    double depth, depth_error;
    double deepest_point[3];
    stlclash_side deepest_in; /* the part from whose surface it is that far */
    double deepest_vector[3]; /* from deepest_point to the nearest point there */

    const stlclash_region *regions; /* [region_count], largest volume first */
    size_t region_count;

    /* The overlap as a mesh, if options.overlap_mesh asked for it: facets turn to the left as seen
     * from outside, those of each region one after the other. Closed as the parts are: with their
     * T-junctions, and gaps where these came apart by rounding when a part was placed. Corners are
     * rounded, so that facets next to each other may overlap by as much. */
    const double (*vertices)[3]; /* [vertex_count] each once */
    size_t vertex_count;
    const uint32_t (*facets)[3]; /* [facet_count] numbers of vertices */
    size_t facet_count;
} stlclash_overlap;

/* A curve in which the surfaces meet: consecutive points are joined. */
typedef struct stlclash_curve {
    const double (*points)[3]; /* [point_count] */
    size_t point_count;
    bool closed; /* the last point is joined to the first */
} stlclash_curve;

/* What a check found. Read only; owned by the caller, freed by one call. */
typedef struct stlclash_result {
    stlclash_status status;
    bool pass; /* clear, a contact that is allowed and keeps the clearance, or a clash within
                  max_volume and max_depth */

    double resolution;               /* distance of the largest coordinate to the next float;
                                        0 where a part has no triangles */
    double touch_gap, touch_overlap; /* those applied, with auto resolved */
    double clearance_slack;          /* a gap counts as the clearance from clearance - slack */

    stlclash_part_result part[2]; /* of A and B */

    bool has_separation; /* false: not computed, `separation` is zero */
    stlclash_separation separation;

    /* Unit contact normal, from B to A, where the surfaces meet, there is a contact area or the
     * status is contact, and one is defined. */
    bool has_normal;
    double normal[3];

    bool has_hit_count;       /* false: not counted (quick, or given up) */
    uint64_t hit_count;       /* intersecting triangle pairs, all of them */
    const stlclash_hit *hits; /* [hits_listed], by (triangle_a, triangle_b) */
    uint64_t hits_listed;

    bool has_overlap; /* false: not computed, or there is none */
    stlclash_overlap overlap;

    /* Where facets of A and B touch face to face, flush but for rounding or, of a contact, within
     * touch_gap and touch_overlap; of closed parts that touch or overlap. */
    bool has_contact_area;
    double contact_area;

    /* Every gap that is narrower than the clearance, or no wider than touch_gap, if options.gaps
     * asked for them: each where it is narrowest, the narrowest first, which is that of
     * `separation`. Of all pairs of points, one of A and one of B, that are so near, those are one
     * gap which can be moved into each other along the surfaces while they stay so near; what lies
     * behind a wall of its own part, as seen from the other, belongs to the gap in front of it.
     * Where the surfaces touch or cross is a gap of 0. A surface hangs together by edges of facets
     * that are the same, or lie along each other but for rounding, and by vertices. */
    bool has_gaps; /* false: not computed; notes say why, if they were asked for */
    const stlclash_separation *gaps; /* [gap_count] */
    size_t gap_count;

    const stlclash_curve *curves; /* [curve_count], if options.curves asked for them */
    size_t curve_count;

    /* Stable snake_case words: what was not computed, and why. */
    const char *const *notes; /* [note_count] */
    size_t note_count;

    stlclash_stats stats;
} stlclash_result;

/* Checks A against B. options may be NULL for the defaults. *result is NULL
 * unless the call returns STLCLASH_OK; it does not refer to the meshes, which
 * may be freed first. A check that gives up (time, progress callback) returns
 * STLCLASH_OK with an undecided result, or with a clash if that is proven by then; notes tell
 * that it gave up. Each pair of triangles that meet takes up to 24 bytes until the call ends,
 * but with `quick`; with `gaps` each pair of patches of up to 8 triangles that are so near takes up
 * to 48, and there may be 2^24. */
STLCLASH_API stlclash_code stlclash_check(const stlclash_mesh *a, const stlclash_mesh *b,
                                          const stlclash_options *options, stlclash_result **result,
                                          stlclash_error *error);

STLCLASH_API void stlclash_result_free(stlclash_result *result);

/* ---- motion -------------------------------------------------------------- */

typedef enum stlclash_motion_kind {
    STLCLASH_STRAIGHT,     /* both parts keep their attitude; decided exactly */
    STLCLASH_SCREW,        /* from placement to placement, each time along a screw */
    STLCLASH_VERTEX_PATHS, /* each vertex moves straight to its place in another mesh */
    STLCLASH_INDEPENDENT   /* both parts move, each by a motion of its own */
} stlclash_motion_kind;

/* "straight", "screw", "vertex_paths" or "independent"; static storage. */
STLCLASH_API const char *stlclash_motion_kind_text(stlclash_motion_kind kind);

/* How the parts move while time goes from 0 to 1. At 0 they stand as options->placement
 * says. Start from {0} and set what the kind needs. */
typedef struct stlclash_motion {
    stlclash_motion_kind kind;

    double way[2][3]; /* straight: by how much A and B move; finite, below 2^190. Of a part
                         of an assembly: way[0] */

    stlclash_side moves; /* screw, vertex paths: the part that moves, A or B; not looked at
                            in a part of an assembly */

    /* Screw: where the part comes to, one placement after another, each as those of
     * stlclash_options. Every leg takes the same share of the time. Between two placements
     * the part turns by at most half a turn, and shifts, about one axis; by half a turn the
     * right-handed way about that whose largest component, of equal ones the first, is > 0. */
    const double (*placements)[16]; /* [placement_count], at least 1 */
    size_t placement_count;

    /* Vertex paths: the part at the end, with the same facets in the same order; placed as
     * the part itself is. */
    const stlclash_mesh *end;

    /* Independent: the motions of A and of B, of another kind, as those of parts of an assembly;
     * their tolerances are not looked at. */
    const struct stlclash_motion *each[2];

    /* Other than straight: how near, or deep, the parts may come without its being told from
     * contact; without an inside they have no depth, and may stay undecided then. Finite and > 0,
     * or 0 for 1/10000 of the larger part's longest side. */
    double tolerance;
} stlclash_motion;

/* A moment of a motion. Points are where the parts stand then. */
typedef struct stlclash_moment {
    double time;      /* 0..1 */
    double travelled; /* way of that point of B, as seen from A, up to then; of independent
                         motions the longer way of the two points, in space */
    stlclash_separation separation;
    /* Other than straight: the parts come within the tolerance of each other then, and may
     * meet or not; they do not meet earlier. Of an approach: they may come nearer than the
     * clearance, by no more than the tolerance. */
    bool conservative;
} stlclash_moment;

/* One leg of a screw motion: every point turns by `angle` about the axis, the right-handed
 * way, and shifts by `shift` along it, both evenly. */
typedef struct stlclash_screw {
    double point[3], direction[3]; /* of the axis; a unit vector */
    double angle;                  /* in radians, 0 .. pi; 0: only shifts */
    double shift;
} stlclash_screw;

/* What a sweep found. Read only; owned by the caller, freed by one call. */
typedef struct stlclash_sweep_result {
    /* Of the whole motion: clash where interiors overlap at some time, deeper than the touch
     * overlap, and certainly if by more than the tolerance; contact where the parts touch but
     * never do; near and clear by the least distance on the way. */
    stlclash_status status;
    bool pass; /* clear, or a contact that is allowed and keeps the clearance */
    stlclash_motion_kind kind;
    double tolerance; /* that applied; 0 for straight motions, which are exact */

    stlclash_result *start; /* the parts as they stand at the start */

    /* Moments of the coordinates as they are: faces that slide along each other, flush but for
     * rounding, have their first common point, or begin to overlap, anywhere on that way. */
    bool has_contact;
    stlclash_moment contact; /* the first common point: never later than the true one, but of
                                straight motions for the rounding of its last digit */
    bool has_clash;
    stlclash_moment clash; /* the first from which on interiors overlap; for other than
                              straight motions: the first time at which they were found to */

    /* The least distance of parts that do not meet on the way, and when. */
    bool has_approach;
    stlclash_moment approach;
    double approach_error; /* they come no nearer than the distance, but for its
                              rounding, less this */

    const stlclash_screw *screws; /* [screw_count]: one a leg; of screws alone */
    size_t screw_count;

    uint64_t steps; /* poses that were checked */

    const char *const *notes; /* [note_count], stable snake_case words */
    size_t note_count;
} stlclash_sweep_result;

/* Checks A against B while they move. options may be NULL for the defaults; those of them
 * that ask for overlaps, curves and hits apply to the start, and limits of volume and depth
 * let no clash pass. *result is NULL unless the call returns STLCLASH_OK; it does not refer to
 * the meshes or the motion, which may be freed first. A sweep that gives up (time, progress
 * callback, too many steps) returns STLCLASH_OK with an undecided result. */
STLCLASH_API stlclash_code stlclash_sweep(const stlclash_mesh *a, const stlclash_mesh *b,
                                          const stlclash_options *options,
                                          const stlclash_motion *motion,
                                          stlclash_sweep_result **result, stlclash_error *error);

STLCLASH_API void stlclash_sweep_result_free(stlclash_sweep_result *result);

/* ---- assemblies ---------------------------------------------------------- */

/* Many parts, every pair of them: files are read once, pairs that lie far apart are told
 * by their boxes alone, and the others are checked side by side.
 *
 *     stlclash_assembly *assembly;
 *     stlclash_assembly_options o = {.pair = print_pair};
 *     if (stlclash_assembly_open(parts, count, 0, 0, &assembly, &e) == STLCLASH_OK)
 *         stlclash_assembly_check(assembly, &o, &e); */
typedef struct stlclash_assembly stlclash_assembly;

/* A part: a file, or a mesh of the caller, and where it stands. */
typedef struct stlclash_part {
    const char *name;          /* as messages call it; NULL: by its number, from 0 */
    const char *file;          /* as stlclash_mesh_read takes it; parts may share one */
    const stlclash_mesh *mesh; /* where file is NULL, and not looked at else */
    const double *placement;   /* as in stlclash_options, or NULL */
    /* How it moves, or NULL: it rests. Parts that move are checked against all others, all
     * of them from time 0 to 1. Where both parts of a pair move straight (or to a single
     * placement of the same attitude), or keep to each other, that is decided exactly. */
    const stlclash_motion *motion;
} stlclash_part;

/* What is known of a part of an assembly. */
typedef struct stlclash_part_info {
    stlclash_error error;    /* why it could not be read, placed or moved; else STLCLASH_OK */
    bool motion_wrong;       /* it is the motion that the error is about */
    stlclash_mesh_info mesh; /* zero if it could not be read */
    double bounds[2][3];     /* after placement; zeros if it has no triangles */
} stlclash_part_info;

/* Reads the files. `parts`, fewer than 2^32 - 1, with what it points to must outlive the
 * assembly; meshes of files are held by it, and all placements are looked at. A part that cannot
 * be read, placed or moved is no failure: its error tells, and its pairs will be undecided.
 * memory: bytes of loaded parts to stay below where that can be, files being read again when they
 * are needed; 0: half of what is available. threads: as in stlclash_options. On failure *assembly
 * is NULL. */
STLCLASH_API stlclash_code stlclash_assembly_open(const stlclash_part *parts, size_t count,
                                                  uint64_t memory, int threads,
                                                  stlclash_assembly **assembly,
                                                  stlclash_error *error);
STLCLASH_API void stlclash_assembly_free(stlclash_assembly *assembly);

/* part < count; valid until the assembly is freed. */
STLCLASH_API const stlclash_part_info *stlclash_assembly_get_part(const stlclash_assembly *assembly,
                                                                  size_t part);

/* A pair of parts, as it is delivered. */
typedef struct stlclash_pair {
    size_t a, b;                     /* numbers of the parts, a < b */
    const stlclash_options *options; /* that applied; NULL: it was left out */
    double box_distance;             /* no point of A is nearer to B than this, at any time */
    bool clear_by_boxes;             /* nothing but the boxes was looked at; the result says so */
    stlclash_error error;            /* why it could not be judged; else STLCLASH_OK. Names the file
                                        that was needed again and could not be read */
    stlclash_result *result;         /* the callee frees it; NULL: left out, in error, or no
                                        check was asked for */
    stlclash_sweep_result *sweep;    /* of parts that move as seen from each other and come
                                        near: the callee frees it in place of the result, which
                                        is its start; else NULL */
} stlclash_pair;

/* How far a check of an assembly has come. */
typedef struct stlclash_assembly_progress {
    uint64_t pairs, done; /* those to be looked at more closely, and how many were */
    uint64_t failed;      /* of those done: neither pass nor are undecided */
    double fraction;      /* of the work, in 0..1, as well as can be told */
} stlclash_assembly_progress;

/* What becomes of pairs whose boxes show that they are clear. */
typedef enum stlclash_far {
    STLCLASH_FAR_COUNT, /* they are not delivered: all pairs less those delivered */
    STLCLASH_FAR_LIST,  /* they are delivered, with nothing but the distance of the boxes */
    STLCLASH_FAR_CHECK  /* they are checked as the others are */
} stlclash_far;

/* How to check an assembly; all zero but for `pair` checks every pair by the default options. */
typedef struct stlclash_assembly_options {
    /* The options of the pair (a, b), a < b, or NULL to leave it out (it is delivered all the
     * same); they must stay as they are until the check ends. Their threads, max_seconds,
     * placement and progress are not looked at. NULL: the default options for every pair. */
    const stlclash_options *(*options)(void *context, size_t a, size_t b);
    double reach; /* the largest clearance or touch gap that `options` asks for: >= 0 and
                     finite; a pair that asks for more fails the call */

    /* Takes one pair, which is valid during the call. Pairs come in the order of (a, b), on the
     * calling thread, some while others are still checked. Returning false ends the check, as
     * STLCLASH_OK: the caller knows why. */
    bool (*pair)(void *context, const stlclash_pair *pair);

    /* Called now and then on the calling thread, or NULL. After it returns false, what is not
     * decided is undecided ("cancelled"). */
    bool (*progress)(void *context, const stlclash_assembly_progress *progress);

    void *context; /* of the three */

    stlclash_far far;
    bool list_only;     /* check nothing: pairs are delivered without a result */
    double max_seconds; /* what is not decided by then is undecided; 0: no limit */
    int threads;        /* >= 1, or 0: the processors that the process may use */
} stlclash_assembly_options;

/* Delivers the pairs of the assembly. Results, and their order, are the same for any
 * number of threads and any memory. One check of an assembly at a time. Fails where options
 * are out of range, those of a pair too, and then before any pair is delivered; or where memory
 * ran out. A pair that cannot be judged fails alone. */
STLCLASH_API stlclash_code stlclash_assembly_check(stlclash_assembly *assembly,
                                                   const stlclash_assembly_options *options,
                                                   stlclash_error *error);

/* Judges the mesh of a part in full, as options.health has it of pairs that are checked: for parts
 * that are in none. part < count; *result is valid until the assembly is freed. Fails where the
 * part is in error. Not while the assembly is being checked. */
STLCLASH_API stlclash_code stlclash_assembly_judge(stlclash_assembly *assembly, size_t part,
                                                   const stlclash_part_result **result,
                                                   stlclash_error *error);

/* ---- words --------------------------------------------------------------- */

/* One sentence for people on a note of a result, or the note itself where there
 * is none; static storage. */
STLCLASH_API const char *stlclash_note_text(const char *note);

/* ---- probes -------------------------------------------------------------- */

/* What a line meets, in order:
 *
 *     stlclash_probe line = {.from = {8, 8, 30}, .to = {0, 0, -1}, .ray = true};
 *     stlclash_prober *prober;
 *     stlclash_probe_hit *hits;
 *     size_t count;
 *     if (stlclash_prober_make(mesh, NULL, true, &prober, &error) == STLCLASH_OK &&
 *         stlclash_prober_all(prober, &line, &hits, &count, &error) == STLCLASH_OK) {
 *         for (size_t i = 0; i < count; i++) {
 *             printf("%s at z = %g\n", stlclash_passing_text(hits[i].passing), hits[i].point[2]);
 *         }
 *         stlclash_probe_hits_free(hits);
 *     }
 *     stlclash_prober_free(prober);
 */

/* A straight probe: a line of sight, a tool, a finger.
 *
 * A ray has no end; exactly it is the segment from `from` to `from` + s `to`, each
 * coordinate rounded once, with s a power of 2 that leads it out of the part. Coordinates
 * are exact as they stand, up to 2^199 in magnitude; those below 2^-80 of the largest
 * coordinate of the part, and below 2^-149, may count as 0. A probe of which another
 * coordinate is below 2^-80 of its largest is refused (STLCLASH_E_RANGE); its verdict is
 * "undecided". */
typedef struct stlclash_probe {
    double from[3];
    double to[3];  /* the other end, or the direction of a ray: not zero */
    bool ray;      /* parameters are multiples of `to`; else shares of the segment, 0..1 */
    double radius; /* of a capsule about it, >= 0 and finite; 0: the line alone */
} stlclash_probe;

/* What a probe does where it meets the surface. */
typedef enum stlclash_passing {
    STLCLASH_TOUCHES, /* the same on both sides of it, or the probe begins or ends here */
    STLCLASH_ENTERS,
    STLCLASH_LEAVES
} stlclash_passing;

/* "touch", "enter" or "leave"; static storage. */
STLCLASH_API const char *stlclash_passing_text(stlclash_passing passing);

/* A place where the line of a probe meets the surface: a point, or a stretch that runs in
 * it. It counts once however many triangles meet there. Which places there are, their
 * order and what the probe does there is exact; parameters and points are rounded:
 * relative error of t at most 2^-40. */
typedef struct stlclash_probe_hit {
    double t, t_end;               /* parameters; t_end > t for a stretch */
    double point[3], point_end[3]; /* the points there */
    uint32_t triangle;             /* the lowest of those that meet there */
    uint32_t triangles;            /* how many */
    stlclash_feature feature;      /* of `triangle`: where `point` lies, or the stretch runs */
    stlclash_passing passing;      /* of an open mesh: as if its hole were a little aside */
} stlclash_probe_hit;

/* The least distance between the line of a probe and the surface, its error at most 2^-50
 * times the largest extent of the triangle, the probe and the gap. */
typedef struct stlclash_probe_gap {
    double distance;
    double vector[3]; /* point_probe - point_part */
    double point_probe[3], point_part[3];
    double t; /* parameter of point_probe */
    uint32_t triangle;
    stlclash_feature feature; /* of the triangle */
} stlclash_probe_gap;

/* A part made ready for any number of probes, by any number of threads at once. */
typedef struct stlclash_prober stlclash_prober;

/* Builds a prober of a mesh, which must outlive it. placement as in stlclash_options, or
 * NULL. With `solid` it is judged whether the mesh is closed, and shells that are inside
 * out are read the right way round; without, the surface is taken as it is oriented. On
 * failure *prober is NULL. */
STLCLASH_API stlclash_code stlclash_prober_make(const stlclash_mesh *mesh, const double *placement,
                                                bool solid, stlclash_prober **prober,
                                                stlclash_error *error);

/* The same part in another placement. What was built is shared, so this takes no time that
 * grows with the part; either may be freed first. */
STLCLASH_API stlclash_code stlclash_prober_place(const stlclash_prober *prober,
                                                 const double *placement, stlclash_prober **placed,
                                                 stlclash_error *error);

STLCLASH_API void stlclash_prober_free(stlclash_prober *prober);

/* After placement; and for a solid prober whether it is closed, its volume, and what is
 * wrong with it. Pointers stay valid as long as the prober. */
STLCLASH_API stlclash_part_result stlclash_prober_part(const stlclash_prober *prober);

/* Questions about the line of a probe; its radius plays no part. What they find is nothing where
 * they fail. */

/* Whether it meets the surface. */
STLCLASH_API stlclash_code stlclash_prober_any(const stlclash_prober *prober,
                                               const stlclash_probe *probe, bool *found,
                                               stlclash_error *error);

/* Where it first meets the surface: *hit is written if *found. */
STLCLASH_API stlclash_code stlclash_prober_first(const stlclash_prober *prober,
                                                 const stlclash_probe *probe, bool *found,
                                                 stlclash_probe_hit *hit, stlclash_error *error);

/* Whether each of many probes meets it, in less than half the time: found[count]. */
STLCLASH_API stlclash_code stlclash_prober_any_many(const stlclash_prober *prober,
                                                    const stlclash_probe *probes, size_t count,
                                                    bool *found, stlclash_error *error);

/* Where each of many probes first meets it, in less than half the time: hits[count], of which
 * only `triangles` is written, 0, where nothing is met. */
STLCLASH_API stlclash_code stlclash_prober_first_many(const stlclash_prober *prober,
                                                      const stlclash_probe *probes, size_t count,
                                                      stlclash_probe_hit *hits,
                                                      stlclash_error *error);

/* Everywhere it meets the surface, in order along it: (*hits)[*count], freed with
 * stlclash_probe_hits_free. */
STLCLASH_API stlclash_code stlclash_prober_all(const stlclash_prober *prober,
                                               const stlclash_probe *probe,
                                               stlclash_probe_hit **hits, size_t *count,
                                               stlclash_error *error);
STLCLASH_API void stlclash_probe_hits_free(stlclash_probe_hit *hits);

/* How near it comes to the surface: *found is false where nothing lies within the distance
 * `within`, >= 0, which may be infinite. 0 where it first meets the surface; of other equal
 * distances the lowest triangle counts. */
STLCLASH_API stlclash_code stlclash_prober_nearest(const stlclash_prober *prober,
                                                   const stlclash_probe *probe, double within,
                                                   bool *found, stlclash_probe_gap *gap,
                                                   stlclash_error *error);

/* The verdict on a probe: that of stlclash_check with a tool in place of B. Owned by the
 * caller, freed by one call. */
typedef struct stlclash_probe_result {
    stlclash_status status; /* a clash: the line runs inside the part, deeper than the touch
                               overlap, or the capsule overlaps it so deep */
    bool pass;
    double resolution;
    const stlclash_probe_hit *hits; /* [hits_listed] of the line, in order */
    uint64_t hit_count, hits_listed;

    bool has_inside; /* of a closed part, where the probe does not begin on its surface */
    bool inside;     /* it begins inside */

    bool has_gap; /* nothing was hit: how near the line comes */
    stlclash_probe_gap gap;
    double clearance; /* has_gap: its distance less the radius, at least 0 */

    /* Of a capsule that begins clear of the surface and comes to it: the parameter up to
     * which its leading end is clear, never too large. What is left to the surface there
     * is at most 2^-32 of the way and the part's coordinates, or a note says so. */
    bool has_contact;
    double contact_t, contact_centre[3];

    const char *const *notes; /* [note_count] */
    size_t note_count;
} stlclash_probe_result;

/* Judges a probe by clearance, touch_gap, touch_overlap, exact, contact_fails and max_hits
 * of the options, which may be NULL; the others must be in their ranges, and play no part. The
 * prober is a solid one. *result is NULL unless the call returns STLCLASH_OK; it does not refer to
 * the prober. */
STLCLASH_API stlclash_code stlclash_prober_check(const stlclash_prober *prober,
                                                 const stlclash_probe *probe,
                                                 const stlclash_options *options,
                                                 stlclash_probe_result **result,
                                                 stlclash_error *error);

/* The same for many probes, by options->threads threads: results[count], the same for any
 * number of threads. On failure all of them are NULL. */
STLCLASH_API stlclash_code stlclash_prober_check_many(const stlclash_prober *prober,
                                                      const stlclash_probe *probes, size_t count,
                                                      const stlclash_options *options,
                                                      stlclash_probe_result **results,
                                                      stlclash_error *error);

STLCLASH_API void stlclash_probe_result_free(stlclash_probe_result *result);

#ifdef __cplusplus
}
#endif

#endif
