/* Context: load.  Many arcs: each of CALLEES functions of calls_many.S is
 * called from ten places, ROUNDS times over.  calls_many ROUNDS prints the CPU
 * time of a call, by round. */
#include "load.h"

#define PLACES 10

typedef uint64_t callee(uint64_t);
extern callee *const table[CALLEES];

#define PLACE(n) \
	static uint64_t \
	place##n(uint64_t x) \
	{ \
		unsigned i; \
		for (i = 0; i < CALLEES; i++) \
			x = table[i](x); \
		return x; \
	}
PLACE(0) PLACE(1) PLACE(2) PLACE(3) PLACE(4)
PLACE(5) PLACE(6) PLACE(7) PLACE(8) PLACE(9)

static callee *const place[PLACES] = { place0, place1, place2, place3, place4,
    place5, place6, place7, place8, place9 };

int
main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1, r, i;
	uint64_t x = 0;
	double t;

	for (r = 0; r < rounds; r++) {
		t = load_clock(CLOCK_THREAD_CPUTIME_ID);
		for (i = 0; i < PLACES; i++)
			x = place[i](x);
		t = load_clock(CLOCK_THREAD_CPUTIME_ID) - t;
		printf("%.2f\n", t * 1e9 / PLACES / CALLEES);
	}
	return x != (uint64_t)rounds * PLACES * CALLEES;
}
