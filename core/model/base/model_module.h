/*
 * Context: O.  Modules of the model; model.h includes it for all.  Readers add
 * modules; symbolize_all() sets `state`, `debug` and `lines_*`.
 */
#ifndef MODEL_MODULE_H
#define MODEL_MODULE_H

#include "decode/decode.h"
#include "object.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Modules with fixed numbers, for time and addresses that are in no module of a
 * file; modules of files have numbers from MODEL_MODULES on.
 *
 * The model has one row for each distinct key, so its memory follows the
 * distinct rows, not the number of files.  A row keeps only what the caller of
 * model_init() asked for: without MODEL_KEEP_PROCESS (by=process) all processes
 * share its rows.
 */
enum {
	MODEL_MODULE_NONE,	/* address in no known mapping */
	/* code made at run time, in memory of no file */
	MODEL_MODULE_GENERATED,
	/* functions of Python, by the code that -X perf of CPython makes */
	MODEL_MODULE_PYTHON,
	/* the truncated file does not list the module */
	MODEL_MODULE_UNLISTED,
	/* the running kernel, and kernel time that no sample stands for */
	MODEL_MODULE_KERNEL,
	MODEL_MODULE_REBOOTED,	/* addresses of a kernel before a reboot */
	MODEL_MODULE_REST,	/* CPU time without samples, user or kernel */
	/* CPU time of child processes that is in no profile */
	MODEL_MODULE_UNPROFILED,
	/* time while the program had paused counting; where is not known */
	MODEL_MODULE_PAUSED,
	MODEL_MODULE_UNWATCHED,	/* time in modules that were not watched */
	/* plus an enum format_cut: why callers are not known */
	MODEL_MODULE_CUT,
	MODEL_MODULES = MODEL_MODULE_CUT + FORMAT_CUTS,
};

/* The line of kernel time that no sample stands for. */
#define MODEL_KERNEL_REST	"[kernel: page faults and interrupts]"

/* Returns whether the module has code that was made at run time. */
static inline bool
model_is_generated(uint32_t module)
{
	return module == MODEL_MODULE_GENERATED ||
	    module == MODEL_MODULE_PYTHON;
}

/*
 * Returns whether addresses of the module belong to one process and mean
 * nothing in another.
 */
static inline bool
model_is_absolute(uint32_t module)
{
	return module == MODEL_MODULE_NONE || model_is_generated(module);
}

/*
 * Returns whether the names of addresses of the module can no longer be found.
 */
static inline bool
model_is_unresolvable(uint32_t module)
{
	return module == MODEL_MODULE_UNLISTED ||
	    module == MODEL_MODULE_REBOOTED;
}

/* Returns whether the module marks a frame that stands for unknown callers. */
static inline bool
model_is_cut(uint32_t module)
{
	return module >= MODEL_MODULE_CUT && module < MODEL_MODULES;
}

/*
 * Returns whether rows of the module have no address, of whatever kind.  Such
 * rows make one line, with the name of the module.  Rows of kind MODEL_REST
 * have no address either.
 */
static inline bool
model_has_no_address(uint32_t module)
{
	return model_is_cut(module) || module == MODEL_MODULE_UNWATCHED;
}

/*
 * Returns whether the module has a fixed number and functions with names, which
 * are not named after it.
 */
static inline bool
model_is_fixed_place(uint32_t module)
{
	return model_is_generated(module) || module == MODEL_MODULE_KERNEL;
}

/* An object whose code was mapped: program, library, vdso or kernel. */
struct model_module {
	const char *path;
	const char *name;	/* last part of the path */
	/*
	 * shown instead of the name, where other modules have that name; else
	 * NULL
	 */
	const char *shown;
	unsigned char build_id[32];
	size_t build_id_bytes;
	uint64_t device;
	uint64_t inode;
	/*
	 * The file must not have changed after this, ns since 1970: the
	 * earliest time at which the module is known to have been mapped; for
	 * other profilers' files, when the file at the path was last changed.
	 */
	uint64_t seen;
	uint32_t flags;		/* FORMAT_M_* */
	/* a process that had it mapped, or MODEL_NONE */
	uint32_t process;
	uint64_t start;		/* its addresses in that process */
	uint64_t end;
	enum object_state state;	/* whether its symbols were found */
	/* path of the debug file to which state refers; or NULL */
	const char *debug;
	/* why lines are missing, where lines were asked for */
	enum lines_fault lines_fault;
	/* path of the file to which lines_fault refers; or NULL */
	const char *lines_apart;
	/* index of its record in the first file that has it; 0 = none */
	uint32_t record;
	/* embedded names filled in all names that the module lacked */
	bool named_all;
};

#endif
