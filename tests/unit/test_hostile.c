/* Context: O.  Tests of core/format/decode/decode.c: what is wrong, named by
 * place. */
#include "build.h"
#include "opened.h"

#include <criterion/criterion.h>

#define IN_HEADER "a link points into the header"
#define PAST_END "a link points past the end of the data"
#define MET "a link points into a record that was read before"

#define AT(field) offsetof(struct format_header, field)
#define PLACE(index, type, field) \
	((uint64_t)(index) * FORMAT_UNIT + offsetof(struct type, field))
#define MODULE(i, field) PLACE(f.module[i], format_module, field)
#define THREAD(i, field) PLACE(f.thread[i], format_thread, field)
#define NODE(i, field) PLACE(f.node[i], format_node, field)

/* Two of each; nodes: root 0 has 0 (child of it: 1), root 1 has 2. */
struct file {
	struct build b;
	uint32_t module[2], thread[2], root[2], node[3], arcs[2], names[2];
};

static void
start_names(struct file *f)
{
	struct build *b = &f->b;
	const uint32_t text = build_string(b, "f");
	const struct format_place places[] = {
		{ .address = 1, .name = text, .scopes = 1 },
		{ .address = 2, .first = 1, .scopes = 2 },
	};
	const struct format_scope scopes[] = {
		{ .file = text, .line = 7 }, { .function = text }, { .line = 1 },
	};

	f->names[0] = build_names(b, 0, places, 1, scopes, 1);
	f->names[1] = build_names(b, f->module[1], places, 2, scopes, 3);
}

static void
start(struct file *f)
{
	struct build *b = &f->b;

	build_init(b);
	for (unsigned i = 0; i < 2; i++) {
		f->module[i] = build_module(b, "/lib/m.so", 0x1000, 0x2000);
		f->thread[i] = build_thread(b, 100 + (int)i, "t");
		f->root[i] = build_root(b, f->thread[i]);
	}
	f->node[0] = build_node(b, f->root[0], FORMAT_FRAME, f->module[0], 1,
	    0, 0);
	f->node[1] = build_node(b, f->node[0], FORMAT_USER, f->module[1], 2,
	    1, 1);
	f->node[2] = build_node(b, f->root[1], FORMAT_USER, 0, 3, 1, 1);
	start_names(f);
	f->arcs[0] = build_arcs(b, 1);
	build_arc(b, f->module[0], 0x1100, f->module[1], 0x1200, 5);
	f->arcs[1] = build_arcs(b, 3);
	build_arc(b, f->module[0], 0x1100, 0, 0x7000, 5);
	build_seal(b, FORMAT_END_EXIT, 0);
}

static struct format_arcs *
arcs(struct file *f, unsigned i)
{
	return build_at(&f->b, f->arcs[i]);
}

static uint32_t
end(struct file *f)
{
	return (uint32_t)(build_size(&f->b) / FORMAT_UNIT);
}

static void
refuses(struct file *f, const char *what, uint64_t offset)
{
	opened_refuses(&f->b, what, offset);
	build_fini(&f->b);
}

#define SET_HEADER(field, value) (build_header(&f.b)->field = (value))
#define SET_MODULE(i, field, value) \
	(build_module_at(&f.b, f.module[i])->field = (value))
#define SET_THREAD(i, field, value) \
	(build_thread_at(&f.b, f.thread[i])->field = (value))
#define SET_NODE(i, field, value) \
	(build_node_at(&f.b, f.node[i])->field = (value))

/* One case: a valid file, one word changed, the fault that it must give. */
#define REFUSES(name, change, what, offset)	\
	Test(hostile, name)			\
	{					\
		struct file f;			\
						\
		start(&f);			\
		change;				\
		refuses(&f, what, offset);	\
	}

Test(hostile, the_file_is_good_unchanged)
{
	struct file f;

	start(&f);
	opened_cuts(&f.b, 0);
	build_fini(&f.b);
}

