/*
 * Context: O.  The model: adding rows, frames, arcs and moments, merging equal
 * ones, and completing the model after the last file.
 */
#define _GNU_SOURCE		/* tdestroy */
#include "base/model.h"

#include "base/negative_time.h"

#include "base/unprofiled_time.h"
#include "base/compare.h"
#include "base/vector.h"

#include <search.h>
#include <string.h>

int
model_init(struct model *m, const struct filter *filter, unsigned keep,
    enum demangle demangle)
{
	static const char *const names[MODEL_MODULES] = {
		[MODEL_MODULE_NONE] = "[no module]",
		[MODEL_MODULE_GENERATED] = "[generated code]",
		[MODEL_MODULE_UNLISTED] = "[module not in the file]",
		[MODEL_MODULE_KERNEL] = "[kernel]",
		[MODEL_MODULE_REBOOTED] = "[kernel before a reboot]",
		[MODEL_MODULE_REST] = "[not sampled]",
		[MODEL_MODULE_UNPROFILED] = "[outside of profiles]",
		[MODEL_MODULE_PAUSED] = "[paused by the program]",
		[MODEL_MODULE_UNWATCHED] = "[not watched]",
		[MODEL_MODULE_CUT] = "[no callers: not said why]",
		[MODEL_MODULE_CUT + FORMAT_CUT_DEPTH] =
		    "[more callers than depth= keeps]",
		[MODEL_MODULE_CUT + FORMAT_CUT_TABLE] =
		    "[no callers: no unwind table or frame pointer]",
		[MODEL_MODULE_CUT + FORMAT_CUT_RULE] =
		    "[no callers: unwind table not understood]",
		[MODEL_MODULE_CUT + FORMAT_CUT_UNREADABLE] =
		    "[no callers: stack not readable]",
		[MODEL_MODULE_CUT + FORMAT_CUT_UNMAPPED] =
		    "[no callers: return address in no code]",
		[MODEL_MODULE_CUT + FORMAT_CUT_ORDER] =
		    "[no callers: stack out of order]",
		[MODEL_MODULE_CUT + FORMAT_CUT_LATE] =
		    "[no callers: tick came late]",
		[MODEL_MODULE_CUT + FORMAT_CUT_FROZEN] =
		    "[no callers: behind seccomp]",
		[MODEL_MODULE_CUT + FORMAT_CUT_COST] =
		    "[more callers than a tick can look for]",
		[MODEL_MODULE_CUT + FORMAT_CUT_NO_MEMORY] =
		    "[no callers: no memory to look for them]",
		[MODEL_MODULE_CUT + FORMAT_CUT_COPY] =
		    "[no callers: not in the copy of the stack]",
		[MODEL_MODULE_CUT + FORMAT_CUT_REGISTER] =
		    "[no callers: asleep, its frame pointer is not known]",
		[MODEL_MODULE_CUT + FORMAT_CUT_AWAKE] =
		    "[no callers: awake when looked for]",
		[MODEL_MODULE_CUT + FORMAT_CUT_UNLOAD] =
		    "[no callers: library being unloaded]",
		[MODEL_MODULE_CUT + FORMAT_CUT_INDEX] =
		    "[no callers: unwind table without an index]",
	};

	memset(m, 0, sizeof(*m));
	m->filter = filter;
	m->keep = keep;
	m->demangle = demangle;
	if (vector_grow(&m->modules, 0, &m->module_room,
	    sizeof(*m->modules)) != 0)
		return -ENOMEM;
	memset(m->modules, 0, MODEL_MODULES * sizeof(*m->modules));
	for (size_t i = 0; i < MODEL_MODULES; i++)
		m->modules[i].path = m->modules[i].name = names[i];
	m->modules[MODEL_MODULE_KERNEL].flags = FORMAT_M_KERNEL;
	m->module_count = MODEL_MODULES;
	return 0;
}

static void
free_tree_key(void *key)
{
	free(key);
}

/* Leaves the text to the arena, which owns it. */
static void
keep_tree_key(void *key)
{
	(void)key;
}

