/*
 * Context: O.  The tables of one thread of a Firefox profile: its functions,
 * frames, stacks, resources and texts, each of which has an entry once.
 * export_firefox.c fills them for a thread at a time, firefox_columns.c writes
 * them.
 */
#ifndef FIREFOX_TABLES_H
#define FIREFOX_TABLES_H

#include "base/key_table.h"
#include "base/string_pool.h"
#include "derive/sample_paths.h"

/* An entry of a thread's frame table. */
struct firefox_frame {
	/* Depth of inlining, 0: the compiled function */
	uint32_t site, depth;
	uint32_t function;	/* index into this thread's functions */
	uint32_t line;
};

/* An entry of a thread's stack table. */
struct firefox_stack {
	/* Index of the caller's stack + 1; 0: outermost */
	uint32_t prefix;
	uint32_t frame;
};

/* An entry of a thread's function table. */
struct firefox_function {
	uint32_t function, file, resource;
};

/* The tables.  All fields but `in` 0: they are empty. */
struct firefox_tables {
	struct sample_paths *in;
	struct string_pool strings;
	struct key_table function_keys;	/* a: function, b: file */
	struct firefox_function *functions;	/* by number of their keys */
	size_t function_room;
	struct key_table resources;	/* a: module */
	struct firefox_frame *frames;
	size_t frame_count, frame_room;
	struct hash_index by_frame;
	struct firefox_stack *stacks;
	size_t stack_count, stack_room;
	struct hash_index by_stack;
	uint32_t *ends;		/* by sample: index of its stack */
	size_t sample_count, sample_room;
	bool failed;		/* memory was out */
};

/*
 * Adds a sample with the stack of a row, whose functions, frames and resources
 * get entries.  Sets `failed` if memory is out.
 */
void firefox_tables_add_sample(struct firefox_tables *t, uint32_t row);

/*
 * Returns the number of a text, which must outlive the tables.  Sets `failed`
 * and returns UINT32_MAX if it is NULL or memory is out.
 */
uint32_t firefox_tables_string(struct firefox_tables *t, const char *text);

/* Empties the tables for another thread. */
void firefox_tables_clear(struct firefox_tables *t);
/* Frees the tables. */
void firefox_tables_free(struct firefox_tables *t);

#endif
