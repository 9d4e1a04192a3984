/* Context: O.  All that was read, merged: what every view is made from. */
#ifndef MODEL_H
#define MODEL_H

#include "arena.h"
#include "base/embedded_names.h"
#include "base/filter.h"
#include "base/metric.h"
#include "base/source_files.h"
#include "base/stack_frames.h"
#include "classic.h"
#include "decode.h"
#include "demangle.h"
#include "hash_index.h"
#include "object.h"

/*
 * A row is there once for its key, so memory follows the distinct rows, not the
 * files.  A row keeps only what is asked of it: without by=process all
 * processes share its rows.
 *
 * The first modules stand for what is in none.
 */
enum {
	MODEL_MODULE_NONE,	/* in no mapping that was known */
	MODEL_MODULE_GENERATED,	/* made at run time, in memory of no file */
	MODEL_MODULE_UNLISTED,	/* the cut file does not say in which */
	MODEL_MODULE_KERNEL,	/* of this boot; its time outside of calls */
	MODEL_MODULE_REBOOTED,	/* a kernel that is gone, and its addresses */
	MODEL_MODULE_REST,	/* not sampled, user or kernel */
	MODEL_MODULE_UNPROFILED,	/* of child processes, in no profile */
	MODEL_MODULE_PAUSED,	/* by the program, which tells nobody where */
	MODEL_MODULE_UNWATCHED,	/* in modules that were not watched */
	MODEL_MODULE_CUT,	/* + enum format_cut: no callers are known */
	MODEL_MODULES = MODEL_MODULE_CUT + FORMAT_CUTS,
};

/* Addresses of a process, which mean nothing in another. */
static inline bool
model_is_absolute(uint32_t module)
{
	return module == MODEL_MODULE_NONE || module == MODEL_MODULE_GENERATED;
}

/* Addresses that nobody can look up any more. */
static inline bool
model_is_unresolvable(uint32_t module)
{
	return module == MODEL_MODULE_UNLISTED ||
	    module == MODEL_MODULE_REBOOTED;
}

/* Of a frame that stands for callers that are not known. */
static inline bool
model_is_cut(uint32_t module)
{
	return module >= MODEL_MODULE_CUT && module < MODEL_MODULES;
}

/* Of what has no address: a line of its own, whose name is the module's. */
static inline bool
model_has_no_address(uint32_t module)
{
	return model_is_cut(module) || module == MODEL_MODULE_UNWATCHED;
}

enum {
	MODEL_KEEP_PROCESS = 1,
	MODEL_KEEP_THREAD = 2,
	MODEL_KEEP_ARCS = 4,
	MODEL_KEEP_STACKS = 8,
	MODEL_KEEP_LINES = 16,	/* and inlined functions */
	MODEL_KEEP_MOMENTS = 32,
	MODEL_KEEP_HEAP = 64,	/* allocations in place of time ... */
	MODEL_KEEP_PLACES = 128,	/* ... or beside it, to be named */
	MODEL_NEED_POINTS = 256,	/* a heap without them is an error */
};

/* Beside enum format_kind: CPU time of which no sample tells where. */
#define MODEL_REST	100u

/* Calls of the function there, exact where a profile has any; no time. */
#define MODEL_CALLS	101u

#define MODEL_NONE	UINT32_MAX

struct model_row {
	uint32_t module;
	uint32_t kind;
	uint64_t address;
	uint32_t process;	/* MODEL_NONE = of several, or not kept */
	uint32_t thread;
	uint32_t function;	/* after symbolize_all() */
	uint32_t stack;		/* the frame that called it; 0 none, not kept */
	uint32_t scope;		/* of model.scopes: the innermost, and ... */
	uint32_t scopes;	/* ... how many; 0 = not kept, not known */
	uint32_t root;		/* a function above all its callers, + 1; 0 */
	uint64_t count;
	uint64_t ns;
	uint64_t calls;
	uint32_t number;	/* as model_merge_row() had it */
};