REFUSES(exe_in_header, SET_HEADER(exe, 1), IN_HEADER, AT(exe))
REFUSES(cmdline_past_end, SET_HEADER(cmdline, end(&f)), PAST_END, AT(cmdline))
REFUSES(host_far_past_end, SET_HEADER(host, UINT32_MAX), PAST_END, AT(host))
REFUSES(options_in_last_of_header, SET_HEADER(options, 255), IN_HEADER,
    AT(options))
REFUSES(exe_too_long, *(uint32_t *)build_at(&f.b, build_header(&f.b)->exe)
    = (uint32_t)build_size(&f.b), "a text is longer than the data",
    (uint64_t)build_header(&f.b)->exe * FORMAT_UNIT)
REFUSES(host_longest, *(uint32_t *)build_at(&f.b, build_header(&f.b)->host)
    = UINT32_MAX, "a text is longer than the data",
    (uint64_t)build_header(&f.b)->host * FORMAT_UNIT)
REFUSES(text_one_too_long,
    *(uint32_t *)build_at(&f.b, build_header(&f.b)->host) =
    (uint32_t)(build_size(&f.b) - build_header(&f.b)->host * 16 - 4 + 1),
    "a text is longer than the data",
    (uint64_t)build_header(&f.b)->host * FORMAT_UNIT)

REFUSES(modules_in_header, SET_HEADER(modules, 3), IN_HEADER, AT(modules))
REFUSES(modules_past_end, SET_HEADER(modules, end(&f) - 6), PAST_END,
    AT(modules))
REFUSES(module_next_past_end, SET_MODULE(0, next, UINT32_MAX), PAST_END,
    MODULE(0, next))
REFUSES(module_next_itself, SET_MODULE(0, next, f.module[0]), MET,
    MODULE(0, next))
REFUSES(module_loop, SET_MODULE(0, next, f.module[1]), MET, MODULE(0, next))
REFUSES(module_in_a_module, SET_MODULE(0, next, f.module[1] + 1), MET,
    MODULE(0, next))
REFUSES(module_path_in_header, SET_MODULE(1, path, 7), IN_HEADER,
    MODULE(1, path))
REFUSES(module_path_past_end, SET_MODULE(1, path, end(&f)), PAST_END,
    MODULE(1, path))
REFUSES(module_backwards, SET_MODULE(0, end, 0xfff),
    "a module ends before it starts", MODULE(0, end))
REFUSES(module_build_id, SET_MODULE(0, build_id_bytes, 33),
    "a build-id is longer than its field", MODULE(0, build_id_bytes))

REFUSES(threads_in_header, SET_HEADER(threads, 255), IN_HEADER, AT(threads))
REFUSES(threads_past_end, SET_HEADER(threads, end(&f)), PAST_END, AT(threads))
REFUSES(thread_is_a_module, SET_HEADER(threads, f.module[0]), MET, AT(threads))
REFUSES(thread_overlaps_a_module, SET_HEADER(threads, f.module[0] - 1), MET,
    AT(threads))
REFUSES(thread_loop, SET_THREAD(0, next, f.thread[1]), MET, THREAD(0, next))
REFUSES(root_in_header, SET_THREAD(0, root, 2), IN_HEADER, THREAD(0, root))
REFUSES(root_past_end, SET_THREAD(0, root, end(&f) - 2), PAST_END,
    THREAD(0, root))
REFUSES(root_of_two, SET_THREAD(0, root, f.root[1]), MET, THREAD(0, root))
REFUSES(root_is_a_node, SET_THREAD(1, root, f.node[2]),
    "the root of a thread or an allocation thread record is another "
    "node", THREAD(1, root))
REFUSES(root_with_parent, build_node_at(&f.b, f.root[1])->parent = 9,
    "the root of a thread or an allocation thread record has a "
    "parent", (uint64_t)f.root[1] * FORMAT_UNIT)

#define ARCS(i, field) ((uint64_t)f.arcs[i] * FORMAT_UNIT + \
    offsetof(struct format_arcs, field))
