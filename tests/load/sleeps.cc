// Context: load.  Threads that sleep for one reason each, for most of the
// seconds of the argument, and nothing else; their functions are named by it.
// Each prints how long it slept, without its waiting for a processor.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <poll.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static double
waited()
{
	unsigned long long ran, waits = 0;
	FILE *f = fopen("/proc/thread-self/schedstat", "r");

	if (f == nullptr || fscanf(f, "%llu %llu", &ran, &waits) != 2)
		exit(2);
	fclose(f);
	return (double)waits / 1e9;
}

static double
now()
{
	return std::chrono::duration<double>(std::chrono::steady_clock::now()
	    .time_since_epoch()).count();
}

struct timed {
	const char *name;
	double waits = waited(), from = now();

	explicit timed(const char *n) : name(n) {}
	~timed()
	{
		const double passed = now() - from;

		printf("%s %.6f\n", name, passed - (waited() - waits));
	}
};

static double seconds;
static std::mutex held, idle;
static std::condition_variable ready;
static bool done;
static sem_t none;
static int line[2];

__attribute__((noinline)) static void
for_lock()
{
	timed t("lock");
	std::lock_guard<std::mutex> guard(held);
}

__attribute__((noinline)) static void
for_condition()
{
	timed t("condition");
	std::unique_lock<std::mutex> guard(idle);

	while (!done)
		ready.wait(guard);
}

__attribute__((noinline)) static void
for_semaphore()
{
	timed t("semaphore");

	sem_wait(&none);
}

__attribute__((noinline)) static void
for_read()
{
	timed t("read");
	char c;

	while (read(line[0], &c, 1) == 1)
		continue;
}

__attribute__((noinline)) static void
for_poll()
{
	timed t("poll");

	poll(nullptr, 0, (int)(seconds * 1000));
}

__attribute__((noinline)) static void
for_timer()
{
	timed t("timer");

	std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

__attribute__((noinline)) static void
for_child(pid_t child)
{
	timed t("child");

	waitpid(child, nullptr, 0);
}

__attribute__((noinline)) static void
for_join(std::thread &other)
{
	timed t("join");

	other.join();
}

int
main(int, char **argv)
{
	std::vector<std::thread> all;

	seconds = atof(argv[1]);
	if (pipe(line) != 0 || sem_init(&none, 0, 0) != 0)
		return 2;
	const pid_t child = fork();
	if (child == 0) {
		usleep((useconds_t)(seconds * 1e6));
		_exit(0);
	}
	held.lock();
	for (auto f : { for_timer, for_lock, for_condition, for_semaphore,
	    for_read, for_poll })
		all.emplace_back(f);
	std::thread waits(for_child, child);
	for_join(all[0]);
	held.unlock();
	{
		std::lock_guard<std::mutex> guard(idle);
		done = true;
	}
	ready.notify_all();
	sem_post(&none);
	close(line[1]);
	for (auto &t : all)
		if (t.joinable())
			t.join();
	waits.join();
	return 0;
}
