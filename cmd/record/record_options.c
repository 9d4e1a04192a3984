/*
 * Context: O.  Parses the options of prof record, for prof_record_run(), and
 * makes the value of PROFOPTS of them; see record_options.h.
 */
#include "record/record_options.h"

#include "common/option.h"
#include "common/print_fault.h"
#include "export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_PROGRAM	"prof record"
#define RECORD_HZ_MOST	20000		/* as libmon.so allows */

enum {
	RECORD_TIME, RECORD_HEAP, RECORD_WALL, RECORD_LOG, RECORD_HZ,
	RECORD_CHILDREN, RECORD_SET, RECORD_OUTPUT, RECORD_HTML, RECORD_HELP,
};

static const struct option_row table[] = {
	{"time", 0, NULL, RECORD_TIME,
	    "count CPU time: the default, unless --heap is given"},
	{"heap", 0, NULL, RECORD_HEAP, "count allocations"},
	{"wall", 0, NULL, RECORD_WALL,
	    "count also the time in which threads sleep"},
	{"log", 0, NULL, RECORD_LOG,
	    "keep the time of each sample, for a time line"},
	{"hz", 0, "N", RECORD_HZ,
	    "take N samples in a second of CPU time, 1 to 20000"},
	{"children", 0, "yes|no", RECORD_CHILDREN,
	    "no: record COMMAND alone, not the programs that it\nstarts"},
	{"set", 0, "KEY=VALUE", RECORD_SET,
	    "set any option of libmon.so; mon(7) lists them"},
	{"output", 'o', "PATH", RECORD_OUTPUT,
	    "write to this file, or to this directory if there\n"
	    "are more profiles than one; default: mon.out.d"},
	{"html", 0, "[FILE]", RECORD_HTML,
	    "write a page for the browser afterwards, to FILE\n"
	    "or " EXPORT_PAGE},
	{"help", 'h', NULL, RECORD_HELP, "print this text"},
};

#define RECORD_ROWS	(sizeof(table) / sizeof(table[0]))

/*
 * The keys of PROFOPTS that --set accepts, and those that concern CPU time or
 * allocations alone; core/runtime parses them.
 */
static const char *const keys[] = {
	"clock", "depth", "empty", "exclude", "follow", "format", "heap",
	"heapsize", "hz", "kernel", "log", "msg", "only", "sig", "size",
	"stack", "start", "tier",
};

static const char *const time_keys[] = {
	"clock", "hz", "kernel", "log", "sig", "tier", NULL,
};
static const char *const heap_keys[] = { "heap", "heapsize", NULL };

#define RECORD_KEYS	(sizeof(keys) / sizeof(keys[0]))

/* The options while they are parsed. */
struct record_parser {
	struct record_options *to;
	FILE *set;		/* becomes to->options */
	bool cpu;		/* an option that needs CPU time was given */
	const char *blocks;	/* a --set that needs --heap; NULL: none */
};

/* Reports a wrong value.  Returns OPTION_USAGE. */
static int
reject_record_value(const char *value, const char *what, const char *remedy)
{
	struct fault f;

	fault_set(&f, what, FAULT_NO_OFFSET, 0);
	f.file = value;
	f.remedy = remedy;
	print_fault(&f);
	return OPTION_USAGE;
}

/* Appends KEY=VALUE to the value of PROFOPTS. */
static void
add_record_key(struct record_parser *p, const char *key, const char *value)
{
	fprintf(p->set, "%s%s=%s", ftell(p->set) > 0 ? "," : "", key, value);
}

/* Parses --hz.  Returns 0, or OPTION_USAGE after a line on standard error. */
static int
parse_record_hz(struct record_parser *p, const char *value)
{
	char *end;
	const unsigned long n = strtoul(value, &end, 10);

	if (strcmp(value, "auto") != 0 &&
	    (*value < '0' || *value > '9' || *end != '\0' || n < 1 ||
	    n > RECORD_HZ_MOST))
		return reject_record_value(value, "is no rate",
		    "give --hz=N from 1 to 20000, or --hz=auto");
	p->cpu = true;
	p->to->hz = (unsigned)n;
	add_record_key(p, "hz", value);
	return 0;
}

static int
parse_record_children(struct record_parser *p, const char *value)
{
	if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
		return reject_record_value(value, "is neither yes nor no",
		    "give --children=no to record the command alone");
	p->to->library = true;
	add_record_key(p, "follow", value);
	return 0;
}

static bool
is_record_key(const char *key, const char *const *list)
{
	while (*list != NULL && strcmp(*list, key) != 0)
		list++;
	return *list != NULL;
}

