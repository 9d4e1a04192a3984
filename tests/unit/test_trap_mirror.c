/*
 * Context: O.  Tests of core/entry/trap_mirror.c: each byte of a distance traps
 * as the header says, whatever follows.
 */
#include "instruction.h"
#include "random.h"
#include "trap_mirror.h"

#include <criterion/criterion.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

Test(trap_mirror, all_bytes_of_a_distance_trap)
{
	for (unsigned i = 0; i < TRAP_MIRRORS; i++) {
		const uint32_t d = (uint32_t)trap_mirror_distance(i);

		cr_expect(trap_mirror_has((uint8_t)d));
		cr_expect_eq(d, (d & 0xff) * 0x01010101u);
		for (unsigned k = 0; k < i; k++)
			cr_expect_neq(d, (uint32_t)trap_mirror_distance(k));
	}
	cr_expect_eq(trap_mirror_distance(0), -0x33333334);
	cr_expect_not(trap_mirror_has(0x90));
	cr_expect_not(trap_mirror_has(0xd5), "a prefix of APX");
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

Test(trap_mirror, each_byte_traps_whatever_follows)
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
		if (!trap_mirror_has((uint8_t)byte))
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
