/* Context: O.  Tests of core/hot/count/arc.c and the stubs. */
#include "count/arc.h"
#include "count/arc_shard.h"
#include "module/link_map.h"
#include "store/store.h"
#include "target.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <dlfcn.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void __cyg_profile_func_enter(void *function, void *call);

static void
start(void)
{
	target_init();
	config.size = 64u << 20;
	atomic_store(&mon->running, true);
	link_map_init((const void *)getauxval(AT_PHDR), getauxval(AT_PHNUM), 0);
}

TestSuite(arc, .init = start, .fini = target_fini);

struct sum {
	uint64_t self, from;	/* absolute; 0 any */
	uint64_t calls;
	unsigned arcs;
};

static struct target_file file;

static uint64_t
bias_of(uint32_t record)
{
	struct format_module m;
	uint32_t at = 0;

	while (decode_module(&file.d, &at, &m, &file.f) == 1)
		if (at == record)
			return m.bias;
	return 0;
}

static int
add(void *sum, uint32_t index, const struct format_arc *a)
{
	struct sum *s = sum;

	(void)index;
	if ((s->self == 0 || a->self + bias_of(a->self_module) == s->self) &&
	    (s->from == 0 || a->from + bias_of(a->from_module) == s->from)) {
		s->calls += a->count;
		s->arcs++;
	}
	return 0;
}

static struct sum
in_file(uintptr_t self, uintptr_t from)
{
	struct sum s = {self, from, 0, 0};

	target_read(&file, mon->store.path);
	cr_expect_eq(decode_arcs(&file.d, add, &s, &file.f), 0);
	target_read_fini(&file);
	return s;
}

/* Places in this program's text and in libc's. */
#define SELF	((uintptr_t)in_file)
#define FROM	((uintptr_t)strlen + 3)

Test(arc, counts)
{
	unsigned i;

	for (i = 0; i < 1000; i++)
		cr_assert_not(arc_miss(SELF, FROM));
	for (i = 0; i < 10; i++)
		arc_miss(SELF, FROM + 1);
	cr_expect_eq(in_file(SELF, FROM).calls, 1000);
	cr_expect_eq(in_file(SELF, FROM + 1).calls, 10);
	cr_expect_eq(in_file(SELF, 0).arcs, 2);
	cr_expect_eq(in_file(0, 0).calls, 1010);
}

/* A stub counts by itself an arc that it finds: the slow way would drop it
 * here. */
Test(arc, stubs_know_their_arcs)
{
	unsigned i;

	for (i = 0; i < 200; i++)
		arc_miss(SELF + i * 16, FROM + i);
	atomic_store(&mon->running, false);
	for (i = 0; i < 200; i++)
		__cyg_profile_func_enter((void *)(SELF + i * 16),
		    (void *)(FROM + i));
	cr_expect_geq(in_file(0, 0).calls, 200 + 180);
	cr_expect_leq(in_file(0, 0).calls, 400);
}

Test(arc, thousands)
{
	unsigned i, turn;

	for (turn = 0; turn < 3; turn++)
		for (i = 0; i < 20000; i++)
			arc_miss(SELF + i % 100, FROM + i);
	cr_expect_eq(in_file(0, 0).calls, 60000);
	cr_expect_leq(in_file(0, 0).arcs, 20200);
	cr_expect_eq(in_file(SELF + 7, 0).calls, 600);
}

static void *
call(void *which)
{
	unsigned i, k = *(unsigned *)which;

	for (i = 0; i < 30000; i++) {
		__cyg_profile_func_enter((void *)SELF, (void *)FROM);
		__cyg_profile_func_enter((void *)(SELF + k),
		    (void *)(FROM + i % 500));
	}
	return NULL;
}

Test(arc, threads_lose_none)
{
	pthread_t id[8];
	unsigned i, which[8];

	for (i = 0; i < 8; i++) {
		which[i] = 16 * (i + 1);
		cr_assert_eq(pthread_create(&id[i], NULL, call, &which[i]), 0);
	}
	for (i = 0; i < 8; i++)
		pthread_join(id[i], NULL);
	cr_expect_eq(target_loss(LOSS_CALL), 0);
	cr_expect_eq(in_file(SELF, FROM).calls, 8 * 30000);
	for (i = 0; i < 8; i++)
		cr_expect_eq(in_file(SELF + which[i], 0).calls, 30000);
}

/* Each call is in an arc or in the loss. */
Test(arc, a_full_file)
{
	unsigned i;

	config.size = 256u << 10;
	for (i = 0; i < 20000; i++)
		arc_miss(SELF, FROM + i);
	cr_expect_gt(target_loss(LOSS_CALL_SPACE), 10000);
	cr_expect_eq(in_file(0, 0).calls + target_loss(LOSS_CALL_SPACE),
	    20000);
	/* An arc that has its place still counts. */
	arc_miss(SELF, FROM);
	cr_expect_eq(in_file(SELF, FROM).calls, 2);
}

Test(arc, no_file)
{
	strcpy(config.directory, "/nowhere");
	arc_miss(SELF, FROM);
	arc_miss(SELF, FROM);
	cr_expect_eq(target_loss(LOSS_CALL), 2);
}

Test(arc, not_while_it_is_stopped)
{
	target_birth();
	atomic_store(&mon->running, false);
	arc_miss(SELF, FROM);
	cr_expect_eq(in_file(0, 0).calls, 0);
	cr_expect_eq(target_loss(LOSS_CALL), 0);
}

Test(arc, nothing_profiled)
{
	struct mon *was = mon;

	mon = NULL;
	cr_expect(arc_miss(SELF, FROM), "libc's own has it");
	cr_expect_eq(arc_real.mcount, dlsym(RTLD_NEXT, "_mcount"));
	cr_expect_not(arc_miss(SELF, FROM));
	mon = was;
}

