/* Context: O.  prof --control: telling running processes what to do. */
#include "control.h"

#include "alive.h"
#include "anew.h"
#include "header.h"
#include "load.h"
#include "tell.h"
#include "term.h"
#include "whom.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#define PATIENCE_MS	100	/* of the slowest answer */
#define KICK_MS		5	/* who runs has had a tick by then */

struct told {
	struct ask ask;
	const char *path;
	bool asked;
	enum ask_answer answer;
};

struct control {
	struct told *told;
	size_t count;
	struct tell tell;
	control_fault *fault;
	void *arg;
	int result;		/* 0, or -ESRCH: somebody did not */
};

static void
complain_of(struct control *c, struct fault *f, const char *path)
{
	if (f->file == NULL)
		f->file = path;
	c->fault(c->arg, f);
	c->result = -ESRCH;
}

/* Many processes, each with a descriptor and as many as it has threads. */
static void
allow_descriptors(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) == 0) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
	}
}

/* Of a directory only those that live are meant; who cannot be told is said. */
static void
open_all(struct control *c, const struct input *in)
{
	for (size_t i = 0; i < in->count; i++) {
		const struct input_file *file = &in->files[i];
		struct told *t = &c->told[c->count];
		struct fault f = { 0 };
		int ret;

		t->path = file->path;
		ret = ask_open(&t->ask, file->path, &f);
		if (ret == 0)
			c->count++;
		else if (file->named || (ret != -ESRCH && ret != LOAD_OTHER))
			complain_of(c, &f, file->path);
	}
}

static void
ask_all(struct control *c)
{
	for (size_t i = 0; i < c->count; i++) {
		struct told *t = &c->told[i];
		struct fault f = { 0 };

		if (ask_for(&t->ask, &c->tell.change, &f) != 0)
			complain_of(c, &f, t->path);
		else
			t->asked = true;
	}
}

static bool
all_answered(const struct control *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->told[i].asked && !ask_answered(&c->told[i].ask))
			return false;
	return true;
}

static void
kick_all(struct control *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->told[i].asked && !ask_answered(&c->told[i].ask))
			ask_kick(&c->told[i].ask);
}

static void
await_answers(struct control *c)
{
	const struct timespec a_while = { .tv_nsec = 1000000 };

	for (int ms = 0; ms < PATIENCE_MS && !all_answered(c); ms++) {
		if (ms == KICK_MS)
			kick_all(c);
		nanosleep(&a_while, NULL);
	}
	for (size_t i = 0; i < c->count; i++)
		c->told[i].answer = ask_answer(&c->told[i].ask);
}

static void
read_program(int32_t pid, char *name, size_t room)
{
	char path[32];
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/comm", pid);
	in = fopen(path, "re");
	if (in == NULL || fgets(name, (int)room, in) == NULL)
		snprintf(name, room, "?");
	name[strcspn(name, "\n")] = '\0';
	if (in != NULL)
		fclose(in);
}

static const char *
answer_name(enum ask_answer answer)
{
	switch (answer) {
	case ASK_DONE:
		return "done";
	case ASK_ARMED:
		return "armed";
	case ASK_REFUSED:
		return "refused";
	case ASK_SILENT:
		return "no answer";
	default:
		return "ended";
	}
}

static bool
is_well(const struct told *t)
{
	return t->answer == ASK_DONE || t->answer == ASK_ARMED;
}

/* Where its copy goes: the name that was given, or its own in a directory. */
static int
copy_one(struct control *c, struct told *t)
{
	char to[PATH_MAX];
	const char *slash = strrchr(t->path, '/');
	const char *name = slash != NULL ? slash + 1 : t->path;
	struct fault f = { 0 };
	struct stat st;
	int ret;

	if (stat(c->tell.copy, &st) != 0 || !S_ISDIR(st.st_mode))
		name = NULL;
	if (name == NULL && c->count > 1) {
		ret = fault_set(&f, "is no directory: several profiles cannot "
		    "be copied there", FAULT_NO_OFFSET, 0);
		complain_of(c, &f, c->tell.copy);
		return ret;
	}
	if (snprintf(to, sizeof(to), "%s%s%s", c->tell.copy, name != NULL ?
	    "/" : "", name != NULL ? name : "") >= (int)sizeof(to))
		ret = fault_set(&f, "the name of its copy is too long",
		    FAULT_NO_OFFSET, 0);
	else
		ret = anew_dump(t->path, to, &f);
	if (ret != 0)
		complain_of(c, &f, t->path);
	return ret;
}

