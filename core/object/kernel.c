/* Context: O.  Names of kernel functions, from /proc/kallsyms. */
#include "textmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* "ffffffff81000000 T _text [module]"; all zero where it is not allowed. */
static int
kernel_offer(struct symbol_set *set, char *line, bool *any)
{
	struct symbol_offer o = { .limit = UINT64_MAX, .bind = STB_GLOBAL };
	char *at;

	o.value = strtoull(line, &at, 16);
	if (at == line || o.value == 0 || at[0] != ' ' || at[1] == '\0' ||
	    strchr("tTwW", at[1]) == NULL || at[2] != ' ')
		return 0;
	o.name = at + 3;
	at[3 + strcspn(o.name, "\t ")] = '\0';
	if (o.name[0] == '\0')
		return 0;
	*any = true;
	return symbol_offer(set, &o);
}

static int
kernel_lines(struct symbol_set *set, char *text)
{
	char *line, *rest = text;
	bool any = false;
	int ret = 0;

	while (ret == 0 && (line = strsep(&rest, "\n")) != NULL)
		ret = kernel_offer(set, line, &any);
	return ret == 0 && !any ? -ENOENT : ret;
}

int
kernel_name(const char *path, struct symbol *asked, size_t count,
    struct arena *arena)
{
	struct symbol_set set;
	size_t bytes;
	uid_t owner;
	char *text = textmap_read(path, &bytes, &owner);
	int ret;

	if (text == NULL)
		return -ENOENT;
	ret = symbol_begin(&set, asked, count);
	if (ret == 0)
		ret = kernel_lines(&set, text);
	if (ret == 0)
		ret = symbol_settle(&set, NULL, arena);
	symbol_end(&set);
	free(text);
	return ret;
}
