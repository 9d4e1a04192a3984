/*
 * Context: O.  Sends one command to many processes at once, for prof --control,
 * the prof device and libmontell; see control_session.h.
 */
#include "control_session.h"

#include "defaults_file.h"
#include "load.h"
#include "profile_dump.h"
#include "profile_reset.h"
#include "target_profile.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define PATIENCE_MS	100	/* for the slowest answer */
/* a running thread has had a tick by then */
#define KICK_MS		5

void
control_session_report(struct control_session *c, struct fault *f,
    const char *path)
{
	if (f->file == NULL)
		f->file = path;
	c->fault(c->arg, f);
	c->result = -ESRCH;
}

/*
 * Returns whether an error says that the process has ended, that it has removed
 * its file meanwhile, or that the file is no profile.
 */
static bool
is_not_running_error(int error)
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
is_same_process(const struct control_target *a, const struct control_target *b)
{
	return a->ask.header->pid == b->ask.header->pid &&
	    a->ask.header->start_ticks == b->ask.header->start_ticks;
}

static bool
has_duplicate_target(const struct control_session *c, size_t i)
{
	for (size_t k = 0; k < c->count; k++)
		if (k != i && is_same_process(&c->targets[k], &c->targets[i]))
			return true;
	return false;
}

/*
 * Drops the copies of profiles.  A file that was copied by cp(1) names the same
 * process as the original, but no process reads orders in it.  /proc/PID/maps
 * is read only for processes that have two files.
 */
static void
drop_copied_profiles(struct control_session *c)
{
	for (size_t i = 0; i < c->count;) {
		struct control_client *a = &c->targets[i].ask;

		if (!has_duplicate_target(c, i) ||
		    !target_profile_is_copy(a->header->pid, a->fd)) {
			i++;
			continue;
		}
		control_client_close(a);
		c->count--;
		memmove(&c->targets[i], &c->targets[i + 1],
		    (c->count - i) * sizeof(c->targets[i]));
	}
}

/*
 * Opens a target like control_client_open(), but refuses a copy that the user
 * named.
 */
static int
open_target(struct control_client *a, const struct input_file *file,
    struct fault *f)
{
	int ret = control_client_open(a, file->path, f);

	if (ret != 0 || !file->named ||
	    !target_profile_is_copy(a->header->pid, a->fd))
		return ret;
	control_client_close(a);
	fault_set(f, "is a copy of a profile", FAULT_NO_OFFSET, 0);
	f->remedy = "name the profile, or the process";
	return -ESRCH;
}

/*
 * Opens the targets.  In a directory only the profiles of living processes
 * count.  Reports each process that cannot be controlled.
 */
static void
open_targets(struct control_session *c)
{
	for (size_t i = 0; i < c->in.count; i++) {
		const struct input_file *file = &c->in.files[i];
		struct control_target *t = &c->targets[c->count];
		struct fault f = { 0 };
		int ret;

		if (c->follows_not && !file->named && is_link(file->path))
			continue;
		t->path = file->path;
		ret = open_target(&t->ask, file, &f);
		if (ret == 0)
			c->count++;
		else if (file->named || !is_not_running_error(ret))
			control_session_report(c, &f, file->path);
	}
}

/*
 * Finds and opens the targets.  Returns 0, or -ENOMEM with nothing open; faults
 * of single files are reported.
 */
static int
open_control_session(struct control_session *c, const char *who)
{
	struct fault f = { 0 };

	if (target_profile_find(&c->in, who, &f) != 0)
		control_session_report(c, &f, who);
	c->targets = calloc(c->in.count + 1, sizeof(*c->targets));
	if (c->targets == NULL) {
		control_session_close(c);
		return -ENOMEM;
	}
	open_targets(c);
	drop_copied_profiles(c);
	return 0;
}

void
control_session_close(struct control_session *c)
{
	for (size_t i = 0; i < c->count; i++)
		control_client_close(&c->targets[i].ask);
	free(c->targets);
	c->targets = NULL;
	c->count = 0;
	input_free(&c->in);
}

/* Sends the order to all targets; marks those that have got it. */
static void
send_to_targets(struct control_session *c, const struct control_command *o)
{
	for (size_t i = 0; i < c->count; i++) {
		struct control_target *t = &c->targets[i];
		struct fault f = { 0 };

		if ((o->anew && profile_reset_fits(&t->ask, t->path,
		    &f) != 0) || control_client_send(&t->ask, &o->change,
		    &f) != 0)
			control_session_report(c, &f, t->path);
		else
			t->asked = true;
	}
}

static bool
is_answer_pending(const struct control_target *t)
{
	return t->asked && !t->asleep && !control_client_answered(&t->ask);
}

