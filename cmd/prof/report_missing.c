/*
 * Context: O.  Reports what the options ask for and the profiles do not have,
 * for report.c, prof_report.c, prof_model.c and prof_diff.c; see
 * report_missing.h.
 */
#include "prof/report_missing.h"

#include "names/name_nearest.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Formats filters as options, such as "--pid=98 --pid=99".  The caller frees
 * the text.  Returns NULL without memory.
 */
static char *
filter_option_text(const struct filter *f, enum filter_kind what,
    const char *option)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	for (size_t i = 0; i < f->count[what] && out != NULL; i++)
		fprintf(out, "%s--%s=%s", i != 0 ? " " : "", option,
		    f->pattern[what][i].text);
	if (out != NULL && fclose(out) != 0) {
		free(text);
		text = NULL;
	}
	return text;
}

/* The words of a fault for a filter that matched nothing. */
struct unmatched {
	const char *option, *what, *remedy;
};

static const struct unmatched unmatched_texts[FILTER_KINDS] = {
	[FILTER_PID] = { "pid", "no process of that number is in the profiles",
	    "prof --by=process lists them" },
	[FILTER_PROGRAM] = { "program",
	    "no program of that name is in the profiles",
	    "prof --by=program lists them" },
	[FILTER_THREAD] = { "thread",
	    "no thread of that name is in the profiles",
	    "prof --by=thread lists them" },
	[FILTER_MODULE] = { "module",
	    "no time was counted in a module of that name",
	    "prof --by=module lists the modules with time" },
	[FILTER_FOCUS] = { "focus", "no stack has a function of that name",
	    "prof --by=function lists the functions with time" },
	[FILTER_IGNORE] = { "ignore", "no stack has a function of that name",
	    "prof --by=function lists the functions with time" },
	[FILTER_FUNCTION] = { "function", "no time was counted in a function "
	    "of that name", "prof --by=function lists the functions with "
	    "time" },
};

/* Texts that differ for allocations. */
static const struct unmatched unmatched_heap_texts[FILTER_KINDS] = {
	[FILTER_MODULE] = { "module", "no module of that name allocated memory",
	    "prof --heap --by=module lists the modules that did" },
	[FILTER_FUNCTION] = { "function", "no function of that name allocated "
	    "memory", "prof --heap lists the functions that did" },
};

static const struct unmatched *
unmatched_text(const struct prof_options *s, enum filter_kind what)
{
	return s->heap && unmatched_heap_texts[what].what != NULL ?
	    &unmatched_heap_texts[what] : &unmatched_texts[what];
}

/*
 * Returns whether a C++ name, or its components from one behind "::" on, is
 * what was typed.
 */
static bool
is_name_typed(const char *name, const char *typed)
{
	const size_t bytes = strlen(name), tail = strlen(typed);

	return bytes >= tail && strcmp(name + bytes - tail, typed) == 0 &&
	    (bytes == tail || (bytes > tail + 2 &&
	    strncmp(name + bytes - tail - 2, "::", 2) == 0));
}

/* Returns whether a place of code is in a function whose name was typed. */
static bool
is_place_typed(struct model *m, uint32_t function, uint32_t scope,
    uint32_t scopes, const char *typed)
{
	if (function != MODEL_NONE &&
	    is_name_typed(model_function_name(m, function), typed))
		return true;
	for (uint32_t i = 0; i < scopes; i++)
		if (is_name_typed(model_function_name(m,
		    m->scopes[scope + i].function), typed))
			return true;
	return false;
}

/*
 * Returns whether the function whose name was typed is in a row, or on its
 * stack: of time asleep if `asleep` is set, else of any row.
 */
static bool
is_on_stack(struct model *m, const char *typed, bool asleep)
{
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];
		const struct stack_frame *f;

		if (asleep && r->kind != FORMAT_SLEEP)
			continue;
		if (is_place_typed(m, r->function, r->scope, r->scopes, typed))
			return true;
		for (uint32_t at = r->stack; at != 0; at = f->caller) {
			f = &m->stacks.frames[at];
			if (is_place_typed(m, f->function, f->scope, f->scopes,
			    typed))
				return true;
		}
	}
	return false;
}

/*
 * Sets *text to where the allocations are that a function, which has none
 * itself in the metric that is shown, made with what it called.  Returns the
 * length, below 0 without memory.
 */
static int
format_heap_remedy(char **text, const struct model *m, const char *typed)
{
	if (m->measure == METRIC_TOTAL || m->measure == METRIC_BLOCKS)
		return asprintf(text, "functions that it called did: prof "
		    "--heap=%s --tree --focus='%s' shows them",
		    metric_name(m->measure), typed);
	return asprintf(text, "--heap=%s has nothing of it: --heap=total and "
	    "--heap=blocks have all that was allocated",
	    metric_name(m->measure));
}

/*
 * Returns the question whether the nearest name was meant, or where to look if
 * the function is there and slept only; NULL if neither helps.  "alone" says
 * that no other filter could have hidden the function's CPU time.  The caller
 * frees the text.
 */
static char *
nearest_remedy(const struct prof_options *s, struct model *m, const char *typed,
    bool alone)
{
	const char *name = name_nearest_function(m, typed);
	char *text;
	int bytes;

	if (name == NULL)
		return NULL;
	if (!is_name_typed(name, typed))
		bytes = asprintf(&text, "did you mean %s?", name);
	else if (alone && s->heap && is_on_stack(m, typed, false))
		bytes = format_heap_remedy(&text, m, typed);
	else if (alone && !s->heap && !s->filter.asleep &&
	    is_on_stack(m, typed, true))
		bytes = asprintf(&text, "it only slept: --asleep --focus='%s' "
		    "shows where", typed);
	else
		return NULL;
	return bytes < 0 ? NULL : text;
}

