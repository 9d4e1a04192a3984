/* Context: O.  prof(1): where the time of profiled programs went. */
#include "check.h"
#include "csv.h"
#include "flat.h"
#include "footer.h"
#include "gather.h"
#include "info.h"
#include "input.h"
#include "load.h"
#include "option.h"
#include "output.h"
#include "symbolise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_GOOD = 0, EXIT_DATA = 1, EXIT_WRONG_USE = 2 };

enum tag {
	TAG_BY, TAG_MODULE, TAG_THREAD, TAG_PID, TAG_PROGRAM, TAG_FUNCTION,
	TAG_TOP, TAG_MIN, TAG_SORT, TAG_KERNEL, TAG_NO_DEMANGLE, TAG_FULL_NAMES,
	TAG_NO_FOOTER, TAG_CSV, TAG_OUTPUT, TAG_INFO, TAG_CHECK, TAG_HELP,
	TAG_VERSION,
};

static const struct option_row options[] = {
	{ "by", 0, "WHAT,...", TAG_BY,
	    "group by process, program, thread, mode, module, function, address" },
	{ "module", 0, "PATTERN", TAG_MODULE, "only modules of that name or path" },
	{ "thread", 0, "PATTERN", TAG_THREAD, "only threads of that name or tid" },
	{ "pid", 0, "PATTERN", TAG_PID, "only processes of that pid" },
	{ "program", 0, "PATTERN", TAG_PROGRAM, "only processes of that program" },
	{ "function", 0, "PATTERN", TAG_FUNCTION, "only functions of that name" },
	{ "top", 0, "N", TAG_TOP, "show the first N lines" },
	{ "min", 0, "PERCENT", TAG_MIN, "hide lines with less of the time" },
	{ "sort", 0, "KEY", TAG_SORT, "time (default), name, address, samples" },
	{ "kernel", 0, NULL, TAG_KERNEL, "user and kernel time on lines of their own" },
	{ "no-demangle", 0, NULL, TAG_NO_DEMANGLE, "C++ and Rust names as stored" },
	{ "full-names", 0, NULL, TAG_FULL_NAMES, "C++ names with their parameters" },
	{ "no-footer", 0, NULL, TAG_NO_FOOTER, "the table alone" },
	{ "csv", 0, NULL, TAG_CSV, "comma-separated values with a header line" },
	{ "output", 'o', "FILE", TAG_OUTPUT, "write there, never over a profile" },
	{ "info", 'i', NULL, TAG_INFO, "what the files say of their processes" },
	{ "check", 0, NULL, TAG_CHECK, "verify the files" },
	{ "help", 0, NULL, TAG_HELP, "this text" },
	{ "version", 0, NULL, TAG_VERSION, "the version" },
};

#define OPTIONS (sizeof(options) / sizeof(options[0]))

struct prof {
	struct filter filter;
	struct group_options group;
	enum demangle demangle;
	bool csv, footer, info, check, split;
	const char *output;
	int status;
	struct timespec started;	/* of the reading, for the progress */
	bool shown;
};

/* "prof: FILE: what at offset N: why; remedy" */
static void
fault_print(struct prof *p, const struct fault *f)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
	p->status = EXIT_DATA;
	fprintf(stderr, "prof: ");
	if (f->file != NULL)
		fprintf(stderr, "%s: ", f->file);
	fprintf(stderr, "%s", f->what);
	if (f->offset != FAULT_NO_OFFSET)
		fprintf(stderr, " at offset %llu",
		    (unsigned long long)f->offset);
	if (f->errnum != 0)
		fprintf(stderr, ": %s", strerror(f->errnum));
	if (f->remedy != NULL)
		fprintf(stderr, "; %s", f->remedy);
	fputc('\n', stderr);
}

static void
on_fault(void *arg, const struct fault *f)
{
	fault_print(arg, f);
}

/* Only a terminal wants it, and only when it takes over a second. */
static void
on_progress(void *arg, size_t done, size_t all, const char *what)
{
	struct prof *p = arg;
	struct timespec now;

	if (p->started.tv_sec == 0 && p->started.tv_nsec == 0)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec - p->started.tv_sec < 2 &&
	    (now.tv_sec == p->started.tv_sec ||
	    now.tv_nsec < p->started.tv_nsec))
		return;
	fprintf(stderr, "\r\033[Kprof: %zu of %zu: %.60s", done, all, what);
	p->shown = true;
}