static bool
all_answered(const struct control_session *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (is_answer_pending(&c->targets[i]))
			return false;
	return true;
}

static void
kick_targets(struct control_session *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (is_answer_pending(&c->targets[i]))
			control_client_kick(&c->targets[i].ask);
}

static void
find_sleeping_targets(struct control_session *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (is_answer_pending(&c->targets[i]))
			c->targets[i].asleep =
			    control_client_is_asleep(&c->targets[i].ask);
}

/*
 * Waits for the answers, and kicks processes that have none after KICK_MS.
 * Stores what is known of each at the end.
 */
static void
await_answers(struct control_session *c)
{
	const struct timespec a_while = { .tv_nsec = 1000000 };

	for (int ms = 0; ms < PATIENCE_MS && !all_answered(c); ms++) {
		if (ms == KICK_MS)
			kick_targets(c);
		if (ms == 2 * KICK_MS || ms == 4 * KICK_MS)
			find_sleeping_targets(c);
		nanosleep(&a_while, NULL);
	}
	for (size_t i = 0; i < c->count; i++)
		c->targets[i].answer =
		    control_client_answer(&c->targets[i].ask);
}

/*
 * Copies the profile of a target to the file `copy`, or into the directory
 * `copy` under its own name.
 */
static int
dump_target(const struct control_target *t, const char *copy, struct fault *f)
{
	char to[PATH_MAX];
	const char *slash = strrchr(t->path, '/');
	const char *name = slash != NULL ? slash + 1 : t->path;
	const bool into = target_profile_is_directory(copy);

	if (snprintf(to, sizeof(to), "%s%s%s", copy, into ? "/" : "",
	    into ? name : "") >= (int)sizeof(to))
		return fault_set(f, "the name of its copy is too long",
		    FAULT_NO_OFFSET, 0);
	return profile_dump(t->path, to, f);
}

static bool
check_dump_directory(struct control_session *c, const char *copy)
{
	struct fault f = { 0 };

	if (c->count <= 1 || target_profile_is_directory(copy))
		return true;
	fault_set(&f, "is not a directory: several profiles cannot be copied "
	    "there", FAULT_NO_OFFSET, 0);
	control_session_report(c, &f, copy);
	return false;
}

/*
 * Does the tool's own part of the command after the process has taken it: the
 * copy, or the new base.
 */
static void
finish_targets(struct control_session *c, const struct control_command *o)
{
	const bool copies = o->copy != NULL &&
	    check_dump_directory(c, o->copy);

	for (size_t i = 0; i < c->count; i++) {
		struct control_target *t = &c->targets[i];
		struct fault f = { 0 };
		int ret = 0;

		if (!t->asked || !control_target_accepted(t))
			continue;
		if (copies)
			ret = dump_target(t, o->copy, &f);
		else if (o->anew)
			ret = profile_reset_write(&t->ask, t->path, &f);
		if (ret != 0)
			control_session_report(c, &f, t->path);
		t->asked = ret == 0 && copies == (o->copy != NULL);
	}
}

/*
 * Updates the defaults of the directory.  This comes before the search for
 * living processes: a process that is not found by then starts later and reads
 * the new defaults.
 */
static void
update_defaults(struct control_session *c, const struct control_command *o)
{
	struct fault f = { 0 };
	int ret = 0;

	if (o->anew)
		ret = defaults_file_remove(c->directory, &f);
	else if (o->change.state || o->change.rate || o->change.what ||
	    o->change.more != 0 || o->change.watch != NULL)
		ret = defaults_file_merge(c->directory, &o->change, &f);
	if (ret == 0)
		ret = defaults_file_read(c->directory, &c->standing, &f);
	if (ret != 0)
		control_session_report(c, &f, c->directory);
}

/*
 * Reports that no process was found, unless defaults for later processes were
 * the purpose.
 */
static void
report_no_target(struct control_session *c, const char *who,
    const struct control_command *o)
{
	struct fault f = { 0 };

	if (c->count != 0 || c->result != 0 || c->standing.what != 0 ||
	    (c->directory != NULL && o->anew))
		return;
	fault_set(&f, "none of its processes runs", FAULT_NO_OFFSET, 0);
	control_session_report(c, &f, who);
}

int
control_session_run(struct control_session *c, const char *who,
    const struct control_command *o)
{
	int ret;

	c->directory = target_profile_is_directory(who) ? who : NULL;
	if (c->directory != NULL)
		update_defaults(c, o);
	ret = open_control_session(c, who);
	if (ret != 0)
		return ret;
	report_no_target(c, who, o);
	if (o->status_only)
		return 0;
	send_to_targets(c, o);
	await_answers(c);
	finish_targets(c, o);
	return 0;
}
