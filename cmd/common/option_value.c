/*
 * Context: O.  Parses the values of the options of prof(1), for the table in
 * prof_options.c; see option_value.h.
 */
#include "common/option_value.h"

#include "common/option.h"
#include "elf/remote.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int
reject_option_value(const char *option, const char *value, const char *hint)
{
	fprintf(stderr, "prof: --%s=%s: %s\n", option, value, hint);
	return OPTION_USAGE;
}

int
option_value_by(struct prof_options *s, const char *value)
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
			return reject_option_value("by", value,
			    "use process, program, "
			    "thread, mode, module, file, function, line, "
			    "address");
		s->group.by |= 1u << i;
		if (at[bytes] == '\0')
			return 0;
		at += bytes + 1;
	}
}

int
option_value_sort(struct prof_options *s, const char *value)
{
	static const char *const words[] = {
		[GROUP_SORT_TIME] = "time",
		[GROUP_SORT_NAME] = "name",
		[GROUP_SORT_ADDRESS] = "address",
		[GROUP_SORT_SAMPLES] = "samples",
		[GROUP_SORT_CALLS] = "calls",
		[GROUP_SORT_INCLUSIVE] = "total",
	};

	s->sort_given = true;
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], value) != 0)
			continue;
		s->group.sort = (enum group_sort)i;
		return 0;
	}
	if (strcmp(value, "self") == 0) {
		s->group.sort = GROUP_SORT_TIME;
		return 0;
	}
	return reject_option_value("sort", value,
	    "use self (or time), total, name, address, samples, calls");
}

int
option_value_top(struct prof_options *s, const char *value)
{
	char *end;

	errno = 0;
	s->group.top = strtoull(value, &end, 10);
	s->top_given = true;
	if (errno != 0 || end == value || *end != '\0' || value[0] == '-')
		return reject_option_value("top", value,
		    "give a number of lines, 0 for all");
	return 0;
}

int
option_value_min(struct prof_options *s, const char *value)
{
	char *end;

	s->group.least = strtod(value, &end);
	s->least_given = true;
	if (end == value || (*end != '\0' && strcmp(end, "%") != 0) ||
	    !(s->group.least >= 0 && s->group.least <= 100))
		return reject_option_value("min", value,
		    "give a percentage from 0 to 100");
	return 0;
}

int
option_value_per(struct prof_options *s, const char *value)
{
	char *middle, *end;

	s->work[0] = strtod(value, &middle);
	s->work[1] = *middle == ',' ? strtod(middle + 1, &end) : s->work[0];
	if (*middle != ',')
		end = middle;
	s->per_work = true;
	if (middle == value || end == middle + 1 || *end != '\0' ||
	    !(s->work[0] > 0 && s->work[0] < INFINITY) ||
	    !(s->work[1] > 0 && s->work[1] < INFINITY))
		return reject_option_value("per", value, "give the work of a "
		    "run before and now, as 1000,1200, or 1 if it is equal");
	return 0;
}

int
option_value_fail_over(struct prof_options *s, const char *value)
{
	char *end;

	s->fail_over = strtod(value, &end);
	s->fail_over_given = true;
	if (end == value || (*end != '\0' && strcmp(end, "%") != 0) ||
	    !(s->fail_over >= 0 && s->fail_over < INFINITY))
		return reject_option_value("fail-over", value,
		    "give a percentage, as 5");
	return 0;
}

int
option_value_form(struct prof_options *s, enum data_table_format form)
{
	if (s->form != DATA_TABLE_NONE && s->form != form) {
		fprintf(stderr, "prof: --csv and --json: one at a time\n");
		return OPTION_USAGE;
	}
	s->form = form;
	return 0;
}

int
option_value_output(struct prof_options *s, const char *value)
{
	if (s->output != NULL && strcmp(s->output, value) != 0) {
		fprintf(stderr, "prof: --output and --html name two files\n");
		return OPTION_USAGE;
	}
	s->output = value;
	return 0;
}

int
option_value_html(struct prof_options *s, const char *value)
{
	struct stat st;

	if (stat(value, &st) == 0 && S_ISDIR(st.st_mode))
		return reject_option_value("html", value, "is a directory, and "
		    "--html names the page; then name the profile, as in prof "
		    "--html=page.html DIRECTORY");
	return option_value_output(s, value) != 0 ? OPTION_USAGE :
	    option_value_write(s, "html");
}

