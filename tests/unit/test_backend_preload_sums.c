/* Context: O.  Tests of samples by libmon.so: sums of whole runs, and ends. */
#include "preload_run.h"
#include "libmon/backend_preload.h"
#include "build.h"
#include "compile.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(backend_preload_sums, .init = preload_set_up, .fini = compile_fini);

/* As a monitor does it; its status. */
static int
run(const char *script)
{
	const char *const argv[] = { "sh", "-c", script, NULL };
	const pid_t child = fork();
	int status;

	if (child == 0) {
		if (chdir(compile_path(".")) == 0)
			execve("/bin/sh", (char *const *)(uintptr_t)argv,
			    p.inject.env);
		_exit(127);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	return status;
}

/* In a child, where nothing of Criterion's works; what it says is in a file. */
static void
be_ended(bool with_profile)
{
	char path[PATH_MAX + 32];
	struct fault f;

	if (freopen(compile_path("said"), "w", stderr) == NULL ||
	    backend_preload_begin(&p, library, 0, &f) != 0)
		_exit(1);
	snprintf(path, sizeof(path), "%s/20.a", p.directory);
	if (with_profile)
		fclose(fopen(path, "w"));
	raise(SIGTERM);
	_exit(0);
}

static void
end_by_signal(bool with_profile)
{
	const pid_t child = fork();
	int status;

	if (child == 0)
		be_ended(with_profile);
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

Test(backend_preload_sums, ended_by_a_signal)
{
	end_by_signal(false);
	cr_expect_eq(compile_run("test -z \"$(ls -d tprof-*/ 2>/dev/null)\" "
	    "&& test ! -s said"), 0);
	end_by_signal(true);
	cr_expect_eq(compile_run("test -f tprof-*/20.a && "
	    "grep -q \"^tprof: $(pwd)/tprof-.*: .*stay here\" said"), 0);
}

/* The samples that libmon.so counted of each process image, as prof reads
 * it. */
struct exec_image {
	int pid, image;
	char program[64];
	double seconds;
	uint64_t samples;
};

static size_t
read_images(struct exec_image *all, size_t room)
{
	char command[3 * PATH_MAX], line[1024];
	const char *prof = getenv("PROF");
	size_t count = 0;
	FILE *in;

	/* Time that the kernel states beyond the samples is not counted. */
	snprintf(command, sizeof(command), "'%s' --csv --by=process,function "
	    "'%s' | grep -v '^function,\\|^\\[kernel: page faults and interrupts\\]"
	    "\\|^\\[not sampled\\]\\|^\\[outside of profiles\\]' | awk -F, '{ k = $7 \" \" $8 \" \" $9; "
	    "n[k] += $3; s[k] += $4 } END { for (k in n) "
	    "printf \"%%s %%d %%.9f\\n\", k, n[k], s[k] }'", prof != NULL ?
	    prof : "prof", p.directory);
	in = popen(command, "r");
	cr_assert_not_null(in);
	while (count < room && fgets(line, sizeof(line), in) != NULL) {
		struct exec_image *i = &all[count++];

		cr_assert_eq(sscanf(line, "%d %d %63s %" SCNu64 " %lf",
		    &i->pid, &i->image, i->program, &i->samples,
		    &i->seconds), 5, "%s", line);
	}
	cr_assert_eq(pclose(in), 0);
	return count;
}

/* Sums of the stream, by the process that was named last. */
struct sum {
	char program[64];
	uint32_t pid;
	uint64_t ns, samples, last;
};

static size_t
read_sums(struct sum *all, size_t room)
{
	struct tprof_item *i = malloc(sizeof(*i));
	struct tprof_reader r;
	struct fault f;
	struct sum *now = NULL;
	uint64_t last = 0;
	size_t count = 0;

	cr_assert_eq(tprof_open(&r, (const unsigned char *)stream,
	    stream_bytes, &f), 0);
	while (tprof_next(&r, i, &f) == 1) {
		const unsigned kind = i->note ? tprof_kind(i->n.flags) : 0;

		if (kind == TPROF_N_PROCESS && count < room) {
			all[count] = (struct sum) { .pid = i->n.a };
			snprintf(all[count++].program, 64, "%s", i->text);
		}
		if (kind == 0) {
			now = NULL;
			for (size_t n = count; n-- > 0 && now == NULL;)
				if (all[n].pid == i->sample.pid)
					now = &all[n];
			cr_assert_not_null(now);
			now->samples++;
		}
		if (kind != TPROF_N_PLACE)
			continue;
		now->ns += tprof_weight(&i->n);
		if (i->n.d != 0) {
			cr_expect_geq(i->n.d, last, "in order");
			last = i->n.d;
		}
	}
	free(i);
	return count;
}

static void
compare(const struct exec_image *images, size_t count)
{
	static struct sum sums[1024];
	const size_t sum_count = read_sums(sums, 1024);

	for (size_t n = 0; n < count; n++) {
		const struct exec_image *i = &images[n];
		uint64_t ns = 0, samples = 0, named = i->samples;

		for (size_t s = 0; s < sum_count; s++)
			if ((int)sums[s].pid == i->pid &&
			    strcmp(sums[s].program, i->program) == 0) {
				ns += sums[s].ns;
				samples += sums[s].samples;
			}
		/* The stream's sums are of all images of one name. */
		for (size_t o = 0; o < count; o++)
			if (o != n && images[o].pid == i->pid &&
			    strcmp(images[o].program, i->program) == 0) {
				ns -= (uint64_t)(images[o].seconds * 1e9 +
				    0.5);
				named += images[o].samples;
			}
		cr_expect_float_eq((double)ns / 1e9, i->seconds, 1e-8,
		    "%d %s: %.9f, not %.9f", i->pid, i->program,
		    (double)ns / 1e9, i->seconds);
		cr_expect_leq(samples, named + 1,
		    "%d %s: %" PRIu64 " samples, not %" PRIu64, i->pid,
		    i->program, samples, named);
	}
}

#define SPIN	"perl -e 'for (1..3e6) { $x += sqrt($_) }'"

/* Programs of several images, and threads that do not wait for each other. */
#define THREADS	"python3 -c 'import threading, zlib\n" \
	"def f():\n" \
	"  for i in range(300): zlib.crc32(bytes(1 << 20))\n" \
	"t = [threading.Thread(target=f) for i in range(3)]\n" \
	"[x.start() for x in t]\n" \
	"[x.join() for x in t]'"

static bool
has_program(const struct exec_image *all, size_t count, const char *name,
    double least)
{
	for (size_t i = 0; i < count; i++)
		if (strncmp(all[i].program, name, strlen(name)) == 0 &&
		    all[i].seconds >= least)
			return true;
	return false;
}

Test(backend_preload_sums, sums_are_those_of_libmon)
{
	static struct exec_image images[256];
	size_t count;

	preload_begin(1000);
	cr_expect_eq(run(SPIN " & " THREADS " & wait; exec " SPIN), 0);
	count = read_images(images, 256);
	cr_expect_geq(count, 3);
	cr_expect(has_program(images, count, "perl", 0.05));
	cr_expect(has_program(images, count, "python3", 0.02));
	preload_end(true);
	cr_expect_eq(tells, 0, "%s", told[0]);
	compare(images, count);
	cr_expect_geq(stats[TPROF_S_BUF], count);
	cr_expect_eq(stats[TPROF_S_DROPBUF], 0);
	cr_expect_eq(p.running, 0);
	cr_expect_not(preload_is_there(directory));
}

/*
 * Its file is live, and gone when it ends: not a word, and a good status.  It
 * has counted something when `ready` is there, and never outlives a test that
 * failed.
 */
#define DAEMON	"(exec >said 2>&1; perl -e '" \
	"$SIG{USR1} = sub { $off = 1 }; alarm 20; " \
	"until ($off) { $x += sqrt(3) for 1..1000; " \
	"if (!$told && times > 0.1) { $told = 1; open F, \">pid\"; " \
	"print F $$; close F; rename \"pid\", \"ready\" } } " \
	"system(\"true\"); for (1..1e6) { $x += sqrt(3) }'; " \
	"echo $? >status) & " \
	"until test -e ready; do sleep 0.05; done"

Test(backend_preload_sums, one_that_runs_on)
{
	static struct exec_image images[16];
	FILE *out;
	struct tprof_writer put;
	size_t count;

	preload_begin(1000);
	cr_expect_eq(run(DAEMON), 0);
	count = read_images(images, 16);
	cr_expect(has_program(images, count, "perl", 0.01));
	out = open_memstream(&stream, &stream_bytes);
	tprof_writer_begin(&put, out, "backend=preload\n", 0);
	cr_assert_eq(backend_preload_end(&p, &put, preload_tell, &p), 0);
	cr_expect_geq(p.running, 1);
	cr_expect_gt(put.stats[TPROF_S_SAMPLE], 10);
	tprof_writer_free(&put);
	fclose(out);
	backend_preload_close(&p, true, preload_tell, &p);
	cr_expect_eq(tells, 0, "%s", told[0]);
	cr_expect_not(preload_is_there(directory));
	cr_expect_eq(compile_run("kill -USR1 $(cat ready); "
	    "for i in $(seq 200); do test -s status && break; sleep 0.05; "
	    "done; test \"$(cat status)\" = 0 && "
	    "test ! -s said && ! ls -d tprof-*/ 2>/dev/null"), 0);
}
