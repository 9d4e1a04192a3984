/* Context: O.  What each process has mapped, as the kernel tells it. */
#include "space.h"

#include "buffer.h"
#include "grow.h"
#include "order.h"
#include "spaceproc.h"
#include "spelling.h"
#include "unwind.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* An ended process is kept so long: of others its samples may still come. */
#define KEPT_NS		2000000000u
#define KEPT_MOST	1024u

void
spaces_init(struct spaces *s)
{
	*s = (struct spaces) { .all = NULL };
}

static void
space_clear(struct space *own)
{
	unwind_free(own->unwinder);
	free(own->maps);
	free(own->threads);
	*own = (struct space) { .pid = own->pid };
}

void
spaces_free(struct spaces *s)
{
	for (size_t i = 0; i < s->count; i++) {
		space_clear(s->all[i]);
		free(s->all[i]);
	}
	free(s->all);
	finder_free(&s->by_pid);
	libraries_free(&s->libraries);
	*s = (struct spaces) { .all = NULL };
}

/* One place a pid, for good: numbers come back. */
static struct space *
place_of(struct spaces *s, int32_t pid)
{
	const uint32_t hash = finder_hash((uint32_t)pid);
	struct space *own;
	uint32_t n;

	for (size_t at = hash; (n = finder_next(&s->by_pid, hash, &at)) !=
	    FINDER_NONE;)
		if (s->all[n]->pid == pid)
			return s->all[n];
	own = calloc(1, sizeof(*own));
	if (own == NULL || grow(&s->all, s->count, &s->room,
	    sizeof(own)) != 0 || finder_add(&s->by_pid, hash,
	    (uint32_t)s->count) != 0) {
		free(own);
		s->out_of_memory = true;
		return NULL;
	}
	own->pid = pid;
	s->all[s->count++] = own;
	return own;
}

struct space *
spaces_of(struct spaces *s, int32_t pid)
{
	struct space *own = place_of(s, pid);

	if (own == NULL || own->used)
		return own;
	own->used = true;
	own->since = buffer_now();
	spaceproc_read(s, own);
	own->loaded = true;
	return own;
}

const char *
space_program(const struct space *own)
{
	return own->pid == 0 ? "[idle]" : own->pid > 0 && own->named ?
	    own->program : "[gone]";
}

struct thread_name *
space_thread(struct space *own, int32_t tid)
{
	for (size_t i = own->thread_count; i-- > 0;)
		if (own->threads[i].tid == tid)
			return &own->threads[i];
	if (grow(&own->threads, own->thread_count, &own->thread_room,
	    sizeof(*own->threads)) != 0)
		return NULL;
	own->threads[own->thread_count] = (struct thread_name) { .tid = tid };
	spaceproc_thread(own->pid, tid,
	    own->threads[own->thread_count].name);
	return &own->threads[own->thread_count++];
}

/*
 * A record has the path as it is, and /proc/PID/maps, also in a profile, as that
 * shows it: one file must not be two.
 */
static void
note_mapping(struct spaces *s, const struct krecord *k)
{
	char path[PATH_MAX];
	struct tprof_module id = {
		.build_id_bytes = k->build_id_bytes, .device = k->device,
		.inode = k->inode,
		.path = spelling_show(path, sizeof(path), k->text) ? path :
		    k->text,
	};
	struct mapping m = {
		.start = k->start, .end = k->start + k->length,
		.offset = k->offset,
	};
	struct space *own = k->executable && k->pid > 0 && m.end > m.start ?
	    spaces_of(s, k->pid) : NULL;

	if (own == NULL)
		return;
	id.path_bytes = (uint32_t)strlen(id.path);
	memcpy(id.build_id, k->build_id, k->build_id_bytes);
	m.library = libraries_find(&s->libraries, &id);
	if (m.library == UINT32_MAX)
		s->out_of_memory = true;
	else
		space_add(s, own, &m);
}

static void
set_name(char *to, const char *from)
{
	memset(to, 0, SPACE_NAME);
	memcpy(to, from, strnlen(from, SPACE_NAME - 1));
}

/* The name of a thread; of the first one, that of the process as well. */
static void
note_name(struct spaces *s, const struct krecord *k)
{
	struct space *own = k->pid > 0 ? spaces_of(s, k->pid) : NULL;
	struct thread_name *t;

	if (own == NULL)
		return;
	if ((k->misc & PERF_RECORD_MISC_COMM_EXEC) != 0) {
		const struct space was = *own;

		space_clear(own);
		own->used = own->loaded = true;
		own->since = k->time;
		own->uid = was.uid;
		own->birth = was.birth;
	}
	t = space_thread(own, k->tid);
	if (t == NULL) {
		s->out_of_memory = true;
		return;
	}
	set_name(t->name, k->text);
	t->told = 0;
	if (k->pid == k->tid) {
		set_name(own->program, k->text);
		own->named = true;
		own->told = 0;
	}
}

static bool
copy_maps(struct space *to, const struct space *from)
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

static void
note_fork(struct spaces *s, const struct krecord *k)
{
	struct space *from, *own;

	if (k->pid == k->ppid || k->pid <= 0)
		return;
	from = spaces_of(s, k->ppid);
	own = place_of(s, k->pid);
	if (own == NULL || from == NULL)
		return;
	/* /proc was read for it after this: that is newer. */
	if (own->used && !own->ended && own->since > k->time)
		return;
	s->ended -= own->ended;
	space_clear(own);
	own->used = own->loaded = true;
	own->since = k->time;
	own->uid = from->uid;
	own->birth = s->real + k->time;
	memcpy(own->program, from->program, sizeof(own->program));
	own->named = from->named;
	if (!copy_maps(own, from))
		s->out_of_memory = true;
}

static void
drop_ended(struct spaces *s, uint64_t now)
{
	for (size_t i = 0; i < s->count; i++) {
		struct space *own = s->all[i];

		if (!own->ended || now - own->since < KEPT_NS)
			continue;
		space_clear(own);
		s->ended--;
	}
}

static void
note_exit(struct spaces *s, const struct krecord *k)
{
	struct space *own = k->pid == k->tid && k->pid > 0 ?
	    place_of(s, k->pid) : NULL;

	if (own == NULL || !own->used || own->ended)
		return;
	own->ended = true;
	own->since = k->time;
	if (++s->ended % KEPT_MOST == 0)
		drop_ended(s, k->time);
}

void
spaces_note(struct spaces *s, const struct krecord *k)
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
