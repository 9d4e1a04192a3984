/* Context: load.  Programs that call profil(2) and sprofil(3) themselves.
 * histogram KIND [SECONDS]: prints a line `name counts seconds` a part, the
 * counts as found in the program's own buffer, the seconds as the program
 * measured them. */
#include "load.h"
#include "part.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/profil.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define PARTS	3
#define THREADS	4
#define PART_BYTES	256	/* at most, and no two parts share them */

#define APART	__attribute__((aligned(PART_BYTES)))

APART PART(part_a, 1)
APART PART(part_b, 3)
APART PART(part_c, 5)

static uint64_t (*const run[PARTS])(uint64_t) = { part_a, part_b, part_c };
static const double weight[PARTS] = { 0.6, 0.3, 0.1 };
static double spent[THREADS + 1][PARTS];
static unsigned short cells[1 << 16];
static unsigned wide[1 << 14];
static double seconds;

/* Where the parts begin. */
static uintptr_t
low(void)
{
	uintptr_t at = UINTPTR_MAX;
	int p;

	for (p = 0; p < PARTS; p++)
		if ((uintptr_t)run[p] < at)
			at = (uintptr_t)run[p];
	return at;
}

/* And how far they go. */
static size_t
extent(void)
{
	uintptr_t end = 0;
	int p;

	for (p = 0; p < PARTS; p++)
		if ((uintptr_t)run[p] + PART_BYTES > end)
			end = (uintptr_t)run[p] + PART_BYTES;
	return end - low();
}

/* In no step with a clock: rounds of 10 ms met ticks of 4 ms in a fifth of
 * them, or in none. */
static uint64_t
length(int part, uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return (uint64_t)(weight[part] * (3000000.0 +
	    (double)(*random % 6000000)));
}

static void
burn(double *own, double total)
{
	uint64_t random = 88172645463325252u;
	int p;

	while (total > 0) {
		for (p = 0; p < PARTS; p++) {
			double t = load_clock(CLOCK_THREAD_CPUTIME_ID);

			run[p](length(p, &random));
			t = load_clock(CLOCK_THREAD_CPUTIME_ID) - t;
			own[p] += t;
			total -= t;
		}
	}
}

static unsigned long
counted(int part, const void *buffer, unsigned width, double slots_a_byte)
{
	uintptr_t from = (uintptr_t)run[part] - low();
	size_t i = (size_t)((double)from * slots_a_byte);
	size_t end = (size_t)((double)(from + PART_BYTES) * slots_a_byte);
	unsigned long sum = 0;

	for (; i < end; i++)
		sum += width == 2 ? ((const unsigned short *)buffer)[i] :
		    ((const unsigned *)buffer)[i];
	return sum;
}

static void
tell(const void *buffer, unsigned width, double slots_a_byte)
{
	double all;
	int p, t;

	for (p = 0; p < PARTS; p++) {
		for (all = 0, t = 0; t <= THREADS; t++)
			all += spent[t][p];
		printf("part_%c %lu %.6f\n", 'a' + p,
		    counted(p, buffer, width, slots_a_byte), all);
	}
}

static void
start(void)
{
	LOAD_TRY(profil(cells, sizeof(cells), low(), 65536));
}

static void
stop(void)
{
	unsigned short *volatile none = NULL;

	LOAD_TRY(profil(none, 0, 0, 0));
}

static void
plain(void)
{
	start();
	burn(spent[0], seconds);
	stop();
	tell(cells, 2, 0.5);
	burn(spent[0], 0.1);
	tell(cells, 2, 0.5);	/* no more than before */
}

static void
scaled(void)
{
	LOAD_TRY(profil(cells, sizeof(cells), low(), 16384));
	burn(spent[0], seconds);
	stop();
	tell(cells, 2, 0.125);
}

static void *
burn_beside(void *own)
{
	burn(own, seconds);
	return own;
}

/* Two that are there before, two that come. */
static void
threads(void)
{
	pthread_t id[THREADS];
	int i;

	for (i = 0; i < THREADS; i++) {
		if (i == THREADS / 2)
			start();
		if (pthread_create(&id[i], NULL, burn_beside, spent[i]) != 0)
			load_die("pthread_create");
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
	stop();
	tell(cells, 2, 0.5);
}

/* The child counts on, in its own copy. */
static void
forked(void)
{
	int status;

	start();
	burn(spent[0], seconds / 2);
	fflush(stdout);
	if (fork() == 0) {
		burn(spent[0], seconds / 2);
		stop();
		tell(cells, 2, 0.5);
		exit(0);
	}
	LOAD_TRY(wait(&status));
	stop();
	if (status != 0)
		exit(1);
}

/* Off at exec: the next image is not killed by a signal meant for this. */
static void
executed(const char *self)
{
	start();
	burn(spent[0], 0.05);
	execl(self, self, "nothing", "0.3", (char *)NULL);
	load_die("execl");
}

static void
nothing(void)
{
	burn(spent[0], seconds);
}

static void
regions(void)
{
	static unsigned rest[1];
	struct prof r[] = {
		{ wide, extent(), low(), 65536 },
		{ rest, sizeof(rest), 0, 2 },
	};
	struct timeval period;

	LOAD_TRY(sprofil(r, 2, &period, PROF_UINT));
	burn(spent[0], seconds);
	load_burn(seconds / 2);
	LOAD_TRY(sprofil(NULL, 0, NULL, 0));
	printf("period %ld 0\n", (long)period.tv_usec);
	tell(wide, 4, 0.25);
	printf("rest %u %.6f\n", rest[0], seconds / 2);
}

/* The buffer goes while it is counted in. */
static void
unmapped(void)
{
	void *p = mmap(NULL, sizeof(cells), PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	LOAD_TRY(profil(p, sizeof(cells), low(), 65536));
	burn(spent[0], 0.1);
	LOAD_TRY(munmap(p, sizeof(cells)));
	burn(spent[0], 0.3);
}

static void
confined(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { 4, code };

	start();
	burn(spent[0], seconds / 2);
	LOAD_TRY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	LOAD_TRY(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
	burn(spent[0], seconds / 2);
	stop();
	tell(cells, 2, 0.5);
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} kinds[] = {
		{ "plain", plain }, { "scaled", scaled },
		{ "threads", threads }, { "forked", forked },
		{ "nothing", nothing }, { "regions", regions },
		{ "unmapped", unmapped }, { "confined", confined },
	};
	unsigned i;

	seconds = load_number(argc, argv, 2, 1);
	if (argc > 1 && strcmp(argv[1], "executed") == 0)
		executed(argv[0]);
	for (i = 0; argc > 1 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(argv[1], kinds[i].name) == 0) {
			kinds[i].run();
			return 0;
		}
	return 2;
}
