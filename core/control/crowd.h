/* Context: O.  Telling many processes at once, and what each answered. */
#ifndef CROWD_H
#define CROWD_H

#include "input.h"
#include "order.h"
#include "reply.h"

typedef void crowd_fault(void *arg, const struct fault *f);

struct crowd {
	struct told *told;
	size_t count;
	crowd_fault *fault;	/* is told who could not be told, and why */
	void *arg;
	int result;		/* 0, or -ESRCH: it was told something */
	const char *directory;	/* that is meant, or NULL */
	bool follows_not;	/* symbolic links in it are nobody's */
	struct format_orders standing;	/* for who comes there */
	struct input in;
};

/*
 * Who is meant: a pid, a directory, a file.  Of a directory those that live,
 * and those to come; a copy is asked of the former only.  Returns when all have
 * answered, or 100 ms later; nobody is told a status, and c->told is who there
 * is.  c->fault, c->arg and c->follows_not are set before.  0, or -ENOMEM and
 * nothing to close.
 */
int crowd_tell(struct crowd *c, const char *who, const struct order *o);
void crowd_close(struct crowd *c);

/* f->file is the path, if it names none yet. */
void crowd_complain(struct crowd *c, struct fault *f, const char *path);

#endif
