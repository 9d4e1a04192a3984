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

/* What ended is kept so long: samples of other processors may still come. */
#define KEPT_NS		2000000000u
#define KEPT_MOST	1024u	/* then it is looked whether some may go */
#define KEPT_THREADS	256u

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

/* NULL: nothing is known of it. */
static struct space *
find(const struct spaces *s, int32_t pid)
{
	const uint32_t hash = finder_hash((uint32_t)pid);
	uint32_t n;

	for (size_t at = hash; (n = finder_next(&s->by_pid, hash, &at)) !=
	    FINDER_NONE;)
		if (s->all[n]->pid == pid)
			return s->all[n];
	return NULL;
}

static struct space *
place_of(struct spaces *s, int32_t pid)
{
	struct space *own = find(s, pid);

	if (own != NULL)
		return own;
	own = calloc(1, sizeof(*own));
	if (own == NULL || grow(&s->all, s->count, &s->room,
	    sizeof(own)) != 0 || finder_add(&s->by_pid,
	    finder_hash((uint32_t)pid), (uint32_t)s->count) != 0) {
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

/*
 * A record has the path as it is, and /proc/PID/maps, also in a profile, as
 * that shows it: one file must not be two.
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
	char name[SPACE_NAME] = "";	/* they can be one */

	memcpy(name, from, strnlen(from, SPACE_NAME - 1));
	memcpy(to, name, SPACE_NAME);
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
	t = space_add_thread(own, k->tid);
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

/* It has its maker's name until it is told another. */
static void
name_thread(struct spaces *s, struct space *own, int32_t tid,
    const char *name)
{
	struct thread_name *t = space_add_thread(own, tid);

	if (t == NULL) {
		s->out_of_memory = true;
		return;
	}
	if (strcmp(t->name, name) != 0)
		t->told = 0;
	set_name(t->name, name);
}

static void
note_new_thread(struct spaces *s, const struct krecord *k)
{
	struct space *own = find(s, k->pid);
	const struct thread_name *maker = own == NULL || !own->used ? NULL :
	    space_thread(own, k->ptid);
	char name[SPACE_NAME];

	if (maker == NULL)
		return;
	memcpy(name, maker->name, sizeof(name));
	name_thread(s, own, k->tid, name);
}

static void
note_new_process(struct spaces *s, const struct krecord *k)
{
	struct space *from = spaces_of(s, k->ppid), *own = place_of(s, k->pid);
	const struct thread_name *maker;

	if (own == NULL || from == NULL)
		return;
	/* /proc was read for it after this: that is newer. */
	if (own->used && !own->ended && own->since > k->time)
		return;
	maker = space_thread(from, k->ptid);
	space_clear(own);
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
note_fork(struct spaces *s, const struct krecord *k)
{
	if (k->pid <= 0)
		return;
	if (k->pid == k->ppid)
		note_new_thread(s, k);
	else
		note_new_process(s, k);
}

/* Its first thread can end before the others do: that is no end. */
static bool
is_over(struct space *own, uint64_t now)
{
	if (!own->ended || now < own->since + KEPT_NS)
		return false;
	own->ended = !spaceproc_lives(own->pid);
	return own->ended;
}

static void
sweep(struct spaces *s, uint64_t now)
{
	size_t kept = 0;

	finder_free(&s->by_pid);
	for (size_t i = 0; i < s->count; i++) {
		struct space *own = s->all[i];

		if (is_over(own, now)) {
			space_clear(own);
			free(own);
			continue;
		}
		if (finder_add(&s->by_pid, finder_hash((uint32_t)own->pid),
		    (uint32_t)kept) != 0)
			s->out_of_memory = true;
		s->all[kept++] = own;
	}
	s->count = kept;
	s->ended = 0;
	s->swept = now;
}

static void
end_thread(struct space *own, const struct krecord *k)
{
	struct thread_name *t = space_find_thread(own, k->tid);

	if (t == NULL || t->ended != 0)
		return;
	t->ended = k->time;
	if (++own->threads_ended % KEPT_THREADS == 0 && k->time > KEPT_NS)
		space_forget_threads(own, k->time - KEPT_NS);
}

static void
note_exit(struct spaces *s, const struct krecord *k)
{
	struct space *own = k->pid > 0 ? find(s, k->pid) : NULL;

	if (own == NULL || !own->used || own->ended)
		return;
	if (k->pid != k->tid) {
		end_thread(own, k);
		return;
	}
	own->ended = true;
	own->since = k->time;
	/* 26 KiB; who is late makes another. */
	unwind_free(own->unwinder);
	own->unwinder = NULL;
	if (++s->ended >= KEPT_MOST || k->time > s->swept + KEPT_NS)
		sweep(s, k->time);
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
