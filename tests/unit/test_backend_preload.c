/*
 * Context: O. Tests of core/sampler/libmon/backend_preload.c and what it is
 * made of.
 */
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

#define MS	1000000u

static struct backend_preload p;
static char library[PATH_MAX], directory[PATH_MAX];

static void
set_up(void)
{
	const char *own = getenv("MON_LIB");

	compile_init();
	snprintf(library, sizeof(library), "%s", own != NULL ? own : "");
	setenv("TMPDIR", compile_path("."), 1);
	unsetenv("LD_PRELOAD");
	unsetenv("PROFDIR");
	unsetenv("PROFOPTS");
}

TestSuite(backend_preload, .init = set_up, .fini = compile_fini);

/* The results of a run. */
static char *stream;
static size_t stream_bytes;
static uint64_t stats[TPROF_STATS];
static char told[4][512];
static unsigned tells;

static void
begin(unsigned hz)
{
	struct fault f;

	cr_assert_eq(backend_preload_begin(&p, library, hz, &f), 0, "%s",
	    f.what);
	snprintf(directory, sizeof(directory), "%s", p.directory);
	tells = 0;
}

static void
tell(void *arg, const struct fault *f)
{
	cr_assert_eq(arg, &p);
	if (tells < 4)
		snprintf(told[tells], sizeof(told[0]), "%s: %s",
		    f->file != NULL ? f->file : "", f->what);
	tells++;
}

static void
end(bool written)
{
	FILE *out = open_memstream(&stream, &stream_bytes);
	struct tprof_writer put;
	struct fault f;

	tprof_writer_begin(&put, out, "backend=preload\n", 0);
	cr_assert_eq(backend_preload_end(&p, &put, tell, &p), 0);
	memcpy(stats, put.stats, sizeof(stats));
	cr_assert_eq(tprof_writer_end(&put, 0, 1, &f), 0);
	tprof_writer_free(&put);
	fclose(out);
	backend_preload_close(&p, written, tell, &p);
}

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

static bool
is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* Each item of the stream as a line. */
static char text[1 << 20];

static void
print_place(FILE *to, const struct tprof_item *i)
{
	fprintf(to, "  node %u weight %" PRIu64 " time %" PRIu64 "\n", i->n.a,
	    tprof_weight(&i->n), i->n.d);
}

static void
print_note(FILE *to, const struct tprof_item *i)
{
	struct tprof_module m;

	switch (tprof_kind(i->n.flags)) {
	case TPROF_N_EVENT:
		fprintf(to, "event %u %s\n", i->n.a, i->text);
		break;
	case TPROF_N_PROCESS:
		fprintf(to, "process %u user %u %s\n", i->n.a, i->n.b,
		    i->text);
		break;
	case TPROF_N_THREAD:
		fprintf(to, "thread %u %u %s\n", i->n.a, i->n.b, i->text);
		break;
	case TPROF_N_MODULE:
		cr_assert(tprof_module_get(&m, i->text, i->text_bytes));
		fprintf(to, "module %u flags %u bias %" PRIx64 " inode %"
		    PRIu64 " %.*s\n", i->n.a, i->n.b, i->n.d, m.inode,
		    (int)m.path_bytes, m.path);
		break;
	case TPROF_N_NODE:
		fprintf(to, "node of %u module %u pid %u flags %u %" PRIx64
		    "\n", i->n.a, i->n.b, i->n.c, i->n.flags & 0xffffffu &
		    ~TPROF_F_NOTE, i->n.d);
		break;
	case TPROF_N_PLACE:
		print_place(to, i);
		break;
	case TPROF_N_LOSS:
		fprintf(to, "loss %" PRIu64 " %s\n", i->n.d, i->text);
		break;
	default:
		break;
	}
}

static void
print_stream(void)
{
	FILE *to = fmemopen(text, sizeof(text), "w");
	struct tprof_item *i = malloc(sizeof(*i));
	struct tprof_reader r;
	struct fault f;
	int ret;

	cr_assert_eq(tprof_open(&r, (const unsigned char *)stream,
	    stream_bytes, &f), 0);
	while ((ret = tprof_next(&r, i, &f)) == 1)
		if (i->note)
			print_note(to, i);
		else
			fprintf(to, "%u/%u %" PRIx64 " flags %u\n",
			    i->sample.pid, i->sample.lwp, i->sample.pc,
			    i->sample.flags);
	cr_assert_eq(ret, 0, "%s", f.what);
	cr_assert(r.ended);
	fclose(to);
	free(i);
}

