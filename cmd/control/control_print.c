/*
 * Context: O.  Prints answers and states of processes, after the session has
 * run, for prof_control_run(); see control_print.h.
 */
#include "control/control_print.h"

#include "base/term.h"
#include "decode/header.h"

#include <inttypes.h>
#include <string.h>

/*
 * Sets `name` to the name of a process, of the pid that its profile has; "?" if
 * the process has ended.
 */
static void
read_process_name(int32_t pid, char *name, size_t room)
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
answer_name(enum control_client_answer answer)
{
	switch (answer) {
	case CONTROL_CLIENT_DONE:
		return "done";
	case CONTROL_CLIENT_ARMED:
		return "armed";
	case CONTROL_CLIENT_REFUSED:
		return "refused";
	case CONTROL_CLIENT_SILENT:
		return "no answer";
	default:
		return "ended";
	}
}

static double
answer_latency_ms(const struct control_target *t)
{
	return (double)control_target_latency_ns(t) / 1e6;
}

/* Prints what is known of the answer beyond its name. */
static void
print_answer(const struct term *to, const struct control_target *t)
{
	switch (t->answer) {
	case CONTROL_CLIENT_DONE:
		fprintf(to->out, ", in %.1f ms", answer_latency_ms(t));
		break;
	case CONTROL_CLIENT_ARMED:
		fputs(t->ask.kick.count != 0 ? "; armed: it has not run since, "
		    "and obeys when it runs" :
		    "; armed: it obeys at its next tick", to->out);
		break;
	default:
		break;
	}
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
		fprintf(to->out, ", mode %s", control_command_mode_name(modes));
}

static void
print_watch(const struct term *to, const char *list)
{
	if (*list == '\0')
		return;
	fputs(", watching ", to->out);
	term_text(to, list, 0);
}

/* Prints how much was counted, and for how long counting was stopped. */
static void
print_status(const struct term *to, const struct control_target_state *s)
{
	fprintf(to->out, ", %" PRIu64 " ticks in %.3f s CPU",
	    s->header.ticks, (double)s->cpu_ns / 1e9);
	if (s->stopped_ns != 0)
		fprintf(to->out, ", %.3f s of that while stopped",
		    (double)s->stopped_ns / 1e9);
	fputs(s->waits ? "; an order waits" : "", to->out);
}

static void
print_target(const struct term *to, const struct control_command *o,
    const struct control_target *t)
{
	struct control_target_state s;
	const struct format_header *h = &s.header;
	char name[64];

	control_target_get_state(t, &s);
	read_process_name(h->pid, name, sizeof(name));
	fprintf(to->out, "%" PRId32 " ", h->pid);
	term_text(to, name, 0);
	fprintf(to->out, ": %s", control_target_state_name(&s, "running"));
	print_modes(to, h->modes);
	print_rate(to, h->interval_ns);
	print_watch(to, h->watch);
	if (!o->status_only)
		print_answer(to, t);
	else
		print_status(to, &s);
	putc('\n', to->out);
}

/* Adds the row of a process: columns as in control_print_answers(). */
static void
put_target_row(struct data_table *s, const struct control_command *o,
    const struct control_target *t)
{
	struct control_target_state now;
	const struct format_header *h = &now.header;
	const bool asked = !o->status_only;
	char name[64];

	control_target_get_state(t, &now);
	read_process_name(h->pid, name, sizeof(name));
	data_table_number(s, "%" PRId32, h->pid);
	data_table_text(s, name);
	data_table_text(s, control_target_state_name(&now, "running"));
	data_table_text(s, asked ? answer_name(t->answer) : NULL);
	if (asked && t->answer == CONTROL_CLIENT_DONE)
		data_table_number(s, "%.3f", answer_latency_ms(t));
	else
		data_table_text(s, NULL);
	data_table_number(s, "%.6g", (double)h->interval_ns / 1e6);
	data_table_number(s, "%" PRIu64, h->ticks);
	data_table_number(s, "%.6f", (double)now.cpu_ns / 1e9);
	data_table_number(s, "%.6f", (double)now.stopped_ns / 1e9);
	data_table_text(s, control_command_mode_name(h->modes));
	data_table_text(s, h->watch);
	data_table_text(s, t->path);
}

