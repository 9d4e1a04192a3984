/*
 * Context: O.  Makes the seeds of the profile corpus: seeds DIRECTORY.
 *
 * Kept beside what it made, for the day when the format changes.
 */
#include "build.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *directory;

static void
save_bytes(const char *name, const void *bytes, size_t size)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", directory, name);
	f = fopen(path, "w");
	if (f == NULL || fwrite(bytes, 1, size, f) != size || fclose(f) != 0)
		err(1, "%s", path);
}

static void
save(struct build *b, const char *name)
{
	save_bytes(name, b->bytes, build_size(b));
	build_fini(b);
}

/* Two modules, two threads, a tree with every kind of node, some losses. */
static void
make(struct build *b)
{
	uint32_t module[2], root[2], at;

	build_init(b);
	module[0] = build_module(b, "/usr/bin/prog", 0x1000, 0x5000);
	module[1] = build_module(b, "/usr/lib/libx.so.1", 0x7000, 0x9000);
	build_module_at(b, module[1])->build_id_bytes = 20;
	root[0] = build_root(b, build_thread(b, 4242, "main"));
	root[1] = build_root(b, build_thread(b, 4243, "worker"));
	for (unsigned i = 0; i < 8; i++) {
		at = build_node(b, root[i % 2], FORMAT_FRAME, module[i / 4],
		    0x1000 + 16 * i, 0, 0);
		at = build_node(b, at, (enum format_kind)(FORMAT_USER + i % 5),
		    module[i % 2], 0x2000 + 16 * i, i, 1000000 * i);
		build_node(b, at, FORMAT_USER, 0, 0x700000000000 + i, 1, 1000);
	}
	build_header(b)->cpu_ns = build_header(b)->user_ns = 50000000;
	build_header(b)->ticks = 36;
	build_header(b)->cost_ticks = 4;
	build_header(b)->cost_ns = 3000;
	build_loss(b, LOSS_NESTED, 2);
}

/* Blocks that are full, half full and empty. */
static void
make_calls(struct build *b)
{
	uint32_t module;

	make(b);
	module = build_header(b)->modules;
	build_arcs(b, 2);
	build_arc(b, module, 0x1010, module, 0x2025, 12345);
	build_arc(b, module, 0x1010, 0, 0x700000000000, 1);
	build_arcs(b, 4);
	build_arc(b, 0, 0x700000000010, module, 0x2030, UINT64_MAX);
	build_arc(b, module, 0x1010, module, 0x2025, 5);
	build_arcs(b, 1);
}

/* Both ends of a deep one, one without an outer end, one through a handler. */
static void
make_stacks(struct build *b)
{
	uint32_t module, at, root;

	make(b);
	module = build_header(b)->modules;
	at = root = build_root(b, build_thread(b, 4244, "deep"));
	for (unsigned i = 0; i < 40; i++)
		at = i == 20 ? build_node(b, at, FORMAT_CUT, 0,
		    FORMAT_CUT_DEPTH, 0, 0) : build_node(b, at,
		    i % 7 == 3 ? FORMAT_INTERRUPTED : FORMAT_FRAME,
		    i % 5 == 4 ? 0 : module, 0x1100 + i % 3 * 16, 0, 0);
	build_node(b, at, FORMAT_USER, module, 0x1234, 5, 5000000);
	at = build_node(b, root, FORMAT_CUT, 0, FORMAT_CUT_UNMAPPED, 0, 0);
	build_node(b, at, FORMAT_KERNEL, module, 0x1238, 2, 8000000);
	at = build_node(b, root, FORMAT_CUT, 0, 4711, 0, 0);
	build_node(b, at, FORMAT_USER, 0, 0x1238, 2, 8000000);
}

/* Makes places of a module, of generated code and of the kernel. */
static void
make_names(struct build *b)
{
	const uint32_t text = (make(b), build_string(b, "_ZN1a1bEv"));
	const uint32_t file = build_string(b, "/src/a.cc");
	const struct format_place places[] = {
		{ .address = 0x2010, .start = 0x2000, .name = text,
		    .scopes = 2 },
		{ .address = 0x2020, .start = 0x2000, .name = text, .first =
		    2 },
		{ .address = 0x700000000003, .first = 2, .scopes = 1 },
	};
	const struct format_scope scopes[] = {
		{ .function = text, .file = file, .line = 7 },
		{ .file = file, .line = 70 }, { .file = file },
	};

	build_header(b)->names_at = build_size(b);
	build_names(b, build_header(b)->modules, places, 2, scopes, 2);
	build_names(b, 0, places, 3, scopes, 3);
}

