/*
 * Context: O.  Shows a report again and again on standard output (prof --live),
 * for the loop repeat_report() of prof.c; see live.h.
 */
#include "prof/live.h"

#include "base/term.h"
#include "base/vector.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define AROUND	15u	/* lines of the terminal kept for header and footer */
#define FEWEST	5u	/* lines of a table on however small a terminal */

/*
 * Reads the size of the terminal, which may change at any time.  Keeps the last
 * one if it cannot be read.
 */
static void
update_terminal_size(struct live *l)
{
	struct winsize size;

	if (l->terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		l->rows = size.ws_row;
}

void
live_init(struct live *l)
{
	memset(l, 0, sizeof(*l));
	l->terminal = isatty(STDOUT_FILENO);
	/*
	 * Write a report of up to 256 KiB at once: a process that is killed in
	 * between would leave half of it.
	 */
	if (l->terminal)
		setvbuf(stdout, NULL, _IOFBF, 1 << 18);
	update_terminal_size(l);
}

void
live_free(struct live *l)
{
	while (l->reported_count > 0)
		free(l->reported[--l->reported_count]);
	free(l->reported);
	group_interval_free(&l->before.interval);
}

bool
live_note_fault(struct live *l, const struct fault *f)
{
	char *fault;

	if (asprintf(&fault, "%s\n%s", f->file != NULL ? f->file : "",
	    f->what) < 0)
		return false;
	for (size_t i = 0; i < l->reported_count; i++)
		if (strcmp(l->reported[i], fault) == 0) {
			free(fault);
			return true;
		}
	if (vector_grow(&l->reported, l->reported_count, &l->reported_room,
	    sizeof(*l->reported)) == 0)
		l->reported[l->reported_count++] = fault;
	else
		free(fault);
	return false;
}

unsigned
live_lines(const struct live *l)
{
	if (l->rows == 0)
		return 0;
	return l->rows > AROUND + FEWEST ? l->rows - AROUND : FEWEST;
}

FILE *
live_begin(struct live *l)
{
	const struct timespec last = l->began;

	clock_gettime(CLOCK_MONOTONIC, &l->began);
	l->before.seconds = (double)(l->began.tv_sec - last.tv_sec) +
	    (double)(l->began.tv_nsec - last.tv_nsec) / 1e9;
	update_terminal_size(l);
	l->out = open_memstream(&l->text, &l->bytes);
	if (l->out != NULL)
		term_set_alias(l->out, stdout);
	return l->out;
}

/*
 * Writes each line over the one that was there, as many as the terminal has but
 * one, and clears the rest.  The terminal cuts lines that are too long:
 * otherwise they would take two.
 */
static void
redraw_terminal(struct live *l)
{
	const char *at = l->text;

	fputs(l->cleared ? "\033[?7l\033[H" : "\033[?7l\033[H\033[2J", stdout);
	l->cleared = true;
	for (unsigned row = 1; *at != '\0' && (l->rows == 0 || row < l->rows);
	    row++) {
		size_t bytes = strcspn(at, "\n");

		fwrite(at, 1, bytes, stdout);
		fputs("\033[K\n", stdout);
		at += bytes + (at[bytes] == '\n');
	}
	fputs("\033[J\033[?7h", stdout);
}

bool
live_show(struct live *l, bool last)
{
	bool whole = fclose(l->out) == 0;

	if (whole && l->terminal && !last) {
		redraw_terminal(l);
	} else if (whole) {
		if (l->cleared)
			fputs("\033[H\033[J", stdout);
		fwrite(l->text, 1, l->bytes, stdout);
		if (!last)
			putchar('\n');
	}
	free(l->text);
	l->text = NULL;
	return whole && fflush(stdout) == 0 && !ferror(stdout);
}

void
live_wait(const struct live *l)
{
	struct timespec now, wait = { .tv_sec = 1 };
	double took;

	clock_gettime(CLOCK_MONOTONIC, &now);
	took = (double)(now.tv_sec - l->began.tv_sec) +
	    (double)(now.tv_nsec - l->began.tv_nsec) / 1e9;
	if (took * 4 > 1) {
		wait.tv_sec = (time_t)(took * 4);
		wait.tv_nsec = (long)((took * 4 - (double)wait.tv_sec) * 1e9);
	}
	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &wait, &wait) == EINTR)
		;
}
