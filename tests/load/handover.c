/*
 * Context: O.  Addresses at which generated code and a library take turns.
 *
 * handover munmap | memfd | replace | move LIB
 *
 * Three times, burns 25 ms of CPU time in code that it writes, then 25 ms in
 * burn() of LIB, which is built from this file too, at the same addresses.
 * The code is in private memory, or in a memfd that is mapped twice (`memfd`).
 * It goes by munmap(2), by another mapping in its place (`replace`), or to
 * another address (`move`).  Exit 3: the library was mapped elsewhere.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define TURN_MS	25
#define SPAN	(1ul << 14)	/* bytes; covers the library's text */
#define ENTRY	0x1000ul	/* where that is */

typedef unsigned loop(unsigned n);

static double
cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

__attribute__((noinline)) unsigned
burn(unsigned n)
{
	volatile unsigned x = 0;

	while (n-- > 0)
		x += n;
	return x;
}

static void
turn(loop *f)
{
	const double end = cpu_ms() + TURN_MS;

	while (cpu_ms() < end)
		f(20000);
}

/* Counts its argument down to 0. */
static const unsigned char code[] = {
#if defined(__x86_64__)
	0xff, 0xcf, 0x75, 0xfc, 0xc3
#elif defined(__aarch64__)
	0x00, 0x04, 0x00, 0x71, 0xe1, 0xff, 0xff, 0x54,
	0xc0, 0x03, 0x5f, 0xd6
#endif
};

static void
generated(char *at, const char *how)
{
	const int fd = strcmp(how, "memfd") == 0 ? memfd_create("code", 0) : -1;
	char *p, *away;

	if (fd >= 0 && ftruncate(fd, SPAN) != 0)
		_exit(4);
	p = mmap(at, SPAN, PROT_READ | PROT_EXEC | (fd < 0 ? PROT_WRITE : 0),
	    MAP_FIXED | (fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED),
	    fd, 0);
	if (p == MAP_FAILED || (fd >= 0 &&
	    pwrite(fd, code, sizeof(code), ENTRY) < 0))
		_exit(4);
	if (fd < 0)
		memcpy(p + ENTRY, code, sizeof(code));
	__builtin___clear_cache(p, p + SPAN);
	turn((loop *)(p + ENTRY));
	if (strcmp(how, "replace") == 0)
		mmap(p, SPAN, PROT_NONE, MAP_FIXED | MAP_PRIVATE |
		    MAP_ANONYMOUS, -1, 0);
	away = p;
	if (strcmp(how, "move") == 0)
		away = mremap(p, SPAN, SPAN, MREMAP_MAYMOVE | MREMAP_FIXED,
		    p - (1ul << 30));
	munmap(away, SPAN);
	if (fd >= 0)
		close(fd);
}

int
main(int argc, char **argv)
{
	char *at = NULL;
	struct link_map *l;

	if (argc != 3)
		return 2;
	for (int i = 0; i <= 3; i++) {
		l = dlopen(argv[2], RTLD_NOW);
		if (l == NULL)
			return 2;
		if (i > 0 && (char *)l->l_addr != at)
			return 3;
		at = (char *)l->l_addr;
		if (i > 0)
			turn((loop *)dlsym(l, "burn"));
		dlclose(l);
		if (i < 3)
			generated(at, argv[1]);
	}
	return 0;
}
