/* Context: O.  Tests of prof, tprof analyze and tpfmt on a tprof.out. */
#include "command.h"
#include "sampled.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

static void
make(void)
{
	struct sampled s;

	command_init();
	sampled_all(&s, SAMPLED_HEAD);
	sampled_save(&s, compile_path("t"));
	s.size -= TPROF_RECORD + 1;
	sampled_save(&s, compile_path("cut"));
	sampled_free(&s);
}

TestSuite(prof_tprof, .init = make, .fini = compile_fini);

static int
run(const char *program, const char *arguments)
{
	char command[1024];
	int status;

	snprintf(command, sizeof(command), "'%s/%s' %s >.out 2>.err",
	    getenv("MON_BUILD") != NULL ? getenv("MON_BUILD") : ".", program,
	    arguments);
	status = compile_run(command);
	slurp(".out", out, sizeof(out));
	slurp(".err", err, sizeof(err));
	return status >> 8;
}

static void
shows(const char *arguments, const char *wanted)
{
	cr_expect_eq(prof(arguments), 0, "%s: %s", arguments, err);
	cr_expect_str_eq(out, wanted, "%s:\n%s", arguments, out);
	cr_expect_str_eq(err, "", "%s", err);
}

/* In front of what else it writes. */
static void
writes(const char *format, const char *wanted)
{
	char arguments[64];

	snprintf(arguments, sizeof(arguments), "--write=%s -o o t", format);
	cr_expect_eq(prof(arguments), 0, "%s: %s", format, err);
	slurp("o", out, sizeof(out));
	cr_expect_eq(strncmp(out, wanted, strlen(wanted)), 0, "%s:\n%s",
	    format, out);
}

Test(prof_tprof, is_read_as_all_files_are)
{
	shows("--csv t", "function,module,samples,seconds,percent,calls\n"
	    "[no module],[no module],5,0.005000000,35.7143,\n"
	    "[generated code],[generated code],4,0.004000000,28.5714,\n"
	    "inner,[kernel],3,0.003000000,21.4286,\n"
	    "lib.so+0x1123,lib.so,2,0.002000000,14.2857,\n");
	shows("--csv --by=mode t", "function,module,samples,seconds,percent,"
	    "calls,mode\n,,11,0.011000000,78.5714,,user\n"
	    ",,3,0.003000000,21.4286,,kernel\n");
	shows("--csv --read=tprof:faults t",
	    "function,module,samples,seconds,percent,calls\n"
	    "lib.so+0x1123,lib.so,7,0.000000007,100.0000,\n");
	writes("folded", "[no module] 5000\n"
	    "[generated code] 4000\nlib.so+0x1455;outer;inner 3000\n"
	    "[more callers than depth= keeps];lib.so+0x1455;lib.so+0x1123 "
	    "2000\n");
}

Test(prof_tprof, the_footer_says_what_it_is)
{
	cr_expect_eq(prof("t"), 0);
	cr_expect_eq(strncmp(out, "prog x\n19", 9), 0, "%s", out);
	cr_expect_not_null(strstr(out, " on h: 13.00 s elapsed, a command and "
	    "its children\n14 samples of cpu-clock by the kernel, asked 1000 "
	    "Hz, 1.0000 ms each; 7 samples of other events left out: "
	    "faults:u\n"), "%s", out);
	cr_expect_not_null(strstr(out, "\nlost: 6 samples: the program wrote "
	    "over it\nlost: 1 moment: no room\nlost: 8 samples: overflow: a "
	    "buffer was full\n"), "%s", out);
	cr_expect_null(strstr(out, "processes"), "%s", out);
	cr_expect_eq(prof("--read=tprof:faults cut"), 0);
	cr_expect_not_null(strstr(out, "7 samples of faults:u by the kernel, "
	    "asked 1000 "
	    "Hz; no time: 7 counted, taken as 1 ns each; 14 samples of other "
	    "events left out: cpu-clock; cut short: what else was lost is not known\n"),
	    "%s", out);
}

Test(prof_tprof, findings_are_of_time_alone)
{
	cr_expect_eq(prof("--explain --read=tprof:faults t"), 0);
	cr_expect_not_null(strstr(out, "\nFindings: none, as they are made from "
	    "CPU time and there is none here\n"), "%s", out);
}

