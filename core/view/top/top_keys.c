/*
 * Context: O.  Handles keys of tprof top's screen, for cmd/top/tprof_top.c; see
 * top_view.h.
 */
#include "top/top_view.h"

void
top_keys_settle(struct top_state *s, const struct top_table *t, size_t lines)
{
	for (size_t i = 0; i < t->count && s->follow; i++)
		if (t->lines[i].key == s->selected_key) {
			s->selected = i;
			break;
		}
	if (s->selected >= t->count)
		s->selected = t->count == 0 ? 0 : t->count - 1;
	if (s->first > s->selected)
		s->first = s->selected;
	if (s->selected - s->first >= lines)
		s->first = s->selected - lines + 1;
	/* No empty lines at the bottom while lines above are scrolled off. */
	if (s->first != 0 && t->count - s->first < lines)
		s->first = t->count > lines ? t->count - lines : 0;
}

static void
select_first_line(struct top_state *s)
{
	s->selected = s->first = 0;
	s->follow = false;
}

/*
 * Moves the selection.  While the first line is selected, the selection does
 * not follow a line, so the line with the most weight stays selected.
 */
static void
move_selection(struct top_state *s, const struct top_table *t, long by)
{
	const long last = (long)t->count - 1;
	long to = (long)s->selected + by;

	to = to > last ? last : to;
	s->selected = (size_t)(to < 0 ? 0 : to);
	s->follow = s->selected != 0 && t->count != 0;
	if (s->follow)
		s->selected_key = t->lines[s->selected].key;
}

static bool
select_by_key(struct top_state *s, const struct top_table *t, size_t lines,
    int key)
{
	const long all = (long)t->count, page = (long)lines;
	const long by = key == TOP_KEY_UP || key == 'k' ? -1 :
	    key == TOP_KEY_DOWN || key == 'j' ? 1 :
	    key == TOP_KEY_PAGE_UP ? -page : key == TOP_KEY_PAGE_DOWN ? page :
	    key == TOP_KEY_HOME || key == 'g' ? -all :
	    key == TOP_KEY_END || key == 'G' ? all : 0;

	if (by != 0)
		move_selection(s, t, by);
	return by != 0;
}

/*
 * Goes from the selected line to what is below it: the callers of a function,
 * the functions of a process or thread.
 */
static enum top_action
open_selected(struct top_state *s, const struct top_table *t)
{
	const struct top_line *l = &t->lines[s->selected];

	if (s->callers_of != HASH_INDEX_NONE || t->count == 0)
		return TOP_NOTHING;
	if (l->function != HASH_INDEX_NONE) {
		s->callers_of = l->function;
	} else if (l->process != HASH_INDEX_NONE) {
		s->only_process = l->process;
		s->only_tid = l->tid;
		s->merge_users = false;
	} else {
		return TOP_NOTHING;
	}
	select_first_line(s);
	return TOP_REMAKE;
}

/* Goes back one step; does nothing on the outermost table. */
static enum top_action
go_back(struct top_state *s)
{
	if (s->callers_of != HASH_INDEX_NONE)
		s->callers_of = HASH_INDEX_NONE;
	else if (s->only_process != HASH_INDEX_NONE)
		s->only_process = s->only_tid = HASH_INDEX_NONE;
	else
		return TOP_NOTHING;
	select_first_line(s);
	return TOP_REMAKE;
}

static enum top_action
show_table_by(struct top_state *s, unsigned by)
{
	s->by = (enum top_by)(by % TOP_BYS);
	s->callers_of = s->only_process = s->only_tid = HASH_INDEX_NONE;
	select_first_line(s);
	return TOP_REMAKE;
}

/* Inverts a flag. */
static enum top_action
toggle_flag(bool *what, enum top_action deed)
{
	*what = !*what;
	return deed;
}

/*
 * Does what a key means that moves no selection.  Returns what the caller has
 * to do.
 */
static enum top_action
handle_letter(struct top_state *s, const struct top_input *in,
    const struct top_table *t, int key)
{
	switch (key) {
	case 'q':
		return TOP_QUIT;
	case 'a':
		return toggle_flag(&s->accumulate, TOP_REMAKE);
	case 'c':
		return toggle_flag(&s->counters, TOP_REDRAW);
	case 'u':
		return toggle_flag(&s->merge_users, TOP_REMAKE);
	case 'f':
	case ' ':
		return toggle_flag(&s->frozen, TOP_REDRAW);
	case 'h':
	case '?':
		return toggle_flag(&s->help, TOP_REDRAW);
	case 'z':
		return TOP_CLEAR;
	case 's':
		s->sort = (enum top_sort)((s->sort + 1) % TOP_SORTS);
		return TOP_REMAKE;
	case 'e':
		s->event = (uint32_t)((s->event + 1) % in->event_count);
		return TOP_REMAKE;
	case '1':
	case '2':
	case '3':
		return show_table_by(s, (unsigned)key - '1');
	case '\t':
		return show_table_by(s, s->by + 1u);
	case TOP_KEY_ENTER:
		return open_selected(s, t);
	case TOP_KEY_BACK:
	case 'b':
		return go_back(s);
	default:
		return TOP_NOTHING;
	}
}

enum top_action
top_keys_handle(struct top_state *s, const struct top_input *in,
    const struct top_table *t, size_t lines, int key)
{
	/* Any key closes the page of help and does nothing else; 'q' quits. */
	if (s->help && key != 'q') {
		s->help = false;
		return TOP_REDRAW;
	}
	if (select_by_key(s, t, lines, key))
		return TOP_REDRAW;
	return handle_letter(s, in, t, key);
}