/* A full block, and one that is not; a logged tick that took two. */
static void
make_moments(struct build *b)
{
	uint32_t thread, root, user, call;

	make(b);
	thread = build_thread(b, 4245, "timed");
	root = build_root(b, thread);
	user = build_node(b, root, FORMAT_USER, build_header(b)->modules,
	    0x2010, 3, 3000000);
	call = build_node(b, root, FORMAT_KERNEL, build_header(b)->modules,
	    0x2020, 1, 5000000000);
	build_moments(b, thread, (struct format_logged_tick[]) {
		{ 1000000000, user, 1000000 }, { 1001000000, user, 1000000 },
	}, 2);
	build_moments(b, thread, (struct format_logged_tick[]) {
		{ 7000000000, call, UINT32_MAX },
		{ 7000000000, call, 705032705 }, { 7001000000, user, 1000000 },
	}, 3);
}

/*
 * Two alloc_threads, of which one has been told of the last peak; and mappings.
 */
static void
make_heap(struct build *b)
{
	struct format_heap *h;
	uint32_t thread, call;

	make(b);
	build_memory(b, 2, 8192);
	build_header(b)->maps = build_header(b)->memory;
	build_memory(b, 3, 700);
	build_point(b, 5000, 600, 4096);
	build_point(b, 3000, 700, 0);
	thread = build_alloc_thread(b);
	call = build_node(b, build_alloc_thread_root(b, thread), FORMAT_FRAME,
	    build_header(b)->modules, 0x2010, 0, 0);
	h = build_heap(b, call, 10, 1000);
	h->freed_bytes = 600;
	h->freed_blocks = 6;
	h->peak_bytes = 500;
	h->era = 3;
	thread = build_alloc_thread(b);
	call = build_node(b, build_alloc_thread_root(b, thread), FORMAT_FRAME,
	    build_header(b)->modules, 0x2020, 0, 0);
	h = build_heap(b, call, 4, 200);
	h->taken_bytes = 50;
	h->taken_blocks = 1;
	h = build_heap(b, call, 3, 12288);
	h->node.kind = FORMAT_MAP;
	h->freed_bytes = 4096;
}

/*
 * Begun anew, stopped since: all of a node and some of its thread is taken off.
 */
static void
make_base(struct build *b)
{
	struct format_baseline base = { .mono = 1000500000, .cpu_ns = 77,
	    .words = 2 };
	struct format_baseline_word words[2];
	uint32_t thread, node;

	make_moments(b);
	thread = build_header(b)->threads;
	node = build_node(b, build_root(b, thread), FORMAT_USER, 0, 0x10, 5, 9);
	words[0].at = (uint64_t)node * FORMAT_UNIT +
	    offsetof(struct format_node, count);
	words[0].less = 5;
	words[1].at = offsetof(struct format_header, ticks);
	words[1].less = build_header(b)->ticks;
	build_base(b, &base, words);
	build_header(b)->stopped_ns = FORMAT_STOPPED | 88;
}

static void
make_valid(void)
{
	struct build b;

	build_init(&b);
	save(&b, "live-empty");
	make(&b);
	save(&b, "live");
	make(&b);
	build_seal(&b, FORMAT_END_EXIT, 3);
	save(&b, "sealed");
	make(&b);
	build_header(&b)->clock = FORMAT_CLOCK_WALL;
	build_header(&b)->options = build_string(&b, "clock=wall,hz=100");
	build_seal(&b, FORMAT_END_EXEC, -1);
	save(&b, "sealed-wall");
	make_calls(&b);
	save(&b, "live-calls");
	make_calls(&b);
	build_seal(&b, FORMAT_END_EXIT, 0);
	save(&b, "sealed-calls");
	make_stacks(&b);
	save(&b, "live-stacks");
	make_stacks(&b);
	build_seal(&b, FORMAT_END_EXIT, 0);
	save(&b, "sealed-stacks");
	make_moments(&b);
	save(&b, "live-moments");
	make_moments(&b);
	build_seal(&b, FORMAT_END_EXIT, 0);
	save(&b, "sealed-moments");
	make_heap(&b);
	save(&b, "live-heap");
	make_heap(&b);
	build_seal(&b, FORMAT_END_EXIT, 0);
	save(&b, "sealed-heap");
	make_heap(&b);
	build_base(&b, &(struct format_baseline){ .era = { 3, 2 } }, NULL);
	save(&b, "live-heap-base");
	make_base(&b);
	save(&b, "live-base");
	make_base(&b);
	build_seal(&b, FORMAT_END_EXIT, 0);
	save(&b, "sealed-base");
	make_names(&b);
	save(&b, "live-names");
	make_names(&b);
	build_seal(&b, FORMAT_END_EXIT, 0);
	save(&b, "sealed-names");
}

