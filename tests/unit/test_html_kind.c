/* Context: O.  Tests of core/export/html/html_kind.c. */
#include "html/html_kind.h"

#include <criterion/criterion.h>

/*
 * Returns the kind of a function in a file with that name in a profile of
 * `prog`.
 */
static enum html_kind
kind_of(const char *name, uint32_t flags, const char *function)
{
	struct model_function own = {
		.name = function, .module = MODEL_MODULES,
	};
	struct model_process process = { .program = "prog" };
	struct model_module modules[MODEL_MODULES + 1] = { 0 };
	const struct model m = {
		.modules = modules, .module_count = MODEL_MODULES + 1,
		.processes = &process, .process_count = 1,
		.functions = &own, .function_count = 1,
	};

	modules[MODEL_MODULES].name = name;
	modules[MODEL_MODULES].flags = flags;
	return html_kind_of_function(&m, 0);
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
		cr_expect_eq(kind_of(files[i].name, files[i].flags, "f"),
		    files[i].kind, "%s", files[i].name);
}

/* Templates and what is inlined; in a library they are the library's. */
Test(html_kind, knows_a_standard_library_in_the_program)
{
	static const char vector[] = "_ZNSt6vectorIiSaIiEE9push_backEOi";

	cr_expect_eq(kind_of("prog", 0, vector), HTML_KIND_STANDARD);
	cr_expect_eq(kind_of("prog", 0, "<u64 as core::fmt::Display>::fmt"),
	    HTML_KIND_STANDARD);
	cr_expect_eq(kind_of("libz.so.1", 0, vector), HTML_KIND_LIBRARY);
}

static enum html_kind
kind_in(uint32_t module)
{
	struct model_module modules[MODEL_MODULES] = { 0 };
	struct model_function own = { .name = "f", .module = module };
	const struct model m = { .modules = modules, .functions = &own };

	return html_kind_of_function(&m, 0);
}

Test(html_kind, knows_what_is_in_no_file)
{
	cr_expect_eq(kind_in(MODEL_MODULE_KERNEL), HTML_KIND_KERNEL);
	cr_expect_eq(kind_in(MODEL_MODULE_GENERATED), HTML_KIND_GENERATED);
	cr_expect_eq(kind_in(MODEL_MODULE_REST), HTML_KIND_UNKNOWN);
	cr_expect_eq(kind_in(MODEL_MODULE_CUT), HTML_KIND_UNKNOWN);
}