/* What is done from here, once the process has heard of it. */
static void
do_rest(struct control *c)
{
	for (size_t i = 0; i < c->count; i++) {
		struct told *t = &c->told[i];
		struct fault f = { 0 };

		if (!is_well(t))
			continue;
		if (c->tell.copy != NULL && copy_one(c, t) != 0)
			return;
		if (c->tell.anew && anew_begin(&t->ask, t->path, &f) != 0)
			complain_of(c, &f, t->path);
	}
}

static double
took_ms(const struct told *t)
{
	const uint64_t at = t->ask.header->answer_mono;

	return at > t->ask.asked_mono ?
	    (double)(at - t->ask.asked_mono) / 1e6 : 0;
}

/* What is to be known of it beyond its name. */
static void
print_answer(const struct term *to, const struct told *t)
{
	switch (t->answer) {
	case ASK_DONE:
		fprintf(to->out, ", in %.1f ms", took_ms(t));
		break;
	case ASK_ARMED:
		fputs(t->ask.kick.count != 0 ? "; armed: it has not run "
		    "since, and takes it when it does" :
		    "; armed: it takes it at its next tick", to->out);
		break;
	default:
		break;
	}
}

/* At one moment: it goes on meanwhile, or ends. */
struct shown {
	struct format_header header;
	uint64_t cpu_ns;	/* of the image */
	uint64_t stopped_ns;
};

static void
look_at(struct shown *s, const struct told *t)
{
	const struct format_header *h = &s->header;
	uint64_t cpu;

	s->header = *t->ask.header;
	cpu = alive_cpu(h->pid);
	if (cpu < h->cpu_ns)
		cpu = h->cpu_ns;
	s->cpu_ns = cpu > h->cpu_birth_ns ? cpu - h->cpu_birth_ns : 0;
	s->stopped_ns = header_stopped_ns(h, cpu);
}

/* What it is, or what it was told to be and has not been since. */
static const char *
state_of(const struct format_header *h)
{
	const bool stopped = header_is_stopped(h);

	if (h->asked % 2 == 0 && h->asked != h->answered &&
	    stopped != (h->ask_stop != 0))
		return stopped ? "starting" : "stopping";
	return stopped ? "stopped" : "running";
}

static void
print_rate(const struct term *to, const struct format_header *h)
{
	if (h->interval_ns != 0)
		fprintf(to->out, ", every %g ms", (double)h->interval_ns / 1e6);
}

static void
print_one(const struct term *to, const struct control *c,
    const struct told *t)
{
	struct shown s;
	const struct format_header *h = &s.header;
	char name[64];

	look_at(&s, t);
	read_program(h->pid, name, sizeof(name));
	fprintf(to->out, "%" PRId32 " ", h->pid);
	term_text(to, name, 0);
	fprintf(to->out, ": %s", state_of(h));
	print_rate(to, h);
	if (!c->tell.status_only)
		print_answer(to, t);
	else
		fprintf(to->out, ", %" PRIu64 " ticks, %.3f s of %.3f s CPU "
		    "time stopped", h->ticks, (double)s.stopped_ns / 1e9,
		    (double)s.cpu_ns / 1e9);
	putc('\n', to->out);
}

