/* Context: O.  Tests of core/model/names/common_names.c. */
#include "names/common_names.h"

#include <criterion/criterion.h>

/* A run of one program, whose functions are all of module MODEL_MODULES. */
struct run {
	struct model model;
	struct model_module modules[MODEL_MODULES + 1];
	struct model_process process;
	struct model_function functions[4];
};

/* Fills in a run of `program`; names end with NULL, "?" is not known. */
static void
make_run(struct run *r, const char *program, unsigned char build,
    const char *const *names)
{
	*r = (struct run) { .process = { .program = program } };
	r->model = (struct model) {
		.modules = r->modules, .module_count = MODEL_MODULES + 1,
		.processes = &r->process, .process_count = 1,
		.functions = r->functions, .demangle = DEMANGLE_SHORT,
	};
	for (size_t i = 0; i <= MODEL_MODULES; i++)
		r->modules[i].name = r->modules[i].path = program;
	r->modules[MODEL_MODULES].flags = FORMAT_M_MAIN;
	r->modules[MODEL_MODULES].build_id_bytes = 1;
	r->modules[MODEL_MODULES].build_id[0] = build;
	for (; names[r->model.function_count] != NULL;
	    r->model.function_count++)
		r->functions[r->model.function_count] =
		    (struct model_function) {
			.module = MODEL_MODULES,
			.name = names[r->model.function_count],
			.named = names[r->model.function_count][0] != '?',
		};
}

static void
compare_runs(struct common_names *c, struct run *before, struct run *now)
{
	*c = (struct common_names) { 0 };
	cr_assert_eq(common_names_add(c, &before->model,
	    COMMON_NAMES_BEFORE), 0);
	cr_assert_eq(common_names_add(c, &now->model, COMMON_NAMES_NOW), 0);
	common_names_finish(c);
}

/* Checks what identifies function `n` of a run, and what is shown for it. */
static void
expect_name(struct common_names *c, struct run *r, uint32_t n,
    const char *wanted, const char *wanted_shown)
{
	const char *shown;

	cr_expect_str_eq(common_names_function(c, &r->model, n, &shown),
	    wanted);
	cr_expect_str_eq(shown, wanted_shown);
}

static void
free_all(struct common_names *c, struct run *before, struct run *now)
{
	common_names_free(c);
	arena_free(&before->model.arena);
	arena_free(&now->model.arena);
}

Test(common_names, copies_of_a_compiler_are_one)
{
	struct common_names c;
	struct run a, b;

	make_run(&a, "svc", 1, (const char *[]) { "_Z5parsei", "render",
	    NULL });
	make_run(&b, "svc", 2, (const char *[]) { "_Z5parsei.isra.0",
	    "render.constprop.0.cold", NULL });
	compare_runs(&c, &a, &b);
	expect_name(&c, &a, 0, "_Z5parsei", "parse");
	expect_name(&c, &b, 0, "_Z5parsei", "parse");
	expect_name(&c, &b, 1, "render", "render");
	free_all(&c, &a, &b);
}

/* A line that was added above them moves all lambdas of a file. */
Test(common_names, lines_of_lambdas_do_not_count)
{
	struct common_names c;
	struct run a, b;

	make_run(&a, "svc", 1, (const char *[]) { "{lambda s.cpp:54}",
	    "{lambda s.cpp:5}::operator()<{lambda t.h:7}>", NULL });
	make_run(&b, "svc", 2, (const char *[]) { "{lambda s.cpp:55}",
	    "{lambda()#1}", NULL });
	compare_runs(&c, &a, &b);
	expect_name(&c, &a, 0, "{lambda s.cpp}", "{lambda s.cpp}");
	expect_name(&c, &b, 0, "{lambda s.cpp}", "{lambda s.cpp}");
	expect_name(&c, &a, 1, "{lambda s.cpp}::operator()<{lambda t.h}>",
	    "{lambda s.cpp}::operator()<{lambda t.h}>");
	expect_name(&c, &b, 1, "{lambda()#1}", "{lambda()#1}");
	free_all(&c, &a, &b);
}

