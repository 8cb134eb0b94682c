/* octets.c - see octets.h: the one place where an instruction set is chosen. */
#include "octets.h"

#include "isa/octets_isa.h"

#include <stdatomic.h>
#include <stdlib.h>

/* glibc has asked the processor already; the compiler's own way asks again as the process starts,
 * which takes 70 microseconds on a virtual machine. */
#if defined(__x86_64__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
#include <sys/platform/x86.h>

/* CPU_FEATURE_ACTIVE, which shifts a 1 into the sign. */
static bool is_active(unsigned feature)
{
    enum { REGISTER = 32, LEAF = 4 * REGISTER };
    const struct cpuid_feature *leaf = __x86_get_cpuid_feature_leaf(feature / LEAF);
    return (leaf->active_array[feature % LEAF / REGISTER] >> feature % REGISTER & 1) != 0;
}
#define HAS(name, glibc_name) is_active(x86_cpu_##glibc_name)
#endif
#endif
#ifndef HAS
#define HAS(name, glibc_name) __builtin_cpu_supports(name)
#endif

/* The first that the processor has runs unless another is asked for (src/README.md has what was
 * measured). */
static const sc_octets_isa *const all[] = {
#if defined(__x86_64__)
    &sc_octets_avx2,
#endif
    &sc_octets_baseline,
    &sc_octets_scalar,
#if defined(__x86_64__)
    &sc_octets_avx512,
#endif
};

enum { COUNT = sizeof all / sizeof all[0] };

static bool processor_has(const sc_octets_isa *isa)
{
#if defined(__x86_64__)
    if (isa == &sc_octets_avx2) {
        return HAS("avx2", AVX2) && HAS("aes", AES);
    }
    if (isa == &sc_octets_avx512) {
        return HAS("avx512vl", AVX512VL) && HAS("avx512dq", AVX512DQ) && HAS("aes", AES);
    }
#endif
    (void)isa;
    return true;
}

const sc_octets_isa *sc_octets_build(int number)
{
    for (int i = 0; i < COUNT; i++) {
        if (processor_has(all[i]) && number-- == 0) {
            return all[i];
        }
    }
    return NULL;
}

static const sc_octets_isa *choose(void)
{
    const char *wanted = getenv("STLCLASH_ISA");
    const sc_octets_isa *isa, *chosen = sc_octets_build(0);
    for (int i = 0; wanted && (isa = sc_octets_build(i)) != NULL; i++) {
        chosen = strcmp(wanted, isa->name) == 0 ? isa : chosen;
    }
    return chosen;
}

const sc_octets_isa *sc_octets(void)
{
    static _Atomic(const sc_octets_isa *) chosen;
    const sc_octets_isa *isa = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (!isa) { /* several threads may come here: they choose the same */
        isa = choose();
        atomic_store_explicit(&chosen, isa, memory_order_relaxed);
    }
    return isa;
}