Test(prof_tprof, goes_into_every_format)
{
	static const char *const formats[] = {
		"folded", "gperftools", "speedscope", "firefox", "callgrind",
		"perf", "html", "json", "csv",
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		writes(formats[i], "");
	writes("perf", "main 10/10 0.001000000:    1000000 cpu-clock:\n");
	cr_expect_not_null(strstr(out, "\nmain 10/10 1.001000000: "), "%s",
	    out);
	cr_expect_eq(prof("--diff t t"), 0);
	cr_expect_eq(prof("--tree t"), 0);
	cr_expect_eq(prof("--callers t"), 0);
	cr_expect_eq(prof("--graph t"), 0);
}

Test(prof_tprof, faults_name_the_place)
{
	cr_expect_eq(prof("--read=tprof:none t"), 1);
	cr_expect_str_eq(err, "prof: t: has no such event; prof --info names "
	    "its events\n");
	cr_expect_eq(run("tprof", "analyze -e none t"), 1);
	cr_expect_str_eq(err, "tprof: t: has no such event; prof --info names "
	    "its events\n");
	cr_assert_eq(compile_run("head -c 200 t >d && head -c 24 t >>d && "
	    "tail -c +225 t >>d"), 0);
	cr_expect_eq(prof("d"), 1);
	cr_expect_str_eq(err, "prof: d: 1 record is left out: a text ends too "
	    "early at offset 192\n");
	cr_expect_not_null(strstr(out, "\nleft out: 1 record of d, at offset "
	    "192: a text ends too early\n"), "%s", out);
	cr_expect_eq(run("tprof", "analyze d"), 1);
	cr_expect_str_eq(err, "tprof: d: a text ends too early at offset 192; "
	    "shown up to that place\n");
	cr_assert_eq(compile_run("head -c 192 d >e"), 0);
	cr_expect_eq(prof("e"), 0, "%s", err);
	cr_expect_eq(prof("--read=tprof /etc/passwd"), 1);
	cr_expect_str_eq(err, "prof: /etc/passwd: is not a file of tprof; "
	    "tprof monitor writes one\n");
}

Test(prof_tprof, analyze_and_tpfmt_are_one)
{
	static const char listed[] = "File: standard input\n"
	    "Number of samples: 3\n\n"
"percentage   nsamples event#00 pid    lwp    cpu  k address          symbol\n"
"------------ -------- -------- ------ ------ ---- - ---------------- ------\n"
" 100.000000%        3        3      0      0    0 1 ffffffff81000000 inner\n";

	cr_expect_eq(run("tpfmt", "-skCLP <t"), 0, "%s", err);
	cr_expect_str_eq(out, listed, "%s", out);
	cr_expect_eq(run("tprof", "analyze -skC -LP - <t"), 0, "%s", err);
	cr_expect_str_eq(out, listed, "%s", out);
	cr_assert_eq(compile_run("cp t tprof.out"), 0);
	cr_expect_eq(run("tprof", "analyze"), 0, "%s", err);
	cr_expect_eq(strncmp(out, "File: tprof.out\nNumber of samples: 21\n",
	    38), 0, "%s", out);
	cr_expect_eq(run("tpfmt", "cut"), 0);
	cr_expect_str_eq(err, "tpfmt: cut: is truncated: its samples up to the "
	    "end are listed; tprof was killed, or the disk was full\n");
}

Test(prof_tprof, what_cannot_be_listed_is_said)
{
	cr_expect_eq(run("tpfmt", "none"), 1);
	cr_expect_str_eq(err, "tpfmt: none: cannot be opened: No such file "
	    "or directory\n");
	cr_expect_eq(run("tprof", "analyze -p x t"), 2);
	cr_expect_str_eq(err, "tprof: x: is not a process number; use -p "
	    "NUMBER\n");
	cr_expect_eq(run("tprof", "analyze -z t"), 2);
	cr_expect_eq(run("tprof", "analyze t t"), 2);
	cr_expect_eq(run("tpfmt", "/etc/passwd"), 1);
	cr_expect_str_eq(err, "tpfmt: /etc/passwd: is not a file of tprof; "
	    "tprof monitor writes one\n");
	cr_expect_eq(run("tpfmt", "--help"), 0);
}

static void
info_has(const char *line)
{
	char wanted[256];

	snprintf(wanted, sizeof(wanted), "\n%s\n", line);
	cr_expect_not_null(strstr(out, wanted), "%s in\n%s", line, out);
}

Test(prof_tprof, info_says_what_it_is_of)
{
	static const char *const lines[] = {
		"format=tprof.out", "version=1", "backend=kernel", "scope=tree",
		"command=prog x", "host=h", "hz=1000", "ended=1", "cut=0",
		"boot_id=01234567-89ab-cdef-0123-456789abcdef",
		"first_sample=1970-01-01T00:16:41.000000000Z",
		"last_sample=1970-01-01T00:17:01.000000000Z",
		"end_time=1970-01-01T00:18:19.000000000Z", "exit_status=0",
		"event.0.name=cpu-clock", "event.0.unit=ns",
		"event.0.period=1000000", "event.0.samples=14",
		"event.1.name=faults:u", "event.1.unit=", "event.1.samples=7",
		"event.0.cpu.1=21000000", "statistic.overflow=8",
		"loss.0.how=the program wrote over it", "loss.0.samples=6",
		"samples=21", "nodes=7", "threads=2", "processes=1",
		"process.0.pid=10", "process.0.uid=1000",
		"process.0.program=/bin/prog", "modules=1",
		"module.0.path=/none/lib.so", "module.0.build_id=abcd",
		"module.0.bias=0x1000", "module.0.flags=biased",
	};

	cr_expect_eq(prof("--info t"), 0, "%s", err);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		info_has(lines[i]);
	cr_expect_eq(prof("--info --csv t"), 0);
	cr_expect_not_null(strstr(out, "\nt,module.0.build_id,abcd\n"), "%s",
	    out);
	cr_expect_eq(prof("--info cut"), 0);
	info_has("ended=0");
	info_has("cut=1");
}

/* Its second event counts what no sum can hold. */
static void
heavy(const char *name)
{
	struct sampled s;

	sampled_begin(&s, SAMPLED_HEAD);
	tprof_writer_event(&s.put, 0, "cpu-clock", true, 1);
	tprof_writer_event(&s.put, 1, "faults", false, 1);
	tprof_writer_sample(&s.put, &(struct tprof_writer_sample) { .weight =
	    1 });
	for (unsigned i = 0; i < 2; i++)
		tprof_writer_sample(&s.put, &(struct tprof_writer_sample) {
			.event = 1, .weight = UINT64_MAX / 5 });
	sampled_end(&s);
	sampled_save(&s, compile_path(name));
	sampled_free(&s);
}

Test(prof_tprof, check_reads_it_all)
{
	shows("--check t", "t: good, of tprof; modules 1, nodes 7, samples 21, "
	    "bytes 2088\n");
	shows("--check cut",
	    "cut: good, of tprof, without an end (tprof runs, was killed, or "
	    "the disk was full), cut short; modules 1, nodes 7, samples 21, "
	    "bytes 2063\n");
	cr_assert_eq(compile_run("head -c 200 t >d && head -c 24 t >>d && "
	    "tail -c +225 t >>d"), 0);
	cr_expect_eq(prof("--check d"), 1);
	cr_expect_str_eq(err, "prof: d: a text ends too early at offset 192; "
	    "up to that place it can be read, for example through head -c\n");
	cr_expect_eq(prof("--info d"), 1);
	cr_expect_str_eq(out, "");
	heavy("h");
	cr_expect_eq(prof("h"), 0, "%s", err);
	cr_expect_eq(prof("--read=tprof:faults h"), 1);
	cr_expect_eq(prof("--check h"), 1);
	cr_expect_not_null(strstr(err, "prof: h: the counts are too large at "
	    "offset "), "%s", err);
	cr_expect_str_eq(out, "");
}

Test(prof_tprof, embed_says_what_to_do)
{
	cr_expect_eq(prof("--embed t"), 1);
	cr_expect_str_eq(err, "prof: t: is a tprof.out, which has no room for "
	    "names of programs; --write=pprof makes a file with names and "
	    "stacks, which prof reads anywhere\n");
}

/* With the profiles there; what else is in it is none of ours. */
Test(prof_tprof, is_found_in_a_directory)
{
	cr_assert_eq(compile_run("mkdir dir && cp t dir/tprof.out && "
	    "echo x >dir/x && cp t dir/twice"), 0);
	shows("--csv --by=module --function=inner dir",
	    "function,module,samples,seconds,percent,calls\n"
	    ",[kernel],6,0.006000000,21.4286,\n");
	shows("--csv --by=module --read=tprof:faults dir",
	    "function,module,samples,seconds,percent,calls\n"
	    ",lib.so,14,0.000000014,100.0000,\n");
	cr_expect_eq(prof("--check dir"), 0);
	cr_expect_eq(prof("--info dir"), 0);
}

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* One sample each, of that process, at those absolute places or in the file. */
static void
save(const char *head, uint32_t pid, const char *path, const uint64_t *at,
    size_t count)
{
	struct tprof_module module = { .path = path };
	struct sampled s;
	struct stat st;
	uint32_t own = 0;

	sampled_begin(&s, head);
	tprof_writer_event(&s.put, 0, "cpu-clock", true, MS);
	tprof_writer_process(&s.put, pid, getuid(), now(), "prog");
	if (path != NULL) {
		cr_assert_eq(stat(path, &st), 0);
		module.device = (uint64_t)major(st.st_dev) << 32 |
		    minor(st.st_dev);
		module.inode = st.st_ino;
		module.seen = now() + MS * 1000;
		module.path_bytes = (uint32_t)strlen(path);
		own = tprof_writer_module(&s.put, &module, TPROF_M_BIASED,
		    0x10);
	}
	for (size_t i = 0; i < count; i++) {
		const struct tprof_writer_frame f = { .module = own,
			.address = at[i] - (own != 0 ? 0x10 : 0) };

		tprof_writer_sample(&s.put, &(struct tprof_writer_sample) {
			.pid = pid, .tid = pid, .pc = at[i] + 0x7000000,
			.weight = MS, .frames = &f, .depth = 1 });
	}
	sampled_end(&s);
	sampled_save(&s, compile_path("n"));
	sampled_free(&s);
}

Test(prof_tprof, user_code_has_names)
{
	uint64_t at[3];
	char line[128];

	compile_source("prog", ".c", "-O0", "void f(void) { }\n"
	    "int main(void) { f(); return 0; }\n");
	at[0] = at[1] = compile_address("prog", "f");
	at[2] = compile_address("prog", "main") + 1;
	at[1]++;
	save("", 7, compile_path("prog"), at, 3);
	shows("--csv n", "function,module,samples,seconds,percent,calls\n"
	    "f,prog,2,0.002000000,66.6667,\n"
	    "main,prog,1,0.001000000,33.3333,\n");
	cr_expect_eq(run("tpfmt", "n"), 0, "%s", err);
	cr_expect_not_null(strstr(out, " f (prog)\n"), "%s", out);
	cr_expect_not_null(strstr(out, " f+0x1 (prog)\n"), "%s", out);
	cr_expect_not_null(strstr(out, " main+0x1 (prog)\n"), "%s", out);
	cr_expect_eq(run("tpfmt", "-s n"), 0, "%s", err);
	snprintf(line, sizeof(line), "        2        2      7      7    0 0 "
	    "%016llx f (prog)\n", (unsigned long long)at[0]);
	cr_expect_not_null(strstr(out, line), "%s", out);
}

/* A map names code of its own process only, and only on this boot. */
Test(prof_tprof, generated_code_has_the_names_of_its_map)
{
	const uint64_t at[] = { 0x5010 };
	char boot[64], head[128], path[64];
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");

	cr_assert(f != NULL && fscanf(f, "%63s", boot) == 1);
	fclose(f);
	snprintf(head, sizeof(head), "boot_id=%s\n", boot);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	f = fopen(path, "w");
	cr_assert(f != NULL && fputs("5000 100 made\n", f) >= 0);
	fclose(f);
	save(head, (uint32_t)getpid(), NULL, at, 1);
	cr_expect_eq(run("tpfmt", "n"), 0, "%s", err);
	cr_expect_not_null(strstr(out, " made+0x10 ([generated code])\n"),
	    "%s", out);
	save("boot_id=00000000-0000-0000-0000-000000000000\n",
	    (uint32_t)getpid(), NULL, at, 1);
	cr_expect_eq(run("tpfmt", "n"), 0, "%s", err);
	cr_expect_null(strstr(out, "made"), "%s", out);
	unlink(path);
}
