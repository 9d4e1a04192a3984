/*
 * Context: O.  Tests of core/model/derive/charge_callers.c and of
 * core/model/names/profiler_functions.c.
 */
#include "derive/charge_callers.h"
#include "names/profiler_functions.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { START, MAIN, SORT, LESS, PLUGIN, MALLOC, TICK, LAMBDA, FUNCTIONS };
enum { PROG = MODEL_MODULES, LIBC, LIBX, OURS, MODULES };

static const struct model_function functions[FUNCTIONS] = {
	[START] = { .module = LIBC, .name = "start" },
	[MAIN] = { .module = PROG, .name = "main" },
	[SORT] = { .module = PROG, .name = "std::sort" },
	[LESS] = { .module = PROG, .name = "less" },
	[PLUGIN] = { .module = LIBX, .name = "plugin" },
	[MALLOC] = { .module = LIBC, .name = "malloc" },
	[TICK] = { .module = OURS, .name = "tick_handler" },
	[LAMBDA] = { .module = PROG, .name = "lambda" },
};

/* A template that has inlined lambda(), which has inlined another one. */
static const struct model_scope scopes[] = {
	{ .line = 3, .function = SORT }, { .line = 2, .function = LAMBDA },
	{ .line = 1, .function = SORT },
};

static struct stack_frame frames[6];
static struct model_row rows[7];
static struct model_module modules[MODULES];
static struct filter filter;
static struct model m;

static void
row(size_t i, uint32_t module, uint32_t function, uint32_t stack, uint64_t ns)
{
	rows[i] = (struct model_row) {
		.module = module, .kind = FORMAT_USER, .address = 0x100 * i,
		.function = function, .stack = stack, .ns = ns, .count = 1,
	};
}

static void
frame(uint32_t i, uint32_t caller, uint32_t module, uint32_t function)
{
	frames[i] = (struct stack_frame) {
		.caller = caller, .module = module, .address = 0x1000 * i,
		.kind = FORMAT_FRAME, .function = function,
	};
}

/* start, main, sort, less, malloc; and main, plugin, malloc. */
static void
make(void)
{
	m = (struct model) {
		.rows = rows, .row_count = 7, .filter = &filter,
		.function_count = FUNCTIONS, .function_room = FUNCTIONS,
		.scope_count = 3, .scope_room = 3, .modules = modules,
		.module_count = MODULES, .stacks = { .frames = frames,
		.count = 6 },
	};
	m.functions = malloc(sizeof(functions));
	m.scopes = malloc(sizeof(scopes));
	memcpy(m.functions, functions, sizeof(functions));
	memcpy(m.scopes, scopes, sizeof(scopes));
	for (size_t i = 0; i < MODULES; i++)
		modules[i].name = modules[i].path = "none";
	modules[PROG] = (struct model_module) {
		.name = "prog", .path = "/prog", .flags = FORMAT_M_MAIN,
	};
	modules[LIBX] = (struct model_module) {
		.name = "libx.so.1", .path = "/libx.so.1",
	};
	modules[OURS].flags = FORMAT_M_OURS;
	frame(1, 0, LIBC, START);
	frame(2, 1, PROG, MAIN);
	frame(3, 2, PROG, SORT);
	frame(4, 3, PROG, LESS);
	frame(5, 2, LIBX, PLUGIN);
	row(0, LIBC, MALLOC, 4, 1);
	row(1, PROG, SORT, 2, 10);
	row(2, LIBC, MALLOC, 5, 100);
	row(3, LIBC, MALLOC, 1, 1000);
	row(4, OURS, TICK, 2, 10000);
	row(5, OURS, TICK, 0, 100000);
	row(6, PROG, SORT, 3, 1000000);
	rows[6].scopes = 3;
}

static void
done(void)
{
	free(m.functions);
	free(m.scopes);
	free(m.focus_marks);
}

static void
expect_stack(size_t i, uint32_t function, uint32_t caller, uint32_t outer)
{
	const uint32_t f = rows[i].stack;

	cr_expect_eq(rows[i].function, function, "row %zu is of %u", i,
	    rows[i].function);
	cr_expect_eq(f == 0 ? MODEL_NONE : frames[f].function, caller,
	    "row %zu", i);
	cr_expect_eq(f == 0 || frames[f].caller == 0 ? MODEL_NONE :
	    frames[frames[f].caller].function, outer, "row %zu", i);
}

Test(charge_callers, to_the_program)
{
	uint64_t sum = 0;

	make();
	cr_assert_eq(charge_callers(&m, ""), 0);
	expect_stack(0, LESS, MAIN, MODEL_NONE);
	cr_expect_eq(rows[0].address, 0x3fff, "the call in less");
	cr_expect_eq(rows[0].module, PROG);
	expect_stack(1, MAIN, MODEL_NONE, MODEL_NONE);
	expect_stack(2, MAIN, MODEL_NONE, MODEL_NONE);
	expect_stack(3, MALLOC, START, MODEL_NONE);
	expect_stack(4, MAIN, MODEL_NONE, MODEL_NONE);
	expect_stack(5, TICK, MODEL_NONE, MODEL_NONE);
	cr_expect_eq(m.uncharged_ns, 101000);
	for (size_t i = 0; i < m.row_count; i++)
		sum += rows[i].ns;
	cr_expect_eq(sum, 1111111);
	done();
}

/* Inlined functions that are not the user's are left out as well. */
Test(charge_callers, of_inlined_functions)
{
	make();
	cr_assert_eq(charge_callers(&m, ""), 0);
	expect_stack(6, LAMBDA, MAIN, MODEL_NONE);
	cr_expect_eq(rows[6].scopes, 1);
	cr_expect_eq(m.scopes[rows[6].scope].line, 2);
	done();
}

/* A frame of Python is in generated code, and its function in [python]. */
Test(charge_callers, to_functions_of_python)
{
	make();
	m.functions[LESS].module = MODEL_MODULE_PYTHON;
	frames[4].module = MODEL_MODULE_GENERATED;
	cr_assert_eq(charge_callers(&m, ""), 0);
	expect_stack(0, LESS, MAIN, MODEL_NONE);
	cr_expect_eq(rows[0].module, MODEL_MODULE_PYTHON);
	done();
}

Test(charge_callers, and_to_named_modules)
{
	char name[CHARGE_CALLERS_NAME];

	make();
	cr_expect(!charge_callers_unknown(&m, "libx,prog", name));
	cr_expect(charge_callers_unknown(&m, "libx,liby", name));
	cr_expect_str_eq(name, "liby");
	cr_assert_eq(charge_callers(&m, "libx"), 0);
	expect_stack(2, PLUGIN, MAIN, MODEL_NONE);
	done();
}

Test(charge_callers, profiler_is_one_function)
{
	make();
	cr_assert_eq(profiler_functions_merge(&m), 0);
	cr_expect_eq(rows[4].function, FUNCTIONS);
	cr_expect_eq(rows[5].function, FUNCTIONS);
	cr_expect_str_eq(m.functions[FUNCTIONS].name, "[libmon]");
	cr_expect_eq(rows[0].function, MALLOC);
	done();
}
