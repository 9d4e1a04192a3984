/* Context: O.  Profile files made in memory, for tests. */
#ifndef BUILD_H
#define BUILD_H

#include "format.h"

/*
 *	struct build b;
 *	build_init(&b);
 *	m = build_module(&b, "/bin/prog", 0x1000, 0x2000);
 *	t = build_thread(&b, 42, "main");
 *	n = build_node(&b, build_root(&b, t), FORMAT_USER, m, 0x1234, 3, 3000);
 *	build_seal(&b, FORMAT_END_EXIT, 0);
 *	... b.bytes, build_size(&b), or build_save(&b, path) ...
 *	build_fini(&b);
 *
 * Everything is a valid file after each call, and, unless sealed, a live one.
 * Pointers into it hold until the next call; indexes hold for good.  A test
 * that runs out of memory is aborted.
 */
struct build {
	unsigned char *bytes;
	size_t room;
};

#define BUILD_CAP (64u << 20)

/* A header of a plausible process: pid 4242, ticks of 4 ms. */
void build_init(struct build *b);
void build_fini(struct build *b);

struct format_header *build_header(struct build *b);

/* Makes the profile one of a process of this boot and of the pid namespace of
 * the test. */
void build_here(struct build *b);

size_t build_size(struct build *b);		/* bytes used */
void *build_at(struct build *b, uint32_t index);
struct format_module *build_module_at(struct build *b, uint32_t index);
struct format_thread *build_thread_at(struct build *b, uint32_t index);
struct format_node *build_node_at(struct build *b, uint32_t index);

/* Space of `bytes`, rounded up to units, all zero and linked from nowhere. */
uint32_t build_take(struct build *b, size_t bytes);

uint32_t build_text(struct build *b, const void *bytes, uint32_t length);
uint32_t build_string(struct build *b, const char *string);
uint32_t build_module(struct build *b, const char *path, uint64_t start,
    uint64_t end);
uint32_t build_thread(struct build *b, int tid, const char *name);
uint32_t build_root(struct build *b, uint32_t thread);

/* Adds the counts to the thread's ticks only by build_thread_at(). */
uint32_t build_node(struct build *b, uint32_t parent, enum format_kind kind,
    uint32_t module, uint64_t address, uint64_t count, uint64_t ns);

/*
 * The record of the process's heap; an alloc_thread, its root; a path's
 * counters below n.
 */
uint32_t build_memory(struct build *b, uint64_t era, uint64_t peak);
void build_point(struct build *b, uint64_t mono, uint64_t live,
    uint64_t resident);	/* where memory is the last record */
uint32_t build_alloc_thread(struct build *b);
uint32_t build_alloc_thread_root(struct build *b, uint32_t thread);
struct format_heap *build_heap(struct build *b, uint32_t n, uint64_t blocks,
    uint64_t bytes);

/* A block with room for so many arcs; each is added to the newest block. */
uint32_t build_arcs(struct build *b, uint32_t room);
void build_arc(struct build *b, uint32_t self_module, uint64_t self,
    uint32_t from_module, uint64_t from, uint64_t count);

/* Names of places, and what is inlined there. */
uint32_t build_names(struct build *b, uint32_t module,
    const struct format_place *places, uint32_t count,
    const struct format_scope *scopes, uint32_t scope_count);

/* A block of a thread's, with that many and room for as many more. */
uint32_t build_moments(struct build *b, uint32_t thread,
    const struct format_logged_tick *moments, uint32_t count);

/* Adds a baseline of these words; it replaces the one before. */
uint32_t build_base(struct build *b, const struct format_baseline *base,
    const struct format_baseline_word *words);

void build_loss(struct build *b, enum loss loss, uint64_t count);
void build_seal(struct build *b, enum format_end end, int exit_status);

/* 0 or -errno.  A live file is as long as its cap and sparse, as the writer
 * makes it; a sealed one is as long as what it uses. */
int build_save(struct build *b, const char *path);

#endif
