/*
 * Context: O.  Prints the head of tprof top's screen, and its page of help, for
 * top_view.c; see top_view.h.
 */
#include "top/top_view.h"

#include "base/term.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define COUNTER_WIDTH	14

static const char *const help[] = {
	"",
	"  a        accumulate since the beginning, or the last interval alone",
	"  c        what the counters counted, by processor",
	"  u        user functions, or one line for each process: <PID:name>",
	"  z        clear: counts begin at 0",
	"  f space  freeze the screen, or let it go on",
	"  s        sort by rate, name, module",
	"  e        the next event, where several are counted",
	"  1 2 3    functions, processes, threads; Tab goes round",
	"",
	"  arrows j k PgUp PgDn Home End   choose a line",
	"  Enter    of a function its callers; of a process or thread its "
	    "functions",
	"  Esc b    back",
	"  h ?      this page      q  quit",
	"",
	"  Rate is the share of all that is counted; Sample# how often it was "
	    "seen.",
	"  A point stands for none.  Functions of the kernel have a colour.",
	"  --stacks=copy finds callers of programs without frame pointers.",
};

size_t
top_header_help_lines(void)
{
	return sizeof(help) / sizeof(help[0]);
}

void
top_header_help(FILE *out, int columns)
{
	for (size_t i = 0; i < top_header_help_lines(); i++)
		top_view_line(out, TOP_PLAIN, help[i], columns);
}

/*
 * Returns what is shown, short enough for a line, as "functions by name, 12 s".
 * To be freed with free(3); NULL if memory is out.
 */
