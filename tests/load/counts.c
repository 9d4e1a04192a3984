/* Context: load.  Built with -pg by tests/e2e: calls that gmon.out must count
 * exactly, and a program whose profiling signal was taken before us. */
#include "load.h"

__attribute__((noinline)) static uint64_t
leaf(uint64_t n)
{
	return load_spin(n);
}

__attribute__((noinline)) static uint64_t
twice(uint64_t n)
{
	return leaf(n) + leaf(n + 1);
}

int
main(int argc, char **argv)
{
	int i, rounds = (int)load_number(argc, argv, 1, 3000);
	uint64_t sum = 0;

	for (i = 0; i < rounds; i++)
		sum += twice(50000);
	for (i = 0; i < 1234; i++)
		sum += leaf(10);
	printf("%llx\n", (unsigned long long)sum);
	return 0;
}
