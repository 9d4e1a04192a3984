/* Context: O.  Tests of core/runtime/options: PROFOPTS. */
#include "environ.h"
#include "format.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

Test(options, defaults)
{
	char here[PATH_MAX];

	environ_read(NULL, NULL);
	cr_expect_str_eq(got->said, "");
	cr_expect_eq(got->config.place, CONFIG_PLACE_PLAIN);
	cr_assert_not_null(getcwd(here, sizeof here));
	cr_expect_str_eq(got->config.directory, here);
	cr_expect_eq(got->config.tier, CONFIG_TIER_AUTO);
	cr_expect_eq(got->config.hz, 0);
	cr_expect_eq(got->config.clock, FORMAT_CLOCK_CPU);
	cr_expect_eq(got->config.kernel, 0);
	cr_expect_eq(got->config.signal, SIGPROF);
	cr_expect_eq(got->config.size, 64u << 20);
	cr_expect_eq(got->config.stack, FORMAT_STACK_AUTO);
	cr_expect_eq(got->config.depth, 512);
	cr_expect(got->config.start);
	cr_expect(got->config.follow);
	cr_expect_not(got->config.empty);
	cr_expect_not(got->config.message);
	cr_expect_str_eq(got->config.options, "");
	cr_expect_str_eq(got->config.pattern, "");
}

Test(options, a_wrong_word_of_heap_changes_nothing)
{
	char option[128], said[256];
	static const char wanted[] = "a-word-of-more-than-thirty-two-bytes";

	snprintf(option, sizeof option, "heap=mmap,heap=malloc+%s", wanted);
	environ_read(NULL, option);
	snprintf(said, sizeof said, "heap=malloc+%s ignored", wanted);
	cr_expect_not_null(strstr(got->said, said), "%s", got->said);
	cr_expect(got->config.maps);
	cr_expect_not(got->config.blocks);
}

static void
hz(const char *option, unsigned want)
{
	environ_accepts(option);
	cr_expect_eq(got->config.hz, want, "%s: %u", option, got->config.hz);
}

static void
hz_refused(const char *value)
{
	char option[64], said[128];

	snprintf(option, sizeof option, "hz=100,hz=%s", value);
	snprintf(said, sizeof said,
	    "hz=%s ignored; wanted auto or 1 to 20000", value);
	environ_refuses(option, said);
	cr_expect_eq(got->config.hz, 100, "%s", value);
}

Test(options, rates)
{
	hz("hz=1", 1);
	hz("hz=997", 997);
	hz("hz=20000", 20000);
	hz("hz=100,hz=auto", 0);
	hz("hz=100,hz=200", 200);
	hz_refused("0");
	hz_refused("20001");
	hz_refused("-1");
	hz_refused("1k");
	hz_refused("");
	hz_refused(" 1");
	hz_refused("4294967297");
	hz_refused("18446744073709551617");	/* 2^64 + 1 */
}

static void
size(const char *option, uint64_t want)
{
	environ_accepts(option);
	cr_expect_eq(got->config.size, want, "%s: %ju", option,
	    (uintmax_t)got->config.size);
}

static void
size_refused(const char *value)
{
	char option[64], said[128];

	snprintf(option, sizeof option, "size=1m,size=%s", value);
	snprintf(said, sizeof said,
	    "size=%s ignored; wanted 256k to 16g", value);
	environ_refuses(option, said);
	cr_expect_eq(got->config.size, 1u << 20, "%s", value);
}

static void
depth(const char *option, unsigned want)
{
	environ_accepts(option);
	cr_expect_eq(got->config.depth, want, "%s: %u", option,
	    got->config.depth);
}

static void
depth_refused(const char *value)
{
	char option[64], said[128];

	snprintf(option, sizeof option, "depth=100,depth=%s", value);
	snprintf(said, sizeof said,
	    "depth=%s ignored; wanted 8 to 65536", value);
	environ_refuses(option, said);
	cr_expect_eq(got->config.depth, 100, "%s", value);
}

