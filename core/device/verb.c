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

static int
tell(struct device *d, int32_t pid, const char *word, const char *value)
{
	struct order_wrong w;
	struct order o;

	if (order_parse(&o, word, value, &w) == 0)
		return conduct_tell(d, pid, &o);
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
	int ret = tell(d, pid, "end", NULL);

	if (pid == 0)
		device_begin_anew(d);
	return ret;
}

/* startmp has the memory pools behind its name: startmp12. */
static int
take_mode(struct device *d, const char *word)
{
	device_note(d, "%s: this version has no such mode, only time", word);
	return -EOPNOTSUPP;
}

static int
take_one(struct device *d, int32_t pid, const struct verb *v)
{
	const char *word = v->words[0];
	const char *value = v->count > 1 ? v->words[1] : NULL;

	if (strcmp(word, "module") == 0)
		return take_module(d, pid, v);
	if (strcmp(word, "startcp") == 0 || (strncmp(word, "startmp", 7) == 0 &&
	    strspn(word + 7, "123") == strlen(word + 7)))
		return take_mode(d, word);
	if (v->count > 2)
		return wrong(d, word, "takes one value at most");
	if (strcmp(word, "interval") == 0)
		return tell(d, pid, word, value);
	if (strcmp(word, "start") != 0 && strcmp(word, "stop") != 0 &&
	    strcmp(word, "end") != 0)
		return wrong(d, word, "no such verb: " VERBS);
	if (value != NULL)
		return wrong(d, word, "takes no value");
	return strcmp(word, "end") == 0 ? take_end(d, pid) :
	    tell(d, pid, word, NULL);
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