static const char *
value_of(const char *name)
{
	const size_t bytes = strlen(name);

	for (char **e = p.inject.env; *e != NULL; e++)
		if (strncmp(*e, name, bytes) == 0 && (*e)[bytes] == '=')
			return *e + bytes + 1;
	return NULL;
}

/* Each where it is looked for, of which the nearest is taken. */
Test(backend_preload, finds_the_library)
{
	char dir[300], real[PATH_MAX], wanted[PATH_MAX];

	compile_source("libmon.so", ".c", "-shared -fPIC", "int mon;\n");
	cr_assert_eq(compile_run("mkdir -p b/.libs u/bin u/lib32 u/lib64 && "
	    "cp libmon.so u/lib64 && "
	    "printf '\\177ELF\\1\\1\\1%060d' 0 >u/lib32/libmon.so"), 0);
	cr_assert_not_null(realpath(compile_path("."), real));
	snprintf(dir, sizeof(dir), "%s", compile_path("b"));
	cr_expect_not(libmon_find_in(dir, library, sizeof(library)));
	snprintf(dir, sizeof(dir), "%s", compile_path("u/bin"));
	cr_expect(libmon_find_in(dir, library, sizeof(library)));
	snprintf(wanted, sizeof(wanted), "%.500s/u/lib64/libmon.so", real);
	cr_expect_str_eq(library, wanted);
	cr_assert_eq(compile_run("cp libmon.so b/.libs"), 0);
	snprintf(wanted, sizeof(wanted), "%.500s/b/.libs/libmon.so", real);
	snprintf(dir, sizeof(dir), "%s", compile_path("b"));
	cr_expect(libmon_find_in(dir, library, sizeof(library)));
	cr_expect_str_eq(library, wanted);
	snprintf(dir, sizeof(dir), "%s", compile_path("b/.libs"));
	cr_expect(libmon_find_in(dir, library, sizeof(library)));
	cr_expect_str_eq(library, wanted);
	/* Not what anybody put beside an installed program. */
	cr_assert_eq(compile_run("cp libmon.so u/bin; rm u/lib64/*"), 0);
	snprintf(dir, sizeof(dir), "%s", compile_path("u/bin"));
	cr_expect_not(libmon_find_in(dir, library, sizeof(library)));
}

