/*
 * Context: O.  tprof top: a screen of what runs, drawn anew each second.  This
 * file has the command; see tprof_top.h for its parts.
 */
#include "tprof/tprof_commands.h"

#include "common/print_fault.h"
#include "top/top_signals.h"
#include "top/tprof_screen.h"
#include "top/tprof_top.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
"usage: tprof top [-acu] [-e EVENT[:u|:k|:uk][,SCALE]]... [-i SECS] [PID]\n"
"  -a                   show counts since the beginning\n"
"  -c                   show the counters as well\n"
"  -u                   show a user program as one line, <PID:name>, not its\n"
"                       functions (NetBSD's tprof shows no user functions)\n"
"  -e, --event EVENT    sample this event, one of tprof list; may be repeated\n"
"  -i, --interval SECS  draw the screen again after so many seconds, 1\n"
"      --hz N           take N samples a second of a processor, 1000\n"
"      --stacks HOW     find callers: fp, by frame pointers; copy, by tables;\n"
"                       off, not at all\n"
"PID is a process that runs under libmon.so.  The key h shows all keys.  "
"If\n"
"standard output is not a terminal, one interval is printed.  See tprof(8).\n";

/* The screen and its state. */
struct top_display {
	struct tprof_top *top;
	struct top_state state;
	struct top_table table;
	bool screen;
	uint64_t then;		/* time of the next update */
};

static size_t
visible_lines(const struct top_display *s)
{
	int columns, rows;

	tprof_screen_size(&columns, &rows);
	return top_view_lines(&s->top->data.in, &s->state, rows);
}

static int
draw_top(struct top_display *s)
{
	const struct top_input *in = &s->top->data.in;
	int columns = 0, rows = 0;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return -ENOMEM;
	if (s->screen) {
		tprof_screen_size(&columns, &rows);
		top_keys_settle(&s->state, &s->table, visible_lines(s));
	}
	top_view_put(out, in, &s->state, &s->table, columns, rows);
	if (fclose(out) != 0) {
		free(text);
		return -ENOMEM;
	}
	if (s->screen)
		tprof_screen_draw(text);
	else
		top_view_plain(stdout, text);
	free(text);
	return 0;
}

static int
rebuild_table(struct top_display *s)
{
	struct top_table table;
	int ret = top_table_make(&table, &s->top->data.in, &s->state);

	if (ret != 0) {
		top_table_free(&table);
		return ret;
	}
	top_table_free(&s->table);
	s->table = table;
	return 0;
}

static int
refresh_display(struct top_display *s, struct fault *f)
{
	struct tprof_top *t = s->top;
	int ret;

	/*
	 * A profile keeps its counts until it is read; samples must be read
	 * now.
	 */
	if (t->file != NULL && (top_profile_has_ended(t) || s->state.frozen))
		return 0;
	ret = t->kernel != NULL ? top_kernel_update(t, &s->state) :
	    top_profile_update(t, f);
	if (ret == 0)
		ret = top_data_next_interval(&t->data, &s->state);
	if (ret != 0 || s->state.frozen)
		return ret;
	ret = rebuild_table(s);
	return ret == 0 && s->screen ? draw_top(s) : ret;
}

/*
 * Handles the keys that were pressed.  Returns 1; 0 if the command is to end;
 * or -ENOMEM.
 */
static int
handle_keys(struct top_display *s)
{
	struct tprof_top *t = s->top;
	int key, ret = 0;

	while (ret == 0 && (key = tprof_screen_key()) >= 0) {
		switch (top_keys_handle(&s->state, &t->data.in, &s->table,
		    visible_lines(s), key)) {
		case TOP_QUIT:
			return 0;
		case TOP_CLEAR:
			top_data_clear(&t->data);
			s->then = perf_buffer_now();
			s->state.frozen = false;
			break;
		case TOP_REMAKE:
			ret = rebuild_table(s);
			if (ret == 0)
				ret = draw_top(s);
			break;
		case TOP_REDRAW:
			ret = draw_top(s);
			break;
		case TOP_NOTHING:
			break;
		}
	}
	return ret == 0 ? 1 : ret;
}

static int
handle_terminal(struct top_display *s)
{
	struct tprof_top *t = s->top;
	int ret = 1;

	if (__atomic_exchange_n(&t->resized, false, __ATOMIC_ACQ_REL)) {
		tprof_screen_resize();
		ret = draw_top(s) == 0 ? 1 : -ENOMEM;
	}
	return ret == 1 ? handle_keys(s) : ret;
}

