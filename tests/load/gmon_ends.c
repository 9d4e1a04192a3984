/* Context: load.  A -pg program that ends as its argument says: gmon_ends KIND.
 * It has called leaf() a million times by then, 300,000 of it in two threads;
 * fork's child half a million times more, and calls of nobody's before. */
#include "load.h"

#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/profil.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>

void _mcleanup(void);
void monstartup(unsigned long low, unsigned long high);
int moncontrol(int mode);

__attribute__((noinline)) unsigned long leaf(unsigned long n);

unsigned long
leaf(unsigned long n)
{
	unsigned long x = n;
	int i;

	for (i = 0; i < 100; i++) {
		x = x * 6364136223846793005u + 7;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

static void *
call(void *times)
{
	unsigned long n = (uintptr_t)times, x = 0;

	while (n-- > 0)
		x += leaf(n);
	__asm__ volatile("" : "+r"(x));
	return NULL;
}

static void
forked(void)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		call((void *)500000);
		exit(0);
	}
	waitpid(pid, &status, 0);
	exit(status != 0);
}

/* Past its parent, by the end that libc does not see. */
static void
left_behind(void)
{
	if (fork() != 0)
		return;
	setsid();
	usleep(300000);
	call((void *)6);
	_exit(0);
}

static pthread_barrier_t together;

static void *
fault(void *unused)
{
	pthread_barrier_wait(&together);
	*(volatile int *)8 = 1;
	return unused;
}

static void
crowd(void)
{
	pthread_t thread;
	int i;

	pthread_barrier_init(&together, NULL, 8);
	for (i = 0; i < 8; i++)
		pthread_create(&thread, NULL, fault, NULL);
	pause();
}

/* Takes away calls that libc's own writing does not need. */
static void
confine(void)
{
#define KILL(nr) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1), \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
	static struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		KILL(SYS_unlinkat), KILL(SYS_renameat), KILL(SYS_clone),
		KILL(SYS_rt_sigprocmask), KILL(SYS_rt_sigaction),
		KILL(SYS_nanosleep), KILL(SYS_timer_delete),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {
		sizeof(filter) / sizeof(filter[0]), filter,
	};

	LOAD_TRY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	LOAD_TRY(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
}

/* A page of text is a mapping of its own, and the map is read again. */
static void
split(const char *library)
{
	const long page = sysconf(_SC_PAGESIZE);
	uint64_t (*run)(uint64_t);
	void *l;

	LOAD_TRY(mprotect((void *)((uintptr_t)leaf & -(uintptr_t)page),
	    (size_t)page, PROT_READ | PROT_WRITE | PROT_EXEC));
	l = dlopen(library, RTLD_NOW);
	if (l == NULL)
		exit(7);
	*(void **)&run = dlsym(l, "calls_run");
	run(1000);
	call((void *)500000);
}

static void
leave(void)
{
	_exit(0);
}

/* 8 KiB, and nothing below. */
static void
leave_on_fibre(void)
{
	static ucontext_t fibre, back;
	char *stack = mmap(NULL, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE |
	    MAP_ANONYMOUS, -1, 0);

	LOAD_TRY(mprotect(stack, 4096, PROT_NONE));
	getcontext(&fibre);
	fibre.uc_stack.ss_sp = stack + 4096;
	fibre.uc_stack.ss_size = 8192;
	makecontext(&fibre, leave, 0);
	swapcontext(&back, &fibre);
}

static void
end(const char *kind, const char *library)
{
	static unsigned short bins[64];

	char *const argv[] = {(char *)"true", NULL};

	if (strcmp(kind, "fast") == 0)
		_exit(0);
	if (strcmp(kind, "executed") == 0)
		execvp(argv[0], argv);
	if (strcmp(kind, "terminated") == 0)
		raise(SIGTERM);
	if (strcmp(kind, "aborted") == 0)
		abort();
	if (strcmp(kind, "faulted") == 0)
		*(volatile int *)8 = 1;
	if (strcmp(kind, "forked") == 0)
		forked();
	if (strcmp(kind, "left") == 0)
		left_behind();
	if (strcmp(kind, "crowd") == 0)
		crowd();
	if (strncmp(kind, "boxed", 5) == 0)
		confine();
	if (strcmp(kind, "boxed terminated") == 0)
		kill(getpid(), SIGTERM);
	if (strcmp(kind, "split") == 0)
		split(library);
	if (strcmp(kind, "fibre") == 0)
		leave_on_fibre();
	if (strcmp(kind, "profil") == 0)
		profil(bins, sizeof bins, (size_t)(uintptr_t)leaf, 65536);
	if (strcmp(kind, "both") == 0) {
		clock_t from;

		profil(bins, sizeof bins, (size_t)(uintptr_t)leaf, 65536);
		moncontrol(0);
		for (from = clock(); clock() - from < CLOCKS_PER_SEC / 20;)
			;
	}
	if (strcmp(kind, "cleaned") == 0) {
		_mcleanup();
		call((void *)77);
	}
}

int
main(int argc, char **argv)
{
	pthread_t thread[2];
	int i;

	/* crt1's call of it is in force, so that this one is ignored. */
	if (argc > 1 && strcmp(argv[1], "narrowed") == 0)
		monstartup((uintptr_t)main, (uintptr_t)main + 4);
	for (i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, call, (void *)150000);
	call((void *)700000);
	for (i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	end(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : NULL);
	return 0;
}