Test(backend_preload, environment_of_the_command)
{
	struct stat st;

	begin(0);
	cr_expect_str_eq(value_of("LD_PRELOAD"), library);
	cr_expect_str_eq(value_of("PROFDIR"), p.directory);
	cr_expect_str_eq(value_of("PROFOPTS"), "log=yes");
	cr_expect_null(getenv("PROFDIR"), "ours stays as it is");
	cr_expect_str_eq(value_of("TMPDIR"), getenv("TMPDIR"));
	cr_assert_eq(stat(p.directory, &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0700);
	cr_expect_eq(*p.directory, '/');
	end(true);
	cr_expect_not(is_there(directory));
	cr_expect_eq(tells, 0);
}

Test(backend_preload, what_the_user_has_stays)
{
	char wanted[PATH_MAX + 64];

	setenv("PROFDIR", "", 1);
	setenv("LD_PRELOAD", "/lib/liba.so:b.so", 1);
	setenv("PROFOPTS", "start=off,,dir=/x,hz=77,file=%p,log=no,depth=9,"
	    "msg=yes,format=gmon", 1);
	begin(250);
	snprintf(wanted, sizeof(wanted), "%s:/lib/liba.so:b.so", library);
	cr_expect_str_eq(value_of("LD_PRELOAD"), wanted);
	cr_expect_str_eq(value_of("PROFOPTS"), "hz=77,log=no,depth=9,log=yes,"
	    "hz=250");
	end(true);
	/* One of them, where the user had it: behind a sanitizer. */
	setenv("LD_PRELOAD", "libasan.so /x/libmon.so  c.so:libmon.so", 1);
	begin(0);
	snprintf(wanted, sizeof(wanted), "libasan.so:%s:c.so", library);
	cr_expect_str_eq(value_of("LD_PRELOAD"), wanted);
	end(true);
	unsetenv("LD_PRELOAD");
	cr_expect_eq(backend_preload_begin(&p, library, 20001, &(struct fault) {
		.what = NULL }), -EINVAL);
}

/* A process as build.h has them, in the directory. */
static struct build b;
static uint32_t module, root;

static void
make(int pid, const char *exe, uint64_t mono)
{
	build_init(&b);
	build_header(&b)->pid = pid;
	build_header(&b)->euid = 7;
	build_header(&b)->birth_mono = mono;
	build_header(&b)->exe = build_string(&b, exe);
	module = build_module(&b, "/lib/x.so", 0x7000, 0x9000);
	build_module_at(&b, module)->bias = 0x7000;
	build_module_at(&b, module)->inode = 12;
	root = build_root(&b, build_thread(&b, pid + 1, "worker"));
}

static void
save(const char *name)
{
	char path[PATH_MAX + 32];

	build_seal(&b, FORMAT_END_EXIT, 0);
	snprintf(path, sizeof(path), "%s/%s", p.directory, name);
	cr_assert_eq(build_save(&b, path), 0);
	build_fini(&b);
}

static void
expect(const char *wanted)
{
	print_stream();
	cr_expect_not_null(strstr(text, wanted), "%s\nin\n%s", wanted, text);
}

Test(backend_preload, stacks_and_moments)
{
	struct format_logged_tick when[2] = {
		{ .mono = 900, .ns = 5 }, { .mono = 1000, .ns = 7 },
	};
	uint32_t cut, frame;

	begin(0);
	make(10, "/usr/bin/prog", 1);
	cut = build_node(&b, root, FORMAT_CUT, 0, FORMAT_CUT_TABLE, 0, 0);
	frame = build_node(&b, cut, FORMAT_FRAME, module, 0x20, 0, 0);
	when[0].node = when[1].node = build_node(&b, frame, FORMAT_USER,
	    module, 0x30, 4, 29);
	build_moments(&b, build_header(&b)->threads, when, 2);
	build_node(&b, frame, FORMAT_KERNEL, module, 0x40, 1, 3);
	build_node(&b, frame, FORMAT_KFUNC, 0, 0xffff000000000010, 1, 2);
	build_node(&b, root, FORMAT_USER, 0, 0x5000, 1, 1);
	build_node(&b, root, FORMAT_PAUSED, 0, 0, 100, 1000);
	build_node(&b, root, FORMAT_SLEEP, module, 0x40, 2, 1001);
	build_node(&b, root, FORMAT_UNWATCHED, 0, 0, 100, 1000);
	build_loss(&b, LOSS_NESTED, 3);
	build_loss(&b, LOSS_THREAD_SLOT, 2);
	save("10.prog");
	end(true);
	cr_expect_eq(tells, 0, "%s", told[0]);
	/* 17 ns without a time are two samples, and what they do not share. */
	expect("module 1 flags 2 bias 0 inode 12 /lib/x.so\n"
	    "process 10 user 7 prog\n"
	    "thread 10 11 worker\n"
	    "node of 0 module 0 pid 0 flags 8 2\n"
	    "node of 1 module 1 pid 0 flags 4 20\n"
	    "node of 2 module 1 pid 0 flags 0 30\n"
	    "10/11 7030 flags 0\n"
	    "  node 3 weight 5 time 900\n"
	    "10/11 7030 flags 0\n"
	    "  node 3 weight 7 time 1000\n");
	expect("10/11 7030 flags 0\n"
	    "  node 3 weight 8 time 0\n"
	    "10/11 7030 flags 0\n"
	    "  node 3 weight 9 time 0\n");
	expect("node of 2 module 1 pid 0 flags 4 40\n"
	    "10/11 7040 flags 0\n");
	expect("node of 2 module 0 pid 0 flags 1 ffff000000000010\n"
	    "10/11 ffff000000000010 flags 1\n");
	expect("node of 0 module 0 pid 10 flags 0 5000\n"
	    "10/11 5000 flags 0\n");
	/* Asleep is another event, and in the call before it. */
	expect("event 1 sleep-clock\n");
	expect("node of 0 module 1 pid 0 flags 4 40\n"
	    "10/11 7040 flags 16777216\n"
	    "  node 4 weight 500 time 0\n"
	    "10/11 7040 flags 16777216\n"
	    "  node 4 weight 501 time 0\n");
	expect("loss 3 ticks: ");
	expect("loss 2 threads: ");
	cr_expect_eq(stats[TPROF_S_SAMPLE], 9);
	cr_expect_eq(stats[TPROF_S_OVERFLOW], 3);
	cr_expect_eq(stats[TPROF_S_BUF], 1);
	cr_expect_not(is_there(directory));
}

/* Two images of a process, and one that ran between their samples. */
static void
make_timed(int pid, const char *exe, uint64_t birth, uint64_t at,
    const char *name)
{
	struct format_logged_tick when[2] = {
		{ .mono = at, .ns = 1 }, { .mono = at + 10, .ns = 1 },
	};

	make(pid, exe, birth);
	when[0].node = when[1].node = build_node(&b, root, FORMAT_USER,
	    module, 0x30, 2, 2);
	build_moments(&b, build_header(&b)->threads, when, 2);
	save(name);
}

Test(backend_preload, in_the_order_of_time_over_exec)
{
	begin(0);
	make_timed(20, "/bin/a", 50, 100, "20.z");
	make_timed(20, "/bin/b", 150, 200, "20.y");
	make_timed(30, "/bin/c", 150, 205, "30.c");
	make(20, "/bin/d", 300);
	save("20.x");
	end(true);
	expect("process 20 user 7 a\n"
	    "thread 20 21 worker\n"
	    "node of 0 module 1 pid 0 flags 0 30\n"
	    "20/21 7030 flags 0\n"
	    "  node 1 weight 1 time 100\n"
	    "20/21 7030 flags 0\n"
	    "  node 1 weight 1 time 110\n"
	    "process 20 user 7 b\n"
	    "thread 20 21 worker\n"
	    "20/21 7030 flags 0\n"
	    "  node 1 weight 1 time 200\n"
	    "process 30 user 7 c\n"
	    "thread 30 31 worker\n"
	    "30/31 7030 flags 0\n"
	    "  node 1 weight 1 time 205\n"
	    "20/21 7030 flags 0\n"
	    "  node 1 weight 1 time 210\n"
	    "30/31 7030 flags 0\n"
	    "  node 1 weight 1 time 215\n"
	    "process 20 user 7 d\n");
	cr_expect_eq(stats[TPROF_S_BUF], 4);
	cr_expect_eq(stats[TPROF_S_EMPTYBUF], 1);
}

static void
put_file(const char *name, const char *content)
{
	char path[PATH_MAX + 32];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", p.directory, name);
	out = fopen(path, "w");
	cr_assert_not_null(out);
	fputs(content, out);
	fclose(out);
}

Test(backend_preload, what_cannot_be_read_stays)
{
	char path[PATH_MAX + 32];

	begin(0);
	make_timed(20, "/bin/a", 50, 100, "20.a");
	make_timed(30, "/bin/b", 50, 100, "30.b");
	make(40, "/bin/c", 50);
	build_header(&b)->ticks = 5;
	build_thread_at(&b, build_header(&b)->threads)->root = 0xffffff;
	save("40.c");
	put_file("own.txt", "somebody's\n");
	put_file("empty", "");
	put_file(".libmon.7", "orders");
	end(true);
	cr_expect_eq(tells, 3);
	snprintf(path, sizeof(path), "%s/40.c", directory);
	cr_expect(strncmp(told[0], path, strlen(path)) == 0, "%s", told[0]);
	cr_expect(is_there(path));
	cr_expect_not_null(strstr(told[1], "own.txt: "));
	cr_expect(strncmp(told[2], directory, strlen(directory)) == 0);
	snprintf(path, sizeof(path), "%s/20.a", directory);
	cr_expect_not(is_there(path));
	snprintf(path, sizeof(path), "%s/empty", directory);
	cr_expect_not(is_there(path));
	snprintf(path, sizeof(path), "%s/own.txt", directory);
	cr_expect(is_there(path));
	cr_expect_eq(stats[TPROF_S_BUF], 2);
	cr_expect_eq(stats[TPROF_S_DROPBUF], 1);
	cr_expect_eq(stats[TPROF_S_DROPBUF_SAMPLES], 5);
	cr_expect_eq(stats[TPROF_S_SAMPLE], 4);
}

Test(backend_preload, profiles_stay_where_there_is_no_output)
{
	char path[PATH_MAX + 32];

	begin(0);
	make_timed(20, "/bin/a", 50, 100, "20.a");
	end(false);
	cr_expect_eq(tells, 1);
	snprintf(path, sizeof(path), "%s/20.a", directory);
	cr_expect(is_there(path));
	/* Where there are none, nothing stays. */
	begin(0);
	end(false);
	cr_expect_eq(tells, 0);
	cr_expect_not(is_there(directory));
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

Test(backend_preload, ended_by_a_signal)
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
	    "'%s' | grep -v '^function\\|^\\[kernel: not in a call\\]"
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
		uint64_t ns = 0, samples = 0;

		for (size_t s = 0; s < sum_count; s++)
			if ((int)sums[s].pid == i->pid &&
			    strcmp(sums[s].program, i->program) == 0) {
				ns += sums[s].ns;
				samples += sums[s].samples;
			}
		/* Where several have one name, all of them are summed. */
		for (size_t o = 0; o < count; o++)
			if (o != n && images[o].pid == i->pid &&
			    strcmp(images[o].program, i->program) == 0)
				ns -= (uint64_t)(images[o].seconds * 1e9 +
				    0.5);
		cr_expect_float_eq((double)ns / 1e9, i->seconds, 1e-8,
		    "%d %s: %.9f, not %.9f", i->pid, i->program,
		    (double)ns / 1e9, i->seconds);
		cr_expect_leq(samples, i->samples + 1);
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

Test(backend_preload, sums_are_those_of_libmon)
{
	static struct exec_image images[256];
	size_t count;

	begin(1000);
	cr_expect_eq(run(SPIN " & " THREADS " & wait; exec " SPIN), 0);
	count = read_images(images, 256);
	cr_expect_geq(count, 3);
	cr_expect(has_program(images, count, "perl", 0.05));
	cr_expect(has_program(images, count, "python3", 0.02));
	end(true);
	cr_expect_eq(tells, 0, "%s", told[0]);
	compare(images, count);
	cr_expect_geq(stats[TPROF_S_BUF], count);
	cr_expect_eq(stats[TPROF_S_DROPBUF], 0);
	cr_expect_eq(p.running, 0);
	cr_expect_not(is_there(directory));
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

Test(backend_preload, one_that_runs_on)
{
	static struct exec_image images[16];
	FILE *out;
	struct tprof_writer put;
	size_t count;

	begin(1000);
	cr_expect_eq(run(DAEMON), 0);
	count = read_images(images, 16);
	cr_expect(has_program(images, count, "perl", 0.01));
	out = open_memstream(&stream, &stream_bytes);
	tprof_writer_begin(&put, out, "backend=preload\n", 0);
	cr_assert_eq(backend_preload_end(&p, &put, tell, &p), 0);
	cr_expect_geq(p.running, 1);
	cr_expect_gt(put.stats[TPROF_S_SAMPLE], 10);
	tprof_writer_free(&put);
	fclose(out);
	backend_preload_close(&p, true, tell, &p);
	cr_expect_eq(tells, 0, "%s", told[0]);
	cr_expect_not(is_there(directory));
	cr_expect_eq(compile_run("kill -USR1 $(cat ready); "
	    "for i in $(seq 200); do test -s status && break; sleep 0.05; "
	    "done; test \"$(cat status)\" = 0 && "
	    "test ! -s said && ! ls -d tprof-*/ 2>/dev/null"), 0);
}
