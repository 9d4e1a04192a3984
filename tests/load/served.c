/* Context: load.  A server that is asked all the time, on a processor that it
 * shares: it works in two parts, 70 and 30 %, and hands the processor on.
 * served SECONDS HOGS */
#include "load.h"
#include "part.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

PART(part_a, 1)
PART(part_b, 3)

#define HOGS 16

static pid_t children[HOGS + 1];
static size_t child_count;

/* To one of the processors that we may use, children too. */
static void
share_processor(void)
{
	cpu_set_t may, one;
	int cpu = 0;

	LOAD_TRY(sched_getaffinity(0, sizeof may, &may));
	while (!CPU_ISSET(cpu, &may))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	LOAD_TRY(sched_setaffinity(0, sizeof one, &one));
}

static pid_t
add_child(void)
{
	pid_t pid;

	LOAD_TRY(pid = fork());
	if (pid != 0)
		children[child_count++] = pid;
	return pid;
}

static void
ask(int to, int from)
{
	char c = 0;

	while (write(to, &c, 1) == 1 && read(from, &c, 1) == 1)
		;
	_exit(0);
}

/* A request is a millisecond, half of it more or less. */
static void
serve(int from, int to, double seconds)
{
	double left, t = load_clock(CLOCK_THREAD_CPUTIME_ID);
	uint64_t n = 3000000, state = 1, requests;
	char c;

	part_a(n);
	t = load_clock(CLOCK_THREAD_CPUTIME_ID) - t;
	n = (uint64_t)((double)n * 0.001 / t);
	for (requests = (uint64_t)(seconds / 0.001); requests > 0; requests--) {
		if (read(from, &c, 1) != 1)
			load_die("read");
		state = state * 6364136223846793005u + 1442695040888963407u;
		left = (double)n * (0.5 + (double)(state >> 40) / (1 << 24));
		part_a((uint64_t)(left * 0.7));
		part_b((uint64_t)(left * 0.3));
		if (write(to, &c, 1) != 1)
			load_die("write");
	}
}

int
main(int argc, char **argv)
{
	double seconds = load_number(argc, argv, 1, 4);
	int hogs = (int)load_number(argc, argv, 2, 1);
	int requests[2], answers[2];

	LOAD_TRY(pipe(requests));
	LOAD_TRY(pipe(answers));
	share_processor();
	while (hogs-- > 0 && child_count < HOGS)
		if (add_child() == 0)
			for (;;)
				load_spin(1000000);
	if (add_child() == 0)
		ask(requests[1], answers[0]);
	serve(requests[0], answers[1], seconds);
	while (child_count > 0)
		kill(children[--child_count], SIGKILL);
	while (wait(NULL) > 0)
		;
	printf("part_a %.6f\npart_b %.6f\n", 0.7 * seconds, 0.3 * seconds);
	return 0;
}
