/* float_mode.h - arithmetic as all the rest of this library takes it to be: rounded to nearest,
 * with subnormal numbers, and no traps.
 *
 * A program that calls it may have set something else: whatever was linked with -ffast-math makes
 * subnormal numbers zeros for all of the process, and a part of that size then has no volume. So
 * every function of the interface that computes begins with SC_STANDARD_FLOATS, which puts the
 * caller's mode back where its scope ends. Threads that are started in between inherit the standard
 * one. Numbers that such a function returns itself, not through a pointer, may be computed after
 * that: none does. */
#ifndef SC_FLOAT_MODE_H
#define SC_FLOAT_MODE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- the register that has it ------------------------------------------------ */

#if defined(__x86_64__)

#include <xmmintrin.h>

static inline uint64_t sc_float_mode_get(void)
{
    return _mm_getcsr();
}

static inline void sc_float_mode_set(uint64_t mode)
{
    _mm_setcsr((unsigned)mode);
}

/* MXCSR but for what has been flagged so far: all exceptions masked, everything else 0. */
#define SC_FLOAT_MODE_BITS UINT64_C(0xffc0)
#define SC_FLOAT_MODE UINT64_C(0x1f80)

#elif defined(__aarch64__)

static inline uint64_t sc_float_mode_get(void)
{
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}

static inline void sc_float_mode_set(uint64_t mode)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
}

/* FPCR: 0 is what IEEE 754 has. */
#define SC_FLOAT_MODE_BITS UINT64_C(0xffffffff)
#define SC_FLOAT_MODE UINT64_C(0)

#else

#include <fenv.h>

static inline uint64_t sc_float_mode_get(void)
{
    return (uint64_t)fegetround();
}

static inline void sc_float_mode_set(uint64_t mode)
{
    (void)fesetround((int)mode);
}

#define SC_FLOAT_MODE_BITS UINT64_MAX
#define SC_FLOAT_MODE ((uint64_t)FE_TONEAREST)

#endif

/* ---- for a while -------------------------------------------------------------- */

typedef struct sc_float_mode {
    uint64_t before;
    bool changed;
} sc_float_mode;

static inline sc_float_mode sc_float_mode_begin(void)
{
    sc_float_mode mode = {sc_float_mode_get(), false};
    if ((mode.before & SC_FLOAT_MODE_BITS) != SC_FLOAT_MODE) {
        mode.changed = true;
        sc_float_mode_set(SC_FLOAT_MODE);
        atomic_signal_fence(memory_order_seq_cst); /* what is computed of memory is so from here */
    }
    return mode;
}

static inline void sc_float_mode_end(sc_float_mode *mode)
{
    if (mode->changed) {
        atomic_signal_fence(memory_order_seq_cst); /* and what goes there, up to here */
        sc_float_mode_set(mode->before);
    }
}

#define SC_STANDARD_FLOATS                                                                         \
    __attribute__((cleanup(sc_float_mode_end), unused)) sc_float_mode float_mode =                 \
        sc_float_mode_begin()

#endif