void
model_free(struct model *m)
{
	tdestroy(m->module_tree, free_tree_key);
	tdestroy(m->process_tree, free_tree_key);
	tdestroy(m->pid_tree, free_tree_key);
	tdestroy(m->file_tree, free_tree_key);
	tdestroy(m->text_tree, keep_tree_key);
	arena_free(&m->arena);
	stack_frames_free(&m->stacks);
	hash_index_free(&m->by_key);
	free(m->rows);
	free(m->heaps);
	free(m->points);
	free(m->arcs);
	free(m->modules);
	free(m->processes);
	free(m->threads);
	free(m->runs);
	free(m->moments);
	free(m->functions);
	free(m->scopes);
	source_files_free(&m->sources);
	embedded_names_free(&m->given);
	free(m->origins);
	free(m->imports);
	free(m->samplings);
	free(m->lost);
	free(m->below);
	free(m->left);
	memset(m, 0, sizeof(*m));
}

static int
compare_texts(const void *a, const void *b)
{
	return strcmp(a, b);
}

const char *
model_intern(struct model *m, const char *text, size_t bytes)
{
	char key[MODEL_TEXT_MAX + 1];
	const char *const *found;

	if (bytes > MODEL_TEXT_MAX)
		bytes = MODEL_TEXT_MAX;
	memcpy(key, text, bytes);
	key[bytes] = '\0';
	found = tfind(key, &m->text_tree, compare_texts);
	if (found == NULL) {
		char *copy = arena_copy(&m->arena, key, bytes);

		if (copy == NULL)
			return NULL;
		found = tsearch(copy, &m->text_tree, compare_texts);
	}
	return found == NULL ? NULL : *found;
}

static int
compare_model_rows(const void *left, const void *right)
{
	const struct model_row *a = left, *b = right;
	int d = compare_u64(a->module, b->module);

	if (d == 0 && model_is_absolute(a->module))
		d = compare_u64(a->process, b->process);
	if (d == 0)
		d = compare_u64(a->address, b->address);
	if (d == 0)
		d = compare_u64(a->kind, b->kind);
	if (d == 0)
		d = compare_u64(a->process, b->process);
	if (d == 0)
		d = compare_u64(a->thread, b->thread);
	return d != 0 ? d : compare_u64(a->stack, b->stack);
}

static uint32_t
hash_model_row(const struct model_row *r)
{
	uint64_t h = hash_index_hash(r->address ^ (uint64_t)r->module << 44);

	h = hash_index_hash(h << 32 | (r->stack ^ r->kind << 28));
	return hash_index_hash(h << 32 | (r->process ^ r->thread << 16));
}

/*
 * Uses a hash index: files with many threads and stacks have each key many
 * times.
 */
int
model_merge_row(struct model *m, const struct model_row *row, uint32_t *n)
{
	const uint32_t hash = hash_model_row(row);

	for (size_t at = hash; (*n = hash_index_next(&m->by_key, hash, &at)) !=
	    HASH_INDEX_NONE;) {
		struct model_row *own = &m->rows[*n];

		if (compare_model_rows(own, row) != 0)
			continue;
		own->count += row->count;
		own->ns += row->ns;
		own->calls += row->calls;
		return 0;
	}
	if (m->row_count >= HASH_INDEX_NONE - 1 || vector_grow(&m->rows,
	    m->row_count, &m->row_room, sizeof(*row)) != 0 ||
	    hash_index_add(&m->by_key, hash, (uint32_t)m->row_count) != 0)
		return -ENOMEM;
	*n = (uint32_t)m->row_count++;
	m->rows[*n] = *row;
	m->rows[*n].number = *n;
	return 0;
}

int
model_add_row(struct model *m, const struct model_row *row)
{
	uint32_t n;

	return model_merge_row(m, row, &n);
}

int
model_add_moment(struct model *m, const struct model_moment *moment)
{
	if (vector_grow(&m->moments, m->moment_count, &m->moment_room,
	    sizeof(*m->moments)) != 0)
		return -ENOMEM;
	m->moments[m->moment_count++] = *moment;
	return 0;
}

static void
sort_model_rows(struct model *m)
{
	hash_index_free(&m->by_key);
	if (m->row_count != 0)
		qsort(m->rows, m->row_count, sizeof(*m->rows),
		    compare_model_rows);
}

static int
compare_model_moments(const void *left, const void *right)
{
	const struct model_moment *a = left, *b = right;

	return compare_u64(a->real, b->real);
}

/*
 * Replaces row numbers by indexes and sorts moments by time.  Rows must have
 * been sorted.
 */
