/* Context: load.  The least that a clock of this rate can cost: the same perf
 * event and signal as libmon's, with a handler that does nothing.  Fixed
 * work: ticks ROUNDS [HZ]; prints its CPU time and the ticks that came. */
#include "load.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static volatile uint64_t count;

static void
tick(int sig)
{
	(void)sig;
	count++;
}

static void
arm(uint64_t period)
{
	struct f_owner_ex owner = { F_OWNER_TID, gettid() };
	struct perf_event_attr attr;
	struct sigaction a;
	int fd;

	memset(&a, 0, sizeof(a));
	a.sa_handler = tick;
	a.sa_flags = SA_RESTART;
	LOAD_TRY(sigaction(SIGPROF, &a, NULL));
	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_SOFTWARE;
	attr.size = sizeof(attr);
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.sample_period = period;
	attr.sample_type = PERF_SAMPLE_IP;
	attr.exclude_kernel = 1;
	attr.exclude_hv = 1;
	attr.wakeup_events = 1;
	attr.disabled = 1;
	LOAD_TRY(fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
	if (mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
		load_die("mmap");
	LOAD_TRY(fcntl(fd, F_SETFL, O_ASYNC));
	LOAD_TRY(fcntl(fd, F_SETSIG, SIGPROF));
	LOAD_TRY(fcntl(fd, F_SETOWN_EX, &owner));
	LOAD_TRY(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	close(fd);	/* the mapping keeps it */
}

int
main(int argc, char **argv)
{
	double rounds = load_number(argc, argv, 1, 1e9);
	double hz = load_number(argc, argv, 2, 0);

	if (hz > 0)
		arm((uint64_t)(1e9 / hz));
	load_spin((uint64_t)rounds);
	printf("cpu %.6f\nticks %llu\n",
	    load_clock(CLOCK_PROCESS_CPUTIME_ID), (unsigned long long)count);
	return 0;
}
