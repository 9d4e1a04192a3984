/*
 * Context: O.  Keeps track of what each process has mapped, for event_order.c,
 * in the thread of sampler_next(); see address_space.h.
 */
#include "process/address_space.h"

#include "process/address_space_proc.h"
#include "base/compare.h"
#include "base/maps_path.h"
#include "ring/perf_buffer.h"
#include "process/perf_unwind_state.h"
#include "base/vector.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/*
 * How long a process or thread that has ended is kept: its samples from other
 * processors may still come.
 */
#define KEPT_NS		2000000000u
#define KEPT_MOST	1024u	/* this many: look for some to drop */
#define KEPT_THREADS	256u

void
address_spaces_init(struct address_spaces *s)
{
	*s = (struct address_spaces) { 0 };
}

/* Forgets all of a process but its pid. */
static void
clear_space(struct address_space *own)
{
	perf_unwind_state_free(own->unwinder);
	free(own->maps);
	free(own->threads);
	*own = (struct address_space) { .pid = own->pid };
}

void
address_spaces_free(struct address_spaces *s)
{
	for (size_t i = 0; i < s->count; i++) {
		clear_space(s->all[i]);
		free(s->all[i]);
	}
	free(s->all);
	hash_index_free(&s->by_pid);
	code_files_free(&s->libraries);
	*s = (struct address_spaces) { 0 };
}

/* Returns a process; NULL if nothing is known of it. */
static struct address_space *
find_space_by_pid(const struct address_spaces *s, int32_t pid)
{
	const uint32_t hash = hash_index_hash((uint32_t)pid);
	uint32_t n;

	for (size_t at = hash; (n = hash_index_next(&s->by_pid, hash, &at)) !=
	    HASH_INDEX_NONE;)
		if (s->all[n]->pid == pid)
			return s->all[n];
	return NULL;
}

/*
 * Returns a process; adds an unused one if nothing is known of it.  Returns
 * NULL, with s->out_of_memory set, without memory.
 */
static struct address_space *
place_of(struct address_spaces *s, int32_t pid)
{
	struct address_space *own = find_space_by_pid(s, pid);

	if (own != NULL)
		return own;
	own = calloc(1, sizeof(*own));
	if (own == NULL || vector_grow(&s->all, s->count, &s->room,
	    sizeof(own)) != 0 || hash_index_add(&s->by_pid,
	    hash_index_hash((uint32_t)pid), (uint32_t)s->count) != 0) {
		free(own);
		s->out_of_memory = true;
		return NULL;
	}
	own->pid = pid;
	s->all[s->count++] = own;
	return own;
}

struct address_space *
address_spaces_get(struct address_spaces *s, int32_t pid)
{
	struct address_space *own = place_of(s, pid);

	if (own == NULL || own->used)
		return own;
	own->used = true;
	own->since = perf_buffer_now();
	address_space_proc_read(s, own);
	own->loaded = true;
	return own;
}

const char *
address_space_program(const struct address_space *own)
{
	return own->pid == 0 ? "[idle]" : own->pid > 0 && own->named ?
	    own->program : "[gone]";
}

/*
 * Records a mapping.  The ring entry has the plain path, while /proc/PID/maps,
 * and so a profile, has it escaped.  It is escaped here, so that one file is
 * not taken for two.
 */
static void
note_mapping(struct address_spaces *s, const struct perf_record *k)
{
	char path[PATH_MAX];
	struct tprof_module id = {
		.build_id_bytes = k->build_id_bytes, .device = k->device,
		.inode = k->inode,
		.path = maps_path_escape(path, sizeof(path), k->text) ? path :
		    k->text,
	};
	struct address_mapping m = {
		.start = k->start, .end = k->start + k->length,
		.offset = k->offset,
	};
	struct address_space *own = k->executable && k->pid > 0 &&
	    m.end > m.start ? address_spaces_get(s, k->pid) : NULL;

	if (own == NULL)
		return;
	id.path_bytes = (uint32_t)strlen(id.path);
	memcpy(id.build_id, k->build_id, k->build_id_bytes);
	m.library = code_files_find(&s->libraries, &id);
	if (m.library == UINT32_MAX)
		s->out_of_memory = true;
	else
		address_space_add(s, own, &m);
}

static void
set_name(char *to, const char *from)
{
	/* `to` and `from` may be equal */
	char name[ADDRESS_SPACE_NAME] = "";

	memcpy(name, from, strnlen(from, ADDRESS_SPACE_NAME - 1));
	memcpy(to, name, ADDRESS_SPACE_NAME);
}

/*
 * Records the name of a thread; the first thread's is also that of the process.
 */
static void
note_name(struct address_spaces *s, const struct perf_record *k)
{
	struct address_space *own = k->pid > 0 ? address_spaces_get(s, k->pid) :
	    NULL;
	struct address_space_thread *t;

	if (own == NULL)
		return;
	if ((k->misc & PERF_RECORD_MISC_COMM_EXEC) != 0) {
		const struct address_space was = *own;

		clear_space(own);
		own->used = own->loaded = true;
		own->since = k->time;
		own->uid = was.uid;
		own->birth = was.birth;
	}
	t = address_space_add_thread(own, k->tid);
	if (t == NULL) {
		s->out_of_memory = true;
		return;
	}
	set_name(t->name, k->text);
	t->reported = 0;
	if (k->pid == k->tid) {
		set_name(own->program, k->text);
		own->named = true;
		own->reported = 0;
	}
}