/*
 * Returns whether the directory defaults are to be shown: the target is a
 * directory, and there are some or the command has ended them.
 */
static bool
has_defaults_line(const struct control_session *c,
    const struct control_command *o)
{
	return c->directory != NULL && (c->standing.what != 0 ||
	    (o->anew && c->result == 0));
}

/*
 * Returns the state of the directory defaults; NULL if they set none: the
 * environment of each process decides.
 */
static const char *
default_state_name(const struct format_defaults *o)
{
	if ((o->what & FORMAT_D_STATE) == 0)
		return NULL;
	return o->stop ? "stopped" : "running";
}

static void
print_defaults(const struct term *to, const struct control_session *c)
{
	const struct format_defaults *s = &c->standing;
	const char *state = default_state_name(s);

	term_text(to, c->directory, 0);
	fprintf(to->out, ": processes that start later: %s",
	    state != NULL ? state : "as PROFOPTS says");
	if ((s->what & FORMAT_D_RATE) != 0 && s->interval_ns == 0)
		fputs(", at the default interval", to->out);
	else if ((s->what & FORMAT_D_RATE) != 0)
		print_rate(to, s->interval_ns);
	if ((s->what & FORMAT_D_MODES) != 0)
		print_modes(to, s->modes | s->more);
	else if ((s->what & FORMAT_D_MORE) != 0)
		fprintf(to->out, ", %s too",
		    control_command_mode_name(s->more));
	if ((s->what & FORMAT_D_WATCH) != 0)
		print_watch(to, s->watch);
	putc('\n', to->out);
}

static void
put_defaults_row(struct data_table *s, const struct control_session *c)
{
	const struct format_defaults *o = &c->standing;

	data_table_text(s, NULL);
	data_table_text(s, NULL);
	data_table_text(s, default_state_name(o));
	data_table_text(s, "to come");
	data_table_text(s, NULL);
	if ((o->what & FORMAT_D_RATE) != 0)
		data_table_number(s, "%.6g", (double)o->interval_ns / 1e6);
	else
		data_table_text(s, NULL);
	for (int i = 0; i < 3; i++)
		data_table_text(s, NULL);
	data_table_text(s, (o->what & FORMAT_D_MODES) != 0 ?
	    control_command_mode_name(o->modes | o->more) : NULL);
	data_table_text(s, (o->what & FORMAT_D_WATCH) != 0 ? o->watch : NULL);
	data_table_text(s, c->directory);
}

/*
 * Reports a process that did not take the command, unless it has ended and the
 * command was for a directory.
 */
static void
report_failed_answer(struct control_session *c, const struct control_target *t)
{
	struct fault f;

	/* A command for a directory is for the processes that live. */
	if (t->answer == CONTROL_CLIENT_GONE && c->directory != NULL)
		return;
	control_target_fault(t, &f);
	control_session_report(c, &f, t->path);
}

void
control_print_answers(struct control_session *c,
    const struct control_command *o, FILE *out, enum data_table_format form)
{
	const struct term to = { .out = out };
	struct data_table s;
	static const char *const columns[] = {
		"pid", "program", "state", "answer", "answer_ms",
		"interval_ms", "ticks", "cpu_s", "stopped_s", "mode",
		"watch", "file",
	};

	data_table_init(&s, out, form);
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		data_table_column(&s, columns[i]);
	if (has_defaults_line(c, o) && form != DATA_TABLE_NONE)
		put_defaults_row(&s, c);
	else if (has_defaults_line(c, o))
		print_defaults(&to, c);
	for (size_t i = 0; i < c->count; i++) {
		const struct control_target *t = &c->targets[i];

		if (!o->status_only && !t->asked)
			continue;
		if (form != DATA_TABLE_NONE)
			put_target_row(&s, o, t);
		else if (o->status_only || control_target_accepted(t))
			print_target(&to, o, t);
		if (!o->status_only && !control_target_accepted(t))
			report_failed_answer(c, t);
	}
	if (form != DATA_TABLE_NONE)
		data_table_end(&s);
}
