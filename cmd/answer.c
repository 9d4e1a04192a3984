/* Context: O.  prof --control: what processes answered, or do. */
#include "answer.h"

#include "header.h"
#include "term.h"

#include <inttypes.h>
#include <string.h>

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

static double
took_ms(const struct told *t)
{
	return (double)told_took_ns(t) / 1e6;
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
print_rate(const struct term *to, uint64_t ns)
{
	if (ns != 0)
		fprintf(to->out, ", every %g ms", (double)ns / 1e6);
}

static void
print_modes(const struct term *to, uint32_t modes)
{
	if (modes != FORMAT_MODE_TIME)
		fprintf(to->out, ", mode %s", order_modes(modes));
}

static void
print_watch(const struct term *to, const char *list)
{
	if (*list == '\0')
		return;
	fputs(", watching ", to->out);
	term_text(to, list, 0);
}

static void
print_one(const struct term *to, const struct order *o,
    const struct told *t)
{
	struct told_state s;
	const struct format_header *h = &s.header;
	char name[64];

	told_look(t, &s);
	read_program(h->pid, name, sizeof(name));
	fprintf(to->out, "%" PRId32 " ", h->pid);
	term_text(to, name, 0);
	fprintf(to->out, ": %s", state_of(h));
	print_modes(to, h->modes);
	print_rate(to, h->interval_ns);
	print_watch(to, h->watch);
	if (!o->status_only)
		print_answer(to, t);
	else
		fprintf(to->out, ", %" PRIu64 " ticks, %.3f s of %.3f s CPU "
		    "time stopped", h->ticks, (double)s.stopped_ns / 1e9,
		    (double)s.cpu_ns / 1e9);
	putc('\n', to->out);
}

static void
sheet_one(struct sheet *s, const struct order *o, const struct told *t)
{
	struct told_state now;
	const struct format_header *h = &now.header;
	const bool told = !o->status_only;
	char name[64];

	told_look(t, &now);
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
	sheet_text(s, order_modes(h->modes));
	sheet_text(s, h->watch);
	sheet_text(s, t->path);
}

static bool
is_for_who_comes(const struct crowd *c, const struct order *o)
{
	return c->directory != NULL && (c->standing.what != 0 ||
	    (o->anew && c->result == 0));
}

/* What is not said here is as the environment of each has it. */
static const char *
state_to_come(const struct format_orders *o)
{
	if ((o->what & FORMAT_O_STATE) == 0)
		return NULL;
	return o->stop ? "stopped" : "running";
}

static void
print_who_comes(const struct term *to, const struct crowd *c)
{
	const struct format_orders *s = &c->standing;
	const char *state = state_to_come(s);

	term_text(to, c->directory, 0);
	fprintf(to->out, ": processes to come: %s", state != NULL ? state :
	    "as they are started");
	if ((s->what & FORMAT_O_RATE) != 0 && s->interval_ns == 0)
		fputs(", at the default interval", to->out);
	else if ((s->what & FORMAT_O_RATE) != 0)
		print_rate(to, s->interval_ns);
	if ((s->what & FORMAT_O_MODES) != 0)
		print_modes(to, s->modes | s->more);
	else if ((s->what & FORMAT_O_MORE) != 0)
		fprintf(to->out, ", %s too", order_modes(s->more));
	if ((s->what & FORMAT_O_WATCH) != 0)
		print_watch(to, s->watch);
	putc('\n', to->out);
}

static void
sheet_who_comes(struct sheet *s, const struct crowd *c)
{
	const struct format_orders *o = &c->standing;

	sheet_text(s, NULL);
	sheet_text(s, NULL);
	sheet_text(s, state_to_come(o));
	sheet_text(s, "to come");
	sheet_text(s, NULL);
	if ((o->what & FORMAT_O_RATE) != 0)
		sheet_number(s, "%.6g", (double)o->interval_ns / 1e6);
	else
		sheet_text(s, NULL);
	for (int i = 0; i < 3; i++)
		sheet_text(s, NULL);
	sheet_text(s, (o->what & FORMAT_O_MODES) != 0 ?
	    order_modes(o->modes | o->more) : NULL);
	sheet_text(s, (o->what & FORMAT_O_WATCH) != 0 ? o->watch : NULL);
	sheet_text(s, c->directory);
}

static void
complain_of_answer(struct crowd *c, const struct told *t)
{
	struct fault f;

	/* Of a directory those are meant that live. */
	if (t->answer == ASK_GONE && c->directory != NULL)
		return;
	told_fault(t, &f);
	crowd_complain(c, &f, t->path);
}

void
answer_show(struct crowd *c, const struct order *o, FILE *out,
    enum sheet_form form)
{
	const struct term to = { .out = out };
	struct sheet s;
	static const char *const columns[] = {
		"pid", "program", "state", "answer", "answer_ms",
		"interval_ms", "ticks", "cpu_s", "stopped_s", "mode",
		"watch", "file",
	};

	sheet_init(&s, out, form);
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		sheet_column(&s, columns[i]);
	if (is_for_who_comes(c, o) && form != SHEET_NONE)
		sheet_who_comes(&s, c);
	else if (is_for_who_comes(c, o))
		print_who_comes(&to, c);
	for (size_t i = 0; i < c->count; i++) {
		const struct told *t = &c->told[i];

		if (!o->status_only && !t->asked)
			continue;
		if (form != SHEET_NONE)
			sheet_one(&s, o, t);
		else if (o->status_only || told_is_well(t))
			print_one(&to, o, t);
		if (!o->status_only && !told_is_well(t))
			complain_of_answer(c, t);
	}
	if (form != SHEET_NONE)
		sheet_end(&s);
}
