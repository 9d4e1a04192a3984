/*
 * Context: O.  tprof top, called by main() of tprof: a screen of what runs,
 * drawn anew after each interval, of 1 s by default.  This file has the command
 * and its loop; see tprof_top.h for its parts.
 */
#include "tprof/tprof_commands.h"

#include "common/print_fault.h"
#include "output.h"
#include "target_profile.h"
#include "top/top_signals.h"
#include "top/tprof_screen.h"
#include "top/tprof_top.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option_row top_options[] = {
	{"accumulate", 'a', NULL, TPROF_OPT_ACCUMULATE,
	    "show counts since the beginning"},
	{"counters", 'c', NULL, TPROF_OPT_COUNTERS,
	    "show the counters as well"},
	{"users", 'u', NULL, TPROF_OPT_USERS,
	    "show a user program as one line, <PID:name>, not its\nfunctions "
	    "(NetBSD's tprof shows no user functions)"},
	{"event", 'e', "EVENT", TPROF_OPT_EVENT,
	    "sample this event of tprof list, which may have :u,\n:k or :uk "
	    "and ,SCALE behind it; can be repeated"},
	{"interval", 'i', "SECS", TPROF_OPT_INTERVAL,
	    "draw the screen again after so many seconds, 1"},
	{"pid", 'p', "PID,...", TPROF_OPT_PIDS,
	    "show these processes, as without -p"},
	{"hz", 0, "N", TPROF_OPT_HZ, "take N samples a second of a processor, "
	    "1000"},
	{"stacks", 0, "HOW", TPROF_OPT_STACKS,
	    "find callers: fp, by frame pointers; copy, by tables;\noff, not "
	    "at all"},
	{"help", 'h', NULL, TPROF_OPT_HELP, "print this text"},
};

static const struct tprof_command top_command = {
	.program = "tprof top",
	.usage = "usage: tprof top [OPTION...] [PID,...]\n"
	    "Shows what runs, on the whole machine or in these processes.\n",
	.table = top_options,
	.rows = sizeof(top_options) / sizeof(top_options[0]),
	.end = "If a process runs under libmon.so, its profile is shown, "
	    "unless -e is given.\nThe key h shows all keys.  If standard "
	    "output is not a terminal, one interval\nis printed.  See "
	    "tprof(8).\n",
};

/* The screen and its state. */
struct top_display {
	struct tprof_top *top;
	struct top_state state;
	struct top_table table;
	bool screen;
	uint64_t then;		/* time of the next update */
};

/* Returns how many lines of the table the screen has room for. */
static size_t
visible_lines(const struct top_display *s)
{
	int columns, rows;

	tprof_screen_size(&columns, &rows);
	return top_view_lines(&s->top->data.in, &s->state, rows);
}

/*
 * Draws the screen, or prints it if there is no terminal.  Returns 0 or
 * -ENOMEM.
 */
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

/*
 * Makes the table anew from the data and the state; keeps the old one without
 * memory.  Returns 0 or -ENOMEM.
 */
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

/*
 * Ends the interval: reads the source and draws what it has.  Returns as
 * top_profile_update().
 */
static int
refresh_display(struct top_display *s, struct fault *f)
{
	struct tprof_top *t = s->top;
	int ret;

	/*
	 * A profile keeps its counts until it is read; samples must be read
	 * now.
	 */
	if (t->profile != NULL && (top_profile_has_ended(t) || s->state.frozen))
		return 0;
	if (t->kernel != NULL && top_kernel_has_ended(t))
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

/*
 * Follows a new size of the terminal, and handles keys.  Returns as
 * handle_keys().
 */
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
	int ret;

	s->then = perf_buffer_now() + (uint64_t)(s->top->set.interval * 1e9);
	if (s->top->profile != NULL && !top_profile_has_ended(s->top))
		return refresh_display(s, f);
	ret = top_data_next_interval(&s->top->data, &s->state);
	if (ret == 0)
		ret = rebuild_table(s);
	return ret == 0 && s->screen ? draw_top(s) : ret;
}

