/*
 * Context: O.  Code whose object is hard to tell by the mapping that it is in.
 *
 * objects plain | anonymous | shared | file | whole | again | map |
 *     dlopen LIB | memfd LIB | gone LIB
 *
 * Burns 0.3 s of CPU time in busy(), below drive(); in the last three modes
 * those of a library, built from this file too.  `anonymous`, `shared` and
 * `file` move the program's text to other memory at the same addresses, as
 * programs do that want large pages for it; `whole` moves its read-only
 * segments too, with the ELF header; `again` runs turn() and spin() where it
 * has mapped the text once more, as V8 does with its builtins.  `map` prints
 * the memory map, and burns nothing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifndef EARLY
#define EARLY
#endif
#ifndef LATE
#define LATE
#endif
#define APART	__attribute__((noinline, noclone))
#define MOST	16

volatile unsigned long sink;

APART EARLY void
busy(void)
{
	unsigned long s = sink;

	for (int i = 0; i < 100000; i++)
		s = s * 6364136223846793005ul + (unsigned long)i;
	sink = s;
}

/* Has an address in another segment like that of busy() in its own. */
APART LATE void
idle(void)
{
	for (int i = 0; i < 64; i++)
		sink ^= (unsigned long)i;
}

APART LATE void
drive(void)
{
	for (int i = 0; i < 50; i++) {
		busy();
		idle();
	}
	sink++;
}

/* These two functions use nothing outside their own text. */
APART unsigned long
spin(unsigned long s)
{
	for (int i = 0; i < 100000; i++)
		s = s * 6364136223846793005ul + (unsigned long)i;
	return s;
}

APART unsigned long
turn(unsigned long s)
{
	for (int i = 0; i < 50; i++)
		s ^= spin(s);
	return s + 1;
}

struct part {
	unsigned long low, high;
	int prot;
};

static unsigned
find_parts(struct part *part, int whole)
{
	char line[500], prot[8], exe[300] = "";
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned n = 0;

	if (f == NULL || readlink("/proc/self/exe", exe, sizeof exe - 1) <= 0)
		exit(3);
	while (n < MOST && fgets(line, sizeof line, f) != NULL)
		if (strstr(line, exe) != NULL &&
		    sscanf(line, "%lx-%lx %7s", &part[n].low, &part[n].high,
		    prot) == 3 && (prot[2] == 'x' || (whole &&
		    prot[1] == '-')))
			part[n++].prot = PROT_READ |
			    (prot[2] == 'x' ? PROT_EXEC : 0);
	fclose(f);
	return n;
}

static void
move(const struct part *p, int flags)
{
	size_t n = p->high - p->low;
	int fd = flags == MAP_FILE ? memfd_create("huge", 0) : -1;
	char *to = fd >= 0 && ftruncate(fd, (off_t)n) == 0 ?
	    mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0) :
	    mmap(NULL, n, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

	if (to == MAP_FAILED)
		exit(4);
	memcpy(to, (void *)p->low, n);
	if (mprotect(to, n, p->prot) != 0 || mremap(to, n, n,
	    MREMAP_MAYMOVE | MREMAP_FIXED, (void *)p->low) == MAP_FAILED)
		exit(5);
}

static void
move_all(int whole, int flags)
{
	struct part part[MOST];
	unsigned i, n = find_parts(part, whole);

	if (n == 0)
		exit(6);
	for (i = 0; i < n; i++)
		move(&part[i], flags);
}

static unsigned long (*elsewhere)(unsigned long);

static void
map_again(void)
{
	struct part part[MOST];
	unsigned long at = (unsigned long)turn, offset, low;
	unsigned i, n = find_parts(part, 0);
	char line[500], exe[] = "/proc/self/exe";
	FILE *f = fopen("/proc/self/maps", "r"), *own = fopen(exe, "r");
	char *to = MAP_FAILED;

	for (i = 0; i < n && (at < part[i].low || at >= part[i].high); i++)
		;
	while (i < n && f != NULL && own != NULL &&
	    fgets(line, sizeof line, f) != NULL)
		if (sscanf(line, "%lx-%*x %*s %lx", &low, &offset) == 2 &&
		    low == part[i].low)
			to = mmap(NULL, part[i].high - low, PROT_READ |
			    PROT_EXEC, MAP_PRIVATE, fileno(own), (long)offset);
	if (to == MAP_FAILED)
		exit(2);
	elsewhere = (unsigned long (*)(unsigned long))(to + (at - part[i].low));
}

APART void
drive_elsewhere(void)
{
	sink += elsewhere(sink);
}

static const char *
copy_to_memory(const char *path)
{
	static char name[64];
	char buf[4096];
	int fd = memfd_create("objects", 0);
	FILE *f = fopen(path, "r");
	size_t n;

	if (fd < 0 || f == NULL)
		exit(7);
	while ((n = fread(buf, 1, sizeof buf, f)) > 0)
		if (write(fd, buf, n) != (ssize_t)n)
			exit(8);
	fclose(f);
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	return name;
}

typedef void function(void);

static function *
load(const char *how, const char *path)
{
	void *library = dlopen(strcmp(how, "memfd") == 0 ?
	    copy_to_memory(path) : path, RTLD_NOW);

	if (library == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(9);
	}
	if (strcmp(how, "gone") == 0)
		unlink(path);
	return (function *)dlsym(library, "drive");
}

static int
print_map(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	int c;

	while (f != NULL && (c = getc(f)) != EOF)
		putchar(c);
	return f == NULL;
}

int
main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "plain";
	function *run = argc > 2 ? load(how, argv[2]) : drive;
	struct timespec t;

	if (strcmp(how, "map") == 0)
		return print_map();
	if (strcmp(how, "anonymous") == 0)
		move_all(0, MAP_PRIVATE);
	else if (strcmp(how, "shared") == 0)
		move_all(0, MAP_SHARED);
	else if (strcmp(how, "file") == 0)
		move_all(0, MAP_FILE);
	else if (strcmp(how, "whole") == 0)
		move_all(1, MAP_PRIVATE);
	else if (strcmp(how, "again") == 0) {
		map_again();
		run = drive_elsewhere;
	}
	do {
		run();
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (t.tv_sec == 0 && t.tv_nsec < 300000000);
	return 0;
}
