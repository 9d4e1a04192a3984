/*
 * Context: S.  Keeps the list of watched modules, and matches paths with it,
 * for live_control.c and module_table.c; see module_filter.h.
 *
 * Two lists take turns.  If two tools set lists one right after the other, a
 * reader may read a list that is being written.  It decides again soon
 * afterwards, because the module table is marked stale then.
 */
#include "module/module_filter.h"

#include "base/str.h"
#include "module/module_stale.h"
#include "module/modules.h"

const char *
module_filter_list(void)
{
	return lineage.watch[atomic_load(&lineage.watch_turn) % 2];
}

void
module_filter_set(const char *list)
{
	unsigned turn = atomic_load(&lineage.watch_turn) + 1;

	str_copy(lineage.watch[turn % 2], list, FORMAT_WATCH);
	atomic_store(&lineage.watch_turn, turn);
	module_stale_mark();
}

/*
 * Returns whether the pattern matches the whole text.  After a mismatch, the
 * last star takes one more character.
 */
static bool
matches_glob(const char *p, const char *p_end, const char *t, const char *t_end)
{
	const char *star = NULL, *from = t;

	while (t < t_end) {
		if (p < p_end && *p == '*') {
			star = ++p;
			from = t;
		} else if (p < p_end && (*p == '?' || *p == *t)) {
			p++;
			t++;
		} else if (star != NULL) {
			p = star;
			t = ++from;
		} else {
			return false;
		}
	}
	while (p < p_end && *p == '*')
		p++;
	return p == p_end;
}

static const char *
module_base_name(const char *path, const char *end)
{
	const char *p = end;

	while (p > path && p[-1] != '/')
		p--;
	return p;
}

static const char *
end_of_filter_pattern(const char *p, bool *whole)
{
	*whole = false;
	for (; *p != '\0' && *p != ','; p++)
		*whole |= *p == '/';
	return p;
}

bool
module_filter_matches(const char *path, size_t n)
{
	const char *p = module_filter_list(), *end = path + n, *p_end;
	const char *name = module_base_name(path, end);
	bool whole;

	for (; *p != '\0'; p = p_end + (*p_end == ',')) {
		p_end = end_of_filter_pattern(p, &whole);
		if (matches_glob(p, p_end, whole ? path : name, end))
			return true;
	}
	return false;
}