Test(common_names, module_without_names_is_one)
{
	struct common_names c;
	struct run a, b;
	size_t at = 0;

	make_run(&a, "svc", 1, (const char *[]) { "?1", "?2", NULL });
	a.modules[MODEL_MODULES].state = OBJECT_CHANGED;
	make_run(&b, "svc", 2, (const char *[]) { "parse", "render", NULL });
	compare_runs(&c, &a, &b);
	expect_name(&c, &a, 1, "[all functions of svc]",
	    "[all functions of svc]");
	expect_name(&c, &b, 0, "[all functions of svc]",
	    "[all functions of svc]");
	cr_expect(common_names_is_joined(&c, &b.model, 0));
	cr_expect_eq(common_names_nameless(&c, &at), &a.modules[MODEL_MODULES]);
	cr_expect_null(common_names_nameless(&c, &at));
	free_all(&c, &a, &b);
}

/* The program of one run is there, but was stripped. */
Test(common_names, stripped_program_is_one)
{
	struct common_names c;
	struct run a, b;
	size_t at = 0;

	make_run(&a, "svc", 1, (const char *[]) { "parse", NULL });
	make_run(&b, "svc", 2, (const char *[]) { "?1", NULL });
	compare_runs(&c, &a, &b);
	expect_name(&c, &a, 0, "[all functions of svc]",
	    "[all functions of svc]");
	cr_expect_eq(common_names_nameless(&c, &at),
	    &b.modules[MODEL_MODULES]);
	free_all(&c, &a, &b);
}

Test(common_names, addresses_of_one_build_are_compared)
{
	struct common_names c;
	struct run a, b;
	size_t at = 0;

	make_run(&a, "svc", 1, (const char *[]) { "?1", "?2", NULL });
	make_run(&b, "svc", 1, (const char *[]) { "?1", "?2", NULL });
	a.modules[MODEL_MODULES].state = OBJECT_MISSING;
	b.modules[MODEL_MODULES].state = OBJECT_MISSING;
	compare_runs(&c, &a, &b);
	expect_name(&c, &a, 1, "?2", "?2");
	cr_expect_null(common_names_nameless(&c, &at));
	free_all(&c, &a, &b);
}

Test(common_names, addresses_of_two_builds_are_not)
{
	struct common_names c;
	struct run a, b;

	make_run(&a, "svc", 1, (const char *[]) { "?1", "parse", NULL });
	make_run(&b, "svc", 2, (const char *[]) { "?1", "parse", NULL });
	compare_runs(&c, &a, &b);
	expect_name(&c, &a, 0, "[functions without names of svc]",
	    "[functions without names of svc]");
	expect_name(&c, &b, 1, "parse", "parse");
	free_all(&c, &a, &b);
}

Test(common_names, program_may_be_renamed)
{
	struct common_names c;
	struct run a, b;

	make_run(&a, "svc", 1, (const char *[]) { "main", "parse", "old",
	    NULL });
	make_run(&b, "svc2", 2, (const char *[]) { "main", "parse", NULL });
	compare_runs(&c, &a, &b);
	cr_expect_str_eq(common_names_program(&c, "svc"), "svc2");
	cr_expect_str_eq(common_names_module(&c, &a.model, MODEL_MODULES),
	    "svc2");
	free_all(&c, &a, &b);
}

Test(common_names, other_program_is_not_renamed)
{
	struct common_names c;
	struct run a, b;

	make_run(&a, "perl", 1, (const char *[]) { "main", "runops", "hash",
	    NULL });
	make_run(&b, "python", 2, (const char *[]) { "main", "eval", "dict",
	    NULL });
	compare_runs(&c, &a, &b);
	cr_expect_str_eq(common_names_program(&c, "perl"), "perl");
	free_all(&c, &a, &b);
}

/* The program of one side has lost its names, under another name. */
Test(common_names, renamed_program_without_names_is_one)
{
	struct common_names c;
	struct run a, b;
	size_t at = 0;

	make_run(&a, "svc", 1, (const char *[]) { "?1", NULL });
	a.modules[MODEL_MODULES].state = OBJECT_MISSING;
	make_run(&b, "svc2", 2, (const char *[]) { "main", NULL });
	compare_runs(&c, &a, &b);
	expect_name(&c, &a, 0, "[all functions of svc2]",
	    "[all functions of svc2]");
	cr_expect_eq(common_names_nameless(&c, &at), &a.modules[MODEL_MODULES]);
	free_all(&c, &a, &b);
}
