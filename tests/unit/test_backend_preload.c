/*
 * Context: O. Tests of core/sampler/libmon/backend_preload.c and what it is
 * made of.
 */
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

#define MS	1000000u

TestSuite(backend_preload, .init = preload_set_up, .fini = compile_fini);

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

	preload_begin(0);
	cr_expect_str_eq(value_of("LD_PRELOAD"), library);
	cr_expect_str_eq(value_of("PROFDIR"), p.directory);
	cr_expect_str_eq(value_of("PROFOPTS"), "log=yes");
	cr_expect_null(getenv("PROFDIR"), "ours stays as it is");
	cr_expect_str_eq(value_of("TMPDIR"), getenv("TMPDIR"));
	cr_assert_eq(stat(p.directory, &st), 0);
	cr_expect_eq(st.st_mode & 07777, 0700);
	cr_expect_eq(*p.directory, '/');
	preload_end(true);
	cr_expect_not(preload_is_there(directory));
	cr_expect_eq(tells, 0);
}

Test(backend_preload, what_the_user_has_stays)
{
	char wanted[PATH_MAX + 64];

	setenv("PROFDIR", "", 1);
	setenv("LD_PRELOAD", "/lib/liba.so:b.so", 1);
	setenv("PROFOPTS", "start=off,,dir=/x,hz=77,file=%p,log=no,depth=9,"
	    "msg=yes,format=gmon", 1);
	preload_begin(250);
	snprintf(wanted, sizeof(wanted), "%s:/lib/liba.so:b.so", library);
	cr_expect_str_eq(value_of("LD_PRELOAD"), wanted);
	cr_expect_str_eq(value_of("PROFOPTS"), "hz=77,log=no,depth=9,log=yes,"
	    "hz=250");
	preload_end(true);
	/* One of them, where the user had it: behind a sanitizer. */
	setenv("LD_PRELOAD", "libasan.so /x/libmon.so  c.so:libmon.so", 1);
	preload_begin(0);
	snprintf(wanted, sizeof(wanted), "libasan.so:%s:c.so", library);
	cr_expect_str_eq(value_of("LD_PRELOAD"), wanted);
	preload_end(true);
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

	preload_begin(0);
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
	preload_end(true);
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
	cr_expect_not(preload_is_there(directory));
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
	preload_begin(0);
	make_timed(20, "/bin/a", 50, 100, "20.z");
	make_timed(20, "/bin/b", 150, 200, "20.y");
	make_timed(30, "/bin/c", 150, 205, "30.c");
	make(20, "/bin/d", 300);
	save("20.x");
	preload_end(true);
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

	preload_begin(0);
	make_timed(20, "/bin/a", 50, 100, "20.a");
	make_timed(30, "/bin/b", 50, 100, "30.b");
	make(40, "/bin/c", 50);
	build_header(&b)->ticks = 5;
	build_thread_at(&b, build_header(&b)->threads)->root = 0xffffff;
	save("40.c");
	put_file("own.txt", "somebody's\n");
	put_file("empty", "");
	put_file(".libmon.7", "orders");
	preload_end(true);
	cr_expect_eq(tells, 3);
	snprintf(path, sizeof(path), "%s/40.c", directory);
	cr_expect(strncmp(told[0], path, strlen(path)) == 0, "%s", told[0]);
	cr_expect(preload_is_there(path));
	cr_expect_not_null(strstr(told[1], "own.txt: "));
	cr_expect(strncmp(told[2], directory, strlen(directory)) == 0);
	snprintf(path, sizeof(path), "%s/20.a", directory);
	cr_expect_not(preload_is_there(path));
	snprintf(path, sizeof(path), "%s/empty", directory);
	cr_expect_not(preload_is_there(path));
	snprintf(path, sizeof(path), "%s/own.txt", directory);
	cr_expect(preload_is_there(path));
	cr_expect_eq(stats[TPROF_S_BUF], 2);
	cr_expect_eq(stats[TPROF_S_DROPBUF], 1);
	cr_expect_eq(stats[TPROF_S_DROPBUF_SAMPLES], 5);
	cr_expect_eq(stats[TPROF_S_SAMPLE], 4);
}

Test(backend_preload, profiles_stay_where_there_is_no_output)
{
	char path[PATH_MAX + 32];

	preload_begin(0);
	make_timed(20, "/bin/a", 50, 100, "20.a");
	preload_end(false);
	cr_expect_eq(tells, 1);
	snprintf(path, sizeof(path), "%s/20.a", directory);
	cr_expect(preload_is_there(path));
	/* Where there are none, nothing stays. */
	preload_begin(0);
	preload_end(false);
	cr_expect_eq(tells, 0);
	cr_expect_not(preload_is_there(directory));
}
