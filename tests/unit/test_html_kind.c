/* Context: O.  Tests of core/export/html/html_kind.c. */
#include "html/html_kind.h"

#include <criterion/criterion.h>

/* Returns the kind of a file with that name in a profile of `prog`. */
static enum html_kind
kind_of(const char *name, uint32_t flags)
{
	struct model_process process = { .program = "prog" };
	struct model_module modules[MODEL_MODULES + 1] = { 0 };
	const struct model m = {
		.modules = modules, .module_count = MODEL_MODULES + 1,
		.processes = &process, .process_count = 1,
	};

	modules[MODEL_MODULES].name = name;
	modules[MODEL_MODULES].flags = flags;
	return html_kind_of_module(&m, MODEL_MODULES);
}

Test(html_kind, knows_files_by_flag_and_name)
{
	static const struct {
		const char *name;
		uint32_t flags;
		enum html_kind kind;
	} files[] = {
		{ "anything", FORMAT_M_MAIN, HTML_KIND_PROGRAM },
		{ "prog", 0, HTML_KIND_PROGRAM },
		{ "libz.so.1", 0, HTML_KIND_LIBRARY },
		{ "libcurl.so.4", 0, HTML_KIND_LIBRARY },
		{ "libmount.so.1", 0, HTML_KIND_LIBRARY },
		{ "libstdc++.so.6", 0, HTML_KIND_LIBRARY },
		{ "libc.so.6", 0, HTML_KIND_SYSTEM },
		{ "libc-2.31.so", 0, HTML_KIND_SYSTEM },
		{ "libm.so.6", 0, HTML_KIND_SYSTEM },
		{ "ld-linux-x86-64.so.2", 0, HTML_KIND_SYSTEM },
		{ "ld-musl-x86_64.so.1", 0, HTML_KIND_SYSTEM },
		{ "[vdso]", FORMAT_M_VDSO, HTML_KIND_SYSTEM },
		{ "nf_tables", FORMAT_M_KERNEL, HTML_KIND_KERNEL },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		cr_expect_eq(kind_of(files[i].name, files[i].flags),
		    files[i].kind, "%s", files[i].name);
}

Test(html_kind, knows_what_is_in_no_file)
{
	struct model_module modules[MODEL_MODULES] = { 0 };
	const struct model m = { .modules = modules };

	cr_expect_eq(html_kind_of_module(&m, MODEL_MODULE_KERNEL),
	    HTML_KIND_KERNEL);
	cr_expect_eq(html_kind_of_module(&m, MODEL_MODULE_GENERATED),
	    HTML_KIND_GENERATED);
	cr_expect_eq(html_kind_of_module(&m, MODEL_MODULE_REST),
	    HTML_KIND_UNKNOWN);
	cr_expect_eq(html_kind_of_module(&m, MODEL_MODULE_CUT),
	    HTML_KIND_UNKNOWN);
}
