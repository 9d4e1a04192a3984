/*
 * Context: T.  Reads, from the live profile, the facts that the formats of
 * other profilers hold, for write_gmon.c, write_monout.c and write_profout.c.
 */
#include "classic/store_read.h"

#include "base/mmap_area.h"
#include "base/store_header.h"
#include "store/store.h"

#include <errno.h>
#include <sys/auxv.h>

/*
 * Finds the executable by its entry point.  If the program was started by the
 * loader's name, the loader is the executable.
 */
static bool
has_entry_point(const struct format_module *m)
{
	const uint64_t entry = getauxval(AT_ENTRY);

	return m->unload_mono == 0 && entry >= m->start && entry < m->end;
}

/*
 * Returns whether two records are of one object: the map may have been read
 * while its text was mapped in other parts.
 */
static bool
is_same_mapped_object(const struct format_module *a,
    const struct format_module *b)
{
	return a->inode == b->inode && a->device == b->device &&
	    a->bias == b->bias;
}

bool
store_read_is_program(const struct store_read_program *p, uint32_t module)
{
	return module == p->index || (module != 0 &&
	    is_same_mapped_object(store_at(module), p->module));
}

bool
store_read_program(struct store_read_program *p)
{
	const uint32_t first = store_header()->modules;
	const struct format_module *m;
	uint32_t at;

	for (at = first; at != 0; at = p->module->next) {
		p->module = store_at(at);
		if (has_entry_point(p->module))
			break;
	}
	p->index = at;
	if (at == 0)
		return false;
	p->low = p->module->start;
	p->high = p->module->end;
	for (at = first; at != 0; at = m->next) {
		m = store_at(at);
		if (!is_same_mapped_object(m, p->module))
			continue;
		p->low = m->start < p->low ? m->start : p->low;
		p->high = m->end > p->high ? m->end : p->high;
	}
	p->low -= p->module->bias;
	p->high -= p->module->bias;
	return true;
}

static void
pass_node(store_read_node_fn *take, void *arg, const struct format_node *n)
{
	if (n->kind == FORMAT_USER || n->kind == FORMAT_KERNEL)
		take(arg, n);
}

/*
 * Visits all nodes below the root, depth first.  Other threads may add nodes
 * meanwhile.
 */
static void
pass_tree(store_read_node_fn *take, void *arg, uint32_t root)
{
	const struct format_node *n = store_at(root);
	uint32_t at = n->child;

	while (at != 0) {
		n = store_at(at);
		pass_node(take, arg, n);
		if (n->child != 0) {
			at = n->child;
			continue;
		}
		while (n->sibling == 0 && n->parent != root)
			n = store_at(n->parent);
		at = n->sibling;
	}
}

void
store_read_nodes(store_read_node_fn *take, void *arg)
{
	const struct format_thread *t;

	for (uint32_t at = store_header()->threads; at != 0; at = t->next) {
		t = store_at(at);
		if (t->root != 0)
			pass_tree(take, arg, t->root);
	}
}

static int
pass_arc(store_read_arc_fn *take, void *arg, const struct format_arc *a)
{
	uint64_t count;

	if (__atomic_load_n(&a->self, __ATOMIC_ACQUIRE) == 0)
		return 0;
	count = __atomic_load_n(&a->count, __ATOMIC_RELAXED);
	return count == 0 ? 0 : take(arg, a, count);
}

int
store_read_arcs(store_read_arc_fn *take, void *arg)
{
	const struct format_arcs *b;
	uint32_t at = store_header()->arcs, i;
	int ret = 0;

	for (; ret == 0 && at != 0; at = b->next) {
		b = store_at(at);
		for (i = 0; ret == 0 && i < b->room; i++)
			ret = pass_arc(take, arg, &b->arc[i]);
	}
	return ret;
}

/* Adds the time of a node of the executable to its bin. */
static void
add_node_to_bins(void *bins, const struct format_node *n)
{
	struct store_read_bins *b = bins;
	uint64_t bin = (n->address - b->program.low) / b->each;

	if (n->address < b->program.low || bin >= b->count ||
	    !store_read_is_program(&b->program, n->module))
		return;
	b->ns[bin] += n->ns;
	if (b->ns[bin] > b->most)
		b->most = b->ns[bin];
}

int
store_read_bins(struct store_read_bins *b, unsigned each,
    store_read_clip_fn *clip)
{
	*b = (struct store_read_bins){.each = each};
	if (!store_read_program(&b->program))
		return -ENODATA;
	if (clip != NULL)
		clip(b->program.module->bias, &b->program.low,
		    &b->program.high);
	b->count = (b->program.high - b->program.low + each - 1) / each;
	b->ns = mmap_area_alloc(b->count * sizeof(*b->ns));
	if (b->ns == NULL)
		return -ENOMEM;
	store_read_nodes(add_node_to_bins, b);
	return 0;
}

void
store_read_free_bins(struct store_read_bins *b)
{
	if (b->ns != NULL)
		mmap_area_unmap(b->ns, b->count * sizeof(*b->ns));
}