#define ARC(i, field) (ARCS(i, arc) + offsetof(struct format_arc, field))

REFUSES(arcs_in_header, SET_HEADER(arcs, 255), IN_HEADER, AT(arcs))
REFUSES(arcs_past_end, SET_HEADER(arcs, end(&f) - 2), PAST_END, AT(arcs))
REFUSES(arcs_are_a_thread, SET_HEADER(arcs, f.thread[0]), MET, AT(arcs))
REFUSES(arcs_loop, arcs(&f, 0)->next = f.arcs[1], MET, ARCS(0, next))
REFUSES(arcs_longer_than_the_file, arcs(&f, 1)->room = 4,
    "a block of arcs is longer than the data", ARCS(1, room))
REFUSES(arcs_longest, arcs(&f, 0)->room = UINT32_MAX,
    "a block of arcs is longer than the data", ARCS(0, room))
REFUSES(arcs_into_the_next, arcs(&f, 0)->room = 2, MET, ARCS(0, room))
REFUSES(arc_in_no_module, arcs(&f, 0)->arc[0].self_module = 9,
    "a record names a module that is not listed", ARC(0, self_module))
REFUSES(arc_from_no_module, arcs(&f, 1)->arc[0].from_module = end(&f),
    "a record names a module that is not listed", ARC(1, from_module))

static struct format_names *
names(struct file *f, unsigned i)
{
	return build_at(&f->b, f->names[i]);
}

static struct format_place *
place(struct file *f, unsigned i, unsigned k)
{
	return (struct format_place *)(names(f, i) + 1) + k;
}

static struct format_scope *
scope(struct file *f, unsigned i, unsigned k)
{
	return (struct format_scope *)place(f, i, names(f, i)->places) + k;
}

#define NAMES(i, field) ((uint64_t)f.names[i] * FORMAT_UNIT + \
    offsetof(struct format_names, field))
#define NAMED(i, k, field) ((uint64_t)f.names[i] * FORMAT_UNIT + \
    sizeof(struct format_names) + (k) * sizeof(struct format_place) + \
    offsetof(struct format_place, field))
#define SCOPE(i, k, field) (NAMED(i, names(&f, i)->places, address) + \
    (k) * sizeof(struct format_scope) + offsetof(struct format_scope, field))

#define BEGIN "impossible start of the names"

REFUSES(names_without_a_begin, SET_HEADER(names_at, 0), BEGIN, AT(names_at))
REFUSES(begin_without_names, SET_HEADER(names, 0), BEGIN, AT(names_at))
REFUSES(names_begin_in_header, SET_HEADER(names_at, 4080), BEGIN,
    AT(names_at))
REFUSES(names_begin_in_a_unit, SET_HEADER(names_at, 4100), BEGIN,
    AT(names_at))
REFUSES(names_begin_past_end, SET_HEADER(names_at, build_size(&f.b) + 16),
    BEGIN, AT(names_at))
REFUSES(names_in_header, SET_HEADER(names, 255), IN_HEADER, AT(names))
REFUSES(names_past_end, SET_HEADER(names, end(&f)), PAST_END, AT(names))
REFUSES(names_are_arcs, SET_HEADER(names, f.arcs[0]), MET, AT(names))
REFUSES(names_loop, names(&f, 0)->next = f.names[1], MET, NAMES(0, next))
REFUSES(names_of_no_module, names(&f, 0)->module = 9,
    "a record names a module that is not listed", NAMES(0, module))
REFUSES(names_longest, names(&f, 0)->places = UINT32_MAX,
    "a block of names is longer than the data", NAMES(0, places))
REFUSES(names_with_most_scopes, names(&f, 1)->scopes = UINT32_MAX,
    "a block of names is longer than the data", NAMES(1, places))
REFUSES(names_into_the_next, names(&f, 0)->scopes = 2, MET, NAMES(0, next))
REFUSES(place_with_scopes_of_another, place(&f, 1, 1)->first = 0,
    "an address has the names of another", NAMED(1, 1, first))
