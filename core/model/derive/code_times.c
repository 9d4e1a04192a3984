/*
 * Context: O.  Sums time by lines and instructions, for annotated code; see
 * code_times.h.  The own time of a line includes what is inlined there, as that
 * of a function does.
 */
#include "derive/code_times.h"

#include "base/compare.h"
#include "base/vector.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A place on a stack. */
struct stack_place {
	uint32_t function, scope, scopes;
	uint64_t address;
};

/* The row in work. */
struct code_times_work {
	struct code_times *times;
	const struct model *model;
	const bool *wanted;
	const struct model_row *row;
	uint64_t stamp;
	bool self;	/* the place in work is that of the row itself */
};

static bool
same_code_time(const struct code_time *a, const struct code_time *b)
{
	return a->function == b->function && a->kind == b->kind &&
	    a->file == b->file && a->line == b->line &&
	    a->address == b->address;
}

/* Returns the time of that key, which is made if it is missing, or NULL. */
static struct code_time *
find_code_time(struct code_times *t, const struct code_time *key)
{
	const uint32_t hash = hash_index_hash(key->address ^
	    (uint64_t)key->function << 40 ^ (uint64_t)key->kind << 38 ^
	    (uint64_t)key->file << 20 ^ key->line);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&t->by_place, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (same_code_time(&t->all[n], key))
			return &t->all[n];
	if (t->count >= HASH_INDEX_NONE - 1 || vector_grow(&t->all, t->count,
	    &t->room, sizeof(*t->all)) != 0 || hash_index_add(&t->by_place,
	    hash, (uint32_t)t->count) != 0)
		return NULL;
	t->all[t->count] = *key;
	return &t->all[t->count++];
}

/*
 * Adds the row in work to the line or instruction of a key, once.  Returns 0 or
 * -ENOMEM.
 */
static int
add_code_time(struct code_times_work *w, const struct code_time *key)
{
	struct code_time *own = find_code_time(w->times, key);

	if (own == NULL)
		return -ENOMEM;
	if (own->stamp == w->stamp)
		return 0;
	own->stamp = w->stamp;
	own->total_ns += w->row->ns;
	if (w->self) {
		own->self_ns += w->row->ns;
		own->count += w->row->count;
	}
	return 0;
}

/*
 * Adds the row in work to the sums of a function, once.  inlined: the function
 * is inlined at the place.
 */
static void
add_to_function(struct code_times_work *w, uint32_t function, bool inlined)
{
	struct code_time_function *f = &w->times->functions[function];

	if (f->stamp != w->stamp) {
		f->total_ns += w->row->ns;
		f->self_ns += w->self ? w->row->ns : 0;
		f->inlined_ns += w->self && inlined ? w->row->ns : 0;
	}
	f->stamp = w->stamp;
}

/*
 * Adds the row in work to a function that is inlined at a place, if it is
 * wanted.  Returns 0 or -ENOMEM.
 */
static int
add_inlined_line(struct code_times_work *w, const struct model_scope *s)
{
	struct code_time key = {
		.function = s->function, .kind = CODE_TIME_LINE,
		.file = s->file, .line = s->line,
	};
	int ret;

	if (!w->wanted[s->function])
		return 0;
	add_to_function(w, s->function, true);
	ret = add_code_time(w, &key);
	key.kind = CODE_TIME_INLINED;
	return ret != 0 ? ret : add_code_time(w, &key);
}

/*
 * Adds the row in work to the compiled function at a place, if it is wanted.
 * Returns 0 or -ENOMEM.
 */
static int
add_compiled_line(struct code_times_work *w, const struct stack_place *p)
{
	const struct model_scope *scopes = w->model->scopes + p->scope;
	struct code_time key = {
		.function = p->function, .kind = CODE_TIME_LINE,
		.file = MODEL_NONE, .inner_file = MODEL_NONE,
	};
	int ret;

	if (!w->wanted[p->function])
		return 0;
	if (p->scopes != 0) {
		key.file = scopes[p->scopes - 1].file;
		key.line = scopes[p->scopes - 1].line;
	}
	add_to_function(w, p->function, false);
	ret = add_code_time(w, &key);
	key.kind = CODE_TIME_ADDRESS;
	key.address = p->address;
	if (p->scopes != 0) {
		key.inner_file = scopes[0].file;
		key.inner_line = scopes[0].line;
	}
	return ret != 0 ? ret : add_code_time(w, &key);
}

static int
add_stack_place(struct code_times_work *w, const struct stack_place *p)
{
	int ret = 0;

	for (uint32_t i = 0; i + 1 < p->scopes && ret == 0; i++)
		ret = add_inlined_line(w, &w->model->scopes[p->scope + i]);
	return ret != 0 ? ret : add_compiled_line(w, p);
}

/*
 * Adds the row in work: the place itself, then its callers.  Returns 0 or
 * -ENOMEM.
 */
static int
add_row_times(struct code_times_work *w)
{
	const struct model_row *r = w->row;
	struct stack_place p = { r->function, r->scope, r->scopes,
		model_lookup_address(r) };
	int ret;

	w->self = true;
	ret = add_stack_place(w, &p);
	w->self = false;
	for (uint32_t f = r->stack; f != 0 && ret == 0;
	    f = w->model->stacks.frames[f].caller) {
		const struct stack_frame *s = &w->model->stacks.frames[f];

		p = (struct stack_place) { s->function, s->scope, s->scopes,
			s->address - (s->kind == FORMAT_FRAME &&
			s->address != 0) };
		ret = add_stack_place(w, &p);
	}
	return ret;
}

static int
compare_code_times(const void *left, const void *right)
{
	const struct code_time *a = left, *b = right;
	int d = compare_u64(a->function, b->function);

	if (d == 0)
		d = compare_u64(a->kind, b->kind);
	if (d == 0)
		d = compare_u64(a->file, b->file);
	if (d == 0)
		d = compare_u64(a->line, b->line);
	return d != 0 ? d : compare_u64(a->address, b->address);
}

int
code_times_make(struct code_times *t, const struct model *m,
    const bool *wanted)
{
	struct code_times_work w = {
		.times = t, .model = m, .wanted = wanted,
	};
	int ret = 0;

	memset(t, 0, sizeof(*t));
	t->functions = calloc(m->function_count + 1, sizeof(*t->functions));
	if (t->functions == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < m->row_count && ret == 0; i++) {
		w.row = &m->rows[i];
		w.stamp = i + 1;
		if (model_is_caller(w.row->kind) || !model_is_cpu(w.row->kind))
			continue;
		t->all_ns += w.row->ns;
		if (w.row->ns != 0)
			ret = add_row_times(&w);
	}
	hash_index_free(&t->by_place);
	if (t->count > 1)
		qsort(t->all, t->count, sizeof(*t->all), compare_code_times);
	return ret;
}

void
code_times_free(struct code_times *t)
{
	free(t->all);
	free(t->functions);
	hash_index_free(&t->by_place);
	memset(t, 0, sizeof(*t));
}

static bool
is_before(const struct code_time *t, uint32_t function,
    enum code_time_kind kind)
{
	return t->function != function ? t->function < function :
	    t->kind < kind;
}

size_t
code_times_find(const struct code_times *t, uint32_t function,
    enum code_time_kind kind, size_t *count)
{
	size_t low = 0, high = t->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_before(&t->all[middle], function, kind))
			low = middle + 1;
		else
			high = middle;
	}
	for (*count = 0; low + *count < t->count &&
	    t->all[low + *count].function == function &&
	    t->all[low + *count].kind == kind; ++*count)
		;
	return low;
}
