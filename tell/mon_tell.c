/*
 * Context: O.  Defines mon_tell() of libmontell, which does for a program what
 * prof --control does.  A program that is linked with -lmontell calls it, in
 * any thread.  Passes the answers of a control session (core/control) on to the
 * caller's report function.
 */
#include "mon_tell.h"

#include "control_session.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The caller's report function, which may be NULL, and its argument. */
struct listener {
	void (*report)(void *arg, const struct mon_tell *t);
	void *arg;
};

/* Completes *t and passes it on.  It is valid during the call only. */
static void
pass_report(const struct listener *l, struct mon_tell *t)
{
	t->bytes = sizeof(*t);
	if (t->watch == NULL)
		t->watch = "";
	if (l->report != NULL)
		l->report(l->arg, t);
}

/* Writes "what: error text; remedy" to `line` and returns it. */
static const char *
tell_fault_text(const struct fault *f, char *line, size_t room)
{
	snprintf(line, room, "%s%s%s%s%s", f->what,
	    f->errnum != 0 ? ": " : "",
	    f->errnum != 0 ? strerrordesc_np(f->errnum) : "",
	    f->remedy != NULL ? "; " : "",
	    f->remedy != NULL ? f->remedy : "");
	return line;
}

/* Reports a fault; the session calls it by control_session.fault. */
static void
report_tell_fault(void *listener, const struct fault *f)
{
	char line[256];
	struct mon_tell t = {
		.answer = MON_TELL_FAULT,
		.stopped = -1,
		.file = f->file,
		.problem = tell_fault_text(f, line, sizeof(line)),
	};

	pass_report(listener, &t);
}

/* Returns the answer as mon_tell.h names it. */
static enum mon_tell_answer
public_answer_of(const struct control_target *t)
{
	switch (t->answer) {
	case CONTROL_CLIENT_DONE:
		return MON_TELL_DONE;
	case CONTROL_CLIENT_ARMED:
		return MON_TELL_ARMED;
	case CONTROL_CLIENT_REFUSED:
		return MON_TELL_REFUSED;
	case CONTROL_CLIENT_SILENT:
		return MON_TELL_SILENT;
	default:
		return MON_TELL_GONE;
	}
}

/*
 * Reports one process.  told: a command was sent to it; false: its state was
 * only read.  Returns whether it obeys or will, or true if its state was only
 * read.
 */
static bool
report_process(const struct listener *l, const struct control_target *one,
    bool told)
{
	struct control_target_state s;
	struct fault f = { 0 };
	char line[256];
	struct mon_tell t = {
		.answer = told ? public_answer_of(one) : MON_TELL_DONE,
		.file = one->path,
	};

	control_target_get_state(one, &s);
	t.pid = s.header.pid;
	t.stopped = (s.header.stopped_ns & FORMAT_STOPPED) != 0;
	t.watch = s.header.watch;
	t.interval_ns = s.header.interval_ns;
	t.ticks = s.header.ticks;
	t.cpu_ns = s.cpu_ns;
	t.stopped_ns = s.stopped_ns;
	if (told && !control_target_accepted(one)) {
		control_target_fault(one, &f);
		t.problem = tell_fault_text(&f, line, sizeof(line));
	}
	if (told && one->answer == CONTROL_CLIENT_DONE)
		t.answer_ns = control_target_latency_ns(one);
	pass_report(l, &t);
	return !told || control_target_accepted(one);
}

/*
 * Reports the settings of processes to come, if the directory has any or they
 * were reset.  Returns whether it reported.
 */
static bool
report_future(const struct listener *l, const struct control_session *c,
    const struct control_command *o)
{
	const struct format_defaults *s = &c->standing;
	struct mon_tell t = {
		.answer = MON_TELL_TO_COME,
		.stopped = (s->what & FORMAT_D_STATE) == 0 ? -1 :
		    s->stop != 0,
		.file = c->directory,
		.watch = s->watch,
		.interval_ns = s->interval_ns,
	};

	if (c->directory == NULL || (s->what == 0 && !o->anew))
		return false;
	pass_report(l, &t);
	return true;
}

int
mon_tell(const char *who, const char *command, const char *value,
    void (*report)(void *arg, const struct mon_tell *t), void *arg)
{
	struct listener l = { report, arg };
	struct control_session c = { .fault = report_tell_fault, .arg = &l };
	struct control_command_error wrong;
	struct control_command o;
	int done = 0;

	if (control_command_parse(&o, command, value, &wrong) != 0) {
		errno = EINVAL;
		return -1;
	}
	if (control_session_run(&c, who, &o) != 0) {
		errno = ENOMEM;
		return -1;
	}
	done = report_future(&l, &c, &o);
	for (size_t i = 0; i < c.count; i++)
		if (o.status_only || c.targets[i].asked)
			done += report_process(&l, &c.targets[i],
			    !o.status_only);
	control_session_close(&c);
	if (done == 0)
		errno = ESRCH;
	return done != 0 ? done : -1;
}
