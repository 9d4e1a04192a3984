/* Context: O.  What a profile has counted; see words.h. */
#include "words.h"

#include <errno.h>
#include <stdlib.h>

static int
add(struct words *w, uint64_t at, uint64_t less)
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
	w->all[w->count++] = (struct format_base_word) { at, less };
	return 0;
}

#define WORD(record, type, field) \
	((uint64_t)(record) * FORMAT_UNIT + offsetof(struct type, field))

static int
add_header(struct words *w, const struct format_header *h)
{
	const uint64_t cost[] = {
		h->cost_ticks, h->cost_ns, h->ticks, h->first_ticks,
		h->first_ns,
	};
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < sizeof(cost) / sizeof(*cost); i++)
		ret = add(w, WORD(0, format_header, cost_ticks) +
		    i * sizeof(*cost), cost[i]);
	for (size_t i = 0; ret == 0 && i < LOSS_MAX; i++)
		ret = add(w, WORD(0, format_header, loss) +
		    i * sizeof(h->loss[0]), h->loss[i]);
	return ret;
}

/* Its CPU time in this image begins here. */
static int
add_thread(struct words *w, uint32_t index, const struct format_thread *t)
{
	int ret = add(w, WORD(index, format_thread, ticks), t->ticks);

	if (ret == 0)
		ret = add(w, WORD(index, format_thread, fine_ns), t->fine_ns);
	if (ret == 0 && t->cpu_ns > t->cpu_start_ns)
		ret = add(w, WORD(index, format_thread, cpu_start_ns),
		    t->cpu_start_ns - t->cpu_ns);
	return ret;
}

static int
on_node(void *arg, uint32_t index, const struct format_node *n)
{
	int ret = add(arg, WORD(index, format_node, count), n->count);

	return ret != 0 ? ret : add(arg, WORD(index, format_node, ns), n->ns);
}

static int
on_arc(void *arg, uint32_t index, const struct format_arc *a)
{
	return add(arg, WORD(index, format_arc, count), a->count);
}

int
words_collect(struct words *w, struct decode *d, struct fault *f)
{
	struct format_thread t;
	uint32_t index = 0;
	int ret = add_header(w, &d->header);

	while (ret == 0 && (ret = decode_thread(d, &index, &t, f)) == 1) {
		ret = add_thread(w, index, &t);
		if (ret == 0)
			ret = decode_tree(d, t.root, on_node, w, f);
	}
	if (ret == 0)
		ret = decode_arcs(d, on_arc, w, f);
	if (ret == -ENOMEM)
		fault_set(f, "no memory for what it has counted",
		    FAULT_NO_OFFSET, ENOMEM);
	return ret;
}

void
words_free(struct words *w)
{
	free(w->all);
}
