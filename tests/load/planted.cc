/*
 * Context: load.  Faults that a report is to find: planted KIND SECONDS burns
 * half of the CPU time in the fault and half in plain_work().
 *   memory  small blocks, by builds_texts()
 *   kernel  calls of the kernel, by asks_kernel()
 *   locks   as memory, and threads that sleep until holds_lock() is done
 *   lambda  calls of the kernel, by a lambda that is a thread's function
 *   none    plain work alone
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

static volatile unsigned sink;
static std::mutex lock;

static double
cpu_seconds()
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

__attribute__((noinline)) static void
plain_work(double seconds)
{
	const double end = cpu_seconds() + seconds;
	unsigned x = 1;

	while (cpu_seconds() < end)
		for (int i = 0; i < 200000; i++)
			sink = x = x * 1664525 + 1013904223;
}

__attribute__((noinline)) static void
builds_texts(double seconds)
{
	const double end = cpu_seconds() + seconds;

	while (cpu_seconds() < end) {
		std::vector<std::string> texts;

		for (int i = 0; i < 3000; i++)
			texts.push_back(std::string(20 + i % 80, 'x'));
		sink = (unsigned)texts.size();
	}
}

__attribute__((noinline)) static void
asks_kernel(double seconds)
{
	const double end = cpu_seconds() + seconds;
	char word[64];

	while (cpu_seconds() < end)
		for (int i = 0; i < 1000; i++)
			sink = (unsigned)readlink("/proc/self/exe", word,
			    sizeof(word));
}

__attribute__((noinline)) static void
holds_lock(double seconds)
{
	for (double done = 0; done < seconds; done += 0.02) {
		std::lock_guard<std::mutex> held(lock);

		plain_work(0.02);
	}
}

__attribute__((noinline)) static void
runs_threads(double seconds)
{
	std::vector<std::thread> threads;

	for (int i = 0; i < 3; i++)
		threads.emplace_back(holds_lock, seconds / 3);
	for (auto &t : threads)
		t.join();
}

/* The lambda is compiled into a template of the C++ library. */
__attribute__((noinline)) static void
runs_lambda(double seconds)
{
	std::thread([seconds] {
		const double end = cpu_seconds() + seconds;
		char word[64];

		while (cpu_seconds() < end)
			for (int i = 0; i < 1000; i++)
				sink = (unsigned)readlink("/proc/self/exe",
				    word, sizeof(word));
	}).join();
}

int
main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "none";
	const double seconds = argc > 2 ? atof(argv[2]) : 1;

	plain_work(seconds / 2);
	if (strcmp(kind, "memory") == 0)
		builds_texts(seconds / 2);
	else if (strcmp(kind, "kernel") == 0)
		asks_kernel(seconds / 2);
	else if (strcmp(kind, "lambda") == 0)
		runs_lambda(seconds / 2);
	else if (strcmp(kind, "locks") == 0)
		runs_threads(seconds / 2);
	return 0;
}
