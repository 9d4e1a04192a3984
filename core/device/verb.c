/*
 * Context: O.  Runs the verbs that proffs gets by a write to a ctl file; see
 * verb.h.
 */
#include "verb.h"

#include "device_control.h"

#include <errno.h>
#include <string.h>

#define WORDS_MOST	256
#define BLANK		" \t\r\n"
#define VERBS "module, start, startcp, startmp, stop, end, interval"

/* A line, split into words. */
struct verb {
	char *words[WORDS_MOST];
	size_t count;
};

/* Adds a line to `status` and returns -EINVAL. */
static int
reject_verb(struct device *d, const char *what, const char *why)
{
	device_note(d, "%s: %s", what, why);
	return -EINVAL;
}

static int
note_no_memory(struct device *d)
{
	device_note(d, "out of memory");
	return -ENOMEM;
}

/* Sends a control command.  more: modes to be counted as well. */
static int
send_device_command(struct device *d, int32_t pid, const char *word,
    const char *value, uint32_t more)
{
	struct control_command_error w;
	struct control_command o;

	if (control_command_parse(&o, word, value, &w) == 0) {
		o.change.more = more;
		return device_control_send(d, pid, &o);
	}
	device_note(d, "%s%s%s: %s", w.what, *w.text != '\0' ? " " : "",
	    w.text, w.hint);
	return -EINVAL;
}

static int
run_module_verb(struct device *d, int32_t pid, const struct verb *v)
{
	if (pid != 0)
		return reject_verb(d, "module",
		    "is for all processes: write it to the ctl of the top "
		    "directory");
	if (v->count < 2)
		return reject_verb(d, "module", "takes names or patterns");
	for (size_t i = 1; i < v->count; i++)
		if (device_select(d, v->words[i]) != 0)
			return note_no_memory(d);
	return 0;
}

static int
run_end_verb(struct device *d, int32_t pid)
{
	int ret = send_device_command(d, pid, "end", NULL, 0);

	device_note_stop(d, pid);
	if (pid == 0)
		device_reset(d);
	return ret;
}

static int
run_coverage_verb(struct device *d)
{
	device_note(d, "startcp: this version has no such mode");
	return -EOPNOTSUPP;
}

/*
 * Returns whether the word is "startmp", also with numbers of memory pools
 * behind it, as in "startmp12".  There is one pool here.
 */
static bool
is_startmp(const char *word)
{
	return strncmp(word, "startmp", 7) == 0 &&
	    strspn(word + 7, "123") == strlen(word + 7);
}

/* Several modes can be counted at once: each start adds its own. */
static int
run_start_verb(struct device *d, int32_t pid, bool memory)
{
	if (device_note_start(d, pid, memory ? DEVICE_MEMORY :
	    DEVICE_TIME) != 0)
		return note_no_memory(d);
	return send_device_command(d, pid, "start", NULL, memory ?
	    FORMAT_MODE_MEMORY : FORMAT_MODE_TIME);
}

static int
run_stop_verb(struct device *d, int32_t pid)
{
	device_note_stop(d, pid);
	return send_device_command(d, pid, "stop", NULL, 0);
}

/* Runs the verb of a line that has one.  Returns as verb_run(). */
static int
run_verb_words(struct device *d, int32_t pid, const struct verb *v)
{
	const char *word = v->words[0];
	const char *value = v->count > 1 ? v->words[1] : NULL;

	if (strcmp(word, "module") == 0)
		return run_module_verb(d, pid, v);
	if (strcmp(word, "startcp") == 0)
		return run_coverage_verb(d);
	if (v->count > 2)
		return reject_verb(d, word, "takes one value at most");
	if (strcmp(word, "interval") == 0)
		return send_device_command(d, pid, word, value, 0);
	if (strcmp(word, "start") != 0 && strcmp(word, "stop") != 0 &&
	    strcmp(word, "end") != 0 && !is_startmp(word))
		return reject_verb(d, word, "no such verb: " VERBS);
	if (value != NULL)
		return reject_verb(d, word, "takes no value");
	if (strcmp(word, "end") == 0)
		return run_end_verb(d, pid);
	if (strcmp(word, "stop") == 0)
		return run_stop_verb(d, pid);
	return run_start_verb(d, pid, is_startmp(word));
}

/*
 * Runs one line.  A '#' begins a comment, also within a word, so that the text
 * of one ctl can be written to another one.
 */
static int
run_verb_line(struct device *d, int32_t pid, char *line)
{
	struct verb v = { .count = 0 };
	char *rest, *word;

	line[strcspn(line, "#")] = '\0';
	for (word = strtok_r(line, BLANK, &rest);
	    word != NULL && v.count < WORDS_MOST;
	    word = strtok_r(NULL, BLANK, &rest))
		v.words[v.count++] = word;
	if (v.count == WORDS_MOST)
		return reject_verb(d, v.words[0], "takes fewer values");
	return v.count == 0 ? 0 : run_verb_words(d, pid, &v);
}

int
verb_run(struct device *d, int32_t pid, const char *text, size_t bytes)
{
	char *copy, *line, *next;
	int ret;

	/* A C string may be written with its terminating NUL. */
	if (bytes != 0 && text[bytes - 1] == '\0')
		bytes--;
	if (memchr(text, '\0', bytes) != NULL)
		return reject_verb(d, "message", "is not text: it has a NUL");
	copy = next = strndup(text, bytes);
	ret = copy == NULL ? note_no_memory(d) : 0;
	while (ret == 0 && (line = strsep(&next, "\n")) != NULL)
		ret = run_verb_line(d, pid, line);
	free(copy);
	return ret;
}
