/* Context: load.  A program that profiles itself by monitor(3C), mon.h.
 * monitor KIND: does what each kind below says, and prints what it knows: the
 * calls of leaf() and middle(), and where those and the range lie. */
#include "load.h"

#include "mon.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#ifdef __x86_64__
#define TRAP() __asm__ volatile("int3")
#else
#define TRAP() __asm__ volatile("brk #0")
#endif

#define CELLS	600
#define BARS	65536

static WORD buffer[BARS], other[BARS];
static unsigned long leaves, middles;

__attribute__((noinline)) unsigned long leaf(unsigned long n);
__attribute__((noinline)) unsigned long middle(unsigned long n);

unsigned long
leaf(unsigned long n)
{
	unsigned long x = n;
	int i;

	for (i = 0; i < 200; i++) {
		x = x * 6364136223846793005u + 7;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

unsigned long
middle(unsigned long n)
{
	unsigned long x = 0;

	while (n-- > 0)
		x += leaf(n);
	return x;
}

extern char __executable_start, etext;

static void
start(WORD *to, size_t words, size_t cells)
{
	monitor((int (*)(void))(uintptr_t)&__executable_start,
	    (int (*)(void))(uintptr_t)&etext, to, words, cells);
}

static void
stop(void)
{
	monitor(NULL, NULL, NULL, 0, 0);
}

static void
call(unsigned long n, int counted)
{
	middle(n);
	if (counted) {
		leaves += n;
		middles++;
	}
}

static void
plain(void)
{
	start(buffer, BARS, CELLS);
	call(2000000, 1);
	stop();
}

/* Calls before it do not count, and calls behind it only for the next stop. */
static void
apart(void)
{
	call(1000, 0);
	start(buffer, BARS, CELLS);
	call(500000, 1);
	stop();
	call(1000, 0);
}

/* A second stop is none; the buffer is the program's again. */
static void
again(void)
{
	WORD *own = mmap(NULL, BARS * sizeof(WORD), PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	start(own, BARS, CELLS);
	call(500000, 1);
	stop();
	LOAD_TRY(munmap(own, BARS * sizeof(WORD)));
	call(1000, 0);
	stop();
}

/* A new run: neither the calls nor the blocks of the last are in it. */
static void
anew(void)
{
	int i;

	for (i = 0; i < 100; i++) {
		start(other, BARS, 5);
		call(1000, 0);
		stop();
	}
	start(buffer, BARS, CELLS);
	call(500000, 1);
	stop();
}

/* A handler of exit that was there before the first call. */
static void
at_the_end(void)
{
	call(500000, 1);
	stop();
	printf("calls leaf %lu middle %lu\n", leaves, middles);
}

static void
late(void)
{
	atexit(at_the_end);
	start(buffer, BARS, CELLS);
	call(500000, 1);
}

static void
confine(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog filter = { 6, code };

	LOAD_TRY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	LOAD_TRY(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
}

/* Nothing is written behind a filter that forbids it, and nobody is killed. */
static void
confined(void)
{
	unsigned short *volatile none = NULL;

	start(buffer, BARS, CELLS);
	call(500000, 1);
	confine();
	profil(none, 0, 0, 0);
	_exit(0);
}

/* For libc's profil(), which the filter kills when it ends. */
static void
confined_at_end(void)
{
	start(buffer, BARS, CELLS);
	call(500000, 1);
	confine();
	_exit(0);
}

/*
 * Takes a filter by libc's own call, which no preloaded library sees.  It kills
 * for opening a file to write.
 */
static void
confine_unseen(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { 6, code };
	void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
	int (*own_prctl)(int option, ...);

	if (libc == NULL)
		load_die("libc.so.6");
	*(void **)&own_prctl = dlsym(libc, "prctl");
	LOAD_TRY(own_prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	LOAD_TRY(own_prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
}

static void
unseen(void)
{
	start(buffer, BARS, CELLS);
	call(500000, 1);
	confine_unseen();
	_exit(0);
}

/* The next image is not profiled: the filter may kill it for its own file. */
static void
unseen_executed(void)
{
	char *const none[] = { NULL };

	start(buffer, BARS, CELLS);
	call(500000, 1);
	confine_unseen();
	execle("/bin/true", "true", (char *)NULL, none);
	load_die("execle");
}

/* A child takes a filter on this process's memory. */
static void
confined_child(void)
{
	pid_t pid;

	start(buffer, BARS, CELLS);
	call(500000, 1);
	pid = vfork();
	if (pid == 0) {
		confine();
		_exit(0);
	}
	LOAD_TRY(pid);
	LOAD_TRY(waitpid(pid, NULL, 0));
	_exit(0);
}

/* A second buffer: its cells are more cells, its histogram the one. */
static void
chained(void)
{
	start(buffer, BARS, 1);
	call(1000000, 1);
	start(other, BARS, 3);
	call(500000, 1);
	stop();
	printf("bars %d\n", buffer[BARS / 2] == 0xffff);
}

/* Fewer cells than functions. */
static void
crowded(void)
{
	start(buffer, BARS, 0);
	call(100000, 1);
	stop();
}

static void
paused(void)
{
	printf("none %d\n", moncontrol(1));
	start(buffer, BARS, CELLS);
	call(300000, 1);
	printf("was %d\n", moncontrol(0));
	printf("was %d\n", moncontrol(0));
	call(700000, 0);
	printf("was %d\n", moncontrol(1));
	printf("was %d\n", moncontrol(1));
	call(300000, 1);
	stop();
}

/* Each of these is nothing at all. */
static void
refused(void)
{
	size_t least = (sizeof(struct hdr) + CELLS * sizeof(struct cnt)) /
	    sizeof(WORD);

	stop();
	start(buffer, least, CELLS);
	start(buffer, 0, 0);
	start(buffer, BARS, (size_t)-1);
	monitor((int (*)(void))(uintptr_t)&etext,
	    (int (*)(void))(uintptr_t)&etext, buffer, BARS, CELLS);
	call(1000, 0);
	stop();
}

static void
ended(void)
{
	start(buffer, BARS, CELLS);
	call(500000, 1);
}

static void
ended_at_once(void)
{
	ended();
	printf("calls leaf %lu middle %lu\n", leaves, middles);
	fflush(stdout);
	_exit(0);
}

static void
executed(void)
{
	ended();
	printf("calls leaf %lu middle %lu\n", leaves, middles);
	fflush(stdout);
	execlp("true", "true", (char *)NULL);
	load_die("true");
}

/* The next program burns time, which a timer that is left on would end. */
static void
executed_burning(void)
{
	ended();
	execlp("sh", "sh", "-c", "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done",
	    (char *)NULL);
	load_die("sh");
}

static void
signalled(void)
{
	LOAD_TRY(monitor_signal(SIGUSR1));
	start(buffer, BARS, CELLS);
	call(500000, 1);
	raise(SIGUSR1);
	printf("calls leaf %lu middle %lu\n", leaves, middles);
	fflush(stdout);
	call(500000, 0);
	raise(SIGKILL);
}

/* Sent, and met: a core of the latter shows where. */
static void
killed_by(int sig)
{
	ended();
	printf("calls leaf %lu middle %lu\n", leaves, middles);
	fflush(stdout);
	if (sig == SIGSEGV)
		*(volatile int *)(uintptr_t)8 = 1;
	raise(sig);
}

static void
terminated(void)
{
	killed_by(SIGTERM);
}

static void
faulted(void)
{
	killed_by(SIGSEGV);
}

static void
own_handler(int sig)
{
	_exit(sig == SIGTERM ? 0 : 1);
}

/* It is told of behind its instruction, so it does not come again. */
static void
trapped(void)
{
	ended();
	printf("calls leaf %lu middle %lu\n", leaves, middles);
	fflush(stdout);
	TRAP();
	_exit(3);
}

/* Its own handler is its own, set before or after. */
static void
handled(void)
{
	signal(SIGTERM, own_handler);
	killed_by(SIGTERM);
}

static void
stop_in_handler(int sig)
{
	(void)sig;
	stop();
}

/*
 * Stops in a handler on a stack of 8 KiB, which SIGSTKSZ was for decades, above
 * a page that nothing may touch.
 */
static void
stopped_on_small_stack(void)
{
	struct sigaction action = {
		.sa_handler = stop_in_handler, .sa_flags = SA_ONSTACK,
	};
	char *base = mmap(NULL, 4096 + 8192, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t stack = { .ss_sp = base + 4096, .ss_size = 8192 };

	LOAD_TRY(mprotect(base, 4096, PROT_NONE));
	LOAD_TRY(sigaltstack(&stack, NULL));
	LOAD_TRY(sigaction(SIGUSR2, &action, NULL));
	ended();
	raise(SIGUSR2);
}

static void
forked(void)
{
	int status;
	pid_t child;

	start(buffer, BARS, CELLS);
	call(500000, 1);
	child = fork();
	if (child == 0) {
		call(300000, 0);
		stop();
		_exit(0);
	}
	printf("child %d\n", (int)child);
	LOAD_TRY(wait(&status));
	stop();
	if (status != 0)
		exit(1);
}

/* A child that says nothing leaves its parent's file alone. */
static void
forked_silently(void)
{
	int status;

	start(buffer, BARS, CELLS);
	call(500000, 1);
	if (fork() == 0) {
		call(300000, 0);
		exit(0);
	}
	LOAD_TRY(wait(&status));
	stop();
	printf("status %d\n", status);
	fflush(stdout);
	if (fork() == 0)
		exit(0);
	LOAD_TRY(wait(&status));
}

/*
 * Passes the same buffer again without a stop between, the second time with
 * other cells.
 */
static void
repeated(void)
{
	start(buffer, BARS, CELLS / 2);
	call(300000, 1);
	start(buffer, BARS, CELLS);
	call(200000, 1);
	stop();
}

/* The second histogram lies in cells that the signal has filled. */
static void
repeated_in_cells(void)
{
	start(buffer, BARS, CELLS);
	call(300000, 1);
	LOAD_TRY(monitor_signal(SIGUSR1));
	raise(SIGUSR1);
	start(buffer + sizeof(struct hdr) / sizeof(WORD), 2048, 0);
	call(200000, 1);
	stop();
}

static void
moved(void)
{
	start(buffer, BARS, CELLS);
	call(500000, 1);
	LOAD_TRY(mkdir("elsewhere", 0777));
	LOAD_TRY(chdir("elsewhere"));
	stop();
}

/* One instruction, so that each tick of who runs it has this address. */
extern char spot[];
__asm__(".text\n"
    ".p2align 4\n"
#ifdef __x86_64__
    "spot:	jmp spot\n"
#else
    "spot:	b spot\n"
#endif
    ".p2align 4\n");

static void *
stay(void *unused)
{
	((void (*)(void))(uintptr_t)spot)();
	return unused;
}

/* A thread burns time at an address, and the range ends `more` behind it. */
static void
end_at_spot(size_t more)
{
	const double end = load_clock(CLOCK_PROCESS_CPUTIME_ID) + 0.2;
	const struct timespec ms = {0, 1000000};
	pthread_t thread;

	monitor((int (*)(void))(uintptr_t)(spot - 8),
	    (int (*)(void))(uintptr_t)(spot + more), buffer, 100, 0);
	pthread_create(&thread, NULL, stay, NULL);
	while (load_clock(CLOCK_PROCESS_CPUTIME_ID) < end)
		nanosleep(&ms, NULL);
	stop();
	exit(0);
}

static void
ending_before(void)
{
	end_at_spot(0);
}

static void
ending_behind(void)
{
	end_at_spot(1);
}

/* A second run, and a second histogram, begun elsewhere. */
static void
moved_twice(void)
{
	start(buffer, BARS, CELLS);
	stop();
	LOAD_TRY(mkdir("elsewhere", 0777));
	LOAD_TRY(chdir("elsewhere"));
	start(buffer, BARS, CELLS);
	call(500000, 1);
	stop();
}

static void *
call_beside(void *unused)
{
	call(500000, 0);
	return unused;
}

static void
threads(void)
{
	pthread_t id[4];
	int i;

	start(buffer, BARS, CELLS);
	for (i = 0; i < 4; i++)
		if (pthread_create(&id[i], NULL, call_beside, NULL) != 0)
			load_die("pthread_create");
	for (i = 0; i < 4; i++)
		pthread_join(id[i], NULL);
	leaves = 4 * 500000;
	middles = 4;
	stop();
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} kinds[] = {
		{ "plain", plain }, { "apart", apart }, { "again", again },
		{ "anew", anew }, { "late", late }, { "confined", confined },
		{ "confined_at_end", confined_at_end },
		{ "confined_child", confined_child },
		{ "unseen", unseen }, { "unseen_executed", unseen_executed },
		{ "trapped", trapped }, { "chained", chained }, { "crowded", crowded },
		{ "paused", paused }, { "refused", refused },
		{ "ended", ended }, { "ended_at_once", ended_at_once },
		{ "executed", executed }, { "signalled", signalled },
		{ "executed_burning", executed_burning },
		{ "terminated", terminated }, { "faulted", faulted },
		{ "handled", handled },
		{ "stopped_on_small_stack", stopped_on_small_stack },
		{ "forked", forked }, { "forked_silently", forked_silently },
		{ "repeated", repeated },
		{ "repeated_in_cells", repeated_in_cells },
		{ "ending_before", ending_before },
		{ "ending_behind", ending_behind },
		{ "moved_twice", moved_twice }, { "moved", moved }, { "threads", threads },
	};
	unsigned i;

	for (i = 0; argc > 1 && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(argv[1], kinds[i].name) != 0)
			continue;
		printf("range %lx %lx\n", (unsigned long)&__executable_start,
		    (unsigned long)&etext);
		printf("at leaf %lx middle %lx\n", (unsigned long)leaf,
		    (unsigned long)middle);
		kinds[i].run();
		printf("calls leaf %lu middle %lu\n", leaves, middles);
		return 0;
	}
	return 2;
}
