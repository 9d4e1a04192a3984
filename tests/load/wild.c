/*
 * Context: load.  Code that leads a walk astray: wild KIND, x86-64 only.
 *
 * A tick in code without unwind tables guesses by rbp, which here is a register
 * like any other, and points to what is not there any more.
 */
#include "load.h"

#include <iconv.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>

static volatile long sink;

void bare_leaf(long n);
void bare_fault(const long *at);
void bare_caller(void (*fn)(long), long n, void *rbp);

/*
 * As assemblers' functions are, without a word to unwind by: one that has no
 * frame, and one that uses rbp.
 */
__asm__(
    "	.text\n"
    "	.globl bare_leaf, bare_caller, bare_fault\n"
    "	.type bare_leaf, @function\n"
    "bare_leaf:\n"
    "1:	dec %rdi\n"
    "	jnz 1b\n"
    "	ret\n"
    "	.size bare_leaf, . - bare_leaf\n"
    "	.type bare_fault, @function\n"
    "bare_fault:\n"
    "	mov (%rdi), %rax\n"
    "	ret\n"
    "	.size bare_fault, . - bare_fault\n"
    "	.type bare_caller, @function\n"
    "bare_caller:\n"
    "	push %rbp\n"
    "	mov %rdx, %rbp\n"
    "	sub $16, %rsp\n"
    "	mov %rdi, %rax\n"
    "	mov %rsi, %rdi\n"
    "	call *%rax\n"
    "	add $16, %rsp\n"
    "	pop %rbp\n"
    "	ret\n"
    "	.size bare_caller, . - bare_caller\n");

__attribute__((noinline, noclone)) void right_caller(long n);
__attribute__((noinline, noclone)) void middle(long n);
__attribute__((noinline, noclone)) void work(long n);
__attribute__((noinline, noclone)) void never_called(long n);

void
right_caller(long n)
{
	bare_leaf(n);
	sink++;
}

void
middle(long n)
{
	right_caller(n);
	sink++;
}

static sigjmp_buf back;

static void
faulted(int sig)
{
	(void)sig;
	work(300000);
	siglongjmp(back, 1);
}

__attribute__((noinline, noclone)) static void
fault_caller(const long *at)
{
	bare_fault(at);
	sink++;
}

/* An instruction that a signal interrupts is not behind a call. */
static void
faults(void)
{
	const long *none = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE |
	    MAP_ANONYMOUS, -1, 0);
	volatile int n = 0;

	signal(SIGSEGV, faulted);
	while (n++ < 4000)
		if (sigsetjmp(back, 1) == 0)
			fault_caller(none);
}

void
work(long n)
{
	while (n-- > 0)
		sink += n;
}

void
never_called(long n)
{
	sink = n;
	puts("never");
}

/* push rbp; mov rsi, rbp; 1: dec rdi; jnz 1b; pop rbp; ret */
static const unsigned char loop[] = {
	0x55, 0x48, 0x89, 0xf5, 0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, 0xc3,
};

static unsigned char *
generate(void)
{
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE |
	    PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(code, loop, sizeof loop);
	return code;
}

static void
run(const unsigned char *code, long n, void *rbp)
{
	void (*fn)(long, void *);

	*(const void **)&fn = code;
	fn(n, rbp);
}

/* It was generated, has run, and is gone, or forbidden. */
static void
gone(int forbidden)
{
	unsigned char *first = generate(), *second = generate();
	void *pair[2] = {pair, first + 8}, *none[2] = {NULL, NULL};

	run(first, 100000000, none);
	run(second, 100000000, none);
	LOAD_TRY(forbidden ? mprotect(first, 4096, PROT_NONE) :
	    munmap(first, 4096));
	for (int i = 0; i < 5; i++)
		run(second, 100000000, pair);
}

static uintptr_t
text_of(const char *name)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long at = 0;
	char line[512];

	while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
		if (strstr(line, name) != NULL && strstr(line, "r-xp") != NULL)
			at = strtoul(line, NULL, 16);
	if (maps != NULL)
		fclose(maps);
	return at;
}

static void
convert(const char *to, double seconds)
{
	double end = load_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;
	iconv_t c = iconv_open(to, "UTF-8");

	if (c == (iconv_t)-1)
		load_die(to);
	do {
		char from[1000], room[4000], *in = from, *out = room;
		size_t left = sizeof from, space = sizeof room;

		memset(from, 'x', sizeof from);
		iconv(c, &in, &left, &out, &space);
	} while (load_clock(CLOCK_THREAD_CPUTIME_ID) < end);
	iconv_close(c);
}

/* libc unloads its converters itself: no hook of ours is called. */
static void
unloaded(void)
{
	unsigned char *code = generate();
	void *pair[2] = {pair, NULL};
	uintptr_t at;

	convert("EUC-JP", 0.2);
	at = text_of("EUC-JP.so");
	for (int i = 0; i < 6; i++) {
		convert("EUC-KR", 0);
		convert("BIG5", 0);
	}
	pair[1] = (void *)(at + 0x100);
	for (int i = 0; i < 5; i++)
		run(code, 100000000, pair);
}

/* Behind a filter nobody can be asked, and sp is far below the stack. */
static void
confined(void)
{
	struct sock_filter all[] = {BPF_STMT(BPF_RET | BPF_K,
	    SECCOMP_RET_ALLOW)};
	const struct sock_fprog filter = {1, all};

	LOAD_TRY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	LOAD_TRY(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
	for (int i = 0; i < 5; i++)
		__asm__ volatile(
		    "mov %%rsp, %%r12\n"
		    "	sub %[far], %%rsp\n"
		    "	mov %[n], %%rdi\n"
		    "1:	dec %%rdi\n"
		    "	jnz 1b\n"
		    "	mov %%r12, %%rsp\n"
		    :
		    : [far] "r"(64L << 20), [n] "r"(100000000L)
		    : "r12", "rdi", "memory", "cc");
}

int
main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	void *list[2] = {NULL, (void *)never_called};
	void *more[2] = {list, (void *)never_called};

	if (strcmp(kind, "leaf") == 0)
		middle(1500000000);
	else if (strcmp(kind, "callback") == 0)
		bare_caller(work, 200000000, more);
	else if (strcmp(kind, "faults") == 0)
		faults();
	else if (strcmp(kind, "unmapped") == 0)
		gone(0);
	else if (strcmp(kind, "forbidden") == 0)
		gone(1);
	else if (strcmp(kind, "unloaded") == 0)
		unloaded();
	else if (strcmp(kind, "confined") == 0)
		confined();
	else
		return 2;
	return 0;
}
