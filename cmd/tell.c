/* Context: O.  prof --control: the words of its command line. */
#include "tell.h"

#include "option.h"

#include <errno.h>
#include <stdio.h>

static int
wrong_use(const struct order_wrong *w)
{
	fprintf(stderr, "prof: --control: %s%s%s: %s\n", w->what,
	    *w->text == '\0' ? "" : " ", w->text, w->hint);
	return -EINVAL;
}

int
tell_parse(struct order *o, const char **names, size_t count)
{
	struct order_wrong w = {
		"whom to tell what", "", "a pid, a directory or a profile, "
		    "and " ORDER_COMMANDS,
	};
	const char *near;

	if (count < 2)
		return wrong_use(&w);
	if (order_parse(o, names[1], count > 2 ? names[2] : NULL, &w) != 0) {
		near = w.text != names[1] ? NULL :
		    option_nearest(names[1], order_words, ORDER_WORDS);
		if (near != NULL)
			w.hint = near;
		return wrong_use(&w);
	}
	if (count > 3)
		return wrong_use(&(struct order_wrong) { names[1], "",
		    "takes one value" });
	return 0;
}