Test(options, depths)
{
	depth("depth=8", 8);
	depth("depth=65536", 65536);
	depth("depth=8,depth=512", 512);
	depth_refused("7");
	depth_refused("65537");
	depth_refused("0");
	depth_refused("-8");
	depth_refused("64k");
	depth_refused("");
	depth_refused("4294967304");		/* 2^32 + 8 */
	depth_refused("18446744073709551624");
}

Test(options, blanks_between_keys)
{
	environ_refuses("clock=wall log=yes", "clock=wall log=yes ignored; "
	    "keys are separated by commas, without blanks");
	environ_refuses("hz=100, log=yes", " log=yes ignored; keys are "
	    "separated by commas, without blanks");
}

Test(options, file_patterns)
{
	environ_read(NULL, "file=%p-%n-%h-%t-%%");
	cr_expect_str_eq(got->said, "");
	environ_refuses("file=a%q",
	    "file=a%q ignored; wanted a file name, %p %n %h %t %%");
	environ_refuses("file=a%",
	    "file=a% ignored; wanted a file name, %p %n %h %t %%");
}

Test(options, sizes)
{
	size("size=256k", 256u << 10);
	size("size=300K", 300u << 10);
	size("size=262144", 256u << 10);
	size("size=1m", 1u << 20);
	size("size=17M", 17u << 20);
	size("size=16g", 16ull << 30);
	size("size=1G", 1u << 30);
	size_refused("255k");
	size_refused("262143");
	size_refused("17g");
	size_refused("16385m");
	size_refused("17179869185");
	size_refused("17179869184g");
	size_refused("18446744073710600192");	/* 2^64 + 1 MiB */
	size_refused("1t");
	size_refused("1mb");
	size_refused("m");
	size_refused("");
	size_refused("-1m");
}

static void
signal_is(const char *option, int want)
{
	environ_accepts(option);
	cr_expect_eq(got->config.signal, want, "%s: %d", option,
	    got->config.signal);
}

static void
signal_refused(const char *value)
{
	char option[64], said[160];

	snprintf(option, sizeof option, "sig=%s", value);
	snprintf(said, sizeof said, "sig=%s ignored; wanted "
	    "PROF, STKFLT, VTALRM, PWR, URG, XCPU, USR1, USR2 or ALRM",
	    value);
	environ_refuses(option, said);
	cr_expect_eq(got->config.signal, SIGPROF);
}

Test(options, signals)
{
	signal_is("sig=PROF", SIGPROF);
	signal_is("sig=SIGPROF", SIGPROF);
	signal_is("sig=STKFLT", SIGSTKFLT);
	signal_is("sig=SIGVTALRM", SIGVTALRM);
	signal_is("sig=ALRM", SIGALRM);
	signal_is("sig=USR1", SIGUSR1);
	signal_is("sig=USR2", SIGUSR2);
	signal_is("sig=PWR", SIGPWR);
	signal_is("sig=XCPU", SIGXCPU);
	signal_is("sig=URG", SIGURG);
	signal_is("sig=16", SIGSTKFLT);
	signal_refused("");
	signal_refused("SIG");
	signal_refused("KILL");
	signal_refused("11");
	signal_refused("34");
	signal_refused("64");
	signal_refused("RTMIN");
	signal_refused("PROFX");
	signal_refused("27x");
	signal_refused("0");
	signal_refused("4294967312");		/* 2^32 + 16 */
	signal_refused("18446744073709551632");
}

