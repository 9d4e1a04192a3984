/* Context: O.  Telling many processes at once, and what each answered. */
#ifndef CROWD_H
#define CROWD_H

#include "input.h"
#include "order.h"

/* One of them. */
struct told {
	struct ask ask;
	const char *path;
	bool asked;
	bool asleep;		/* its answer is not waited for */
	enum ask_answer answer;
};

typedef void crowd_fault(void *arg, const struct fault *f);

struct crowd {
	struct told *told;
	size_t count;
	crowd_fault *fault;	/* is told who could not be told, and why */
	void *arg;
	int result;		/* 0, or -ESRCH: it was told something */
	struct input in;
};

/*
 * Who is meant: a pid, a directory, a file.  Of a directory only those that
 * live.  c->fault and c->arg are set before.  0 or -ENOMEM.
 */
int crowd_open(struct crowd *c, const char *who);
void crowd_close(struct crowd *c);

/* Returns when all have answered, or 100 ms later. */
void crowd_tell(struct crowd *c, const struct order *o);

/* f->file is the path, if it names none yet. */
void crowd_complain(struct crowd *c, struct fault *f, const char *path);

/* Done, or to be done as soon as it runs. */
bool told_is_well(const struct told *t);

#endif
