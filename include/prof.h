/*
 * prof.h - marks: parts of functions that profiles show apart
 *
 * If MARK is defined before this header is included (or by cc -DMARK),
 * MARK(name); emits a label M.name, which a profiler shows as a function that
 * extends to the next label, and counts how often control passes it, as mcount
 * counts calls.  Otherwise MARK(name) does nothing.  From System V, prof(7).
 * The labels are local symbols: prof(1) shows local symbols unless it is told
 * otherwise; strip(1) removes them.  A name may occur once in a file, so a
 * function that is inlined or cloned must not contain a mark.
 */
#ifndef PROF_H
#define PROF_H

#ifndef MARK
#define MARK(name)	do { } while (0)
#else
#undef MARK
#ifdef __x86_64__
/*
 * The red zone may be in use; __fentry__ keeps all registers but %r11, and not
 * the flags.
 */
#define MARK(name) \
	__asm__ volatile( \
	    ".type M." #name ", @function\n" \
	    "M." #name ":\n\t" \
	    "leaq -128(%%rsp), %%rsp\n\t" \
	    "leaq M." #name "(%%rip), %%r11\n\t" \
	    "pushq %%r11\n\t" \
	    "call *__fentry__@GOTPCREL(%%rip)\n\t" \
	    "leaq 136(%%rsp), %%rsp" \
	    : : : "r11", "cc", "memory")
#elif defined(__aarch64__)
#define MARK(name) \
	__asm__ volatile( \
	    ".type M." #name ", %%function\n" \
	    "M." #name ":\n\t" \
	    "adr x9, M." #name "\n\t" \
	    "mov x0, x9\n\t" \
	    "bl _mcount" \
	    : : : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", \
	    "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", \
	    "x18", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", \
	    "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", \
	    "v25", "v26", "v27", "v28", "v29", "v30", "v31", "cc", "memory")
#else
#define MARK(name)	do { } while (0)
#endif
#endif

#endif
