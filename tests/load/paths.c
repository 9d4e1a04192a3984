/* Context: load.  Goes a hundred thousand ways and more through ten functions,
 * and spends a moment at the end of each.  paths SECONDS */
#include "load.h"

#define DEEP 18
#define NOINLINE __attribute__((noinline))

static volatile uint64_t sink;

static NOINLINE void
leaf(uint64_t x)
{
	for (unsigned i = 0; i < 600; i++)
		sink += i * x;
}

typedef void way(unsigned depth, uint64_t x);

static way way_0, way_1, way_2, way_3, way_4, way_5, way_6, way_7, way_8,
    way_9;

static way *const ways[] = {
	way_0, way_1, way_2, way_3, way_4, way_5, way_6, way_7, way_8, way_9,
};

static inline void
go_on(unsigned depth, uint64_t x)
{
	if (depth == 0)
		leaf(x);
	else
		ways[x % 10](depth - 1, x / 10);
	sink++;			/* or the call is a jump */
}

#define WAY(n) \
	static NOINLINE void \
	way_##n(unsigned depth, uint64_t x) \
	{ \
		go_on(depth, x); \
	}

WAY(0)
WAY(1)
WAY(2)
WAY(3)
WAY(4)
WAY(5)
WAY(6)
WAY(7)
WAY(8)
WAY(9)

int
main(int argc, char **argv)
{
	double end = load_clock(CLOCK_PROCESS_CPUTIME_ID) +
	    load_number(argc, argv, 1, 10);
	uint64_t x = 1;

	while (load_clock(CLOCK_PROCESS_CPUTIME_ID) < end)
		for (unsigned i = 0; i < 1000; i++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			ways[x >> 60 & 7](DEEP, x >> 4);
		}
	return 0;
}
