/* Context: load.  C++ exceptions in eight threads, through frames with
 * destructors, and rethrown; prints how many were caught.  Beside them
 * libraries come and go: storm_throw SECONDS [LIBRARY...] */
#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::atomic<long> alive, thrown, caught;

struct counted {
	counted() { alive++; }
	~counted() { alive--; }
};

__attribute__((noinline)) static void
throw_deep(int depth)
{
	counted here;

	if (depth == 0) {
		thrown++;
		throw std::runtime_error(std::string("the bottom is reached"));
	}
	try {
		throw_deep(depth - 1);
	} catch (const std::logic_error &) {
		abort();
	}
}

static void
storm(time_t end)
{
	while (time(nullptr) < end)
		try {
			try {
				throw_deep(int(thrown % 30));
			} catch (...) {
				throw;
			}
		} catch (const std::exception &) {
			caught++;
		}
}

static void
load(const char *library, time_t end)
{
	while (time(nullptr) < end) {
		void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

		if (handle == nullptr || dlclose(handle) != 0)
			abort();
	}
}

int
main(int argc, char **argv)
{
	time_t end = time(nullptr) + (argc > 1 ? atoi(argv[1]) : 1);
	std::vector<std::thread> threads;

	for (int i = 2; i < argc; i++)
		threads.emplace_back(load, argv[i], end);

	for (int i = 0; i < 8; i++)
		threads.emplace_back(storm, end);
	for (auto &t : threads)
		t.join();
	printf("throw lost %ld alive %ld\n", thrown - caught, alive.load());
	return 0;
}