static int
index_moments(struct model *m)
{
	uint32_t *now;

	if (m->moment_count == 0)
		return 0;
	now = malloc(m->row_count * sizeof(*now));
	if (now == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count; i++)
		now[m->rows[i].number] = (uint32_t)i;
	for (size_t i = 0; i < m->moment_count; i++)
		m->moments[i].row = now[m->moments[i].row];
	free(now);
	qsort(m->moments, m->moment_count, sizeof(*m->moments),
	    compare_model_moments);
	return 0;
}

static int
compare_model_arcs(const void *left, const void *right)
{
	const struct model_arc *a = left, *b = right;
	int d = compare_u64(a->self_module, b->self_module);

	if (d == 0)
		d = compare_u64(a->self, b->self);
	if (d == 0)
		d = compare_u64(a->from_module, b->from_module);
	if (d == 0)
		d = compare_u64(a->from, b->from);
	if (d == 0)
		d = compare_u64(a->self_process, b->self_process);
	return d != 0 ? d : compare_u64(a->from_process, b->from_process);
}

static void
merge_arcs(struct model *m)
{
	size_t kept = 0;

	if (m->arc_count == 0)
		return;
	qsort(m->arcs, m->arc_count, sizeof(*m->arcs), compare_model_arcs);
	for (size_t i = 1; i < m->arc_count; i++)
		if (compare_model_arcs(&m->arcs[kept], &m->arcs[i]) == 0)
			m->arcs[kept].calls += m->arcs[i].calls;
		else
			m->arcs[++kept] = m->arcs[i];
	m->arc_count = kept + 1;
}

static struct model_row
make_row_key(uint32_t kind, uint32_t module, uint64_t address, uint32_t process)
{
	return (struct model_row) {
		.kind = kind, .module = module, .address = address,
		.process = process, .thread = MODEL_NONE,
	};
}

int
model_add_arc(struct model *m, const struct model_arc *arc)
{
	struct model_row self = make_row_key(MODEL_CALLS, arc->self_module,
	    arc->self, arc->self_process);
	struct model_row from = make_row_key(FORMAT_FRAME, arc->from_module,
	    arc->from, arc->from_process);

	self.calls = arc->calls;
	if (model_add_row(m, &self) != 0)
		return -ENOMEM;
	if ((m->keep & MODEL_KEEP_ARCS) == 0)
		return 0;
	if (m->arc_count == m->arc_room) {
		merge_arcs(m);
		if (m->arc_count >= m->arc_room / 2 && vector_grow(&m->arcs,
		    m->arc_room, &m->arc_room, sizeof(*arc)) != 0)
			return -ENOMEM;
	}
	m->arcs[m->arc_count++] = *arc;
	return model_add_row(m, &from);
}

/*
 * Returns the index of a row that exists.  Other rows of the address differ
 * only in kind.
 */
static size_t
find_model_row(const struct model *m, const struct model_row *key)
{
	const struct model_row *r = bsearch(key, m->rows, m->row_count,
	    sizeof(*m->rows), compare_model_rows);

	return (size_t)(r - m->rows);
}

uint32_t
model_add_frame(struct model *m, const struct stack_frame *key)
{
	const size_t before = m->stacks.count;
	struct model_row row = make_row_key(key->kind, key->module,
	    key->address, key->process);
	uint32_t frame = stack_frames_find(&m->stacks, key);

	if (frame == 0 || m->stacks.count == before)
		return frame;
	return model_add_row(m, &row) == 0 ? frame : 0;
}

void
model_name_frames(struct model *m)
{
	for (size_t i = 1; i < m->stacks.count; i++) {
		struct stack_frame *f = &m->stacks.frames[i];
		const struct model_row *own = &m->rows[f->row];

		f->function = own->function;
		f->scope = own->scope;
		f->scopes = own->scopes;
	}
}

/*
 * Sets the rows of frames.  Must run while rows have the modules with which
 * they were added.
 */
static void
index_frames(struct model *m)
{
	for (size_t i = 1; i < m->stacks.count; i++) {
		struct stack_frame *f = &m->stacks.frames[i];
		struct model_row key = make_row_key(f->kind, f->module,
		    f->address, f->process);

		f->row = (uint32_t)find_model_row(m, &key);
	}
}

