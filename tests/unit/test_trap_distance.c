/*
 * Context: O.  Tests of core/entry/trap_distance.c: each byte of the table
 * traps as it says, whatever follows, and distances are those that a search one
 * by one finds.
 */
#include "instruction.h"
#include "random.h"
#include "trap_distance.h"

#include <criterion/criterion.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

static bool
is_right(unsigned starts, int32_t distance)
{
	for (unsigned s = 1; s <= 4; s++)
		if ((starts >> s & 1) != 0 &&
		    !trap_byte_is((uint8_t)((uint32_t)distance >> 8 * (s - 1))))
			return false;
	return true;
}

/* Searches one by one, `most` steps at the most. */
static bool
search(unsigned starts, int32_t from, uint32_t most, int32_t *found)
{
	for (int64_t d = from; d <= INT32_MAX && d - from <= most; d++)
		if (is_right(starts, (int32_t)d)) {
			*found = (int32_t)d;
			return true;
		}
	return false;
}

static void
check(unsigned starts, int32_t from)
{
	const uint32_t most = 1u << 17;
	int32_t own = 0, wanted = 0;
	const bool found = trap_distance_next(starts, from, &own);

	if (search(starts, from, most, &wanted))
		cr_assert(found && own == wanted, "%#x from %d: %d, not %d",
		    starts, from, own, wanted);
	else if (found)
		cr_assert(is_right(starts, own) &&
		    (int64_t)own - from > most, "%#x from %d: %d", starts,
		    from, own);
	else
		cr_assert(from > INT32_MAX - (int32_t)most ||
		    (starts & 1u << 4) != 0, "%#x from %d", starts, from);
}

Test(trap_distance, is_the_one_that_a_search_finds)
{
	static const int32_t edges[] = {
		INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX - 1, INT32_MAX,
		0x61616161, 0x61616162, 0x61616061, 0x06060606, 0x05ffffff,
	};
	uint64_t seed = 28;

	for (unsigned starts = 0; starts <= 0x1e; starts += 2) {
		for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++)
			check(starts, edges[i]);
		for (unsigned i = 0; i < 40; i++)
			check(starts, (int32_t)random_next(&seed));
	}
}

/*
 * Where all four bytes trap, the distances are 20 to the fourth power: each is
 * met once, in order.
 */
Test(trap_distance, meets_each_once)
{
	unsigned count = 0;
	int32_t at = INT32_MIN, found;

	while (trap_distance_next(0x1e, at, &found)) {
		cr_assert(found >= at && is_right(0x1e, found));
		count++;
		if (found == INT32_MAX)
			break;
		at = found + 1;
	}
	cr_expect_eq(count, 20u * 20 * 20 * 20);
}

#ifdef __x86_64__

static sigjmp_buf back;
static volatile sig_atomic_t came;
static uintptr_t came_at;

static void
on_trap(int sig, siginfo_t *si, void *unused)
{
	(void)unused;
	came = sig;
	came_at = (uintptr_t)si->si_addr;
	siglongjmp(back, 1);
}

/* Runs what `code` begins with.  Returns the signal that it raised. */
static int
run(const uint8_t *code)
{
	came = 0;
	if (sigsetjmp(back, 1) == 0)
		((void (*)(void))(uintptr_t)code)();
	return came;
}

Test(trap_distance, each_byte_traps_whatever_follows)
{
	const struct sigaction on = {
		.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO,
	};
	uint8_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct instruction in;
	uint64_t seed = 1;

	cr_assert_neq(page, MAP_FAILED);
	sigaction(SIGILL, &on, NULL);
	sigaction(SIGTRAP, &on, NULL);
	for (unsigned byte = 0; byte <= UINT8_MAX; byte++) {
		if (!trap_byte_is((uint8_t)byte))
			continue;
		for (unsigned i = 0; i < 1000; i++) {
			for (unsigned k = 0; k < 16; k++)
				page[k] = (uint8_t)random_next(&seed);
			page[0] = (uint8_t)byte;
			cr_assert(byte == 0xcc ||
			    !instruction_decode(page, 16, &in));
			cr_assert_eq(run(page), byte == 0xcc ? SIGTRAP :
			    SIGILL, "%#x", byte);
			cr_assert(byte == 0xcc || came_at == (uintptr_t)page);
		}
	}
}

#endif
