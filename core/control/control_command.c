/*
 * Context: O.  Parses the words of a control command, for prof --control, the
 * prof device and libmontell; see control_command.h.
 */
#include "control_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *const control_command_names[CONTROL_COMMAND_COUNT] = {
	"start", "stop", "end", "interval", "watch", "mode", "dump", "status",
};

/* Parses "10ms", "10" (ms), "2s", "250hz" or "auto" (0) into ns. */
static int
parse_interval(const char *text, uint64_t *ns)
{
	char *unit;
	double n = strtod(text, &unit);

	*ns = 0;
	if (strcmp(text, "auto") == 0)
		return 0;
	if (unit == text || !(n > 0 && n < 1e9))
		return -EINVAL;
	if (strcmp(unit, "hz") == 0 || strcmp(unit, "Hz") == 0)
		n = 1e9 / n;
	else if (strcmp(unit, "us") == 0)
		n *= 1e3;
	else if (strcmp(unit, "s") == 0)
		n *= 1e9;
	else if (strcmp(unit, "ms") == 0 || *unit == '\0')
		n *= 1e6;
	else
		return -EINVAL;
	if (!(n >= FORMAT_INTERVAL_LEAST && n <= FORMAT_INTERVAL_MOST))
		return -EINVAL;
	*ns = (uint64_t)(n + 0.5);
	return 0;
}

static const struct {
	const char *name;
	uint32_t modes;
} mode_names[] = {
	{ "time", FORMAT_MODE_TIME },
	{ "heap", FORMAT_MODE_MEMORY },
	{ "time+heap", FORMAT_MODE_TIME | FORMAT_MODE_MEMORY },
	{ "coverage", FORMAT_MODE_COVERAGE },
	/* the name in the manual of the prof device */
	{ "memory", FORMAT_MODE_MEMORY },
	{ "nothing", 0 },
};

#define NAMES	(sizeof(mode_names) / sizeof(mode_names[0]))

/* Parses the name of a set of modes but "nothing".  Returns 0 or -EINVAL. */
static int
parse_mode(const char *text, uint32_t *modes)
{
	for (size_t i = 0; i < NAMES && mode_names[i].modes != 0; i++)
		if (strcmp(text, mode_names[i].name) == 0) {
			*modes = mode_names[i].modes;
			return 0;
		}
	return -EINVAL;
}

const char *
control_command_mode_name(uint32_t modes)
{
	for (size_t i = 0; i < NAMES; i++)
		if (modes == mode_names[i].modes)
			return mode_names[i].name;
	return "?";
}

/*
 * Sets *list to the text, which stays the caller's, or to "" if the text is
 * "all".
 */
static int
parse_module_list(const char *text, const char **list)
{
	if (text[strspn(text, ",")] == '\0' || strlen(text) >= FORMAT_WATCH)
		return -EINVAL;
	*list = strcmp(text, "all") == 0 ? "" : text;
	return 0;
}

static bool
is_command_name(const char *text)
{
	for (size_t i = 0; i < CONTROL_COMMAND_COUNT; i++)
		if (strcmp(control_command_names[i], text) == 0)
			return true;
	return false;
}

/* Sets *w and returns -EINVAL. */
static int
reject_command(struct control_command_error *w, const char *what,
    const char *text, const char *hint)
{
	*w = (struct control_command_error) { what, text, hint };
	return -EINVAL;
}

static bool
command_takes_value(const char *word)
{
	static const char *const words[] = {
		"interval", "watch", "mode", "dump",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i], word) == 0)
			return true;
	return false;
}

int
control_command_parse(struct control_command *o, const char *word,
    const char *value, struct control_command_error *w)
{
	struct control_client_change *to = &o->change;

	if (!is_command_name(word))
		return reject_command(w, "no command", word,
		    "use " CONTROL_COMMAND_LIST);
	if (command_takes_value(word) != (value != NULL))
		return reject_command(w, word, "", value == NULL ?
		    "takes one value" : "takes no value");
	memset(o, 0, sizeof(*o));
	o->status_only = strcmp(word, "status") == 0;
	o->anew = strcmp(word, "end") == 0;
	o->copy = strcmp(word, "dump") == 0 ? value : NULL;
	to->stop = o->anew || strcmp(word, "stop") == 0;
	to->state = to->stop || strcmp(word, "start") == 0;
	to->first_rate = to->first_modes = to->forget = o->anew;
	to->watch = o->anew ? "" : NULL;
	to->rate = strcmp(word, "interval") == 0;
	to->what = strcmp(word, "mode") == 0;
	if (to->rate && parse_interval(value, &to->interval_ns) != 0)
		return reject_command(w, "interval", value,
		    "use a number of ms, or one with us, ms, s or hz behind "
		    "it, from 50 us to 10 s; or auto");
	if (strcmp(word, "watch") == 0 && parse_module_list(value,
	    &to->watch) != 0)
		return reject_command(w, "watch", value,
		    "use names of modules with commas between them, or all; at "
		    "most 511 bytes");
	if (to->what && parse_mode(value, &to->modes) != 0)
		return reject_command(w, "mode", value, "use time, heap or "
		    "time+heap");
	return 0;
}
