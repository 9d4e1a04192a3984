/* Context: O.  Tests of core/view/report/tprof_analysis.c: NetBSD's columns. */
#include "sampled.h"

#include "report/tprof_analysis.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct sampled s;
static char *text;
static bool cut;
static struct fault f;

static void
make(void)
{
	sampled_all(&s, SAMPLED_HEAD);
}

static void
clean(void)
{
	free(text);
	sampled_free(&s);
}

TestSuite(tprof_analysis, .init = make, .fini = clean);

static int
print(const struct tprof_analysis_options *o)
{
	const struct tprof_analysis_file file = {
		.name = "f", .bytes = (unsigned char *)s.bytes, .size = s.size,
	};
	size_t size;
	FILE *out;
	int ret;

	free(text);
	out = open_memstream(&text, &size);
	cr_assert_not_null(out);
	ret = tprof_analysis_print(out, &file, o, &cut, &f);
	fclose(out);
	return ret;
}

static void
shows(const struct tprof_analysis_options *o, const char *wanted)
{
	cr_expect_eq(print(o), 0, "%s", f.what);
	cr_expect_str_eq(text, wanted, "%s", text);
}

Test(tprof_analysis, has_the_columns_of_netbsd)
{
	const struct tprof_analysis_options o = { .event = NULL };

	shows(&o, "File: f\nNumber of samples: 21\n\n"
"percentage   nsamples event#00 event#01 pid    lwp    cpu  k address          "
	    "symbol\n"
"------------ -------- -------- -------- ------ ------ ---- - ---------------- "
	    "------\n"
"  33.333333%        7        0        7     10     10    0 0 00007f0000000123 "
	    "<00007f0000000123> (lib.so)\n"
"  23.809524%        5        5        0     10     11    - 0 0000000000006000 "
	    "<0000000000006000>\n"
"  19.047619%        4        4        0     10     11    1 0 0000000000005000 "
	    "<0000000000005000>\n"
"  14.285714%        3        3        0     10     11    1 1 ffffffff81000010 "
	    "inner+0x10\n"
"   9.523810%        2        2        0     10     10    1 0 00007f0000000123 "
	    "<00007f0000000123> (lib.so)\n");
	cr_expect_not(cut);
}

/* A merged field is 0; a kernel function is its start. */
Test(tprof_analysis, merges)
{
	const struct tprof_analysis_options o = {
		.merge_cpus = true, .merge_lwps = true,
		.merge_processes = true, .kernel = true, .symbols = true,
	};
	struct tprof_analysis_options two = o;

	shows(&o, "File: f\nNumber of samples: 3\n\n"
"percentage   nsamples event#00 pid    lwp    cpu  k address          symbol\n"
"------------ -------- -------- ------ ------ ---- - ---------------- ------\n"
" 100.000000%        3        3      0      0    0 1 ffffffff81000000 inner\n");
	two.kernel = false;
	cr_expect_eq(print(&two), 0);
	cr_expect_not_null(strstr(text,
	    "\n  42.857143%        9        2        "
	    "7      0      0    0 0 0000000000001123 lib.so+0x1123\n"), "%s",
	    text);
}

Test(tprof_analysis, picks_an_event_and_a_process)
{
	struct tprof_analysis_options o = { .event = "faults", .one = true,
		.pid = 10 };

	shows(&o, "File: f\nNumber of samples: 7\n\n"
"percentage   nsamples event#01 pid    lwp    cpu  k address          symbol\n"
"------------ -------- -------- ------ ------ ---- - ---------------- ------\n"
" 100.000000%        7        7     10     10    0 0 00007f0000000123 "
	    "<00007f0000000123> (lib.so)\n");
	o.pid = 11;
	shows(&o, "File: f\nNumber of samples: 0\n\n"
"percentage   nsamples event#00 pid    lwp    cpu  k address          symbol\n"
"------------ -------- -------- ------ ------ ---- - ---------------- ------\n"
	    );
	o.event = "none";
	cr_expect_eq(print(&o), -EINVAL);
	cr_expect_str_eq(f.what, "has no such event");
	cr_expect_str_eq(text, "");
}

Test(tprof_analysis, shows_what_comes_before_a_cut)
{
	const struct tprof_analysis_options o = { .symbols = true };

	s.size -= TPROF_RECORD;
	cr_expect_eq(print(&o), 0);
	cr_expect(cut);
	cr_expect_not_null(strstr(text, "samples: 21\n"));
}