static void
sheet_one(struct sheet *s, const struct control *c, const struct told *t)
{
	struct shown now;
	const struct format_header *h = &now.header;
	const bool told = !c->tell.status_only;
	char name[64];

	look_at(&now, t);
	read_program(h->pid, name, sizeof(name));
	sheet_number(s, "%" PRId32, h->pid);
	sheet_text(s, name);
	sheet_text(s, state_of(h));
	sheet_text(s, told ? answer_name(t->answer) : NULL);
	if (told && t->answer == ASK_DONE)
		sheet_number(s, "%.3f", took_ms(t));
	else
		sheet_text(s, NULL);
	sheet_number(s, "%.6g", (double)h->interval_ns / 1e6);
	sheet_number(s, "%" PRIu64, h->ticks);
	sheet_number(s, "%.6f", (double)now.cpu_ns / 1e9);
	sheet_number(s, "%.6f", (double)now.stopped_ns / 1e9);
	sheet_text(s, t->path);
}

static const char *
why_refused(int error)
{
	switch (error) {
	case EPERM:
		return "it is behind a seccomp filter, and can do no more "
		    "than it does";
	case EOPNOTSUPP:
		return "its libmon.so has no such mode, only time";
	case EINVAL:
		return "it can have no such interval: from 0.05 ms to 10 s";
	default:
		return "it refused, and does not say why";
	}
}

static void
silent(struct fault *f, const struct format_header *h)
{
	fault_set(f, "it ran, and did not answer", FAULT_NO_OFFSET, 0);
	if (h->kick_signal == 0)
		f->remedy = "its stacks for signal handlers hold no more than "
		    "those: it takes it at its next tick beside them";
}

static void
complain_of_answer(struct control *c, const struct told *t)
{
	struct fault f;

	if (t->answer == ASK_REFUSED)
		fault_set(&f, why_refused(t->ask.header->answer),
		    FAULT_NO_OFFSET, 0);
	else if (t->answer == ASK_SILENT)
		silent(&f, t->ask.header);
	else
		fault_set(&f, "it ended before it answered", FAULT_NO_OFFSET,
		    0);
	complain_of(c, &f, t->path);
}

static void
show_all(struct control *c, FILE *out, enum sheet_form form)
{
	const struct term to = { .out = out };
	struct sheet s;
	static const char *const columns[] = {
		"pid", "program", "state", "answer", "answer_ms",
		"interval_ms", "ticks", "cpu_s", "stopped_s", "file",
	};

	sheet_init(&s, out, form);
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		sheet_column(&s, columns[i]);
	for (size_t i = 0; i < c->count; i++) {
		const struct told *t = &c->told[i];

		if (!c->tell.status_only && !t->asked)
			continue;
		if (form != SHEET_NONE)
			sheet_one(&s, c, t);
		else if (c->tell.status_only || is_well(t))
			print_one(&to, c, t);
		if (!c->tell.status_only && !is_well(t))
			complain_of_answer(c, t);
	}
	if (form != SHEET_NONE)
		sheet_end(&s);
}

int
control_run(const char **names, size_t count, FILE *out,
    enum sheet_form form, control_fault *fault, void *arg)
{
	struct control c = { .fault = fault, .arg = arg };
	struct input in = { 0 };
	struct fault f = { 0 };

	if (tell_parse(&c.tell, names, count) != 0)
		return -EINVAL;
	allow_descriptors();
	if (whom_find(&in, names[0], &f) != 0)
		complain_of(&c, &f, names[0]);
	c.told = calloc(in.count + 1, sizeof(*c.told));
	if (c.told == NULL) {
		input_free(&in);
		return -ENOMEM;
	}
	open_all(&c, &in);
	if (c.count == 0 && c.result == 0) {
		fault_set(&f, "no process of it runs", FAULT_NO_OFFSET, 0);
		complain_of(&c, &f, names[0]);
	}
	if (!c.tell.status_only) {
		ask_all(&c);
		await_answers(&c);
		do_rest(&c);
	}
	show_all(&c, out, form);
	for (size_t i = 0; i < c.count; i++)
		ask_close(&c.told[i].ask);
	free(c.told);
	input_free(&in);
	return c.result;
}
