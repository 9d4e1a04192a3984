/*
 * Context: O.  Explains names in brackets, for prof --explain; see
 * bracket_names.h.
 */
#include "report/bracket_names.h"

#include "base/wrapped_text.h"
#include "names/profiler_functions.h"

#include <stdlib.h>
#include <string.h>

#define BRACKET_INDENT	4	/* columns before a line that goes on */

/* The meanings, by the fixed number of the module; prof(1) says the same. */
static const char *const bracket_texts[MODEL_MODULES] = {
	[MODEL_MODULE_NONE] =
	    "the address was in no mapping of the process that was known then",
	[MODEL_MODULE_GENERATED] =
	    "code that was made at run time and has no name: node "
	    "--perf-basic-prof, java -XX:+UnlockDiagnosticVMOptions "
	    "-XX:+DumpPerfMapAtExit and python3 -X perf give names",
	[MODEL_MODULE_PYTHON] =
	    "functions of Python, which python3 -X perf gives names; the C "
	    "code that they call stands below them",
	[MODEL_MODULE_UNLISTED] =
	    "the file is truncated and has lost the module's name, or is of a "
	    "classic profiler and has none for other objects than the program",
	[MODEL_MODULE_KERNEL] =
	    "kernel time outside of system calls: page faults, interrupts, "
	    "switches between threads; fewer new pages and fewer wake-ups "
	    "make it less",
	[MODEL_MODULE_REBOOTED] =
	    "functions of a kernel that runs no longer; make the report before "
	    "the next reboot, or prof --embed",
	[MODEL_MODULE_REST] =
	    "CPU time by the kernel's count that no sample stands for, mostly "
	    "before the first sample of short processes",
	[MODEL_MODULE_UNPROFILED] =
	    "CPU time of child processes that have no profile: too short, "
	    "static, set-user-ID, or without LD_PRELOAD",
	[MODEL_MODULE_PAUSED] =
	    "the program had paused its profile by moncontrol(0)",
	[MODEL_MODULE_UNWATCHED] =
	    "time in modules that prof --control watch has left out",
	[MODEL_MODULE_CUT] = "the file does not say why the stack ends here",
	[MODEL_MODULE_CUT + FORMAT_CUT_DEPTH] =
	    "the stack is deeper than is kept: prof record --set=depth=N "
	    "keeps more",
	[MODEL_MODULE_CUT + FORMAT_CUT_TABLE] =
	    "generated or assembler code, from which no way leads to its "
	    "caller: node --interpreted-frames-native-stack, java "
	    "-XX:+PreserveFramePointer, or -fno-omit-frame-pointer keep one",
	[MODEL_MODULE_CUT + FORMAT_CUT_RULE] =
	    "the unwind table of the code has a rule that libmon.so cannot "
	    "read",
	[MODEL_MODULE_CUT + FORMAT_CUT_UNREADABLE] =
	    "the next frame was in memory that could not be read",
	[MODEL_MODULE_CUT + FORMAT_CUT_UNMAPPED] =
	    "the return address was in no code, as after a call of a null "
	    "pointer",
	[MODEL_MODULE_CUT + FORMAT_CUT_ORDER] =
	    "the caller's frame would lie below its callee's: the program "
	    "switched stacks, or the unwind table is wrong",
	[MODEL_MODULE_CUT + FORMAT_CUT_LATE] =
	    "the thread had blocked the signal, so the sample was taken later "
	    "and the stack was gone",
	[MODEL_MODULE_CUT + FORMAT_CUT_FROZEN] =
	    "behind a seccomp filter memory cannot be tested, so no stack but "
	    "the thread's own is read",
	[MODEL_MODULE_CUT + FORMAT_CUT_COST] =
	    "more frames would have cost more than a 32nd of the CPU time; a "
	    "lower --hz leaves more for each sample",
	[MODEL_MODULE_CUT + FORMAT_CUT_NO_MEMORY] =
	    "there was no memory for a walk of the stack",
	[MODEL_MODULE_CUT + FORMAT_CUT_COPY] =
	    "the kernel copies 2 KiB of a stack with a sample of its own "
	    "functions; these callers lie behind that",
	[MODEL_MODULE_CUT + FORMAT_CUT_REGISTER] =
	    "the caller is found by a register that only the sleeping thread "
	    "has",
	[MODEL_MODULE_CUT + FORMAT_CUT_AWAKE] =
	    "the sleeping thread woke while its stack was read",
	[MODEL_MODULE_CUT + FORMAT_CUT_UNLOAD] =
	    "a library was being unloaded, by the program or by libc, whose "
	    "unwind tables could go at any time",
	[MODEL_MODULE_CUT + FORMAT_CUT_INDEX] =
	    "the unwind table is large and has no index (.eh_frame_hdr), so a "
	    "search would take too long",
};

static const char profiler_text[] =
    "functions of libmon.so itself, which count allocations and calls and "
    "take samples; --all-frames shows each";

/*
 * Marks the fixed modules that rows with time, or their callers, have and that
 * stand for functions without names.  used: by number, of MODEL_MODULES.
 */
static void
mark_modules(const struct model *m, bool *used)
{
	for (size_t i = 0; i < m->row_count; i++) {
		const struct model_row *r = &m->rows[i];

		if (r->module == MODEL_MODULE_PYTHON)
			used[r->module] = true;
		/* Code with names, and functions of the kernel, need none. */
		if (r->module < MODEL_MODULES &&
		    (r->module != MODEL_MODULE_KERNEL ||
		    r->kind == MODEL_REST) &&
		    (r->ns != 0 || model_is_caller(r->kind)) &&
		    (r->function == MODEL_NONE ||
		    !m->functions[r->function].named))
			used[r->module] = true;
	}
}

/* Returns whether the functions of libmon.so are one, and rows have it. */
static bool
has_profiler_function(const struct model *m)
{
	for (size_t i = 0; i < m->row_count; i++) {
		const uint32_t function = m->rows[i].function;

		if ((m->modules[m->rows[i].module].flags & FORMAT_M_OURS) !=
		    0 && function != MODEL_NONE &&
		    strcmp(m->functions[function].name,
		    PROFILER_FUNCTIONS_NAME) == 0)
			return true;
	}
	return false;
}

static void
print_bracket_head(const struct term *t)
{
	fprintf(t->out, "\n%sNames in brackets%s\n", term_on(t, TERM_HEAD),
	    term_off(t));
}

static void
print_bracket_name(const struct term *t, const char *name, const char *text)
{
	fprintf(t->out, "  %s: ", name);
	wrapped_text_print(t, 4 + term_columns(name), BRACKET_INDENT, text);
}

void
bracket_names_print(const struct term *t, const struct model *m)
{
	bool used[MODEL_MODULES] = { false };
	bool any = has_profiler_function(m);

	mark_modules(m, used);
	if (any) {
		print_bracket_head(t);
		print_bracket_name(t, PROFILER_FUNCTIONS_NAME,
		    profiler_text);
	}
	for (uint32_t i = 0; i < MODEL_MODULES; i++) {
		if (!used[i])
			continue;
		if (!any)
			print_bracket_head(t);
		any = true;
		print_bracket_name(t, i == MODEL_MODULE_KERNEL ?
		    MODEL_KERNEL_REST : m->modules[i].name, bracket_texts[i]);
	}
}
