/*
 * Context: O.  The terminal of tprof top, by curses, for tprof_top.c; see
 * tprof_screen.h.  tprof_screen_none.c is linked in its place without curses.
 */
#include "top/tprof_screen.h"

#include "top/top_view.h"

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static SCREEN *screen;
static bool utf8;
static attr_t styles[TOP_STYLES];

/*
 * Sets the attributes of each style.  Color pairs have the numbers of the
 * styles that use them.
 */
static void
init_styles(void)
{
	const char *no = getenv("NO_COLOR");

	styles[TOP_PLAIN] = A_NORMAL;
	styles[TOP_TITLE] = A_REVERSE | A_BOLD;
	styles[TOP_HEADER] = styles[TOP_SELECTED] = A_REVERSE;
	styles[TOP_DIM] = A_DIM;
	styles[TOP_BOLD] = styles[TOP_LOSS] = A_BOLD;
	styles[TOP_KERNEL] = A_NORMAL;
	if ((no != NULL && no[0] != '\0') || !has_colors() ||
	    start_color() == ERR)
		return;
	use_default_colors();
	init_pair(TOP_TITLE, COLOR_WHITE, COLOR_BLUE);
	init_pair(TOP_HEADER, COLOR_BLACK, COLOR_CYAN);
	init_pair(TOP_KERNEL, COLOR_MAGENTA, -1);
	init_pair(TOP_LOSS, COLOR_RED, -1);
	styles[TOP_TITLE] = COLOR_PAIR(TOP_TITLE) | A_BOLD;
	styles[TOP_HEADER] = COLOR_PAIR(TOP_HEADER);
	styles[TOP_KERNEL] = COLOR_PAIR(TOP_KERNEL);
	styles[TOP_LOSS] = COLOR_PAIR(TOP_LOSS) | A_BOLD;
}

bool
tprof_screen_begin(void)
{
	const char *kind = getenv("TERM");

	if (!isatty(STDOUT_FILENO) || kind == NULL ||
	    strcmp(kind, "dumb") == 0)
		return false;
	setlocale(LC_CTYPE, "");
	utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	/* initscr(3) would end the program on an unknown terminal. */
	screen = newterm(NULL, stdout, stdin);
	if (screen == NULL)
		return false;
	set_term(screen);
	init_styles();
	set_escdelay(25);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	return true;
}

void
tprof_screen_end(void)
{
	if (screen == NULL)
		return;
	endwin();
	delscreen(screen);
	screen = NULL;
}

void
tprof_screen_resize(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
	    size.ws_row == 0 || size.ws_col == 0)
		return;
	resizeterm(size.ws_row, size.ws_col);
	clearok(stdscr, TRUE);
}

void
tprof_screen_size(int *columns, int *rows)
{
	getmaxyx(stdscr, *rows, *columns);
}

/* Writes text; '?' for characters that the terminal's locale does not have. */
static void
put_text_run(const char *at, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		const unsigned char c = (unsigned char)at[i];

		if (utf8 || c < 0x80) {
			size_t run = 1;

			while (i + run < bytes && (utf8 ||
			    (unsigned char)at[i + run] < 0x80))
				run++;
			addnstr(at + i, (int)run);
			i += run - 1;
		} else if (c >= 0xc0) {
			addch('?');
		}
	}
}

/*
 * Draws a line.  Some styles reach to the end of the line, also behind the
 * text.  Returns where the next line begins, or the end of the text.
 */
static const char *
draw_line(const char *at)
{
	attr_t style = A_NORMAL;
	bool whole = false;

	while (*at != '\0' && *at != '\n') {
		size_t run = 0;

		if (*at > 0 && *at < TOP_STYLES) {
			whole = *at >= TOP_TITLE && *at <= TOP_SELECTED;
			style = styles[(unsigned char)*at++];
			attrset((int)style);
			continue;
		}
		while (at[run] != '\0' && at[run] != '\n' &&
		    !(at[run] > 0 && at[run] < TOP_STYLES))
			run++;
		put_text_run(at, run);
		at += run;
	}
	bkgdset(whole ? ' ' | (chtype)style : ' ');
	clrtoeol();
	bkgdset(' ');
	attrset(A_NORMAL);
	return *at == '\n' ? at + 1 : at;
}

void
tprof_screen_draw(const char *text)
{
	int columns, rows;

	tprof_screen_size(&columns, &rows);
	for (int row = 0; row < rows; row++) {
		move(row, 0);
		if (*text != '\0')
			text = draw_line(text);
		else
			clrtoeol();
	}
	refresh();
}

int
tprof_screen_key(void)
{
	static const struct { int curses, key; } keys[] = {
		{ KEY_UP, TOP_KEY_UP }, { KEY_DOWN, TOP_KEY_DOWN },
		{ KEY_PPAGE, TOP_KEY_PAGE_UP }, { KEY_HOME, TOP_KEY_HOME },
		{ KEY_NPAGE, TOP_KEY_PAGE_DOWN }, { KEY_END, TOP_KEY_END },
		{ KEY_ENTER, TOP_KEY_ENTER }, { '\r', TOP_KEY_ENTER },
		{ '\n', TOP_KEY_ENTER }, { 27, TOP_KEY_BACK },
		{ KEY_LEFT, TOP_KEY_BACK }, { KEY_BACKSPACE, TOP_KEY_BACK },
		{ KEY_RIGHT, TOP_KEY_ENTER },
	};
	const int c = getch();

	if (c == ERR)
		return -1;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].curses == c)
			return keys[i].key;
	return c < 256 ? c : 0;
}
