/* Context: O.  Tests of what prof --heap=growth and =summary say in short. */
#include "command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define BIRTH	(1000 * 1000000000ull)	/* of build_init() */

TestSuite(prof_growth, .init = command_init, .fini = compile_fini);

struct point {
	uint64_t ms, live, resident;
};

/* Makes a profile of a heap whose one path has all that is live. */
static void
begin(struct build *b, int pid, uint64_t peak, uint64_t period)
{
	struct format_heap *h;
	uint32_t m, caller;

	build_init(b);
	build_header(b)->pid = pid;
	m = build_module(b, "/bin/prog", 0x5000, 0x15000);
	caller = build_node(b, build_alloc_thread_root(b,
	    build_alloc_thread(b)), FORMAT_FRAME, m, 0x100, 0, 0);
	h = build_heap(b, build_node(b, caller, FORMAT_FRAME, m, 0x200, 0, 0),
	    4, 40000);
	h->era = 1;
	h->peak_bytes = peak;
	((struct format_memory *)build_at(b, build_memory(b, 1, peak)))->
	    period = period;
}

static void
end(struct build *b, const char *name)
{
	build_seal(b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(b, compile_path(name)), 0);
	build_fini(b);
}

static void
save(const char *name, int pid, uint64_t peak, const struct point *points,
    size_t count)
{
	struct build b;

	begin(&b, pid, peak, 0);
	for (size_t i = 0; i < count; i++)
		build_point(&b, BIRTH + points[i].ms * MS, points[i].live,
		    points[i].resident);
	end(&b, name);
}

static void
shows(const char *arguments, const char *wanted)
{
	cr_expect_eq(prof(arguments), 0, "%s: %s", arguments, err);
	cr_expect_str_eq(out, wanted, "%s: %s", arguments, out);
}

static const struct point few[] = {
	{ 2000, 3000, 0 }, { 1000, 1000, 8192 }, { 3000, 1500, 20480 },
	{ 0, 0, 4096 },
};

#define FEW (sizeof(few) / sizeof(*few))

Test(prof_growth, each_process_in_short)
{
	save("p", 5, 3500, few, FEW);
	cr_expect_eq(prof("--heap=growth --no-footer p"), 0, "%s", err);
	cr_expect_eq(strstr(out, "prog [5]\n   Seconds "), out, "%s", out);
	cr_expect_not_null(strstr(out, "\nmost live of 4 points: 3000 at "
	    "2.000 s; the peak, between them, was 3500\n"
	    "last: 1500 at 3.000 s, +500 since 1.000 s\n"
	    "resident: at most 20.0K, last seen 20.0K\n"), "%s", out);
	save("q", 6, 3000, few + 3, 1);
	shows("--heap=growth --csv q",
	    "program,pid,seconds,live_bytes,resident_bytes,image,mapped_bytes\n"
	    "prog,6,0.000000,0,4096,1,\n");
	/* The largest first; one can be chosen. */
	save("q", 6, 4000, few, FEW);
	cr_expect_eq(prof("--heap=growth p q"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\n\nprog [6]\n"), "%s", out);
	cr_expect_not_null(strstr(out, "\n\nprog [5]\n"), "%s", out);
	cr_expect_eq(prof("--heap=growth --pid=5 p q"), 0, "%s", err);
	cr_expect_null(strstr(out, "prog [6]"), "%s", out);
}

Test(prof_growth, summary_has_it_in_short)
{
	save("p", 5, 3000, few, FEW);
	cr_expect_eq(prof("--heap=summary p"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nmost live of 4 points: 3000 at "
	    "2.000 s\nlast: 1500 at 3.000 s, +500 since 1.000 s\n"
	    "resident: at most 20.0K, last seen 20.0K\n\npeak"), "%s", out);
	save("q", 6, 9000, few, 1);
	cr_expect_eq(prof("--heap=summary p q"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "\nprog [6]\nmost live of 1 point: "
	    "3000 at 2.000 s; the peak, between them, was 9000\n"
	    "last: 3000 at 2.000 s\nprog [5]\nmost"), "%s", out);
	for (int i = 0; i < 7; i++) {
		char name[] = { (char)('0' + i), '\0' };

		save(name, 20 + i, 5000, few, FEW);
	}
	cr_expect_eq(prof("--heap=growth --top=2 0 1 2 3 4 5 6"), 0, "%s",
	    err);
	cr_expect_not_null(strstr(out, "\n\nand 5 more processes, of less "
	    "at the peak: --top=N shows N\n\nallocated "), "%s", out);
	cr_expect_eq(prof("--heap=summary 0 1 2 3 4 5 6"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "and 2 more processes: --heap=growth "
	    "has each\n"), "%s", out);
}

Test(prof_growth, some_for_all)
{
	struct build b;
	const char *said;

	begin(&b, 5, 3000, 512 << 10);
	build_point(&b, BIRTH, 10, 10);
	end(&b, "some");
	cr_expect_eq(prof("--heap=growth some"), 0, "%s", err);
	said = strstr(out, "\nestimates: some of the blocks were counted, to "
	    "stand for all\n\nallocated ");
	cr_expect_not_null(said, "%s", out);
	save("p", 5, 3500, few, FEW);
	cr_expect_eq(prof("--heap=growth p"), 0, "%s", err);
	cr_expect_null(strstr(out, "estimates"), "%s", out);
}

Test(prof_growth, numbers_that_lie)
{
	static const struct point lies[] = {
		{ 1, UINT64_MAX, UINT64_MAX }, { UINT64_MAX / MS - BIRTH / MS,
		0, 1 },
	};
	struct build b;

	save("p", 5, 0, lies, 2);
	cr_expect_eq(prof("--heap=growth p"), 0, "%s", err);
	/* Before its process began. */
	begin(&b, 5, 10, 0);
	build_point(&b, 1, 10, 10);
	end(&b, "early");
	shows("--heap=growth --csv early",
	    "program,pid,seconds,live_bytes,resident_bytes,image,mapped_bytes\n"
	    "prog,5,0.000000,10,10,1,\n");
}
