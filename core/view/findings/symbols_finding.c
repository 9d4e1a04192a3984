/*
 * Context: O.  Finds libraries and programs whose functions have no symbols,
 * and says which package or option gives them.  findings.c calls
 * finding_add_symbols(), which reads the lists of dpkg; see finding_kinds.h.
 */
#include "findings/finding_kinds.h"
#include "findings/package.h"

#include <errno.h>
#include <stdlib.h>

#define SYMBOLS_MODULES	3	/* most modules with a finding */
#define SYMBOLS_ROOM	256	/* bytes of a package's name */
#define SYMBOLS_DEBUGINFOD "prof --debuginfod=30"

/*
 * Returns whether the row has a place in a file that was found, but no symbol.
 * The footer says why other files have no names.
 */
static bool
lacks_symbol(const struct model *m, const struct model_row *r)
{
	const struct model_module *own = &m->modules[r->module];

	return r->module >= MODEL_MODULES && r->kind != MODEL_REST &&
	    model_is_cpu(r->kind) && !model_is_caller(r->kind) &&
	    own->state == OBJECT_FOUND && (own->flags & (FORMAT_M_KERNEL |
	    FORMAT_M_VDSO | FORMAT_M_NO_ELF | FORMAT_M_OURS)) == 0 &&
	    !m->functions[r->function].named;
}

/* Returns what must precede the command that asks the servers, or "". */
static const char *
server_variable(void)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	return urls != NULL && *urls != '\0' ? "" : "DEBUGINFOD_URLS=URL ";
}

/*
 * Says where the symbols of a module come from: a package, a new build, or a
 * server that has its build-id.
 */
static void
put_advice(FILE *out, const struct model_module *own)
{
	const bool server = own->build_id_bytes != 0;
	char package[SYMBOLS_ROOM], symbols[SYMBOLS_ROOM + 16];
	const bool packed = package_find(PACKAGE_LISTS, own->path, package,
	    sizeof(package));
	const bool known = packed && package_symbols(package, symbols,
	    sizeof(symbols));

	if (known)
		fprintf(out, ": apt install %s (archive debian-debug)",
		    symbols);
	else if (!packed)
		fputs(": build it without -s, do not strip it", out);
	if (server)
		fprintf(out, "%s%s" SYMBOLS_DEBUGINFOD, known || !packed ?
		    ", or " : ": ", server_variable());
}

static int
add_symbols_finding(struct finding_list *l, uint32_t module,
    struct finding_sum sum)
{
	struct finding_text t;

	if (finding_text_open(&t) != 0)
		return -ENOMEM;
	fputs("functions without symbols in ", t.out);
	finding_put_name(t.out, model_module_name(l->model, module));
	put_advice(t.out, &l->model->modules[module]);
	return finding_add(l, sum, false, &t, "Packages NAME-dbgsym are in an "
	    "archive of their own, debian-debug, which sources.list must "
	    "have.  --debuginfod fetches the symbols from the servers in "
	    "DEBUGINFOD_URLS, by the build-id, and tells them what ran here; "
	    "each distribution has one of its own");
}

int
finding_add_symbols(struct finding_list *l)
{
	const struct model *m = l->model;
	struct finding_sum *by = calloc(m->module_count + 1, sizeof(*by));
	int ret = by == NULL ? -ENOMEM : 0;

	for (size_t i = 0; i < m->row_count && ret == 0; i++)
		if (lacks_symbol(m, &m->rows[i]))
			finding_sum_row(&by[m->rows[i].module], &m->rows[i]);
	for (unsigned n = 0; n < SYMBOLS_MODULES && ret == 0; n++) {
		uint32_t most = 0;

		for (uint32_t i = 1; i < m->module_count; i++)
			if (by[i].ns > by[most].ns)
				most = i;
		if (!finding_is_sure(l, by[most]))
			break;
		ret = add_symbols_finding(l, most, by[most]);
		by[most].ns = 0;
	}
	free(by);
	return ret;
}
