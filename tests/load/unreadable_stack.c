/* Context: load.  Pages of a thread's own stack that cannot be read for a
 * while, which harms nobody who does not return there meanwhile; and the
 * program's own faults, which stay its own. */
#include "load.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define PAGE 4096

static volatile int handled;
static sigjmp_buf back;
static char *volatile page, *volatile nowhere = (char *)8;

/* The function that runs while the page is hidden. */
static void (*volatile work)(double) = load_burn;

static void
handle(int sig, void (*f)(int), int flags)
{
	struct sigaction a = { 0 };

	a.sa_handler = f;
	a.sa_flags = flags;
	LOAD_TRY(sigaction(sig, &a, NULL));
}

static void
count(int sig)
{
	(void)sig;
	handled++;
}

/*
 * Works twice by the same path: the second time the page of the caller's frame,
 * where the function returns to, is unreadable.
 */
__attribute__((noinline)) static void
hide(char *from, double seconds)
{
	char room[2 * PAGE];
	int hidden_now;

	memset(room, 1, sizeof(room));
	__asm__ volatile("" : : "r"(room) : "memory");
	for (hidden_now = 0; hidden_now < 2; hidden_now++) {
		if (hidden_now)
			LOAD_TRY(mprotect(from, PAGE, PROT_NONE));
		work(seconds / 2);
	}
	LOAD_TRY(mprotect(from, PAGE, PROT_READ | PROT_WRITE));
	handled += room[5] != 1;
}

__attribute__((noinline)) static void
below(double seconds)
{
	char room[4 * PAGE];

	memset(room, 1, sizeof(room));
	__asm__ volatile("" : : "r"(room) : "memory");
	hide((char *)((uintptr_t)__builtin_frame_address(0) &
	    ~(uintptr_t)(PAGE - 1)), seconds);
	handled += room[7] != 1;
}

/* Runs on pages apart from those of libc at the end of a stack. */
__attribute__((noinline)) static void
apart(double seconds)
{
	char room[4 * PAGE];

	memset(room, 1, sizeof(room));
	__asm__ volatile("" : : "r"(room) : "memory");
	below(seconds);
	handled += room[7] != 1;
}

static void
hidden(void)
{
	apart(0.5);
}

static void
watched(void)
{
	handle(SIGSEGV, count, 0);
	apart(0.5);
}

static void *volatile block;

__attribute__((noinline)) static void
allocate_once(unsigned size)
{
	block = malloc(size);
	free(block);
}

/* Allocates by two paths in turn, so that one is recalled and one searched. */
static void
allocate(double seconds)
{
	int i;

	for (i = 0; i < (int)(seconds * 400); i++) {
		allocate_once(100);
		block = malloc(200);
		free(block);
	}
}

static void
allocates(void)
{
	work = allocate;
	apart(0.1);
	work = load_burn;
	apart(0.1);
	work = allocate;
	apart(0.1);
	handle(SIGSEGV, count, 0);
	apart(0.1);
}

static void
blocked(void)
{
	sigset_t s;

	load_burn(0.1);
	sigemptyset(&s);
	sigaddset(&s, SIGSEGV);
	sigprocmask(SIG_BLOCK, &s, NULL);
	apart(0.5);
}

static void *
hide_in_thread(void *unused)
{
	load_burn(0.05);
	apart(0.3);
	return unused;
}

static void
threads(void)
{
	pthread_t id[3];
	int i;

	for (i = 0; i < 3; i++)
		if (pthread_create(&id[i], NULL, hide_in_thread, NULL) != 0)
			load_die("pthread_create");
	for (i = 0; i < 3; i++)
		pthread_join(id[i], NULL);
}

static void
forked(void)
{
	int status = 0;

	load_burn(0.1);
	if (fork() == 0) {
		load_burn(0.05);
		apart(0.3);
		_exit(handled);
	}
	LOAD_TRY(wait(&status));
	handled += status;
}

static void
leave(int sig)
{
	handled++;
	siglongjmp(back, sig);
}

static void
mend(int sig)
{
	(void)sig;
	handled++;
	mprotect(page, PAGE, PROT_READ | PROT_WRITE);
}