/*
 * Copies the mappings to a process that has none.  Returns false without
 * memory.
 */
static bool
copy_maps(struct address_space *to, const struct address_space *from)
{
	const size_t bytes = from->map_count * sizeof(*from->maps);

	to->maps = bytes == 0 ? NULL : malloc(bytes);
	if (bytes != 0 && to->maps == NULL)
		return false;
	if (bytes != 0)
		memcpy(to->maps, from->maps, bytes);
	to->map_count = to->map_room = from->map_count;
	return true;
}

/*
 * Names a new thread.  It has the name of the thread that made it until a ring
 * entry gives another.
 */
static void
name_thread(struct address_spaces *s, struct address_space *own, int32_t tid,
    const char *name)
{
	struct address_space_thread *t = address_space_add_thread(own, tid);

	if (t == NULL) {
		s->out_of_memory = true;
		return;
	}
	if (strcmp(t->name, name) != 0)
		t->reported = 0;
	set_name(t->name, name);
}

/* Records a thread that a known thread has started. */
static void
note_new_thread(struct address_spaces *s, const struct perf_record *k)
{
	struct address_space *own = find_space_by_pid(s, k->pid);
	const struct address_space_thread *maker = own == NULL || !own->used ?
	    NULL : address_space_get_thread(own, k->ptid);
	char name[ADDRESS_SPACE_NAME];

	if (maker == NULL)
		return;
	memcpy(name, maker->name, sizeof(name));
	name_thread(s, own, k->tid, name);
}

/*
 * Records a process that was forked: it has the mappings and the name of its
 * parent.
 */
static void
note_new_process(struct address_spaces *s, const struct perf_record *k)
{
	struct address_space *from = address_spaces_get(s, k->ppid), *own =
	    place_of(s, k->pid);
	const struct address_space_thread *maker;

	if (own == NULL || from == NULL)
		return;
	/* /proc was read for the process after this fork and is newer. */
	if (own->used && !own->ended && own->since > k->time)
		return;
	maker = address_space_get_thread(from, k->ptid);
	clear_space(own);
	own->used = own->loaded = true;
	own->since = k->time;
	own->uid = from->uid;
	own->birth = s->real + k->time;
	set_name(own->program, maker == NULL || *maker->name == '\0' ?
	    from->program : maker->name);
	own->named = from->named;
	name_thread(s, own, k->tid, own->program);
	if (!copy_maps(own, from))
		s->out_of_memory = true;
}

static void
note_fork(struct address_spaces *s, const struct perf_record *k)
{
	if (k->pid <= 0)
		return;
	if (k->pid == k->ppid)
		note_new_thread(s, k);
	else
		note_new_process(s, k);
}

/*
 * Returns whether a process has ended.  Its first thread may end before the
 * others: then the process still runs.
 */
static bool
is_over(struct address_space *own, uint64_t now)
{
	if (!own->ended || now < own->since + KEPT_NS)
		return false;
	own->ended = !address_space_proc_alive(own->pid);
	return own->ended;
}

/* Drops the processes that ended some time ago.  now: CLOCK_MONOTONIC, ns. */
static void
sweep_ended_spaces(struct address_spaces *s, uint64_t now)
{
	size_t kept = 0;

	hash_index_free(&s->by_pid);
	for (size_t i = 0; i < s->count; i++) {
		struct address_space *own = s->all[i];

		if (is_over(own, now)) {
			clear_space(own);
			free(own);
			continue;
		}
		if (hash_index_add(&s->by_pid,
		    hash_index_hash((uint32_t)own->pid), (uint32_t)kept) != 0)
			s->out_of_memory = true;
		s->all[kept++] = own;
	}
	s->count = kept;
	s->ended = 0;
	s->swept = now;
}

/*
 * Notes the end of a thread, and now and then drops those that ended long ago.
 */
static void
end_thread(struct address_space *own, const struct perf_record *k)
{
	struct address_space_thread *t = address_space_find_thread(own, k->tid);

	if (t == NULL || t->ended != 0)
		return;
	t->ended = k->time;
	if (++own->threads_ended % KEPT_THREADS == 0 && k->time > KEPT_NS)
		address_space_drop_threads(own, k->time - KEPT_NS);
}

/* Records the end of a thread, or of a process if it is the first thread. */
static void
note_exit(struct address_spaces *s, const struct perf_record *k)
{
	struct address_space *own = k->pid > 0 ? find_space_by_pid(s, k->pid) :
	    NULL;

	if (own == NULL || !own->used || own->ended)
		return;
	if (k->pid != k->tid) {
		end_thread(own, k);
		return;
	}
	own->ended = true;
	own->since = k->time;
	/* Frees 26 KiB.  A late sample makes another unwinder. */
	perf_unwind_state_free(own->unwinder);
	own->unwinder = NULL;
	if (++s->ended >= KEPT_MOST || k->time > s->swept + KEPT_NS)
		sweep_ended_spaces(s, k->time);
}

void
address_spaces_update(struct address_spaces *s, const struct perf_record *k)
{
	switch (k->type) {
	case PERF_RECORD_MMAP2:
		note_mapping(s, k);
		break;
	case PERF_RECORD_COMM:
		note_name(s, k);
		break;
	case PERF_RECORD_FORK:
		note_fork(s, k);
		break;
	case PERF_RECORD_EXIT:
		note_exit(s, k);
		break;
	}
}