REFUSES(place_with_more_scopes, place(&f, 1, 1)->scopes = 3,
    "an address has the names of another", NAMED(1, 1, first))
REFUSES(place_name_past_end, place(&f, 1, 0)->name = end(&f), PAST_END,
    NAMED(1, 0, name))
REFUSES(scope_file_in_header, scope(&f, 1, 0)->file = 3, IN_HEADER,
    SCOPE(1, 0, file))
REFUSES(scope_function_past_end, scope(&f, 1, 1)->function = UINT32_MAX,
    PAST_END, SCOPE(1, 1, function))

REFUSES(child_in_header, SET_NODE(0, child, 1), IN_HEADER, NODE(0, child))
REFUSES(child_past_end, SET_NODE(1, child, end(&f)), PAST_END, NODE(1, child))
REFUSES(child_halfway_past_end, SET_NODE(1, child, end(&f) - 2), PAST_END,
    NODE(1, child))
REFUSES(child_itself, SET_NODE(1, child, f.node[1]), MET, NODE(1, child))
REFUSES(child_its_grandparent, SET_NODE(1, child, f.node[0]), MET,
    NODE(1, child))
REFUSES(child_a_module, SET_NODE(1, child, f.module[1]), MET, NODE(1, child))
REFUSES(child_another_root, SET_NODE(1, child, f.root[1]), MET, NODE(1, child))
REFUSES(child_of_another, SET_NODE(2, child, f.node[1]),
    "a node is linked from another parent than its own", NODE(1, parent))
REFUSES(sibling_itself, SET_NODE(2, sibling, f.node[2]), MET, NODE(2, sibling))
REFUSES(sibling_in_another_tree, SET_NODE(0, sibling, f.node[2]), MET,
    NODE(0, sibling))
REFUSES(sibling_past_end, SET_NODE(1, sibling, 0x80000000), PAST_END,
    NODE(1, sibling))
REFUSES(node_is_a_root, SET_NODE(1, kind, FORMAT_ROOT),
    "a root lies inside a tree", NODE(1, kind))
REFUSES(node_of_no_module, SET_NODE(1, module, f.module[1] + 1),
    "a record names a module that is not listed", NODE(1, module))
REFUSES(node_of_a_thread, SET_NODE(1, module, f.thread[1]),
    "a record names a module that is not listed", NODE(1, module))
REFUSES(node_of_far_module, SET_NODE(1, module, UINT32_MAX),
    "a record names a module that is not listed", NODE(1, module))
REFUSES(node_of_module_in_header, SET_NODE(1, module, 1),
    "a record names a module that is not listed", NODE(1, module))

/* No writer makes this, as it takes space in ascending order. */
Test(hostile, child_before_its_parent)
{
	struct file f;
	uint32_t low, high;

	build_init(&f.b);
	low = build_take(&f.b, sizeof(struct format_node));
	f.thread[0] = build_thread(&f.b, 1, "t");
	high = build_root(&f.b, f.thread[0]);
	*build_node_at(&f.b, low) = (struct format_node){
		.parent = high, .kind = FORMAT_USER, .count = 1,
	};
	build_node_at(&f.b, high)->child = low;
	refuses(&f, "a node lies before its parent",
	    (uint64_t)low * FORMAT_UNIT);
}

/* Every length of a sealed file but its own is refused; none faults. */
Test(hostile, sealed_and_cut_at_every_byte)
{
	struct opened o;
	struct file f;

	start(&f);
	for (size_t size = 0; size < build_size(&f.b); size++) {
		opened_part(&o, &f.b, size);
		cr_expect_lt(o.error, 0, "%zu bytes accepted", size);
		cr_expect_eq(o.f.offset, size == 0 ? FAULT_NO_OFFSET : size);
		opened_fini(&o);
	}
	build_fini(&f.b);
}
