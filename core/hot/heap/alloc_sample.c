/*
 * Context: S.  Random intervals and weights of chosen blocks, for alloc_count.c
 * and alloc_thread.c; see alloc_sample.h.
 *
 * All numbers are integers, because code of the signal handler has no floating
 * point.  "32" in a name or comment means fixed point, in units of 2^-32.
 */
#include "heap/alloc_sample.h"

#define ONE32	(1ull << 32)
#define LN2_32	2977044472ull		/* ln 2 */

/*
 * Returns the next random number: xorshift64*, see Vigna, "An experimental
 * exploration of Marsaglia's xorshift generators, scrambled", 2014.
 */
static uint64_t
next_xorshift(uint64_t *random)
{
	uint64_t x = *random != 0 ? *random : 1;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*random = x;
	return x * 0x2545f4914f6cdd1du;
}

/*
 * Returns -log2(u / 2^64), 32.  Computes one bit of the logarithm after
 * another: each is the integer part of the logarithm of the square.
 */
static uint64_t
minus_log2_fixed32(uint64_t u)
{
	const unsigned zeros = (unsigned)__builtin_clzll(u);
	uint64_t m = u << zeros >> 32, bits = 0;	/* 2^31 to 2^32 - 1 */

	for (unsigned i = 0; i < 32; i++) {
		m = m * m >> 31;
		bits <<= 1;
		if (m >> 32 != 0) {
			m >>= 1;
			bits |= 1;
		}
	}
	return ((uint64_t)(zeros + 1) << 32) - bits;
}

static uint64_t
multiply_fixed32(uint64_t a, uint64_t b)
{
	return (uint64_t)((unsigned __int128)a * b >> 32);
}

uint64_t
alloc_sample_interval(uint64_t *random, uint64_t period)
{
	uint64_t u = next_xorshift(random);

	return multiply_fixed32(multiply_fixed32(minus_log2_fixed32(u | 1),
	    LN2_32), period);
}

/* Returns exp(-x) for x up to 22, both 32; beyond that the result is 0. */
static uint64_t
exp_minus_fixed32(uint64_t x)
{
	const uint64_t halvings = x / LN2_32, rest = x % LN2_32;
	uint64_t term = ONE32, sum = ONE32;

	/* The series has alternating signs: the 13th term is below 2^-32. */
	for (unsigned i = 1; i < 14; i++) {
		term = multiply_fixed32(term, rest) / i;
		sum = i % 2 != 0 ? sum - term : sum + term;
	}
	return halvings > 31 ? 0 : sum >> halvings;
}

/*
 * x / (1 - exp(-x)) is 1 + x/2 + x^2/12 - x^4/720, with an error below 4e-5.
 * Up to one period the weight is the quotient of that and n, because the
 * difference 1 - exp(-x) would have no digits left.
 */
uint64_t
alloc_sample_weight(uint64_t n, uint64_t period)
{
	uint64_t x, e, square, bytes;

	if (n >= 22 * period)
		return 1u << 16;
	x = (n << 29) / period << 3;
	if (n > period) {
		e = exp_minus_fixed32(x);
		return (1u << 16) + (e << 16) / (ONE32 - e);
	}
	square = multiply_fixed32(x, x);
	bytes = multiply_fixed32(ONE32 + x / 2 + square / 12 -
	    multiply_fixed32(square, square) / 720, period << 16);
	return bytes / n;
}