Test(options, words)
{
	environ_accepts("tier=perf,clock=wall,kernel=detail");
	cr_expect_eq(got->config.tier, CONFIG_TIER_PERF);
	cr_expect_eq(got->config.clock, FORMAT_CLOCK_WALL);
	cr_expect_eq(got->config.kernel, 1);
	environ_accepts("tier=timer,clock=cpu,kernel=plain");
	cr_expect_eq(got->config.tier, CONFIG_TIER_TIMER);
	cr_expect_eq(got->config.clock, FORMAT_CLOCK_CPU);
	cr_expect_eq(got->config.kernel, 0);
	environ_accepts("tier=process");
	cr_expect_eq(got->config.tier, CONFIG_TIER_PROCESS);
	environ_accepts("tier=perf,tier=auto");
	cr_expect_eq(got->config.tier, CONFIG_TIER_AUTO);
	environ_accepts("stack=off");
	cr_expect_eq(got->config.stack, FORMAT_STACK_OFF);
	environ_accepts("stack=off,stack=fp");
	cr_expect_eq(got->config.stack, FORMAT_STACK_FP);
	environ_accepts("stack=cfi");
	cr_expect_eq(got->config.stack, FORMAT_STACK_CFI);
	environ_refuses("stack=dwarf",
	    "stack=dwarf ignored; wanted auto, fp, cfi or off");
	cr_expect_eq(got->config.stack, FORMAT_STACK_AUTO);
	environ_refuses("tier=fast",
	    "tier=fast ignored; wanted auto, perf, timer or process");
	environ_refuses("clock=real", "clock=real ignored; wanted cpu or wall");
	environ_refuses("kernel=yes",
	    "kernel=yes ignored; wanted plain or detail");
}

Test(options, switches)
{
	environ_accepts("start=off,follow=no,empty=yes,msg=yes");
	cr_expect_not(got->config.start);
	cr_expect_not(got->config.follow);
	cr_expect(got->config.empty);
	cr_expect(got->config.message);
	environ_accepts("start=off,start=on,follow=yes,empty=no,msg=no");
	cr_expect(got->config.start);
	cr_expect(got->config.follow);
	cr_expect_not(got->config.empty);
	cr_expect_not(got->config.message);
	environ_refuses("msg=1", "msg=1 ignored; wanted yes or no");
	environ_refuses("start=yes", "start=yes ignored; wanted on or off");
	cr_expect(got->config.start);
	environ_refuses("follow", "follow= ignored; wanted yes or no");
	environ_refuses("empty=NO", "empty=NO ignored; wanted yes or no");
}

Test(options, unknown_keys)
{
	environ_refuses("speed=9,hz=50",
	    "unknown key \"speed\" ignored; mon(7) lists them");
	cr_expect_eq(got->config.hz, 50, "the rest holds");
	environ_refuses("HZ=9",
	    "unknown key \"HZ\" ignored; mon(7) lists them");
	environ_refuses("=x", "unknown key \"\" ignored; mon(7) lists them");
}

Test(options, commas)
{
	hz(",,hz=50,,", 50);
	hz(",", 0);
	hz("", 0);
	environ_refuses("hz=5=6", "hz=5=6 ignored; wanted auto or 1 to 20000");
}

/* More than is kept for the report, and than an item can be. */
Test(options, long_ones)
{
	static char text[2 * PATH_MAX], kept[sizeof config.options];

	for (unsigned i = 0; i < 200; i++)
		strcat(text, "msg=yes,");
	strcat(text, "hz=123");
	environ_accepts(text);
	cr_expect_eq(got->config.hz, 123);
	memcpy(kept, text, sizeof kept - 1);
	cr_expect_str_eq(got->config.options, kept);
	memset(text, 'x', PATH_MAX + 100);
	strcpy(text + PATH_MAX + 100, "=1,hz=77");
	environ_read("/tmp", text);
	cr_expect_eq(got->config.hz, 77);
	cr_expect_eq(strncmp(got->said, "libmon: PROFOPTS: unknown key \"xxx",
	    34), 0);
	cr_expect_lt(strlen(got->said), 1100);
	cr_expect_eq(got->said[strlen(got->said) - 1], '\n');
}

/* A directory cut short is another one. */
Test(options, a_long_directory)
{
	static char text[2 * PATH_MAX];

	strcpy(text, "dir=/");
	while (strlen(text) < PATH_MAX + 10)
		strcat(text, "a/");
	strcat(text, ",hz=77");
	environ_read("/tmp", text);
	cr_expect_eq(strncmp(got->said, "libmon: PROFOPTS: dir=/a/a/", 27), 0);
	cr_expect_str_eq(got->config.directory, "/tmp");
	cr_expect_eq(got->config.hz, 77);
}