static void
index_arcs(struct model *m)
{
	merge_arcs(m);
	for (size_t i = 0; i < m->arc_count; i++) {
		struct model_arc *a = &m->arcs[i];
		struct model_row self = make_row_key(MODEL_CALLS,
		    a->self_module, a->self, a->self_process);
		struct model_row from = make_row_key(FORMAT_FRAME,
		    a->from_module, a->from, a->from_process);

		a->self_row = find_model_row(m, &self);
		a->from_row = find_model_row(m, &from);
	}
}

/*
 * Returns how much of the CPU time without samples is the kernel's.  With a
 * fine clock all user time has samples, so the rest is the kernel's.  It is not
 * more than the system time that the kernel reports, give or take five of its
 * ticks, as the kernel measures that time by sampling.
 */
static uint64_t
kernel_rest_ns(const struct model_process *p, uint64_t rest)
{
	const uint64_t most = p->system_ns + 5 * p->tick_ns;

	if (p->cut || (p->fine_seen & (1u << FORMAT_FINE_ON |
	    1u << FORMAT_FINE_DONE)) == 0)
		return 0;
	return p->life != MODEL_ENDED || rest < most ? rest : most;
}

static int
add_rest_row(struct model *m, size_t process, uint32_t module, uint64_t ns)
{
	struct model_row row = {
		.kind = MODEL_REST,
		.process = MODEL_NONE,
		.thread = MODEL_NONE,
		.module = module,
		.ns = ns,
	};

	if ((m->keep & MODEL_KEEP_PROCESS) && process < m->process_count)
		row.process = (uint32_t)process;
	return ns == 0 ? 0 : model_add_row(m, &row);
}

/*
 * Computes the mean weight of samples and how unevenly weights are spread.  If
 * weights differ, fewer samples of equal weight would be as accurate.  Our
 * files have the sum of squared weights for that; files of other profilers do
 * not.
 */
static void
compute_mean_weight(struct model *m)
{
	double squares = 0, ns = 0;

	m->clump = 1;
	if (model_is_heap(m))
		return;
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];

		if (r->count == 0 || !model_is_cpu(r->kind))
			continue;
		squares += (double)r->ns * (double)r->ns / (double)r->count;
		ns += (double)r->ns;
	}
	if (ns <= 0)
		return;
	if (m->squares > squares)
		m->clump = m->squares / squares;
	m->mean_weight = m->clump * squares / ns;
}

int
model_finish(struct model *m)
{
	compute_mean_weight(m);
	for (size_t i = 0; i < m->process_count; i++) {
		struct model_process *p = &m->processes[i];
		uint64_t rest, kernel;

		/*
		 * A process that was killed read the kernel's figure for the
		 * last time before its last samples.
		 */
		if (p->life != MODEL_ENDED && p->cpu_ns < p->sample_ns)
			p->cpu_ns = p->sample_ns;
		/*
		 * With a filter of threads, the part of the rest that is theirs
		 * is not known.
		 */
		if (p->cpu_ns <= p->sample_ns ||
		    model_is_heap(m) ||
		    filter_is_on(m->filter, FILTER_THREAD))
			continue;
		rest = p->cpu_ns - p->sample_ns;
		kernel = kernel_rest_ns(p, rest);
		if (add_rest_row(m, i, MODEL_MODULE_KERNEL, kernel) != 0 ||
		    add_rest_row(m, i, MODEL_MODULE_REST, rest - kernel) != 0)
			return -ENOMEM;
	}
	if (unprofiled_time_find(m) != 0 || (m->whole && add_rest_row(m,
	    m->process_count, MODEL_MODULE_UNPROFILED, m->unseen_ns) != 0))
		return -ENOMEM;
	sort_model_rows(m);
	index_frames(m);
	index_arcs(m);
	if (negative_time_drop(m) != 0)
		return -ENOMEM;
	return index_moments(m);
}

const char *
model_function_name(struct model *m, uint32_t function)
{
	struct model_function *f = &m->functions[function];

	if (f->shown == NULL && f->named)
		f->shown = demangle_name(&m->arena, f->name, m->demangle);
	return f->shown != NULL ? f->shown : f->name;
}

const char *
model_function_full_name(struct model *m, uint32_t function)
{
	struct model_function *f = &m->functions[function];

	if (f->full == NULL)
		f->full = f->named && m->demangle == DEMANGLE_SHORT ?
		    demangle_name(&m->arena, f->name, DEMANGLE_FULL) :
		    model_function_name(m, function);
	return f->full;
}
