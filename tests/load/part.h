/* Context: load.  One function with a known share; the constant keeps the
 * compiler from folding two of them into one. */
#ifndef PART_H
#define PART_H

#include <stdint.h>

#define PART(name, odd) \
	uint64_t name(uint64_t n); \
	__attribute__((noinline)) uint64_t \
	name(uint64_t n) \
	{ \
		uint64_t x = n; \
		while (n--) { \
			x = x * 6364136223846793005u + (odd); \
			__asm__ volatile("" : "+r"(x)); \
		} \
		return x; \
	}

#endif
