/* Context: O.  Telling many processes at once, and what each answered. */
#include "crowd.h"

#include "anew.h"
#include "load.h"
#include "standing.h"
#include "whom.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define PATIENCE_MS	100	/* of the slowest answer */
#define KICK_MS		5	/* who runs has had a tick by then */

void
crowd_complain(struct crowd *c, struct fault *f, const char *path)
{
	if (f->file == NULL)
		f->file = path;
	c->fault(c->arg, f);
	c->result = -ESRCH;
}

/* It has ended, took its file away meanwhile, or is no profile. */
static bool
is_over(int error)
{
	return error == -ESRCH || error == -ENOENT || error == LOAD_OTHER;
}

static bool
is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

static bool
is_same_process(const struct told *a, const struct told *b)
{
	return a->ask.header->pid == b->ask.header->pid &&
	    a->ask.header->start_ticks == b->ask.header->start_ticks;
}

static bool
has_twin(const struct crowd *c, size_t i)
{
	for (size_t k = 0; k < c->count; k++)
		if (k != i && is_same_process(&c->told[k], &c->told[i]))
			return true;
	return false;
}

/*
 * What somebody copied by cp(1) says as its profile does whose it is, and is
 * heard by nobody.  Maps are read of those alone that there are two of.
 */
static void
drop_copies(struct crowd *c)
{
	for (size_t i = 0; i < c->count;) {
		struct ask *a = &c->told[i].ask;

		if (!has_twin(c, i) || !whom_is_copy(a->header->pid, a->fd)) {
			i++;
			continue;
		}
		ask_close(a);
		c->count--;
		memmove(&c->told[i], &c->told[i + 1],
		    (c->count - i) * sizeof(c->told[i]));
	}
}

/* As ask_open(); of a copy that was named. */
static int
open_one(struct ask *a, const struct input_file *file, struct fault *f)
{
	int ret = ask_open(a, file->path, f);

	if (ret != 0 || !file->named ||
	    !whom_is_copy(a->header->pid, a->fd))
		return ret;
	ask_close(a);
	fault_set(f, "is a copy of a profile", FAULT_NO_OFFSET, 0);
	f->remedy = "name the profile, or the process";
	return -ESRCH;
}

/* Of a directory only those that live are meant; who cannot be told is said. */
static void
open_all(struct crowd *c)
{
	for (size_t i = 0; i < c->in.count; i++) {
		const struct input_file *file = &c->in.files[i];
		struct told *t = &c->told[c->count];
		struct fault f = { 0 };
		int ret;

		if (c->follows_not && !file->named && is_link(file->path))
			continue;
		t->path = file->path;
		ret = open_one(&t->ask, file, &f);
		if (ret == 0)
			c->count++;
		else if (file->named || !is_over(ret))
			crowd_complain(c, &f, file->path);
	}
}

static int
open_crowd(struct crowd *c, const char *who)
{
	struct fault f = { 0 };

	if (whom_find(&c->in, who, &f) != 0)
		crowd_complain(c, &f, who);
	c->told = calloc(c->in.count + 1, sizeof(*c->told));
	if (c->told == NULL) {
		crowd_close(c);
		return -ENOMEM;
	}
	open_all(c);
	drop_copies(c);
	return 0;
}

void
crowd_close(struct crowd *c)
{
	for (size_t i = 0; i < c->count; i++)
		ask_close(&c->told[i].ask);
	free(c->told);
	c->told = NULL;
	c->count = 0;
	input_free(&c->in);
}

static void
ask_all(struct crowd *c, const struct order *o)
{
	for (size_t i = 0; i < c->count; i++) {
		struct told *t = &c->told[i];
		struct fault f = { 0 };

		if ((o->anew && anew_fits(&t->ask, t->path, &f) != 0) ||
		    ask_for(&t->ask, &o->change, &f) != 0)
			crowd_complain(c, &f, t->path);
		else
			t->asked = true;
	}
}

static bool
is_awaited(const struct told *t)
{
	return t->asked && !t->asleep && !ask_answered(&t->ask);
}

static bool
all_answered(const struct crowd *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (is_awaited(&c->told[i]))
			return false;
	return true;
}