/* Behind seccomp nothing new that wants space or a map, but what is known. */
static int
frozen(void)
{
	mon->pid = getpid();
	arc_miss(SELF, FROM);
	if (arc_shard_self == NULL)
		return __LINE__;
	atomic_store(&mon->frozen, true);
	if (target_forbid(SYS_rt_sigprocmask, TARGET_ANY, EPERM) != 0)
		return __LINE__;
	arc_miss(SELF, FROM);
	arc_miss(SELF, FROM + 1);	/* the block has room */
	if (target_loss(LOSS_CALL) != 0)
		return __LINE__;
	/* a signal in the midst of a new one */
	arc_shard_self->busy = true;
	arc_miss(SELF, FROM + 2);
	return target_loss(LOSS_CALL) == 1 ? 0 : __LINE__;
}

Test(arc, behind_seccomp)
{
	int line = target_child(frozen);

	cr_expect_eq(line, 0, "line %d", line);
}

/*
 * No system call at all, also beside a vfork child and while another thread
 * reads the map: each but exit(2) kills in this mode.
 */
static int
strictly_frozen(void)
{
	static char no_code[16];

	mon->pid = getpid();
	arc_miss(SELF, FROM);
	atomic_store(&mon->frozen, true);
	atomic_store(&virtual_signals.boxed, true);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
		return __LINE__;
	atomic_store(&virtual_signals.vforks, 1);
	arc_miss(SELF, FROM);
	atomic_store(&virtual_signals.vforks, 0);
	atomic_store(&mon->module_busy, 1);
	arc_miss(SELF, (uintptr_t)no_code);
	return (int)syscall(SYS_exit, target_loss(LOSS_CALL) == 1 ? 0 : 1);
}

Test(arc, makes_no_system_call_behind_seccomp)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(strictly_frozen());
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_expect_eq(status, 0, "%#x", status);
}

Test(arc, follows_a_new_file)
{
	arc_miss(SELF, FROM);
	atomic_store(&mon->store.state, STORE_NONE);
	unlink(mon->store.path);
	target_birth();
	arc_miss(SELF, FROM + 1);
	arc_miss(SELF, FROM);
	cr_expect_eq(in_file(SELF, FROM).calls, 1);
	cr_expect_eq(in_file(SELF, FROM + 1).calls, 1);
}

extern Elf64_Dyn _DYNAMIC[] __attribute__((visibility("hidden")));

/* An object behind this program that defines one function, at 0x1234. */
static void
load_tracer(const char *texts)
{
	static Elf64_Sym symbols[2];
	static uint32_t hash[] = {1, 2};
	static Elf64_Dyn dynamic[4];
	static struct link_map_object tracer, own;

	symbols[1] = (Elf64_Sym){.st_name = 1, .st_shndx = 1,
	    .st_value = 0x1234, .st_info = ELF64_ST_INFO(STB_GLOBAL,
	    STT_FUNC)};
	dynamic[0] = (Elf64_Dyn){DT_SYMTAB, {.d_ptr = (uintptr_t)symbols}};
	dynamic[1] = (Elf64_Dyn){DT_STRTAB, {.d_ptr = (uintptr_t)texts}};
	dynamic[2] = (Elf64_Dyn){DT_HASH, {.d_ptr = (uintptr_t)hash}};
	tracer = (struct link_map_object){.dynamic = dynamic, .name = ""};
	own = (struct link_map_object){.dynamic = _DYNAMIC, .name = "",
	    .next = &tracer};
	link_map_first = &own;
}

Test(arc, another_tracer)
{
	load_tracer("\0__cyg_profile_func_enter");
	cr_expect(arc_miss(SELF, FROM), "to be looked at again");
	cr_expect_eq(arc_real.enter, (void *)0x1234);
	cr_expect_null(arc_real.mcount);
	cr_expect_not(arc_miss(SELF, FROM), "once a process");
}

Test(arc, another_tracer_of_fentry)
{
	load_tracer("\0__fentry__");
	cr_expect(arc_miss(SELF, FROM), "to be looked at again");
	cr_expect_eq(arc_real.fentry, (void *)0x1234);
	cr_expect_not(arc_miss(SELF, FROM), "once a process");
}

/* Before the constructor has found the list: lost by number. */
Test(arc, too_early)
{
	link_map_first = NULL;
	cr_expect_not(arc_miss(SELF, FROM));
	cr_expect_not(arc_miss(SELF, FROM));
	arc_report_early();
	cr_expect_eq(target_loss(LOSS_CALL), 2);
	link_map_init(NULL, 0, 0);
	cr_expect_not(arc_miss(SELF, FROM));
	cr_expect_eq(in_file(SELF, FROM).calls, 1);
}

/* Checks this program's own list, too: libc's, which are not to be called. */
Test(arc, the_c_library)
{
	const struct link_map_object *l;

	for (l = link_map_first; l != NULL; l = l->next)
		if (link_map_function(l, "__libc_start_main") != NULL)
			break;
	cr_assert_not_null(l);
	cr_expect_eq(link_map_function(l, "_mcount"), dlsym(RTLD_NEXT,
	    "_mcount"));
	cr_expect_null(link_map_function(l, "no such function"));
	/* It has an older version too, for programs that were linked so. */
	cr_expect_eq(link_map_function(l, "pthread_cond_init"),
	    dlsym(RTLD_NEXT, "pthread_cond_init"));
	arc_resolve_real();
	cr_expect_null(arc_real.mcount);
	cr_expect_null(arc_real.enter);
}
