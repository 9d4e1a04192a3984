/*
 * Context: O.  Tests of core/device/verb.c, of a directory where nobody runs.
 */
#include "verb.h"

#include "compile.h"
#include "defaults_file.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static struct device d;
static struct fault f;

static void
start(void)
{
	compile_init();
	cr_assert_eq(mkdir(compile_path("profiles"), 0700), 0);
	cr_assert_eq(device_open(&d, compile_path("profiles"), &f), 0);
}

static void
end(void)
{
	device_close(&d);
	compile_fini();
}

TestSuite(verb, .init = start, .fini = end);

static int
take(const char *text)
{
	return verb_run(&d, 0, text, strlen(text));
}

static struct format_defaults
standing(void)
{
	struct format_defaults o;

	cr_assert_eq(defaults_file_read(d.directory, &o, &f), 0);
	return o;
}

/* As the manual of the device has it. */
Test(verb, module_adds_to_the_list)
{
	cr_expect_eq(take("module liba.so libb*"), 0);
	cr_expect_eq(take("module /lib/c liba.so"), 0);
	cr_expect_eq(d.name_count, 3);
	cr_expect(device_selects(&d, "/usr/lib/liba.so"));
	cr_expect(device_selects(&d, "/usr/lib/libb.so.1"));
	cr_expect(device_selects(&d, "/lib/c"));
	cr_expect_not(device_selects(&d, "/usr/lib/c"));
	cr_expect_eq(take("end"), 0);
	cr_expect(device_selects(&d, "/usr/lib/c"));
}

Test(verb, states_are_for_who_comes)
{
	cr_expect_eq(take("stop\ninterval 10"), 0);
	cr_expect_eq(standing().what, FORMAT_D_STATE | FORMAT_D_RATE);
	cr_expect_eq(standing().stop, 1);
	cr_expect_eq(standing().interval_ns, 10000000);
	cr_expect_eq(take("start"), 0);
	cr_expect_eq(standing().stop, 0);
	cr_expect_eq(take("end"), 0);
	cr_expect_eq(standing().what, 0);
	cr_expect_eq(d.noted, 0);
}

/* Up to the first that is wrong, and one line says what was. */
Test(verb, stops_at_what_is_wrong)
{
	cr_expect_eq(take("stop\nhalt\nstart\n"), -EINVAL);
	cr_expect_eq(standing().stop, 1);
	cr_expect_eq(d.noted, 1);
	cr_expect_eq(strncmp(d.notes[0], "halt: no such verb", 18), 0);
	cr_expect_eq(take("startcp 7"), -EOPNOTSUPP);
	cr_expect_eq(verb_run(&d, 7, "module a", 8), -EINVAL);
	cr_expect_eq(verb_run(&d, 7, "stop", 4), -ESRCH);
}

/* A pattern with a '#' can be written with '?'. */
Test(verb, leaves_out_comments)
{
	cr_expect_eq(take("stop#c\ninterval 100#c\n#start"), 0);
	cr_expect_eq(standing().stop, 1);
	cr_expect_eq(standing().interval_ns, 100000000);
	cr_expect_eq(take("start #c\nmodule a#b c"), 0);
	cr_expect_eq(standing().stop, 0);
	cr_expect_eq(d.name_count, 1);
	cr_expect_str_eq(d.names[0], "a");
	cr_expect_eq(d.noted, 0);
}

/* A message is bytes: no more is read than were written. */
Test(verb, takes_bytes)
{
	cr_expect_eq(verb_run(&d, 0, "stopx", 4), 0);
	cr_expect_eq(take("  \n# nothing\n\n"), 0);
	cr_expect_eq(verb_run(&d, 0, "", 0), 0);
	cr_expect_eq(verb_run(&d, 0, "start", 6), 0);
	cr_expect_eq(d.noted, 0);
	cr_expect_eq(verb_run(&d, 0, "stop\0start", 10), -EINVAL);
	cr_expect_eq(standing().stop, 0);
	cr_expect_eq(d.noted, 1);
}

/* The last of many stay. */
Test(verb, notes_are_bounded)
{
	for (int i = 0; i < 3 * DEVICE_NOTES; i++)
		cr_expect_eq(take("halt"), -EINVAL);
	cr_expect_eq(d.noted, 3 * DEVICE_NOTES);
}