/* What was allocated at a row's place. */
struct model_heap {
	uint64_t live_bytes, live_blocks;
	uint64_t peak_bytes;	/* live when most of its process was */
	uint64_t total_bytes, total_blocks;
	uint64_t freed_bytes;
	uint64_t temporary_blocks;
	uint64_t high_bytes;	/* most that was live of each path of a thread,
				   each at its own time, added up ... */
	uint64_t high_paths;	/* ... of so many */
	uint64_t samples;	/* blocks that all this was told from; 0 where
				   each was counted itself */
	/* Of mappings, which are none of the blocks. */
	uint64_t mapped_bytes, mapped_peak_bytes, mapped_total_bytes;
	uint64_t mappings;	/* that were made */
};

/* Calls from one address to a function; rows are known after model_finish(). */
struct model_arc {
	uint32_t self_module, from_module;
	uint64_t self, from;
	uint32_t self_process, from_process;
	uint64_t calls;
	size_t self_row, from_row;
};

struct model_module {
	const char *path;
	const char *name;	/* its last part */
	const char *shown;	/* instead, where others have it; or NULL */
	unsigned char build_id[32];
	size_t build_id_bytes;
	uint64_t device;
	uint64_t inode;
	uint64_t seen;		/* in memory, ns since 1970 */
	uint32_t flags;		/* FORMAT_M_* */
	uint32_t process;	/* one that had it mapped, or MODEL_NONE ... */
	uint64_t start;		/* ... and where */
	uint64_t end;
	enum object_state state;
	const char *debug;	/* the debug file that it speaks of; or NULL */
	enum lines_fault lines_fault;	/* where lines were asked for */
	/* the file that it speaks of; or NULL */
	const char *lines_apart;
	uint32_t record;	/* of the first file that has it; 0 = none */
	bool told;		/* files brought what names it had not itself */
};

enum model_process_state { MODEL_ENDED, MODEL_RUNNING, MODEL_KILLED,
    MODEL_UNKNOWN };

struct model_process {
	/* Who: all that is shown of it; image.c tells images apart. */
	uint8_t boot_id[16];
	uint64_t start_ticks;
	int32_t pid;
	uint32_t image;

	const char *program;	/* last part of exe */
	enum model_process_state life;
	uint64_t birth_real;
	uint64_t end_real;	/* 0 = not known */
	uint32_t euid;
	bool same_boot;		/* its kernel is this one */
	bool here;		/* and its pid is a pid of ours */
	bool foreign;		/* of another profiler: all but pid and program
				   is not known */

	/* How. */
	uint32_t asked_hz;
	uint32_t coarse_seen;
	uint32_t fine_seen;
	int32_t coarse_errno;
	int32_t fine_errno;
	int32_t kernel_errno;	/* why kernel=detail was refused, 0 was not */
	uint64_t tick_ns;
	uint64_t period_ns;
	uint64_t budget_ns;
	uint64_t later_ns;
	uint64_t system_ns;	/* of the whole process, by the kernel; ended */
	bool wall;
	bool cut;		/* a file of it was cut short: samples lost */
	uint64_t heap_peak;	/* bytes of its blocks; where a heap is kept */
	bool maps_alone;	/* ... or mapped: no blocks were counted */

	/* Its place among the processes; see unprofiled_time.h. */
	uint64_t pid_namespace;
	int32_t ppid, end_ppid;	/* at the start, and at the seal or 0 */
	int32_t session;
	uint32_t children;	/* processes that it made */
	uint64_t children_ns;	/* CPU time of the children it waited for */
	uint64_t children_birth_ns; /* the same before this image */
	uint64_t last_mono;	/* CLOCK_MONOTONIC when the kernel's figures
				   were read */
	bool anew;		/* it began anew: the kernel's figures are of
				   more */

	uint64_t cpu_ns;	/* from the kernel; 0 = not known ... */
	uint64_t stopped_ns;	/* ... less this, while nothing was counted */
	uint64_t sample_ns;	/* CPU time in its samples */
	uint64_t scaled_ns;	/* CPU time that scaling has taken off its
				   samples */
	uint64_t samples;
};

struct model_thread {
	struct format_thread thread;
	uint32_t process;
};