/*
 * Shows intervals until the command is to end; one, if there is no screen.
 * Returns 0, or as refresh_display().
 */
static int
run_display(struct top_display *s, struct fault *f)
{
	struct tprof_top *t = s->top;
	const uint64_t each = (uint64_t)(t->set.interval * 1e9);
	int ret = begin_display(s, f), more = 1;

	while (ret == 0 && more == 1) {
		more = t->kernel != NULL ? top_kernel_wait(t, s->then) :
		    top_signals_wait(t, s->then);
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

/* Runs the screen and reports faults.  Returns the exit status. */
static int
run_top(struct top_display *s)
{
	struct fault f = { 0 };
	int ret, wrong;

	s->screen = tprof_screen_begin();
	ret = s->top->ending ? 0 : run_display(s, &f);
	tprof_screen_end();
	if (ret == 0 && !s->screen && s->top->ended_by == 0)
		ret = draw_top(s);
	wrong = ret == 0 ? output_flush(stdout) : 0;
	if (wrong != 0)
		ret = fault_set(&f, "standard output cannot be written",
		    FAULT_NO_OFFSET, wrong);
	if (ret == 0)
		return TPROF_GOOD;
	if (f.what == NULL)
		fault_set_no_memory(&f);
	print_fault(&f);
	return TPROF_DATA;
}

/*
 * Opens the source of some processes: the profiles in a directory of that name;
 * or a profile that one process writes, which has the stacks and all that was
 * counted before; or else the kernel.
 */
static int
open_processes(struct tprof_top *t, const char *pids, struct fault *f)
{
	struct fault none;

	if (target_profile_is_directory(pids))
		return top_profile_open(t, pids, f);
	if (!t->set.events_given && strchr(pids, ',') == NULL) {
		if (top_profile_open(t, pids, &none) == 0)
			return 0;
		top_profile_close(t);
	}
	return top_kernel_open(t, pids, f);
}

/*
 * Prepares data, signals and source.  Reports a fault.  Returns 0 or not 0; the
 * caller closes everything in either case.
 */
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
		ret = pid == NULL ? top_kernel_open(t, NULL, &f) :
		    open_processes(t, pid, &f);
	if (ret != 0)
		print_fault(&f);
	return ret;
}

/*
 * Sets *pids to the processes that the command line names; NULL: none.  Returns
 * why the command line is wrong; NULL if it is right.
 */
static const char *
find_top_pids(const struct tprof_options *o, char **words, const char **pids)
{
	*pids = o->pids != NULL ? o->pids : words[0];
	if (words[0] != NULL && (words[1] != NULL || o->pids != NULL))
		return "name the processes once, as 12,13";
	return *pids != NULL && (**pids < '0' || **pids > '9' ||
	    (*pids)[strspn(*pids, "0123456789,")] != '\0') ?
	    "PID is no number of a process: use digits, as 12,13" : NULL;
}

int
tprof_top(char **argv)
{
	struct tprof_top t = { .signal_fd = -1 };
	struct top_display s = { .top = &t };
	const int at = tprof_options_parse(&t.set, argv, &top_command);
	const char *pids, *wrong = at <= 0 ? NULL :
	    find_top_pids(&t.set, argv + at, &pids);
	int ret = TPROF_DATA;

	if (at <= 0 || wrong != NULL) {
		ret = at == 0 ? TPROF_GOOD : at < 0 ? TPROF_WRONG_USE :
		    tprof_options_reject(&top_command, wrong);
		tprof_options_free(&t.set);
		return ret;
	}
	if (t.set.interval == 0)
		t.set.interval = 1;
	top_state_init(&s.state);
	s.state.accumulate = t.set.accumulate;
	s.state.counters = t.set.counters;
	s.state.merge_users = t.set.users;
	if (open_source(&t, pids) == 0) {
		top_signals_unblock();
		ret = run_top(&s);
	}
	top_table_free(&s.table);
	top_kernel_close(&t);
	top_profile_close(&t);
	top_data_free(&t.data);
	if (t.signal_fd >= 0)
		close(t.signal_fd);
	tprof_options_free(&t.set);
	return ret;
}
