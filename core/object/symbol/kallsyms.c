/*
 * Context: O.  Reads the names of kernel functions and finds them by address,
 * for the model, tprof top, recordings of tprof and prof doctor; see
 * kallsyms.h.
 */
#include "symbol/kallsyms.h"

#include "base/compare.h"
#include "symbol/symbol_text.h"
#include "base/vector.h"

#include <string.h>

/*
 * Reads a line "ffffffff81000000 T _text [module]".  The address is all zero
 * where the kernel hides it.
 */
static int
add_kallsyms_line(struct kallsyms *k, char *line)
{
	struct kallsym own = { 0 };
	char *at, *end;

	own.start = strtoull(line, &at, 16);
	if (at == line || own.start == 0 || at[0] != ' ' || at[1] == '\0' ||
	    strchr("tTwW", at[1]) == NULL || at[2] != ' ')
		return 0;
	own.name = at + 3;
	end = at + 3 + strcspn(own.name, "\t ");
	if (end == own.name)
		return 0;
	if (*end != '\0') {
		*end++ = '\0';
		end += strspn(end, "\t ");
		if (*end == '[')
			own.module = end;
	}
	if (vector_grow(&k->all, k->count, &k->room, sizeof(own)) != 0)
		return -ENOMEM;
	k->all[k->count++] = own;
	return 0;
}

/*
 * Orders symbols by start, and those of one start by the preference of
 * symbol_lookup.h.
 */
static int
compare_kallsyms(const void *left, const void *right)
{
	const struct kallsym *a = left, *b = right;
	int d = compare_u64(a->start, b->start);

	if (d == 0)
		d = compare_u64(strspn(a->name, "_"), strspn(b->name, "_"));
	if (d == 0)
		d = compare_u64(strlen(a->name), strlen(b->name));
	return d != 0 ? d : strcmp(a->name, b->name);
}

/* Sorts the symbols and keeps one for each start. */
static void
sort_kallsyms(struct kallsyms *k)
{
	size_t kept = 0;

	qsort(k->all, k->count, sizeof(*k->all), compare_kallsyms);
	for (size_t i = 1; i < k->count; i++)
		if (k->all[i].start != k->all[kept].start)
			k->all[++kept] = k->all[i];
	k->count = kept + 1;
}

int
kallsyms_read(struct kallsyms *k, const char *path)
{
	struct kallsyms own = { 0 };
	char *line, *rest;
	size_t bytes;
	uid_t owner;
	int ret = 0;

	own.text = rest = symbol_text_read(path, &bytes, &owner);
	if (own.text == NULL)
		return -ENOENT;
	while (ret == 0 && (line = strsep(&rest, "\n")) != NULL)
		ret = add_kallsyms_line(&own, line);
	if (ret == 0 && own.count == 0)
		ret = -ENOENT;
	if (ret != 0) {
		kallsyms_free(&own);
		return ret;
	}
	sort_kallsyms(&own);
	kallsyms_free(k);
	*k = own;
	return 0;
}

const struct kallsym *
kallsyms_find(const struct kallsyms *k, uint64_t address)
{
	const size_t below = compare_upper_bound(k->all, k->count,
	    sizeof(*k->all), offsetof(struct kallsym, start), address);

	return below != 0 && address - k->all[below - 1].start <
	    KALLSYMS_FARTHEST ? &k->all[below - 1] : NULL;
}

void
kallsyms_free(struct kallsyms *k)
{
	free(k->text);
	free(k->all);
	*k = (struct kallsyms) { 0 };
}