/* When a row was added to; where it was recorded. */
struct model_moment {
	uint64_t real;		/* ns since 1970: the end of ... */
	uint32_t ns;		/* ... the time that it stands for */
	uint32_t row;
};

/* Its CPU time by the kernel, in this image; false where not known. */
static inline bool
model_thread_cpu(const struct model_thread *t, uint64_t *ns)
{
	*ns = t->thread.cpu_ns - t->thread.cpu_start_ns;
	return t->thread.cpu_ns > t->thread.cpu_start_ns;
}

/*
 * Processes that started each other, on one clock: real time may have been set
 * between two births, CLOCK_MONOTONIC was not.
 */
struct model_run {
	uint8_t boot_id[16];
	int32_t pid;
	uint64_t start, pid_namespace;
	/* less CLOCK_MONOTONIC, as its first file has it */
	uint64_t real;
};

/* Files of classic profilers: of one format and rate. */
struct model_classic {
	enum classic_kind kind;
	bool wide, big;
	uint32_t rate;		/* ticks a second; 0 = not in the file */
	uint64_t files, ticks, calls;
};

/* Files of other profilers of today: of one format and unit. */
struct model_import {
	const char *format;	/* import_format_title() */
	const char *unit;	/* NULL = not told */
	uint64_t each_ns;	/* as which it is taken ... */
	bool timed;		/* ... and what it is */
	bool below;		/* some value was below zero; then `value` is
				   the sum with all signs, as an int64_t */
	uint64_t files, samples, value, calls, others;
	uint64_t rounded;	/* numbers whose last digits were not kept */
};

/* The records of a file that are wrong and were left out. */
struct model_skipped {
	const char *file;
	const char *unit;	/* "line", "record", ... of so many: */
	uint64_t count;
	const char *what;	/* the fault of the first one */
	uint64_t first;		/* line or offset of the first one */
	bool is_line;		/* FAULT_NO_OFFSET: it is not known where */
};

/* The time of a row or a path that stayed below zero and was removed. */
struct model_negative {
	uint32_t row;		/* MODEL_NONE = of a path */
	uint32_t function;	/* the function in which that path ends */
	uint64_t ns;		/* without its sign */
};

/* A tprof.out; texts that are not told are NULL. */
struct model_tprof {
	const char *backend, *scope, *command, *host, *hz, *event;
	const char *beside;	/* names of its other events */
	uint64_t each_ns;	/* as which what an event counts is taken ... */
	bool timed;		/* ... and what it is */
	uint64_t samples, value, others;
	bool cut;
	bool bare;		/* samples alone, as NetBSD has them */
};

/* Samples that such files know to be lost. */
struct model_loss {
	const char *how;	/* of model_intern() */
	uint64_t samples;
};

struct model_function {
	uint32_t module;
	uint64_t start;
	const char *name;	/* as stored, or module+0xoffset */
	const char *shown;	/* demangled when first asked for */
	const char *full;	/* the same, with its parameters */
	bool named;		/* false: no symbol holds it */
};

/*
 * A function at an address.  The inlined ones first, the one that was compiled
 * last; of that the line is where the others are, and so on inwards.
 */
struct model_scope {
	uint32_t file;		/* of sources; MODEL_NONE = not known */
	uint32_t line;		/* 0 = not known */
	uint32_t function;
};

/* What was live of the blocks of a process, and resident of it, at a moment. */
struct model_point {
	uint32_t process;
	uint64_t ns;		/* since its birth */
	/* mapped, if that is all that is counted of it */
	uint64_t live_bytes;
	uint64_t resident_bytes; /* 0 = not known */
};

struct model {
	struct arena arena;
	unsigned keep;
	const struct filter *filter;
	bool met[FILTER_KINDS];	/* something passed: rows in group_make() */
	enum demangle demangle;