static char *
describe_view(const struct top_input *in, const struct top_state *s)
{
	static const char *const things[] = {
		"functions", "processes", "threads",
	};
	static const char *const orders[] = { "", " by name", " by module" };
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return NULL;
	if (s->frozen)
		fputs("FROZEN  ", out);
	fputs(s->callers_of != HASH_INDEX_NONE ? "callers" :
	    s->only_process != HASH_INDEX_NONE ? "functions" : things[s->by],
	    out);
	fputs(s->callers_of != HASH_INDEX_NONE ? "" : orders[s->sort], out);
	if (s->accumulate)
		fprintf(out, ", all %.0f s", in->all_seconds);
	else
		fprintf(out, ", last %.1f s", in->now_seconds);
	fprintf(out, "  %s ", in->clock);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static void
put_top_scope(FILE *to, const struct top_input *in, const struct top_state *s)
{
	const struct top_process *p = s->only_process == HASH_INDEX_NONE ?
	    NULL : &in->processes[s->only_process];

	fputs(" tprof top: ", to);
	if (p == NULL)
		fputs(in->scope, to);
	else if (s->only_tid == HASH_INDEX_NONE)
		fprintf(to, "process %" PRId32 " %s", p->pid, p->name);
	else
		fprintf(to, "thread %" PRIu32 " of %" PRId32 " %s",
		    s->only_tid, p->pid, p->name);
}

/* Prints what is counted and, at the right, what is shown. */
static void
put_top_title(FILE *out, const struct top_input *in, const struct top_state *s,
    int columns)
{
	struct term t = { .out = out };
	char *right = describe_view(in, s), *left = NULL;
	size_t bytes;
	FILE *to = open_memstream(&left, &bytes);
	int width, used;

	if (to == NULL || right == NULL) {
		if (to != NULL)
			fclose(to);
		free(left);
		free(right);
		return;
	}
	put_top_scope(to, in, s);
	fprintf(to, ", %s", in->events[s->event].name);
	if (in->event_count > 1)
		fprintf(to, " (%u of %zu)", s->event + 1, in->event_count);
	fclose(to);
	width = columns - term_columns(right) - 2;
	putc(TOP_TITLE, out);
	if (columns == 0 || width < 20) {
		used = term_text(&t, left, columns);
		if (columns == 0)
			fputs("  ", out);
	} else {
		used = term_text(&t, left, width);
		fprintf(out, "%*s", width + 2 - used, "");
	}
	if (columns == 0 || width >= 20)
		term_text(&t, right, 0);
	putc('\n', out);
	free(left);
	free(right);
}

/*
 * Order of statistics: samples; losses, which are highlighted; other statistics
 * of NetBSD; not shown.
 */
enum { STAT_FIRST, STAT_LOSS, STAT_REST, STAT_NOTHING };

static int
stat_rank(const struct top_input *in, size_t i)
{
	const char *name = in->stat_names[i];
	const bool own = strcmp(name, TOP_NOT_UNDERSTOOD) == 0 ||
	    strcmp(name, TOP_UNREPORTED) == 0;

	if (i == 0)
		return STAT_FIRST;
	if (own || strcmp(name, "overflow") == 0 ||
	    strncmp(name, "dropbuf", 7) == 0)
		return in->stats[i] != 0 ? STAT_LOSS : own ? STAT_NOTHING :
		    STAT_REST;
	return STAT_REST;
}

/*
 * Prints a statistic and its increase since the last look.  Returns false if
 * there is no room.
 */
static bool
put_stat(struct term *t, const struct top_input *in, size_t i, int *left)
{
	const bool loss = stat_rank(in, i) == STAT_LOSS;
	char one[96];

	snprintf(one, sizeof(one), "%s%s %" PRIu64 "(+%" PRIu64 ")",
	    i == 0 ? " " : "  ", in->stat_names[i], in->stats[i],
	    in->stats[i] - in->stats_before[i]);
	if (*left < term_columns(one))
		return false;
	if (loss)
		putc(TOP_LOSS, t->out);
	*left -= term_text(t, one, 0);
	if (loss)
		putc(TOP_PLAIN, t->out);
	return true;
}

static void
put_stats(FILE *out, const struct top_input *in, int columns)
{
	struct term t = { .out = out };
	int left = columns == 0 ? INT_MAX : columns;
	bool room = true;

	putc(TOP_PLAIN, out);
	for (int now = STAT_FIRST; now < STAT_NOTHING; now++)
		for (size_t i = 0; i < in->stat_count && room; i++)
			if (stat_rank(in, i) == now)
				room = put_stat(&t, in, i, &left);
	putc('\n', out);
}

/* Prints the line of the user's message, or that cells were dropped. */
static void
put_top_note(FILE *out, const struct top_input *in, int columns)
{
	char text[160];

	if (in->forgotten != 0 && in->note == NULL) {
		snprintf(text, sizeof(text), " %" PRIu64 " samples are no "
		    "longer in the table: there were too many places",
		    in->forgotten);
		top_view_line(out, TOP_LOSS, text, columns);
		return;
	}
	if (in->note != NULL)
		snprintf(text, sizeof(text), " %s", in->note);
	top_view_line(out, in->note != NULL ? TOP_LOSS : TOP_PLAIN,
	    in->note != NULL ? text : "", columns);
}

/*
 * Prints the counters of as many processors as there is room for, and the sum
 * of all processors.
 */
static void
put_counters(FILE *out, const struct top_input *in, int columns)
{
	const int room = columns == 0 ? (int)in->cpu_count :
	    (columns - 24 - COUNTER_WIDTH) / COUNTER_WIDTH;
	const size_t cpus = room < 0 ? 0 : (size_t)room < in->cpu_count ?
	    (size_t)room : in->cpu_count;
	char text[4096];
	int at = snprintf(text, sizeof(text), " %-22s %*s", "Counter",
	    COUNTER_WIDTH - 1, "all CPUs");

	for (size_t i = 0; i < cpus && at < 4000; i++) {
		char one[16];

		snprintf(one, sizeof(one), "CPU%u", in->cpus[i]);
		at += snprintf(text + at, 24, " %*s", COUNTER_WIDTH - 1, one);
	}
	top_view_line(out, TOP_BOLD, text, columns);
	for (size_t e = 0; e < in->event_count; e++) {
		const size_t first = e * in->cpu_count;
		uint64_t all = 0;

		for (size_t i = 0; i < in->cpu_count; i++)
			all += in->counts[first + i] -
			    in->counts_before[first + i];
		at = snprintf(text, sizeof(text), " %-22.22s %*" PRIu64,
		    in->events[e].name, COUNTER_WIDTH - 1, all);
		for (size_t i = 0; i < cpus && at < 4000; i++)
			at += snprintf(text + at, 24, " %*" PRIu64,
			    COUNTER_WIDTH - 1, in->counts[first + i] -
			    in->counts_before[first + i]);
		top_view_line(out, TOP_PLAIN, text, columns);
	}
	top_view_line(out, TOP_PLAIN, "", columns);
}

static bool
has_counters(const struct top_input *in, const struct top_state *s)
{
	return s->counters && in->counts != NULL;
}

size_t
top_header_lines(const struct top_input *in, const struct top_state *s)
{
	return 3 + (has_counters(in, s) ? in->event_count + 2 : 0);
}

void
top_header_put(FILE *out, const struct top_input *in, const struct top_state *s,
    int columns)
{
	put_top_title(out, in, s, columns);
	put_stats(out, in, columns);
	put_top_note(out, in, columns);
	if (has_counters(in, s))
		put_counters(out, in, columns);
}