/* Refuses a key that --set does not accept. */
static int
reject_record_key(const char *value, const char *key)
{
	static const char *const own[][2] = {
		{ "dir", "give --output=DIRECTORY" },
		{ "file", "give --output=FILE" },
		{ "mode", "give --time, --heap or both" },
	};
	const char *nearest = option_nearest(key, keys, RECORD_KEYS);
	char remedy[64];

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strcmp(key, own[i][0]) == 0)
			return reject_record_value(value,
			    "is set by another option", own[i][1]);
	if (nearest != NULL)
		snprintf(remedy, sizeof(remedy), "did you mean %s?", nearest);
	return reject_record_value(value, "has a key that libmon.so does not "
	    "know", nearest != NULL ? remedy : "mon(7) lists the keys");
}

/*
 * Parses the value of --set.  Returns 0, or OPTION_USAGE after a line on
 * standard error.
 */
static int
parse_record_set(struct record_parser *p, const char *value)
{
	const size_t bytes = strcspn(value, "=");
	char key[16];

	if (value[bytes] == '\0' || bytes == 0 || strchr(value, ',') != NULL)
		return reject_record_value(value, "is not KEY=VALUE",
		    "give one --set for each option; mon(7) lists them");
	snprintf(key, sizeof(key), "%.*s", (int)bytes, value);
	for (size_t i = 0; i < RECORD_KEYS; i++)
		if (strcmp(key, keys[i]) == 0) {
			p->to->library = p->to->set_given = true;
			p->cpu |= is_record_key(key, time_keys);
			if (is_record_key(key, heap_keys))
				p->blocks = value;
			add_record_key(p, key, value + bytes + 1);
			return 0;
		}
	return reject_record_key(value, key);
}

static int
print_record_help(void)
{
	puts("usage: prof record [OPTION ...] [--] COMMAND [ARGUMENT ...]\n"
	    "Runs COMMAND and records a profile of it and of the programs "
	    "that it starts.\n");
	option_help(table, RECORD_ROWS);
	puts("\nThe exit status is that of COMMAND.  `prof` shows what was "
	    "recorded.");
	return RECORD_OPTIONS_SHOWN;
}

static int
handle_record_option(void *arg, int tag, const char *value)
{
	struct record_parser *p = arg;

	switch (tag) {
	case RECORD_TIME:
		p->cpu = true;
		return 0;
	case RECORD_HEAP:
		p->to->heap = true;
		return 0;
	case RECORD_WALL:
		p->cpu = p->to->wall = true;
		add_record_key(p, "clock", "wall");
		return 0;
	case RECORD_LOG:
		p->cpu = true;
		p->to->library = true;
		add_record_key(p, "log", "yes");
		return 0;
	case RECORD_HZ:
		return parse_record_hz(p, value);
	case RECORD_CHILDREN:
		return parse_record_children(p, value);
	case RECORD_SET:
		return parse_record_set(p, value);
	case RECORD_OUTPUT:
		p->to->output = value;
		return 0;
	case RECORD_HTML:
		p->to->page = value != NULL ? value : EXPORT_PAGE;
		return 0;
	default:
		return print_record_help();
	}
}

/*
 * Chooses what is counted, and checks that there is a command.  rest: the words
 * behind the options.  Returns 0, or OPTION_USAGE after a line.
 */
static int
finish_record_options(struct record_parser *p, char **rest)
{
	struct record_options *o = p->to;

	if (*rest == NULL) {
		fputs(RECORD_PROGRAM ": no command is named; " RECORD_PROGRAM
		    " --help lists the options\n", stderr);
		return OPTION_USAGE;
	}
	if (p->blocks != NULL && !o->heap)
		return reject_record_value(p->blocks, "sets how allocations "
		    "are counted, and they are not counted",
		    "give --heap, too");
	o->command = rest;
	o->time = p->cpu || !o->heap;
	add_record_key(p, "mode", !o->heap ? "time" : o->time ? "time+heap" :
	    "heap");
	return 0;
}

int
record_options_parse(struct record_options *o, char **argv)
{
	struct record_parser p = { .to = o };
	size_t bytes, first = 0;
	int ret;

	*o = (struct record_options) { 0 };
	p.set = open_memstream(&o->options, &bytes);
	if (p.set == NULL)
		return reject_record_value("record", "out of memory", NULL);
	ret = option_parse_leading(RECORD_PROGRAM, table, RECORD_ROWS,
	    (const char **)argv, &first, handle_record_option, &p);
	if (ret == 0)
		ret = finish_record_options(&p, argv + first);
	if (fclose(p.set) != 0 && ret == 0)
		ret = reject_record_value("record", "out of memory", NULL);
	return ret;
}

void
record_options_free(struct record_options *o)
{
	free(o->options);
	o->options = NULL;
}
