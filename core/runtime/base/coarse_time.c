/*
 * Context: T.  Reads the kernel's coarse clock from the vdso, which needs no
 * counter of the processor: that of clock_gettime(2) faults where the program
 * has forbidden it (PR_SET_TSC).  See coarse_time.h.
 */
#include "base/coarse_time.h"

#include "arch.h"
#include "module/link_map.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/auxv.h>
#include <time.h>

typedef int vdso_clock(clockid_t clock, struct timespec *to);

/* NULL: not found yet, or there is none.  All threads find the same. */
static _Atomic(vdso_clock *) vdso_clock_get;
static _Atomic bool vdso_searched;

/* Fills in the object that is mapped at `base`, by its program headers. */
static void
read_vdso_headers(struct link_map_object *vdso, uintptr_t base)
{
	const Elf64_Ehdr *h = (const void *)base;
	const Elf64_Phdr *p = (const void *)(base + h->e_phoff);

	*vdso = (struct link_map_object) { .address = base };
	for (unsigned i = 0; i < h->e_phnum; i++)
		if (p[i].p_type == PT_LOAD)
			vdso->address = base + p[i].p_offset - p[i].p_vaddr;
	for (unsigned i = 0; i < h->e_phnum; i++)
		if (p[i].p_type == PT_DYNAMIC)
			vdso->dynamic = (const void *)(vdso->address +
			    p[i].p_vaddr);
}

/* Returns the function of the vdso, if it knows the clock, or NULL. */
static vdso_clock *
find_vdso_clock(void)
{
	const uintptr_t base = getauxval(AT_SYSINFO_EHDR);
	struct link_map_object vdso;
	struct timespec t;
	vdso_clock *get;

	if (base == 0)
		return NULL;
	read_vdso_headers(&vdso, base);
	get = (vdso_clock *)link_map_function(&vdso, ARCH_VDSO_CLOCK);
	return get != NULL && get(CLOCK_MONOTONIC_COARSE, &t) == 0 ? get :
	    NULL;
}

uint64_t
coarse_time_now(void)
{
	vdso_clock *get;
	struct timespec t;

	if (!atomic_load_explicit(&vdso_searched, memory_order_acquire)) {
		atomic_store(&vdso_clock_get, find_vdso_clock());
		atomic_store_explicit(&vdso_searched, true,
		    memory_order_release);
	}
	get = atomic_load_explicit(&vdso_clock_get, memory_order_relaxed);
	if (get == NULL || get(CLOCK_MONOTONIC_COARSE, &t) != 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
