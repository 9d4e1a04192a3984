/* Context: O.  What is written to the ctl of a device. */
#include "verb.h"

#include "conduct.h"

#include <errno.h>
#include <string.h>

#define WORDS_MOST	256
#define BLANK		" \t\r\n"
#define VERBS "module, start, startcp, startmp, stop, end, interval"

struct verb {
	char *words[WORDS_MOST];
	size_t count;
};

static int
wrong(struct device *d, const char *what, const char *why)
{
	device_note(d, "%s: %s", what, why);
	return -EINVAL;
}

static int
no_memory(struct device *d)
{
	device_note(d, "out of memory");
	return -ENOMEM;
}

/* more: what is to be counted, too. */
static int
tell(struct device *d, int32_t pid, const char *word, const char *value,
    uint32_t more)
{
	struct order_wrong w;
	struct order o;

	if (order_parse(&o, word, value, &w) == 0) {
		o.change.more = more;
		return conduct_tell(d, pid, &o);
	}
	device_note(d, "%s%s%s: %s", w.what, *w.text != '\0' ? " " : "",
	    w.text, w.hint);
	return -EINVAL;
}

static int
take_module(struct device *d, int32_t pid, const struct verb *v)
{
	if (pid != 0)
		return wrong(d, "module", "is for all processes: write it to "
		    "the first ctl");
	if (v->count < 2)
		return wrong(d, "module", "takes names or patterns");
	for (size_t i = 1; i < v->count; i++)
		if (device_select(d, v->words[i]) != 0)
			return no_memory(d);
	return 0;
}

static int
take_end(struct device *d, int32_t pid)
{
	int ret = tell(d, pid, "end", NULL, 0);

	device_stops(d, pid);
	if (pid == 0)
		device_begin_anew(d);
	return ret;
}

static int
take_coverage(struct device *d)
{
	device_note(d, "startcp: this version has no such mode");
	return -EOPNOTSUPP;
}

/* It has the memory pools behind its name, of which we have one: startmp12. */
static bool
is_startmp(const char *word)
{
	return strncmp(word, "startmp", 7) == 0 &&
	    strspn(word + 7, "123") == strlen(word + 7);
}

/* Modes can be at once: each start adds its own. */
static int
take_start(struct device *d, int32_t pid, bool memory)
{
	if (device_starts(d, pid, memory ? DEVICE_MEMORY : DEVICE_TIME) != 0)
		return no_memory(d);
	return tell(d, pid, "start", NULL, memory ? FORMAT_MODE_MEMORY :
	    FORMAT_MODE_TIME);
}

static int
take_stop(struct device *d, int32_t pid)
{
	device_stops(d, pid);
	return tell(d, pid, "stop", NULL, 0);
}

static int
take_one(struct device *d, int32_t pid, const struct verb *v)
{
	const char *word = v->words[0];
	const char *value = v->count > 1 ? v->words[1] : NULL;

	if (strcmp(word, "module") == 0)
		return take_module(d, pid, v);
	if (strcmp(word, "startcp") == 0)
		return take_coverage(d);
	if (v->count > 2)
		return wrong(d, word, "takes one value at most");
	if (strcmp(word, "interval") == 0)
		return tell(d, pid, word, value, 0);
	if (strcmp(word, "start") != 0 && strcmp(word, "stop") != 0 &&
	    strcmp(word, "end") != 0 && !is_startmp(word))
		return wrong(d, word, "no such verb: " VERBS);
	if (value != NULL)
		return wrong(d, word, "takes no value");
	if (strcmp(word, "end") == 0)
		return take_end(d, pid);
	if (strcmp(word, "stop") == 0)
		return take_stop(d, pid);
	return take_start(d, pid, is_startmp(word));
}

/* '#' begins a comment: what ctl shows can be written to another. */
static int
take_line(struct device *d, int32_t pid, char *line)
{
	struct verb v = { .count = 0 };
	char *rest, *word;

	for (word = strtok_r(line, BLANK, &rest);
	    word != NULL && *word != '#' && v.count < WORDS_MOST;
	    word = strtok_r(NULL, BLANK, &rest))
		v.words[v.count++] = word;
	if (v.count == WORDS_MOST)
		return wrong(d, v.words[0], "takes fewer values");
	return v.count == 0 ? 0 : take_one(d, pid, &v);
}

int
verb_take(struct device *d, int32_t pid, const char *text, size_t bytes)
{
	char *copy, *line, *next;
	int ret;

	/* A string of C may be written with its end. */
	if (bytes != 0 && text[bytes - 1] == '\0')
		bytes--;
	if (memchr(text, '\0', bytes) != NULL)
		return wrong(d, "message", "is no text: it has a NUL");
	copy = next = strndup(text, bytes);
	ret = copy == NULL ? no_memory(d) : 0;
	while (ret == 0 && (line = strsep(&next, "\n")) != NULL)
		ret = take_line(d, pid, line);
	free(copy);
	return ret;
}