	struct model_row *rows;
	size_t row_count, row_room;
	struct model_heap *heaps;	/* by the number of a row, where kept */
	size_t heap_room;
	size_t heap_files;	/* that have any */
	size_t map_files;	/* ... of mappings */
	uint64_t unknown_frees, missed_ends;	/* decode_heap.h */
	uint64_t period_low, period_high;	/* of samples of allocations,
						   in bytes; 0 = of none */
	struct model_point *points;	/* by process, ascending */
	size_t point_count, point_room;
	uint64_t sizes[FORMAT_SIZES];	/* blocks given out, by binary digits */
	enum metric measure;	/* of what the ns of rows are */
	double squares;		/* ns^2 of each sample of CPU time, added up
				   over files that tell them */
	double clump;		/* factor by which the weights are less even
				   than count and ns of rows tell; at least 1 */
	double mean_weight;	/* the mean weight of a sample that follows,
				   ns; 0 = not of time */
	struct hash_index by_key;	/* of rows, until model_finish() */
	struct stack_frames stacks;
	struct model_arc *arcs;
	size_t arc_count, arc_room;
	struct model_module *modules;
	size_t module_count, module_room;
	struct model_process *processes;
	size_t process_count, process_room;
	size_t pid_count;	/* processes: one can have several images */
	struct model_thread *threads;
	size_t thread_count, thread_room;
	struct model_run *runs;		/* of files with moments */
	size_t run_count, run_room;
	struct model_moment *moments;	/* ascending after model_finish() */
	size_t moment_count, moment_room;
	struct model_function *functions;
	size_t function_count, function_room;
	struct model_scope *scopes;
	size_t scope_count, scope_room;
	struct source_files sources;
	struct embedded_names given;
	struct model_classic *origins;
	size_t origin_count, origin_room;
	struct model_import *imports;
	size_t import_count, import_room;
	struct model_tprof *samplings;
	size_t sampling_count, sampling_room;
	struct model_loss *lost;
	size_t lost_count, lost_room;
	void *module_tree;	/* tsearch(3), by identity */
	void *process_tree;
	void *pid_tree;
	void *file_tree;
	void *text_tree;

	size_t files;
	size_t files_foreign;	/* of them of other profilers */
	size_t files_cut;
	size_t files_copied;	/* left out: another was the same file once */
	size_t files_other;	/* left out: not of a picked process */
	uint64_t losses[LOSS_MAX];
	uint64_t ticks;
	double cost_ns;		/* measured, carried to all ticks */
	bool whole;		/* files of whole directories or runs */
	uint64_t unseen_ns;	/* CPU time of child processes that is in no
				   profile; unprofiled_time_find() */
	uint64_t unseen_processes; /* that have none, as far as is known */
	bool wall;		/* some file has the wall clock */
	bool some_anew;		/* ... or is of a process that began anew */
	uint64_t unnamed_ns;	/* CPU time without a symbol; symbolize_all() */
	bool moduleless;	/* a file names functions, not their modules */
	bool differences;	/* a file has values below zero */
	bool signs;		/* the view can show them: rows keep them.  Set
				   before the first file is added */
	struct model_skipped *left;	/* a file each */
	size_t left_count, left_room;
	struct model_negative *below;	/* removed if it cannot */
	size_t below_count, below_room;
	/* frames are modules or files: regroup_frames.h */
	bool coarse;
	bool rooted;		/* rows have roots: the same */
};

int model_init(struct model *m, const struct filter *filter, unsigned keep,
    enum demangle demangle);
void model_free(struct model *m);

/*
 * Add one decoded file.  0 or -errno with *f set: nothing of a damaged file is
 * added, and when memory ran out (-ENOMEM) the model is of no use any more.
 */
int read_profile_add(struct model *m, struct decode *d, struct fault *f);

/*
 * A row of its key, or more of the one that is there.  Until model_finish().  0
 * or -ENOMEM.
 */
int model_add_row(struct model *m, const struct model_row *row);

/* The same; *n is the row's number until then, for model_add_moment(). */
int model_merge_row(struct model *m, const struct model_row *row, uint32_t *n);
int model_add_moment(struct model *m, const struct model_moment *moment);

/* The same of what was allocated there; ns and count come of that, the peak. */
int model_heap_add(struct model *m, const struct model_row *place,
    const struct model_heap *heap);