static void
make_short(void)
{
	struct build b;

	make(&b);
	save_bytes("cut-live", b.bytes, FORMAT_HEADER +
	    (build_size(&b) - FORMAT_HEADER) / 32 * 16);
	build_seal(&b, FORMAT_END_EXIT, 0);
	save_bytes("cut-sealed", b.bytes, build_size(&b) - 16);
	save_bytes("cut-header", b.bytes, 512);
	build_header(&b)->state = FORMAT_INCOMPLETE;
	save_bytes("born", b.bytes, FORMAT_HEADER);
	memset(b.bytes, 0, FORMAT_HEADER);
	save_bytes("zero", b.bytes, FORMAT_HEADER);
	save_bytes("empty", "", 0);
	build_fini(&b);
}

static void
make_hostile(void)
{
	struct build b;
	uint32_t at;

	make(&b);
	at = build_header(&b)->modules;
	build_module_at(&b, build_module_at(&b, at)->next)->next = at;
	save(&b, "hostile-loop");
	make(&b);
	at = build_root(&b, build_header(&b)->threads);
	build_node_at(&b, build_node_at(&b, at)->child)->sibling = at + 1;
	build_seal(&b, FORMAT_END_EXIT, 0);
	save(&b, "hostile-crosslink");
	make(&b);
	build_header(&b)->used = build_header(&b)->cap = 16ull << 32;
	save_bytes("hostile-64-gib", b.bytes, 8192);
	build_fini(&b);
	make(&b);
	*(uint32_t *)build_at(&b, build_header(&b)->exe) = UINT32_MAX;
	save(&b, "hostile-text");
}

/* Links that no walk may follow, each past the checks of the others. */
static void
make_order(void)
{
	struct build b;
	uint32_t low, root;

	build_init(&b);
	low = build_take(&b, sizeof(struct format_node));
	root = build_root(&b, build_thread(&b, 1, "t"));
	build_node_at(&b, low)->parent = root;
	build_node_at(&b, low)->kind = FORMAT_USER;
	build_node_at(&b, root)->child = low;
	save(&b, "hostile-before-parent");
	make(&b);
	root = build_root(&b, build_header(&b)->threads);
	build_thread_at(&b, build_thread_at(&b, build_header(&b)->threads)
	    ->next)->root = root;
	save(&b, "hostile-shared-root");
}

/* Every number at its end: sums, products and divisions of the views. */
static void
make_numbers(void)
{
	struct format_header *h;
	struct format_node *n;
	struct build b;
	uint32_t at;

	make(&b);
	at = build_module(&b, "/\"q\",\n\033[31m\200\377/../", 0, UINT64_MAX);
	at = build_node(&b, build_root(&b, build_thread(&b, -1,
	    "\033]0;sixteen\377\n")), FORMAT_USER, at, UINT64_MAX,
	    UINT64_MAX, UINT64_MAX);
	n = build_node_at(&b, build_node(&b, at, FORMAT_SLEEP, 0,
	    UINT64_MAX, UINT64_MAX, UINT64_MAX - 1));
	n->kind = n->how = UINT32_MAX;
	h = build_header(&b);
	h->cost_ns = h->ticks = h->cpu_ns = h->user_ns = UINT64_MAX;
	h->cost_ticks = 1;
	h->birth_real = h->end_real = h->birth_mono = UINT64_MAX;
	h->period_ns = h->budget_ns = h->start_ticks = UINT64_MAX;
	h->tick_ns = 0;
	h->pid = h->ppid = h->exit_status = h->fine_errno = INT32_MIN;
	h->coarse_seen = h->fine_seen = h->clock = h->end = UINT32_MAX;
	h->asked_hz = h->signal = h->cost_shift = h->machine = UINT32_MAX;
	memset(h->loss, 0xff, sizeof h->loss);
	save(&b, "hostile-numbers");
}

int
main(int argc, char **argv)
{
	static const char pointer[] = "monptr 1\npath=/dev/shm/mon.out.0\n"
	    "boot_id=000102030405060708090a0b0c0d0e0f\npid=42\nstart=777\n";

	if (argc != 2)
		errx(2, "usage: seeds DIRECTORY");
	directory = argv[1];
	make_valid();
	make_short();
	make_hostile();
	make_order();
	make_numbers();
	save_bytes("pointer", pointer, sizeof pointer - 1);
	return 0;
}
