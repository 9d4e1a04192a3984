/* Context: O.  Telling many processes at once, and what each answered. */
#ifndef CONTROL_SESSION_H
#define CONTROL_SESSION_H

#include "control_command.h"
#include "control_target.h"
#include "input.h"

typedef void control_session_on_fault(void *arg, const struct fault *f);

struct control_session {
	struct control_target *told;
	size_t count;
	/* is told who could not be told, and why */
	control_session_on_fault *fault;
	void *arg;
	int result;		/* 0, or -ESRCH: it was told something */
	const char *directory;	/* that is meant, or NULL */
	bool follows_not;	/* symbolic links in it are nobody's */
	struct format_defaults standing;	/* for who comes there */
	struct input in;
};

/*
 * Who is meant: a pid, a directory, a file.  Of a directory those that live,
 * and those to come; a copy is asked of the former only.  Returns when all have
 * answered, or 100 ms later; nobody is told a status, and c->told is who there
 * is.  c->fault, c->arg and c->follows_not are set before.  0, or -ENOMEM and
 * nothing to close.
 */
int control_session_run(struct control_session *c, const char *who,
    const struct control_command *o);
void control_session_close(struct control_session *c);

/* f->file is the path, if it names none yet. */
void control_session_report(struct control_session *c, struct fault *f,
    const char *path);

#endif
