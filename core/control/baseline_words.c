/*
 * Context: O.  Collects what a profile has counted, from a copy of it, for
 * profile_reset.c (`prof --control ... end`); see baseline_words.h.
 */
#include "baseline_words.h"

#include "decode/decode_heap.h"

#include <errno.h>
#include <stdlib.h>

/* Adds a word unless it subtracts 0.  Returns 0 or -ENOMEM. */
static int
add_baseline_word(struct baseline_words *w, uint64_t at, uint64_t less)
{
	void *more;

	if (less == 0)
		return 0;
	if (w->count == w->room) {
		w->room = w->room == 0 ? 1024 : 2 * w->room;
		more = realloc(w->all, w->room * sizeof(*w->all));
		if (more == NULL)
			return -ENOMEM;
		w->all = more;
	}
	w->all[w->count++] = (struct format_baseline_word) { at, less };
	return 0;
}

static int
add_baseline_words(struct baseline_words *w,
    const struct format_baseline_word *off, size_t n)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < n; i++)
		ret = add_baseline_word(w, off[i].at, off[i].less);
	return ret;
}

#define WORD(record, type, field) \
	((uint64_t)(record) * FORMAT_UNIT + offsetof(struct type, field))

static int
add_header_words(struct baseline_words *w, const struct format_header *h)
{
#define COUNTER(field) { WORD(0, format_header, field), h->field }
	const struct format_baseline_word counters[] = {
		COUNTER(cost_ticks), COUNTER(cost_ns), COUNTER(ticks),
		COUNTER(first_ticks), COUNTER(first_ns), COUNTER(sample_ns),
		COUNTER(sample_squares), COUNTER(kernel_ns),
		COUNTER(coarse_ns),
	};
#undef COUNTER
	int ret = add_baseline_words(w, counters,
	    sizeof(counters) / sizeof(counters[0]));

	for (size_t i = 0; ret == 0 && i < LOSS_MAX; i++)
		ret = add_baseline_word(w, WORD(0, format_header, loss) +
		    i * sizeof(h->loss[0]), h->loss[i]);
	return ret;
}

/*
 * Adds the words of a thread.  The thread's CPU time in this image begins at
 * the present value: cpu_start_ns grows to cpu_ns.
 */
static int
add_thread_words(struct baseline_words *w, uint32_t index,
    const struct format_thread *t)
{
	int ret = add_baseline_word(w, WORD(index, format_thread, ticks),
	    t->ticks);

	if (ret == 0)
		ret = add_baseline_word(w, WORD(index, format_thread, fine_ns),
		    t->fine_ns);
	if (ret == 0 && t->cpu_ns > t->cpu_start_ns)
		ret = add_baseline_word(w, WORD(index, format_thread,
		    cpu_start_ns), t->cpu_start_ns - t->cpu_ns);
	return ret;
}

static int
add_node_words(void *arg, uint32_t index, const struct format_node *n)
{
	int ret = add_baseline_word(arg, WORD(index, format_node, count),
	    n->count);

	return ret != 0 ? ret : add_baseline_word(arg, WORD(index, format_node,
	    ns), n->ns);
}

static int
add_arc_word(void *arg, uint32_t index, const struct format_arc *a)
{
	return add_baseline_word(arg, WORD(index, format_arc, count), a->count);
}

/*
 * Adds the words of an allocation path.  All blocks that were given out and all
 * that were freed are subtracted.  The process has forgotten its live blocks
 * and counts the end of none of them.  So the number of bytes that are live now
 * stays part of the process's own peak figures, and is subtracted from these.
 * `samples` is the upper half of the word that it shares with `alloc_thread`.
 */
static int
add_heap_words(void *arg, uint32_t index, const struct format_node *n)
{
	struct baseline_words *w = arg;
	struct format_heap h;

	if (!format_has_heap(n->kind))
		return 0;
	decode_heap(w->file, index, &h);
	const uint64_t live = h.node.ns - h.freed_bytes - h.taken_bytes;
	const struct format_baseline_word off[] = {
		{ WORD(index, format_heap, node.ns), h.node.ns },
		{ WORD(index, format_heap, node.count), h.node.count },
		{ WORD(index, format_heap, freed_bytes), h.freed_bytes },
		{ WORD(index, format_heap, freed_blocks), h.freed_blocks },
		{ WORD(index, format_heap, taken_bytes), h.taken_bytes },
		{ WORD(index, format_heap, taken_blocks), h.taken_blocks },
		{ WORD(index, format_heap, temporary_blocks),
		  h.temporary_blocks },
		{ WORD(index, format_heap, resized_blocks), h.resized_blocks },
		{ WORD(index, format_heap, peak_bytes), live },
		{ WORD(index, format_heap, high_bytes), live },
		{ WORD(index, format_heap, alloc_thread),
		  (uint64_t)h.samples << 32 },
	};
	return add_baseline_words(w, off, sizeof(off) / sizeof(off[0]));
}

/* Adds the words of an allocation thread record, but not of its paths. */
static int
add_alloc_thread_words(struct baseline_words *w, uint32_t index,
    const struct format_alloc_thread *l)
{
	const struct format_baseline_word off[] = {
		{ WORD(index, format_alloc_thread, unknown_frees),
		    l->unknown_frees },
		{ WORD(index, format_alloc_thread, missed_ends),
		    l->missed_ends },
	};
	int ret = add_baseline_words(w, off, sizeof(off) / sizeof(off[0]));

	for (uint32_t i = 0; ret == 0 && i < FORMAT_SIZES; i++)
		ret = add_baseline_word(w, WORD(index, format_alloc_thread,
		    sizes) + i * sizeof(l->sizes[0]), l->sizes[i]);
	return ret;
}

/*
 * Adds the words of all allocation threads and their paths.  Returns 0, or
 * -errno with *f set unless memory is out.
 */
static int
add_all_alloc_threads(struct baseline_words *w, struct decode *d,
    struct fault *f)
{
	struct format_alloc_thread l;
	uint32_t index = 0;
	int ret;

	w->file = d;
	while ((ret = decode_alloc_thread(d, &index, &l, f)) == 1) {
		ret = add_alloc_thread_words(w, index, &l);
		if (ret == 0)
			ret = decode_tree(d, l.root, add_heap_words, w, f);
		if (ret != 0)
			break;
	}
	return ret;
}

int
baseline_words_collect(struct baseline_words *w, struct decode *d,
    struct fault *f)
{
	struct format_thread t;
	uint32_t index = 0;
	int ret = add_header_words(w, &d->header);

	while (ret == 0 && (ret = decode_thread(d, &index, &t, f)) == 1) {
		ret = add_thread_words(w, index, &t);
		if (ret == 0)
			ret = decode_tree(d, t.root, add_node_words, w, f);
	}
	if (ret == 0)
		ret = add_all_alloc_threads(w, d, f);
	if (ret == 0)
		ret = decode_arcs(d, add_arc_word, w, f);
	if (ret == -ENOMEM)
		fault_set(f, "no memory for its counters",
		    FAULT_NO_OFFSET, ENOMEM);
	return ret;
}

void
baseline_words_free(struct baseline_words *w)
{
	free(w->all);
}
