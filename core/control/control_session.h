/*
 * Context: O.  Sends one command to many processes at once and collects the
 * answers, for prof --control, the prof device and libmontell.  A session
 * belongs to one thread; several sessions may run at once.
 */
#ifndef CONTROL_SESSION_H
#define CONTROL_SESSION_H

#include "control_command.h"
#include "control_target.h"
#include "input.h"

/* Reports a fault; f->file names the file, directory or process. */
typedef void control_session_on_fault(void *arg, const struct fault *f);

/* A command and the processes that it goes to. */
struct control_session {
	/*
	 * the targets, `count` of them: processes whose profiles could be
	 * opened; copies of profiles are left out
	 */
	struct control_target *targets;
	size_t count;
	/* called for each fault; the caller sets it */
	control_session_on_fault *fault;
	/* first argument of `fault`; the caller sets it */
	void *arg;
	/* 0; -ESRCH once `fault` was called, whatever the reason */
	int result;
	/* the directory that the command is for, or NULL */
	const char *directory;
	/* skip symbolic links in a directory; the caller sets it */
	bool follows_not;
	/* defaults of `directory`, for processes that start later */
	struct format_defaults standing;
	/* the profiles that were found */
	struct input in;
};

/*
 * Sends the command *o to the processes that `who` names: a pid, a directory or
 * a profile.  For a directory these are the processes that live and, by the
 * directory's defaults, those that start later; a dump copies the profiles of
 * the former only.  Waits until all processes that do not sleep have answered,
 * at most 100 ms; then does the tool's own part (a dump, an end).  Faults of
 * single processes are in c->result, not in the value returned.  If
 * o->status_only is set, nothing is sent, and c->targets lists the processes.
 * The caller sets c->fault, c->arg and c->follows_not before and zeroes the
 * rest.  Returns 0, and the caller calls control_session_close() later; or
 * -ENOMEM, and nothing is to be closed.
 */
int control_session_run(struct control_session *c, const char *who,
    const struct control_command *o);

/* Closes all profiles and frees the lists. */
void control_session_close(struct control_session *c);

/*
 * Reports *f by c->fault and notes the failure in c->result.  Sets f->file to
 * `path` if it is NULL.
 */
void control_session_report(struct control_session *c, struct fault *f,
    const char *path);

#endif