static int
wrong(const char *option, const char *value, const char *hint)
{
	fprintf(stderr, "prof: --%s=%s: %s\n", option, value, hint);
	return OPTION_USAGE;
}

static int
take_by(struct prof *p, const char *value)
{
	const char *words[GROUP_COUNT];
	const char *at = value;

	for (unsigned i = 0; i < GROUP_COUNT; i++)
		words[i] = group_by_name(i);
	for (;;) {
		size_t bytes = strcspn(at, ",");
		unsigned i = 0;

		while (i < GROUP_COUNT && (strlen(words[i]) != bytes ||
		    strncmp(words[i], at, bytes) != 0))
			i++;
		if (i == GROUP_COUNT)
			return wrong("by", value, "use process, program, "
			    "thread, mode, module, function, address");
		p->group.by |= 1u << i;
		if (at[bytes] == '\0')
			return 0;
		at += bytes + 1;
	}
}

static int
take_sort(struct prof *p, const char *value)
{
	static const char *const words[] = {
		[GROUP_SORT_TIME] = "time",
		[GROUP_SORT_NAME] = "name",
		[GROUP_SORT_ADDRESS] = "address",
		[GROUP_SORT_SAMPLES] = "samples",
	};

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], value) != 0)
			continue;
		p->group.sort = (enum group_sort)i;
		return 0;
	}
	return wrong("sort", value, "use time, name, address, samples");
}

static int
take_top(struct prof *p, const char *value)
{
	char *end;

	errno = 0;
	p->group.top = strtoull(value, &end, 10);
	if (errno != 0 || end == value || *end != '\0' || value[0] == '-' ||
	    p->group.top == 0)
		return wrong("top", value, "give a number of lines from 1");
	return 0;
}

static int
take_min(struct prof *p, const char *value)
{
	char *end;

	p->group.least = strtod(value, &end);
	if (end == value || (*end != '\0' && strcmp(end, "%") != 0) ||
	    !(p->group.least >= 0 && p->group.least <= 100))
		return wrong("min", value, "give a percentage from 0 to 100");
	return 0;
}

static int
take_filter(struct prof *p, enum filter_what what, const char *value)
{
	return filter_add(&p->filter, what, value);
}

#define SHOWN 1	/* option_parse() stops: all is said */

static int
take_help(void)
{
	puts("Usage: prof [OPTION...] [FILE|DIRECTORY...]\n"
	    "Show where the time of programs went that ran under libmon.so.\n"
	    "Without a name: the directory PROFDIR, or the newest run here "
	    "(mon.out).\n");
	option_help(options, OPTIONS);
	return SHOWN;
}

static int
take_version(void)
{
	puts("prof (libmon) " PACKAGE_VERSION);
	return SHOWN;
}

static int
take_option(void *arg, int tag, const char *value)
{
	struct prof *p = arg;

	switch (tag) {
	case TAG_BY:
		return take_by(p, value);
	case TAG_MODULE:
		return take_filter(p, FILTER_MODULE, value);
	case TAG_THREAD:
		return take_filter(p, FILTER_THREAD, value);
	case TAG_PID:
		return take_filter(p, FILTER_PID, value);
	case TAG_PROGRAM:
		return take_filter(p, FILTER_PROGRAM, value);
	case TAG_FUNCTION:
		return take_filter(p, FILTER_FUNCTION, value);
	case TAG_TOP:
		return take_top(p, value);
	case TAG_MIN:
		return take_min(p, value);
	case TAG_SORT:
		return take_sort(p, value);
	case TAG_OUTPUT:
		p->output = value;
		return 0;
	case TAG_HELP:
		return take_help();
	case TAG_VERSION:
		return take_version();
	default:
		break;
	}
	p->split |= tag == TAG_KERNEL;
	p->csv |= tag == TAG_CSV;
	p->info |= tag == TAG_INFO;
	p->check |= tag == TAG_CHECK;
	p->footer &= tag != TAG_NO_FOOTER;
	if (tag == TAG_NO_DEMANGLE)
		p->demangle = DEMANGLE_OFF;
	if (tag == TAG_FULL_NAMES)
		p->demangle = DEMANGLE_FULL;
	return 0;
}