/*
 * Makes the first screen.  For one process this shows everything that was
 * counted before, as no interval has passed.
 */
static int
begin_display(struct top_display *s, struct fault *f)
{
	const uint64_t now = perf_buffer_now();
	int ret = s->top->file != NULL ? refresh_display(s, f) : 0;

	s->then = now + (uint64_t)(s->top->set.interval * 1e9);
	if (ret == 0)
		ret = top_data_next_interval(&s->top->data, &s->state);
	if (ret == 0)
		ret = rebuild_table(s);
	return ret == 0 && s->screen ? draw_top(s) : ret;
}

static int
run_display(struct top_display *s, struct fault *f)
{
	struct tprof_top *t = s->top;
	const uint64_t each = (uint64_t)(t->set.interval * 1e9);
	int ret = begin_display(s, f), more = 1;

	while (ret == 0 && more == 1) {
		more = t->kernel != NULL ? top_kernel_wait(t, s->then) :
		    top_profile_wait(t, s->then);
		if (more == 1 && s->screen)
			more = handle_terminal(s);
		if (more != 1 || perf_buffer_now() < s->then)
			continue;
		ret = refresh_display(s, f);
		s->then += each;
		if (s->then < perf_buffer_now())
			s->then = perf_buffer_now() + each;
		if (!s->screen)
			break;
	}
	return ret != 0 ? ret : more < 0 ? more : 0;
}

static int
run_top(struct top_display *s)
{
	struct fault f = { 0 };
	int ret;

	s->screen = tprof_screen_begin();
	ret = s->top->over ? 0 : run_display(s, &f);
	tprof_screen_end();
	if (ret == 0 && !s->screen && s->top->ended_by == 0)
		ret = draw_top(s);
	if (ret == 0 && (fflush(stdout) != 0 || ferror(stdout)))
		fault_set(&f, "standard output cannot be written",
		    FAULT_NO_OFFSET, ret = errno);
	if (ret == 0)
		return TPROF_GOOD;
	if (f.what == NULL)
		fault_set(&f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
	print_fault(&f);
	return TPROF_DATA;
}

static int
open_source(struct tprof_top *t, const char *pid)
{
	struct fault f;
	int ret = top_data_init(&t->data);

	if (ret == 0)
		ret = top_signals_open(t);
	if (ret != 0)
		fault_set(&f, "cannot begin", FAULT_NO_OFFSET, -ret);
	else
		ret = pid == NULL ? top_kernel_open(t, &f) :
		    top_profile_open(t, pid, &f);
	if (ret != 0)
		print_fault(&f);
	return ret;
}

/* Returns why the command line is wrong; NULL if it is right. */
static const char *
check_top_use(const struct tprof_top *t, char **words)
{
	if (words[0] == NULL)
		return NULL;
	if (words[1] != NULL)
		return "one process at most";
	if (words[0][0] == '\0' ||
	    words[0][strspn(words[0], "0123456789")] != '\0')
		return "PID is a number";
	return t->set.events_given ? "a profile of libmon.so has CPU time, no "
	    "other events" : NULL;
}

int
tprof_top(int argc, char **argv)
{
	struct tprof_top t = { .signals = -1 };
	struct top_display s = { .top = &t };
	const int at = tprof_options_parse(&t.set, argc, argv, "+ace:i:u",
	    usage);
	const char *wrong;
	int ret = TPROF_DATA;

	if (at <= 0)
		return at == 0 ? TPROF_GOOD : TPROF_WRONG_USE;
	wrong = check_top_use(&t, argv + at);
	if (wrong != NULL) {
		fprintf(stderr, "tprof: %s\n%s", wrong, usage);
		tprof_options_free(&t.set);
		return TPROF_WRONG_USE;
	}
	if (t.set.interval == 0)
		t.set.interval = 1;
	top_state_init(&s.state);
	s.state.accumulate = t.set.accumulate;
	s.state.counters = t.set.counters;
	s.state.merge_users = t.set.users;
	if (open_source(&t, argv[at]) == 0) {
		top_signals_unblock();
		ret = run_top(&s);
	}
	top_table_free(&s.table);
	top_kernel_close(&t);
	top_profile_close(&t);
	top_data_free(&t.data);
	if (t.signals >= 0)
		close(t.signals);
	tprof_options_free(&t.set);
	return ret;
}