int
option_value_write(struct prof_options *s, const char *value)
{
	if (strcmp(value, "csv") == 0)
		return option_value_form(s, DATA_TABLE_CSV);
	if (strcmp(value, "json") == 0)
		return option_value_form(s, DATA_TABLE_JSON);
	for (unsigned i = EXPORT_NONE + 1; i < EXPORT_FORMATS; i++) {
		if (strcmp(export_name(i), value) != 0)
			continue;
		if (s->write != EXPORT_NONE && s->write != i) {
			fprintf(stderr, "prof: --write and --html: one "
			    "format at a time\n");
			return OPTION_USAGE;
		}
		s->write = (enum export_format)i;
		return 0;
	}
	if (strcmp(value, "svg") == 0 || strcmp(value, "flamegraph") == 0)
		return reject_option_value("write", value, "use html, whose "
		    "page draws flame graphs and saves them as SVG, or folded "
		    "for other tools that draw them");
	return reject_option_value("write", value,
	    "use gmon, monout, prof, folded, "
	    "pprof, gperftools, speedscope, firefox, callgrind, perf, "
	    "massif, html, csv, json");
}

/* Parses FORMAT[:EVENT], for example "callgrind:Dr". */
int
option_value_read(struct prof_options *s, const char *value)
{
	const size_t bytes = strcspn(value, ":");

	if (strcmp(value + bytes, ":") == 0)
		return reject_option_value("read", value,
		    "name the event behind the colon, as in callgrind:Dr");
	for (unsigned i = IMPORT_NONE + 1; i <= IMPORT_TPROF; i++) {
		const char *name = import_format_name(i);

		if (strlen(name) != bytes || strncmp(name, value, bytes) != 0)
			continue;
		s->read = (enum import_format)i;
		s->choice = value[bytes] == '\0' ? NULL : value + bytes + 1;
		return 0;
	}
	return reject_option_value("read", value,
	    "use folded, perf, callgrind, gperftools, pprof, tprof");
}

int
option_value_view(struct prof_options *s, enum report_view view)
{
	if (s->view != VIEW_TABLE && s->view != view) {
		fprintf(stderr, "prof: --graph, --tree, --callers, "
		    "--annotate and --heap=summary: one at a time\n");
		return OPTION_USAGE;
	}
	s->view = view;
	/* The code of a function that only calls others is shown, too. */
	s->group.callers |= view == VIEW_ANNOTATE;
	return 0;
}

/*
 * Returns the view that --heap=VALUE names if the view shows more than one
 * metric; VIEW_TABLE if the value names none.
 */
static enum report_view
whole_heap_view(const char *value)
{
	return value == NULL ? VIEW_TABLE :
	    strcmp(value, "summary") == 0 ? VIEW_SUMMARY :
	    strcmp(value, "growth") == 0 ? VIEW_GROWTH :
	    strcmp(value, "sizes") == 0 ? VIEW_SIZES : VIEW_TABLE;
}

int
option_value_heap(struct prof_options *s, const char *value)
{
	const enum report_view whole = whole_heap_view(value);

	s->heap = true;
	s->measure = value == NULL || whole != VIEW_TABLE ? METRIC_PEAK :
	    metric_find(value);
	s->any_measure = value == NULL;
	if (s->measure == METRIC_TIME || s->measure == METRICS)
		return reject_option_value("heap", value,
		    "use peak, live (or leaked), "
		    "live-blocks, total, blocks, freed, temporary, high, "
		    "mapped, mapped-peak, mapped-total, mappings, summary, "
		    "growth, sizes");
	return whole != VIEW_TABLE ? option_value_view(s, whole) : 0;
}

int
option_value_debuginfod(const char *value)
{
	char *end;
	double seconds = strtod(value, &end);

	if (*end != '\0' || value[strspn(value, "0123456789.")] != '\0' ||
	    !(seconds > 0 && seconds < 1e6))
		return reject_option_value("debuginfod", value,
		    "give a number of seconds");
	switch (remote_allow(seconds)) {
	case 0:
		return 0;
	case -ENOSYS:
		return reject_option_value("debuginfod", value,
		    "libdebuginfod is not installed, or was not when prof was "
		    "built");
	default:
		return reject_option_value("debuginfod", value,
		    "DEBUGINFOD_URLS names no " "server");
	}
}