static void
find_input(struct prof *p, struct input *in, const char **names, size_t count)
{
	struct fault f = { 0 };

	for (size_t i = 0; i < count; i++)
		if (input_add(in, names[i], &f) != 0)
			fault_print(p, &f);
	if (count == 0 && input_add_default(in, &f) != 0)
		fault_print(p, &f);
}

/* --check and --info: each file for itself. */
static void
show_each(struct prof *p, const struct input *in, FILE *out)
{
	if (p->info && p->csv)
		fputs("file,key,value\n", out);
	for (size_t i = 0; i < in->count; i++) {
		const struct input_file *file = &in->files[i];
		struct fault f = { 0 };
		int ret = p->check ? check_file(out, file->path, &f) :
		    info_file(out, file->path, p->csv, &f);

		if (ret < 0 || (ret == LOAD_OTHER && file->named))
			fault_print(p, &f);
	}
}

static int
show_report(struct prof *p, struct model *m, FILE *out)
{
	struct term term;
	struct group g;

	if (group_make(&g, m, &p->group) != 0)
		return -ENOMEM;
	term_init(&term, out);
	if (p->csv)
		csv_print(out, m, &g, p->group.by);
	else
		flat_print(&term, m, &g, p->group.by);
	if (!p->csv && p->footer)
		footer_print(&term, m, &g);
	group_free(&g);
	return 0;
}

/* 0, -ENODATA: nothing to show, and why is said; -ENOMEM. */
static int
make_report(struct prof *p, const struct input *in, FILE *out)
{
	struct model m;
	int ret = model_init(&m, &p->filter, group_keep(p->group.by),
	    p->demangle);

	if (isatty(STDERR_FILENO))
		clock_gettime(CLOCK_MONOTONIC, &p->started);
	if (ret == 0)
		ret = gather_all(&m, in, on_fault, on_progress, p);
	if (ret == 0)
		ret = symbolise_all(&m, on_progress, p);
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
	if (ret == 0 && m.files == 0) {
		/* A file that could not be read has said so. */
		if (p->status == EXIT_GOOD)
			fprintf(stderr, "prof: no profile found; run the "
			    "program with LD_PRELOAD=libmon.so, or name a "
			    "file\n");
		p->status = EXIT_DATA;
		ret = -ENODATA;
	} else if (ret == 0) {
		ret = show_report(p, &m, out);
	}
	model_free(&m);
	return ret;
}

static void
run(struct prof *p, const char **names, size_t count)
{
	struct input in = { 0 };
	struct output o;
	struct fault f = { 0 };
	int ret = 0;

	find_input(p, &in, names, count);
	if (output_open(&o, p->output, &f) != 0) {
		fault_print(p, &f);
		input_free(&in);
		return;
	}
	if (p->check || p->info)
		show_each(p, &in, o.out);
	else
		ret = make_report(p, &in, o.out);
	if (ret == -ENOMEM) {
		fault_set(&f, "out of memory", FAULT_NO_OFFSET, ENOMEM);
		fault_print(p, &f);
	}
	if (ret != 0) {
		output_abandon(&o);
	} else if (output_close(&o, &f) != 0) {
		fault_print(p, &f);
	}
	input_free(&in);
}

int
main(int argc, char **argv)
{
	struct prof p = { .demangle = DEMANGLE_SHORT, .footer = true };
	const char **given = (const char **)argv + 1;
	size_t count;
	int ret;

	(void)argc;
	ret = option_parse("prof", options, OPTIONS, given, &count,
	    take_option, &p);
	if (ret == SHOWN)
		return EXIT_GOOD;
	if (ret != 0)
		return EXIT_WRONG_USE;
	if (p.group.by == 0)
		p.group.by = 1u << GROUP_FUNCTION;
	if (p.split)
		p.group.by |= 1u << GROUP_MODE;
	run(&p, given, count);
	filter_free(&p.filter);
	return p.status;
}