void
report_missing_names(const struct prof_options *s, struct model *m,
    read_inputs_fault *fault, void *arg)
{
	const struct filter *asked = m->filter;
	enum filter_kind unmatched = filter_first_unmatched(asked, m->met);
	const struct unmatched *says;
	const char *option;
	struct fault f;
	char *given, *nearest = NULL;
	bool alone = true;

	if (unmatched == FILTER_KINDS)
		return;
	says = unmatched_text(s, unmatched);
	fault_set(&f, says->what, FAULT_NO_OFFSET, 0);
	for (unsigned i = 0; i < unmatched; i++)
		alone = alone && !filter_is_on(asked, i);
	if (!alone)
		f.what = "nothing that the other filters leave has that name";
	f.remedy = says->remedy;
	if (unmatched >= FILTER_FUNCTION && asked->count[unmatched] == 1)
		nearest = nearest_remedy(s, m,
		    asked->pattern[unmatched][0].text, alone);
	if (nearest != NULL)
		f.remedy = nearest;
	option = unmatched == FILTER_FUNCTION && s->view == VIEW_ANNOTATE ?
	    "annotate" : says->option;
	given = filter_option_text(asked, unmatched, option);
	f.file = given;
	fault(arg, &f);
	free(given);
	free(nearest);
}

void
report_missing_names_all(const struct prof_options *s,
    struct model *const *m, size_t count, read_inputs_fault *fault, void *arg)
{
	struct model *last = m[count - 1];

	for (size_t n = 0; n < count; n++)
		for (unsigned i = 0; i < FILTER_KINDS; i++)
			last->met[i] |= m[n]->met[i];
	report_missing_names(s, last, fault, arg);
}

/*
 * Returns whether what --heap asks for is missing, and sets *f to the reason.
 */
static bool
lacks_heap(const struct prof_options *s, const struct model *m, struct fault *f)
{
	if (m->heap_files == 0) {
		fault_set(f, "no allocation was counted", FAULT_NO_OFFSET, 0);
		f->remedy = m->losses[LOSS_HEAP_BEHIND] != 0 ?
		    loss_text(LOSS_HEAP_BEHIND) :
		    "prof record --heap counts them";
		return true;
	}
	if (!model_heap_has_metric(m, m->measure)) {
		fault_set(f, "no mapping was counted", FAULT_NO_OFFSET, 0);
		f->remedy = "prof record --heap --set=heap=all counts them";
		return true;
	}
	/* Block sizes are recorded for blocks only, not for mappings. */
	if (model_heap_has_blocks(m) || (s->view != VIEW_SIZES &&
	    (view_is_whole_heap(s->view) || s->any_measure ||
	    metric_is_mapped(s->measure))))
		return false;
	fault_set(f, "mappings were counted, and nothing else",
	    FAULT_NO_OFFSET, 0);
	f->remedy = "prof --heap=mapped-peak shows them";
	return true;
}

bool
report_missing_heap(const struct prof_options *s, const struct model *m,
    read_inputs_fault *fault, void *arg)
{
	struct fault f;

	if (!s->heap || !lacks_heap(s, m, &f))
		return false;
	fault(arg, &f);
	return true;
}

void
report_missing_data(const char *what, const char *remedy,
    read_inputs_fault *fault, void *arg)
{
	struct fault f;

	fault_set(&f, what, FAULT_NO_OFFSET, 0);
	f.remedy = remedy;
	fault(arg, &f);
}

bool
report_missing_sleep(const struct prof_options *s, const struct model *m,
    read_inputs_fault *fault, void *arg)
{
	if (!s->filter.asleep || model_has_sleep(m))
		return false;
	if (m->wall)
		report_missing_data("no thread was found asleep", NULL, fault,
		    arg);
	else
		report_missing_data("no time asleep was recorded",
		    "prof record --wall (PROFOPTS=clock=wall) records it",
		    fault, arg);
	return true;
}

/*
 * Returns whether the model has call stacks.  A row of the heap counts only if
 * it has callers: the frame that allocated is one itself.
 */
static bool
has_stacks(const struct model *m)
{
	size_t i = 0;

	if (!model_is_heap(m))
		return m->stacks.count != 0;
	while (i < m->row_count && m->rows[i].stack == 0)
		i++;
	return i != m->row_count;
}

static bool
has_samples(const struct model *m)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < m->process_count; i++)
		samples += m->processes[i].samples;
	return samples != 0 || model_is_heap(m);
}

bool
report_missing_callers(const struct prof_options *s, const struct model *m,
    read_inputs_fault *fault, void *arg)
{
	if (s->view == VIEW_TABLE || s->view == VIEW_ANNOTATE ||
	    s->view == VIEW_GROWTH || s->view == VIEW_SIZES ||
	    has_stacks(m) || (s->view == VIEW_GRAPH && m->arc_count != 0))
		return false;
	if (s->view == VIEW_GRAPH && m->files_foreign != 0)
		report_missing_data("the files have no callers",
		    "compile the program with -pg or -finstrument-functions",
		    fault, arg);
	else if (m->files_foreign == m->files)
		report_missing_data("the files have no call stacks",
		    m->arc_count != 0 || m->import_count != 0 ?
		    "--graph shows their calls" : NULL, fault, arg);
	else if (!has_samples(m))
		report_missing_data("the files have no samples", "give the "
		    "program more work, or prof record --hz=10000", fault,
		    arg);
	else
		report_missing_data("the files have no call stacks",
		    "libmon.so takes them unless PROFOPTS has stack=off", fault,
		    arg);
	return true;
}