/* The program's own faults must come to its handlers, however these are set. */
static void
faults(void)
{
	volatile int i;
	struct sigaction a;

	page = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < 6; i++) {
		load_burn(0.05);
		sigaction(SIGSEGV, NULL, &a);
		printf("action %d flags %#x mask %d\n", a.sa_handler == leave ?
		    1 : a.sa_handler == mend ? 2 : a.sa_handler == SIG_DFL ?
		    3 : 4, (unsigned)a.sa_flags & ~0x04000000u,
		    sigismember(&a.sa_mask, SIGPROF));
		if (i % 2 == 0)
			handle(SIGSEGV, leave, i == 2 ? SA_NODEFER : i == 4 ?
			    (int)SA_RESETHAND : 0);
		else if (i == 1)
			printf("was leave %d\n", signal(SIGSEGV, mend) == leave);
		else
			handle(SIGSEGV, mend, SA_ONSTACK);
		mprotect(page, PAGE, PROT_NONE);
		if (sigsetjmp(back, 1) == 0)
			page[1] = 1;
	}
}

static int
child(int kind)
{
	int status = 0;

	fflush(stdout);
	if (fork() == 0) {
		load_burn(0.1);
		if (kind == 0)
			*nowhere = 1;
		else if (kind == 1)
			raise(SIGSEGV);
		else if (kind == 2)
			kill(getpid(), SIGBUS);
		else if (kind == 3) {
			signal(SIGSEGV, SIG_IGN);
			raise(SIGSEGV);
			*nowhere = 1;
		} else {
			sigset_t s;

			sigemptyset(&s);
			sigaddset(&s, SIGSEGV);
			sigprocmask(SIG_BLOCK, &s, NULL);
			raise(SIGSEGV);
			load_burn(0.05);
			handle(SIGSEGV, count, 0);
			sigprocmask(SIG_UNBLOCK, &s, NULL);
			_exit(handled);
		}
		_exit(77);
	}
	LOAD_TRY(wait(&status));
	return status & ~0x80;
}

/* The program's own faults must end it if it has no handler. */
static void
deaths(void)
{
	int i;

	load_burn(0.1);
	for (i = 0; i < 5; i++)
		printf("death %d: %#x\n", i, (unsigned)child(i));
	if (vfork() == 0) {
		execlp("sh", "sh", "-c", "kill -SEGV $$", NULL);
		_exit(1);
	}
	LOAD_TRY(wait(&i));
	printf("exec: %#x\n", (unsigned)i & ~0x80u);
}

static void
show(const char *who)
{
	static const int sigs[] = { SIGSEGV, SIGBUS, SIGPROF };
	struct sigaction a;
	unsigned i;

	for (i = 0; i < 3; i++) {
		sigaction(sigs[i], NULL, &a);
		printf("%s: %s\n", who, a.sa_handler == SIG_DFL ? "default" :
		    a.sa_handler == SIG_IGN ? "ignored" :
		    a.sa_handler == count ? "own" : "another's");
	}
	fflush(stdout);
}

/* Executes a program without libmon, which would have handlers of its own. */
static void
print_ignored(void)
{
	char *none[] = { NULL };

	execle("/bin/sed", "sed", "-n", "/^SigIgn/p", "/proc/self/status",
	    NULL, none);
	_exit(1);
}

static void
show_in_child(pid_t (*make)(void), const char *who)
{
	int status = 0;

	if (make() == 0) {
		show(who);
		print_ignored();
	}
	LOAD_TRY(wait(&status));
	handled += status;
}

/* Prints the actions that the process and its children see and inherit. */
static void
show_all(void)
{
	show("itself");
	show_in_child(fork, "child");
	if (vfork() == 0) {
		show("vfork child");
		printf("was %d\n", signal(SIGSEGV, SIG_IGN) == SIG_IGN);
		fflush(stdout);
		print_ignored();
	}
	LOAD_TRY(wait(NULL));
}

static void
shown(void)
{
	signal(SIGSEGV, SIG_IGN);
	load_burn(0.1);
	show_all();
	handle(SIGSEGV, count, SA_ONSTACK);
	signal(SIGBUS, SIG_IGN);
	show_all();
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} kinds[] = {
		{ "hidden", hidden }, { "watched", watched },
		{ "blocked", blocked }, { "threads", threads },
		{ "forked", forked }, { "faults", faults },
		{ "deaths", deaths }, { "allocates", allocates },
		{ "shown", shown },
	};
	unsigned i;

	load_burn(0.1);
	for (i = 0; argc > 1 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(argv[1], kinds[i].name) == 0) {
			kinds[i].run();
			printf("%s handled %d\n", argv[1], handled);
			return 0;
		}
	return 2;
}
