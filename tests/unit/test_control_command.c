/* Context: O.  Tests of core/control/control_command.c: the words. */
#include "control_command.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

static struct control_command o;
static struct control_command_error w;

static int
parse(const char *word, const char *value)
{
	return control_command_parse(&o, word, value, &w);
}

Test(control_command, says_a_state)
{
	cr_expect_eq(parse("start", NULL), 0);
	cr_expect(o.change.state && !o.change.stop && !o.anew);
	cr_expect_eq(parse("stop", NULL), 0);
	cr_expect(o.change.state && o.change.stop && !o.anew);
	cr_expect_eq(parse("end", NULL), 0);
	cr_expect(o.change.state && o.change.stop && o.anew &&
	    o.change.first_rate && o.change.first_modes && o.change.forget);
	cr_expect_eq(parse("status", NULL), 0);
	cr_expect(o.status_only && !o.change.state);
	cr_expect_eq(parse("dump", "to"), 0);
	cr_expect_str_eq(o.copy, "to");
	cr_expect_not(o.change.state || o.change.rate || o.change.what);
	cr_expect_eq(parse("mode", "memory"), 0);
	cr_expect(o.change.what && o.change.modes == FORMAT_MODE_MEMORY);
	cr_expect_eq(parse("mode", "heap"), 0);
	cr_expect_eq(o.change.modes, FORMAT_MODE_MEMORY);
	cr_expect_eq(parse("mode", "time+heap"), 0);
	cr_expect_eq(o.change.modes, FORMAT_MODE_TIME | FORMAT_MODE_MEMORY);
	cr_expect_str_eq(control_command_mode_name(o.change.modes),
	    "time+heap");
}

static void
interval(const char *text, uint64_t ns)
{
	cr_expect_eq(parse("interval", text), 0, "%s", text);
	cr_expect_eq(o.change.interval_ns, ns, "%s", text);
	cr_expect(o.change.rate);
}

Test(control_command, says_an_interval)
{
	interval("10", 10000000);
	interval("10ms", 10000000);
	interval("0.05ms", FORMAT_INTERVAL_LEAST);
	interval("50us", FORMAT_INTERVAL_LEAST);
	interval("10s", FORMAT_INTERVAL_MOST);
	interval("250hz", 4000000);
	interval("3Hz", 333333333);
	interval("auto", 0);
}

Test(control_command, says_modules)
{
	cr_expect_eq(parse("watch", "libz*,[vdso]"), 0);
	cr_expect_str_eq(o.change.watch, "libz*,[vdso]");
	cr_expect_not(o.change.state || o.change.rate || o.change.what);
	cr_expect_eq(parse("watch", "all"), 0);
	cr_expect_str_eq(o.change.watch, "");
	cr_expect_eq(parse("end", NULL), 0);
	cr_expect_str_eq(o.change.watch, "");
	cr_expect_eq(parse("stop", NULL), 0);
	cr_expect_null(o.change.watch);
}

Test(control_command, says_as_many_modules_as_there_is_room_for)
{
	char list[FORMAT_WATCH + 1];

	memset(list, 'm', sizeof list);
	list[FORMAT_WATCH] = '\0';
	cr_expect_eq(parse("watch", list), -EINVAL);
	cr_expect_eq(parse("watch", list + 1), 0);
	cr_expect_eq(parse("watch", ""), -EINVAL);
	cr_expect_eq(parse("watch", ",,"), -EINVAL);
}

Test(control_command, says_what_is_wrong)
{
	static const char *const bad[] = {
		"", "0", "-1", "nan", "inf", "1e99", "10 ms", "10m", "49us",
		"10.001s", "ms", "often",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		cr_expect_eq(parse("interval", bad[i]), -EINVAL, "%s", bad[i]);
		cr_expect_str_eq(w.what, "interval");
		cr_expect_str_eq(w.text, bad[i]);
	}
	cr_expect_eq(parse("halt", NULL), -EINVAL);
	cr_expect_str_eq(w.what, "no command");
	cr_expect_eq(parse("stop", "now"), -EINVAL);
	cr_expect_str_eq(w.hint, "takes no value");
	cr_expect_eq(parse("dump", NULL), -EINVAL);
	cr_expect_str_eq(w.hint, "takes one value");
	cr_expect_eq(parse("mode", "lines"), -EINVAL);
	cr_expect_str_eq(w.hint, "use time, heap or time+heap");
}
