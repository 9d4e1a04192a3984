/* Context: load.  Two libraries take turns at one place: swap ONE TWO, which
 * have the functions one() and two(). */
#include "load.h"

#include <dlfcn.h>

static const double TURN = 0.06;
static volatile uint64_t sink;

typedef uint64_t entry(uint64_t n);

static double
burn(entry *run)
{
	double start = load_clock(CLOCK_THREAD_CPUTIME_ID), now;

	do {
		sink += run(300000);
		now = load_clock(CLOCK_THREAD_CPUTIME_ID);
	} while (now < start + TURN);
	return now - start;
}

__attribute__((noinline, noclone)) static double
run_one(entry *run)
{
	double took = burn(run);

	sink++;
	return took;
}

__attribute__((noinline, noclone)) static double
run_two(entry *run)
{
	double took = burn(run);

	sink += 2;
	return took;
}

int
main(int argc, char **argv)
{
	double took[2] = { 0, 0 };
	void *before = NULL;
	int same = 0;

	if (argc != 3)
		return 2;
	for (int i = 0; i < 10; i++) {
		void *library = dlopen(argv[1 + i % 2], RTLD_NOW);
		void *at = library == NULL ? NULL :
		    dlsym(library, i % 2 == 0 ? "one" : "two");
		entry *run;

		if (at == NULL)
			load_die("dlopen");
		memcpy(&run, &at, sizeof(run));
		took[i % 2] += i % 2 == 0 ? run_one(run) : run_two(run);
		same += at == before;
		before = at;
		dlclose(library);
	}
	printf("same %d\none %.4f\ntwo %.4f\n", same, took[0], took[1]);
	return 0;
}
