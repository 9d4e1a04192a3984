/*
 * Context: O.  Loosens patterns of names, for prof, and applies them, for
 * views; see filter_names.h.
 */
#include "names/filter_names.h"

/* Returns whether a function of the model matches, by either name. */
static bool
matches_some_function(const struct filter_pattern *p, struct model *m)
{
	for (uint32_t i = 0; i < m->function_count; i++) {
		const char *name = model_function_name(m, i);
		const char *full = model_function_full_name(m, i);

		if ((name != NULL && filter_pattern_matches(p, name)) ||
		    (full != NULL && filter_pattern_matches(p, full)))
			return true;
	}
	return false;
}

static bool
matches_some_module(const struct filter_pattern *p, struct model *m)
{
	for (size_t i = 0; i < m->module_count; i++)
		if (filter_pattern_matches(p, m->modules[i].name) ||
		    name_match(p->text, m->modules[i].path, NAME_MATCH_WHOLE))
			return true;
	return false;
}

void
filter_names_loosen(struct filter *f, struct model *m)
{
	for (unsigned what = FILTER_MODULE; what < FILTER_KINDS; what++)
		for (size_t i = 0; i < f->count[what]; i++) {
			struct filter_pattern *p = &f->pattern[what][i];

			for (unsigned how = 0; how < NAME_MATCHES &&
			    !p->found; how++) {
				p->how = (enum name_match)how;
				p->found = what == FILTER_MODULE ?
				    matches_some_module(p, m) :
				    matches_some_function(p, m);
			}
		}
}

bool
filter_names_select(struct model *m, uint32_t function)
{
	const struct filter *f = m->filter;
	const struct model_module *own =
	    &m->modules[m->functions[function].module];
	const char *name;

	if (!filter_match_module(f, own->name, own->path))
		return false;
	if (!filter_is_on(f, FILTER_FUNCTION))
		return true;
	name = model_function_name(m, function);
	if (name != NULL && filter_match_text(f, FILTER_FUNCTION, name))
		return true;
	name = model_function_full_name(m, function);
	return name != NULL && filter_match_text(f, FILTER_FUNCTION, name);
}