const struct model_heap *model_heap(const struct model *m,
    const struct model_row *row);	/* all 0 where there is nothing */
void model_heap_sum(struct model_heap *to, const struct model_heap *more);

/* Was it so much at one moment?  Else that is an upper bound. */
bool model_heap_is_high_exact(const struct model *m,
    const struct model_heap *heap);

/*
 * From now on the ns of rows are of that, of the heap, and their count is of
 * the samples that it rests on; as often as one likes.
 */
void model_heap_set_metric(struct model *m, enum metric measure);

/*
 * Of the next, in a circle; false: that is the first one again, or it is of
 * time.
 */
bool model_heap_set_next(struct model *m, enum metric first);

/* Not of mappings alone. */
bool model_heap_has_blocks(const struct model *m);

/* Is any of it to be expected?  And of those the one behind it, in a circle. */
bool model_heap_has_metric(const struct model *m, enum metric measure);
enum metric model_heap_next_metric(const struct model *m, enum metric measure);

/* Were some of the allocations looked at, for all? */
static inline bool
model_is_sampled(const struct model *m)
{
	return m->period_high != 0;
}

/* Returns whether rows have signs; then their ns and count are int64_t. */
static inline bool
model_has_signs(const struct model *m)
{
	return m->signs && m->differences;
}

/* Returns the time of rows as a number, with its sign. */
static inline double
model_signed_time(const struct model *m, uint64_t ns)
{
	return model_has_signs(m) ? (double)(int64_t)ns : (double)ns;
}

/* Returns the same time without a sign. */
static inline uint64_t
model_abs_time(const struct model *m, uint64_t ns)
{
	return model_has_signs(m) && ns > INT64_MAX ? 0 - ns : ns;
}

/* Is it of allocations, not of time? */
static inline bool
model_is_heap(const struct model *m)
{
	return (m->keep & MODEL_KEEP_HEAP) != 0;
}

/* The same of an arc, with the rows of its two addresses. */
int model_add_arc(struct model *m, const struct model_arc *arc);

/*
 * The frame of that key, which has a row as well, by which its function is
 * found.  0: no memory.
 */
uint32_t model_add_frame(struct model *m, const struct stack_frame *key);

/* The functions and scopes of frames, once rows have theirs. */
void model_name_frames(struct model *m);

/*
 * Add the rows of unsampled CPU time.  Once, after the last file: after it rows
 * ascend by module, address, kind.
 */
int model_finish(struct model *m);

/*
 * One copy of each text, for good; NULL = no memory.  Cut at MODEL_TEXT_MAX:
 * no path is longer, and a hostile file names one long text in many records.
 */
#define MODEL_TEXT_MAX 4096
const char *model_intern(struct model *m, const char *text, size_t bytes);

/* The names of a module and a function as the user reads them. */
static inline const char *
model_module_name(const struct model *m, uint32_t module)
{
	const struct model_module *own = &m->modules[module];

	return own->shown != NULL ? own->shown : own->name;
}

const char *model_function_name(struct model *m, uint32_t function);

/* As it is shown where others have the short name; NULL = no memory. */
const char *model_function_full_name(struct model *m, uint32_t function);

/*
 * What stands behind a call is looked up by the call: the address that follows
 * a call that never returns belongs to the next function.
 */
static inline uint64_t
model_lookup_address(const struct model_row *r)
{
	return r->kind == FORMAT_KERNEL || r->kind == FORMAT_SLEEP ||
	    r->kind == FORMAT_FRAME ? r->address - 1 : r->address;
}

/* The function at a row's place, which may be inlined there. */
static inline uint32_t
model_innermost_function(const struct model *m, const struct model_row *r)
{
	return r->scopes == 0 ? r->function : m->scopes[r->scope].function;
}

/* A caller counts nothing itself. */
static inline bool
model_is_caller(uint32_t kind)
{
	return kind == FORMAT_FRAME || kind == FORMAT_INTERRUPTED;
}

/* Does the kind stand for CPU time?  SLEEP does not. */
static inline bool
model_is_cpu(uint32_t kind)
{
	return kind != FORMAT_SLEEP;
}

#endif
