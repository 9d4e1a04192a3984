/* Context: O.  Records of allocations in profiles made in memory. */
#include "build.h"

uint32_t
build_memory(struct build *b, uint64_t era, uint64_t peak)
{
	uint32_t index = build_take(b, sizeof(struct format_memory));

	*(struct format_memory *)build_at(b, index) = (struct format_memory){
		.era = era, .peak_bytes = peak,
	};
	build_header(b)->memory = index;
	return index;
}

/* The first makes room for all. */
void
build_point(struct build *b, uint64_t mono, uint64_t live, uint64_t resident)
{
	struct format_memory *m = build_at(b, build_header(b)->memory);
	struct format_heap_timeline *g;
	uint32_t i = 0;

	if (m->growth == 0) {
		i = build_take(b, sizeof(*g) + FORMAT_HEAP_POINTS *
		    sizeof(g->point[0]));
		m = build_at(b, build_header(b)->memory);
		m->growth = i;
		g = build_at(b, i);
		g->room = FORMAT_HEAP_POINTS;
	}
	g = build_at(b, m->growth);
	for (i = 0; i < FORMAT_HEAP_POINTS && g->point[i].mono != 0; i++)
		;
	g->point[i] = (struct format_heap_point){ mono, live, resident };
}

uint32_t
build_alloc_thread(struct build *b)
{
	uint32_t root = build_take(b, sizeof(struct format_node));
	uint32_t index = build_take(b, sizeof(struct format_alloc_thread));

	*(struct format_alloc_thread *)build_at(b, index) =
	    (struct format_alloc_thread){
		.next = build_header(b)->alloc_threads, .root = root,
	};
	build_header(b)->alloc_threads = index;
	return index;
}

uint32_t
build_alloc_thread_root(struct build *b, uint32_t thread)
{
	return ((struct format_alloc_thread *)build_at(b, thread))->root;
}

struct format_heap *
build_heap(struct build *b, uint32_t n, uint64_t blocks, uint64_t bytes)
{
	uint32_t index = build_node(b, n, FORMAT_HEAP, 0, 0, blocks, bytes);

	/* The rest of the record lies behind its node. */
	build_take(b, sizeof(struct format_heap) - sizeof(struct format_node));
	return build_at(b, index);
}