static void
kick_all(struct crowd *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (is_awaited(&c->told[i]))
			ask_kick(&c->told[i].ask);
}

static void
look_who_sleeps(struct crowd *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (is_awaited(&c->told[i]))
			c->told[i].asleep = ask_sleeps(&c->told[i].ask);
}

static void
await_answers(struct crowd *c)
{
	const struct timespec a_while = { .tv_nsec = 1000000 };

	for (int ms = 0; ms < PATIENCE_MS && !all_answered(c); ms++) {
		if (ms == KICK_MS)
			kick_all(c);
		if (ms == 2 * KICK_MS || ms == 4 * KICK_MS)
			look_who_sleeps(c);
		nanosleep(&a_while, NULL);
	}
	for (size_t i = 0; i < c->count; i++)
		c->told[i].answer = ask_answer(&c->told[i].ask);
}

/* Where its copy goes: the name that was given, or its own in a directory. */
static int
copy_one(const struct told *t, const char *copy, struct fault *f)
{
	char to[PATH_MAX];
	const char *slash = strrchr(t->path, '/');
	const char *name = slash != NULL ? slash + 1 : t->path;
	const bool into = whom_is_directory(copy);

	if (snprintf(to, sizeof(to), "%s%s%s", copy, into ? "/" : "",
	    into ? name : "") >= (int)sizeof(to))
		return fault_set(f, "the name of its copy is too long",
		    FAULT_NO_OFFSET, 0);
	return anew_dump(t->path, to, f);
}

static bool
has_room_for_copies(struct crowd *c, const char *copy)
{
	struct fault f = { 0 };

	if (c->count <= 1 || whom_is_directory(copy))
		return true;
	fault_set(&f, "is no directory: several profiles cannot be copied "
	    "there", FAULT_NO_OFFSET, 0);
	crowd_complain(c, &f, copy);
	return false;
}

/* What is done from here, once the process has heard of it. */
static void
do_rest(struct crowd *c, const struct order *o)
{
	const bool copies = o->copy != NULL &&
	    has_room_for_copies(c, o->copy);

	for (size_t i = 0; i < c->count; i++) {
		struct told *t = &c->told[i];
		struct fault f = { 0 };
		int ret = 0;

		if (!t->asked || !told_is_well(t))
			continue;
		if (copies)
			ret = copy_one(t, o->copy, &f);
		else if (o->anew)
			ret = anew_begin(&t->ask, t->path, &f);
		if (ret != 0)
			crowd_complain(c, &f, t->path);
		t->asked = ret == 0 && copies == (o->copy != NULL);
	}
}

/* Before it is looked who lives: who does not by then meets what stands. */
static void
tell_who_comes(struct crowd *c, const struct order *o)
{
	struct fault f = { 0 };
	int ret = 0;

	if (o->anew)
		ret = standing_end(c->directory, &f);
	else if (o->change.state || o->change.rate || o->change.what ||
	    o->change.more != 0 || o->change.watch != NULL)
		ret = standing_give(c->directory, &o->change, &f);
	if (ret == 0)
		ret = standing_read(c->directory, &c->standing, &f);
	if (ret != 0)
		crowd_complain(c, &f, c->directory);
}

/* Nobody is a fault, but where it was for who comes. */
static void
look_for_nobody(struct crowd *c, const char *who, const struct order *o)
{
	struct fault f = { 0 };

	if (c->count != 0 || c->result != 0 || c->standing.what != 0 ||
	    (c->directory != NULL && o->anew))
		return;
	fault_set(&f, "no process of it runs", FAULT_NO_OFFSET, 0);
	crowd_complain(c, &f, who);
}

int
crowd_tell(struct crowd *c, const char *who, const struct order *o)
{
	int ret;

	c->directory = whom_is_directory(who) ? who : NULL;
	if (c->directory != NULL)
		tell_who_comes(c, o);
	ret = open_crowd(c, who);
	if (ret != 0)
		return ret;
	look_for_nobody(c, who, o);
	if (o->status_only)
		return 0;
	ask_all(c, o);
	await_answers(c);
	do_rest(c, o);
	return 0;
}
