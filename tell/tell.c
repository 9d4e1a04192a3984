/* Context: O.  libmontell: prof --control for programs. */
#include "mon_tell.h"

#include "crowd.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct listener {
	void (*report)(void *arg, const struct mon_tell *t);
	void *arg;
};

static void
pass(const struct listener *l, struct mon_tell *t)
{
	t->bytes = sizeof(*t);
	if (t->watch == NULL)
		t->watch = "";
	if (l->report != NULL)
		l->report(l->arg, t);
}

/* "what: of the system; remedy". */
static const char *
words_of(const struct fault *f, char *line, size_t room)
{
	snprintf(line, room, "%s%s%s%s%s", f->what,
	    f->errnum != 0 ? ": " : "",
	    f->errnum != 0 ? strerrordesc_np(f->errnum) : "",
	    f->remedy != NULL ? "; " : "",
	    f->remedy != NULL ? f->remedy : "");
	return line;
}

static void
on_fault(void *listener, const struct fault *f)
{
	char line[256];
	struct mon_tell t = {
		.answer = MON_TELL_FAULT,
		.stopped = -1,
		.file = f->file,
		.problem = words_of(f, line, sizeof(line)),
	};

	pass(listener, &t);
}

static enum mon_tell_answer
answer_of(const struct told *t)
{
	switch (t->answer) {
	case ASK_DONE:
		return MON_TELL_DONE;
	case ASK_ARMED:
		return MON_TELL_ARMED;
	case ASK_REFUSED:
		return MON_TELL_REFUSED;
	case ASK_SILENT:
		return MON_TELL_SILENT;
	default:
		return MON_TELL_GONE;
	}
}

/* Does it do what it was told, or will? */
static bool
report_one(const struct listener *l, const struct told *one, bool told)
{
	struct told_state s;
	struct fault f = { 0 };
	char line[256];
	struct mon_tell t = {
		.answer = told ? answer_of(one) : MON_TELL_DONE,
		.file = one->path,
	};

	told_look(one, &s);
	t.pid = s.header.pid;
	t.stopped = (s.header.stopped_ns & FORMAT_STOPPED) != 0;
	t.watch = s.header.watch;
	t.interval_ns = s.header.interval_ns;
	t.ticks = s.header.ticks;
	t.cpu_ns = s.cpu_ns;
	t.stopped_ns = s.stopped_ns;
	if (told && !told_is_well(one)) {
		told_fault(one, &f);
		t.problem = words_of(&f, line, sizeof(line));
	}
	if (told && one->answer == ASK_DONE)
		t.answer_ns = told_took_ns(one);
	pass(l, &t);
	return !told || told_is_well(one);
}

/* Is there anything for them? */
static bool
report_to_come(const struct listener *l, const struct crowd *c,
    const struct order *o)
{
	const struct format_orders *s = &c->standing;
	struct mon_tell t = {
		.answer = MON_TELL_TO_COME,
		.stopped = (s->what & FORMAT_O_STATE) == 0 ? -1 :
		    s->stop != 0,
		.file = c->directory,
		.watch = s->watch,
		.interval_ns = s->interval_ns,
	};

	if (c->directory == NULL || (s->what == 0 && !o->anew))
		return false;
	pass(l, &t);
	return true;
}

int
mon_tell(const char *who, const char *command, const char *value,
    void (*report)(void *arg, const struct mon_tell *t), void *arg)
{
	struct listener l = { report, arg };
	struct crowd c = { .fault = on_fault, .arg = &l };
	struct order_wrong wrong;
	struct order o;
	int done = 0;

	if (order_parse(&o, command, value, &wrong) != 0) {
		errno = EINVAL;
		return -1;
	}
	if (crowd_tell(&c, who, &o) != 0) {
		errno = ENOMEM;
		return -1;
	}
	done = report_to_come(&l, &c, &o);
	for (size_t i = 0; i < c.count; i++)
		if (o.status_only || c.told[i].asked)
			done += report_one(&l, &c.told[i], !o.status_only);
	crowd_close(&c);
	if (done == 0)
		errno = ESRCH;
	return done != 0 ? done : -1;
}
