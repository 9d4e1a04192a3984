/* Context: load.  A program of one thread is of one thread at every moment:
 * alone SECONDS counts its tasks as chromium's zygote does, and tries
 * unshare(2), which the kernel refuses to a process of two. */
#include "load.h"

#include <sched.h>
#include <sys/stat.h>

int
main(int argc, char **argv)
{
	double seconds = load_number(argc, argv, 1, 1);
	double start = load_clock(CLOCK_MONOTONIC);
	long looks = 0, crowded = 0;
	struct stat st;

	while (load_clock(CLOCK_MONOTONIC) - start < seconds) {
		load_spin(20000);
		LOAD_TRY(stat("/proc/self/task", &st));
		crowded += st.st_nlink != 3;
		crowded += unshare(CLONE_THREAD) != 0;
		looks++;
	}
	printf("alone %s crowded %ld\n", looks > 100 ? "looked" : "idle",
	    crowded);
	return 0;
}
