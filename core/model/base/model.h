/*
 * Context: O.  The model: everything that was read from all input files,
 * merged.  Readers add rows, frames, arcs and moments; model_finish() sorts
 * them; symbolize_all() gives them functions.  All views and exporters are made
 * from the result.
 */
#ifndef MODEL_H
#define MODEL_H

#include "base/arena.h"
#include "base/embedded_names.h"
#include "base/filter.h"
#include "base/metric.h"
#include "base/source_files.h"
#include "base/stack_frames.h"
#include "classic/classic.h"
#include "decode/decode.h"
#include "symbol/demangle.h"
#include "base/hash_index.h"
#include "object.h"

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
	/* the truncated file does not list the module */
	MODEL_MODULE_UNLISTED,
	/* the running kernel; also its time outside calls */
	MODEL_MODULE_KERNEL,
	MODEL_MODULE_REBOOTED,	/* addresses of a kernel before a reboot */
	MODEL_MODULE_REST,	/* CPU time without samples, user or kernel */
	/* CPU time of children, in no profile */
	MODEL_MODULE_UNPROFILED,
	/* time while the program had paused counting; where is not known */
	MODEL_MODULE_PAUSED,
	MODEL_MODULE_UNWATCHED,	/* time in modules that were not watched */
	/* plus an enum format_cut: why callers are not known */
	MODEL_MODULE_CUT,
	MODEL_MODULES = MODEL_MODULE_CUT + FORMAT_CUTS,
};

/*
 * Returns whether addresses of the module belong to one process and mean
 * nothing in another.
 */
static inline bool
model_is_absolute(uint32_t module)
{
	return module == MODEL_MODULE_NONE || module == MODEL_MODULE_GENERATED;
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
 * Returns whether rows of the module have no address.  Such rows make one line,
 * with the name of the module.
 */
static inline bool
model_has_no_address(uint32_t module)
{
	return model_is_cut(module) || module == MODEL_MODULE_UNWATCHED;
}

/* Parts that a model keeps, for model_init(): a set of these bits. */
enum {
	MODEL_KEEP_PROCESS = 1,
	MODEL_KEEP_THREAD = 2,
	MODEL_KEEP_ARCS = 4,
	MODEL_KEEP_STACKS = 8,
	MODEL_KEEP_LINES = 16,	/* source lines and inlined functions */
	/* times of samples, where a file has them */
	MODEL_KEEP_MOMENTS = 32,
	MODEL_KEEP_HEAP = 64,	/* allocations in place of time */
	/* keep the places of allocations beside time, so that they get names */
	MODEL_KEEP_PLACES = 128,
	/* a file with a heap but no heap points is refused */
	MODEL_NEED_POINTS = 256,
};

/* Row kind beside enum format_kind: CPU time that no sample stands for. */
#define MODEL_REST	100u

/*
 * Row kind: counted calls of the function at the address, which have no time.
 * The number is exact where a profile has counted calls.
 */
#define MODEL_CALLS	101u

/* No process, thread, function or file: several, not kept or not known. */
#define MODEL_NONE	UINT32_MAX

/*
 * Time, samples and calls of one key.  The key is module, kind, address,
 * process, thread and stack.
 */
struct model_row {
	uint32_t module;
	uint32_t kind;	/* enum format_kind, MODEL_REST or MODEL_CALLS */
	uint64_t address;
	uint32_t process;	/* MODEL_NONE = several, or not kept */
	uint32_t thread;	/* MODEL_NONE = several, or not kept */
	uint32_t function;	/* set by symbolize_all() */
	/* frame that called this place; 0 = none, or not kept */
	uint32_t stack;
	uint32_t scope;	/* index in model.scopes of the innermost scope */
	/* number of scopes; 0 = not kept, or not known */
	uint32_t scopes;
	/* 1 + function that stands above all callers; 0 = none */
	uint32_t root;
	uint64_t count;		/* samples */
	uint64_t ns;		/* weight: ns, or bytes or blocks of the heap */
	uint64_t calls;
	/* the row's number before model_finish() sorted the rows */
	uint32_t number;
};

/* Allocations at the place of a row, in all processes that share the row. */
struct model_heap {
	uint64_t live_bytes, live_blocks;
	/* bytes live when most of its process was live */
	uint64_t peak_bytes;
	uint64_t total_bytes, total_blocks;
	uint64_t freed_bytes;
	uint64_t temporary_blocks;
	/*
	 * most bytes live of each call path of a thread, each path at its own
	 * time, summed over the paths
	 */
	uint64_t high_bytes;
	uint64_t high_paths;	/* number of call paths in high_bytes */
	/*
	 * sampled blocks on which all these numbers rest; 0 = each block was
	 * counted
	 */
	uint64_t samples;
	/* Mappings, which are not included in the blocks. */
	uint64_t mapped_bytes, mapped_peak_bytes, mapped_total_bytes;
	uint64_t mappings;	/* number of mappings made */
};

/*
 * Counted calls from one address to a function.  The row indexes are set by
 * model_finish().
 */
struct model_arc {
	uint32_t self_module, from_module;
	uint64_t self, from;
	uint32_t self_process, from_process;
	uint64_t calls;
	size_t self_row, from_row;
};

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
	uint64_t seen;	/* earliest known time in memory, ns since 1970 */
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
	bool told;
};

/*
 * State of a process when its file was read.  MODEL_KILLED: it is gone and has
 * not sealed its profile.
 */
enum model_process_state { MODEL_ENDED, MODEL_RUNNING, MODEL_KILLED,
    MODEL_UNKNOWN };

/* A process image.  For another profiler's file: a process. */
struct model_process {
	/* Identity, as shown.  process_image.c tells images apart. */
	uint8_t boot_id[16];
	uint64_t start_ticks;
	int32_t pid;
	uint32_t image;

	const char *program;	/* last part of the executable's path */
	enum model_process_state life;
	uint64_t birth_real;
	uint64_t end_real;	/* ns since 1970; 0 = not known */
	uint32_t euid;
	bool same_boot;		/* the machine has not been booted since */
	/* its pid means the same process in our pid namespace */
	bool here;
	/* from another profiler's file: only pid and program are known */
	bool foreign;

	/*
	 * How it was sampled, as in struct format_header: the rate asked for (0
	 * = automatic), sets of bits 1 << state of the clocks that threads have
	 * had, the first errors, and intervals of the clocks in ns.
	 */
	uint32_t asked_hz;
	uint32_t coarse_seen;
	uint32_t fine_seen;
	int32_t coarse_errno;
	int32_t fine_errno;
	/* why kernel=detail was refused; 0 = it was not */
	int32_t kernel_errno;
	uint64_t tick_ns;
	uint64_t period_ns;
	uint64_t budget_ns;
	uint64_t later_ns;
	/*
	 * system time of the whole process, ns, by the kernel; final if the
	 * process has ended
	 */
	uint64_t system_ns;
	bool wall;
	/* one of its files was truncated: samples are missing */
	bool cut;
	/* peak of its live blocks, bytes; set where a heap is kept */
	uint64_t heap_peak;
	/* heap_peak is of mappings: no blocks were counted */
	bool maps_alone;

	/* Relations to other processes; see unprofiled_time.h. */
	uint64_t pid_namespace;
	int32_t ppid, end_ppid;	/* ppid at the start; ppid at the seal, or 0 */
	int32_t session;
	uint32_t children;	/* number of processes that it made */
	/* CPU time of the children that it waited for, ns */
	uint64_t children_ns;
	uint64_t children_birth_ns; /* children_ns at the start of this image */
	/* CLOCK_MONOTONIC when the kernel's figures were read, ns */
	uint64_t last_mono;
	/*
	 * the profile was reset: the kernel's figures also include the time
	 * before the reset
	 */
	bool anew;

	/* CPU time by the kernel while samples were taken, ns; 0 = not known */
	uint64_t cpu_ns;
	/* CPU time while sampling was stopped, ns; not included in cpu_ns */
	uint64_t stopped_ns;
	uint64_t sample_ns;	/* CPU time that its samples stand for, ns */
	/* CPU time that scaling has subtracted from its samples, ns */
	uint64_t scaled_ns;
	uint64_t samples;
};

/*
 * A thread as its file describes it; `process` is an index in model.processes.
 */
struct model_thread {
	struct format_thread thread;
	uint32_t process;
};

/* A sample with its time, where the file recorded times. */
struct model_moment {
	uint64_t real;		/* end of the sampled time, ns since 1970 */
	uint32_t ns;		/* length of the sampled time */
	uint32_t row;
};

/*
 * Sets *ns to the CPU time of the thread in this image, by the kernel.  Returns
 * false if it is not known.
 */
static inline bool
model_thread_cpu(const struct model_thread *t, uint64_t *ns)
{
	*ns = t->thread.cpu_ns - t->thread.cpu_start_ns;
	return t->thread.cpu_ns > t->thread.cpu_start_ns;
}

/*
 * A run: processes that started each other, with one clock for all.  Real time
 * may have been set between the starts of two processes; CLOCK_MONOTONIC cannot
 * be set, so all files of a run use the offset of the first file.
 */
struct model_run {
	uint8_t boot_id[16];
	int32_t pid;
	uint64_t start, pid_namespace;
	/* real time less CLOCK_MONOTONIC in the first file of the run, ns */
	uint64_t real;
};

/* Sums over files of classic profilers that have the same format and rate. */
struct model_classic {
	enum classic_kind kind;
	bool wide, big;
	uint32_t rate;	/* ticks per second; 0 = the file does not say */
	uint64_t files, ticks, calls;
};

/*
 * Sums over files of other current profilers that have the same format and
 * unit.
 */
struct model_import {
	const char *format;	/* import_format_title() */
	const char *unit;	/* NULL = the file does not say */
	/* time that one unit of a value is taken as, ns */
	uint64_t each_ns;
	bool timed;		/* values are times */
	/*
	 * some value was below zero; then `value` is the sum with all signs, as
	 * an int64_t
	 */
	bool below;
	/* `others`: samples of other events, left out */
	uint64_t files, samples, value, calls, others;
	uint64_t rounded;	/* numbers whose last digits were dropped */
};

/* Damaged records of a file, which were left out. */
struct model_skipped {
	const char *file;
	const char *unit;	/* noun for `count`: "line" or "record" */
	uint64_t count;
	const char *what;	/* fault of the first one */
	uint64_t first;		/* line or offset of the first one */
	/*
	 * `first` is a line; otherwise FAULT_NO_OFFSET in `first` means that
	 * the offset is not known
	 */
	bool is_line;
};

/* Time of a row or a path whose sum was below zero, and which was removed. */
struct model_negative {
	uint32_t row;		/* MODEL_NONE = a path was removed */
	uint32_t function;	/* innermost function of that path */
	uint64_t ns;		/* amount without its sign */
};

/*
 * One tprof.out, for the footer.  Texts that the file does not have are NULL.
 */
struct model_tprof {
	const char *backend, *scope, *command, *host, *hz, *event;
	const char *beside;	/* names of its other events */
	/* time that one unit of the event is taken as, ns */
	uint64_t each_ns;
	bool timed;		/* the unit of the event is time */
	/* `others`: samples of other events, left out */
	uint64_t samples, value, others;
	bool cut;		/* truncated */
	bool bare;	/* the file has samples only, as NetBSD writes them */
};

/* Lost samples that a tprof.out reports. */
struct model_loss {
	const char *how;	/* reason; from model_intern() */
	uint64_t samples;
};

/* A function, or its substitute where no symbol is known. */
struct model_function {
	uint32_t module;
	uint64_t start;
	/* as stored in the symbol table, or module+0xoffset */
	const char *name;
	const char *shown;	/* demangled when first asked for; or NULL */
	/* demangled with parameters, when first asked for; or NULL */
	const char *full;
	bool named;		/* false: no symbol contains it */
};

/*
 * A function at an address, with its source line.  Scopes of an address are
 * stored together: inlined functions first, innermost first, and the compiled
 * function last.  The line of a scope is where the scope before it was inlined.
 */
struct model_scope {
	uint32_t file;	/* index in model.sources; MODEL_NONE = not known */
	uint32_t line;		/* 0 = not known */
	uint32_t function;
};

/*
 * One point of a heap's timeline: live bytes of a process and its resident
 * memory at one time.
 */
struct model_point {
	uint32_t process;
	uint64_t ns;		/* time since the start of the process, ns */
	/*
	 * bytes of live blocks, or of mappings where only mappings are counted
	 */
	uint64_t live_bytes;
	uint64_t resident_bytes; /* 0 = not known */
};

/*
 * Everything that was read.  Arrays have their number of elements in *_count
 * and their capacity in *_room.  model_init() begins a model, model_free()
 * frees it.
 */
struct model {
	struct arena arena;
	unsigned keep;		/* MODEL_KEEP_* and MODEL_NEED_POINTS */
	const struct filter *filter;
	/*
	 * whether a filter of that kind matched anything; group_make() sets the
	 * kinds that apply to rows
	 */
	bool met[FILTER_KINDS];
	enum demangle demangle;

	struct model_row *rows;
	size_t row_count, row_room;
	/* by model_row.number; only where a heap is kept */
	struct model_heap *heaps;
	size_t heap_room;
	size_t heap_files;	/* files with counts of allocations */
	size_t map_files;	/* files with counts of mappings */
	uint64_t unknown_frees, missed_ends;	/* as in decode_heap.h */
	/*
	 * range of the mean sample distances of allocations, bytes; 0 = nothing
	 * was sampled
	 */
	uint64_t period_low, period_high;
	/* grouped by process, ascending by time */
	struct model_point *points;
	size_t point_count, point_room;
	/* number of blocks given out, by binary digits of their size */
	uint64_t sizes[FORMAT_SIZES];
	enum metric measure;	/* metric that model_row.ns holds */
	/*
	 * sum over all samples of CPU time of their squared weights, ns^2; only
	 * from files that have it
	 */
	double squares;
	/*
	 * factor by which the weights of samples vary more than count and ns of
	 * rows show; at least 1
	 */
	double clump;
	/*
	 * mean weight of a sample of CPU time, from squares and rows, ns; 0 =
	 * the model has no time
	 */
	double mean_weight;
	/* index of rows by key, until model_finish() */
	struct hash_index by_key;
	struct stack_frames stacks;
	struct model_arc *arcs;
	size_t arc_count, arc_room;
	struct model_module *modules;
	size_t module_count, module_room;
	struct model_process *processes;
	size_t process_count, process_room;
	/* processes; a process can have several images */
	size_t pid_count;
	struct model_thread *threads;
	size_t thread_count, thread_room;
	struct model_run *runs;		/* runs whose files have moments */
	size_t run_count, run_room;
	/* ascending by time after model_finish() */
	struct model_moment *moments;
	size_t moment_count, moment_room;
	struct model_function *functions;
	size_t function_count, function_room;
	struct model_scope *scopes;
	size_t scope_count, scope_room;
	struct source_files sources;
	struct embedded_names given;	/* names that files bring themselves */
	struct model_classic *origins;	/* files of classic profilers */
	size_t origin_count, origin_room;
	struct model_import *imports;
	size_t import_count, import_room;
	struct model_tprof *samplings;	/* files of tprof */
	size_t sampling_count, sampling_room;
	struct model_loss *lost;
	size_t lost_count, lost_room;
	void *module_tree;	/* tsearch(3) tree of struct merge_key */
	void *process_tree;
	void *pid_tree;
	void *file_tree;
	void *text_tree;

	size_t files;
	/* number of `files` that are from other profilers */
	size_t files_foreign;
	size_t files_cut;	/* truncated files */
	size_t files_copied;	/* left out: copies of a file that was added */
	/* left out: of processes that were not selected */
	size_t files_other;
	uint64_t losses[LOSS_MAX];
	uint64_t ticks;		/* handler runs in all files */
	/* CPU time of these ticks, extrapolated from the measured ones, ns */
	double cost_ns;
	bool whole;	/* all files of each directory or run are read */
	/*
	 * CPU time of child processes that is in no profile, ns; set by
	 * unprofiled_time_find()
	 */
	uint64_t unseen_ns;
	/* number of processes without a profile, as far as is known */
	uint64_t unseen_processes;
	bool wall;		/* some file was recorded with the wall clock */
	bool some_anew;	/* some file is of a process that reset its profile */
	/* CPU time of rows without a symbol, ns; set by symbolize_all() */
	uint64_t unnamed_ns;
	/* some file names functions but not their modules */
	bool moduleless;
	bool differences;	/* some file has values below zero */
	/*
	 * the view can show values below zero, so rows keep their signs; set
	 * before the first file is added
	 */
	bool signs;
	/* what was left out, one entry per file */
	struct model_skipped *left;
	size_t left_count, left_room;
	/* negative times that were removed, as the view cannot show them */
	struct model_negative *below;
	size_t below_count, below_room;
	/*
	 * frames are modules or files, and recursion is merged: see
	 * regroup_frames.h
	 */
	bool coarse;
	bool rooted;		/* rows have roots: see regroup_frames.h */
};

/*
 * Begins an empty model with the fixed modules.  `filter` selects what is read
 * and must outlive the model; `keep` is a set of MODEL_KEEP_*; `demangle` says
 * how names are shown.  Returns 0 or -ENOMEM; call model_free() in either case.
 */
int model_init(struct model *m, const struct filter *filter, unsigned keep,
    enum demangle demangle);

/* Frees everything that the model holds. */
void model_free(struct model *m);

/*
 * Adds a row, or adds count, ns and calls to the row with the same key.  Must
 * be called before model_finish().  Returns 0 or -ENOMEM.
 */
int model_add_row(struct model *m, const struct model_row *row);

/*
 * Adds a row as model_add_row() does, and sets *n to the number of the row
 * before model_finish(), for model_add_moment().
 */
int model_merge_row(struct model *m, const struct model_row *row, uint32_t *n);

/*
 * Adds one moment; its `row` is a number from model_merge_row().  Must be
 * called before model_finish().  Returns 0 or -ENOMEM.
 */
int model_add_moment(struct model *m, const struct model_moment *moment);

/*
 * Adds allocations to the row with the key of *place, which is made if it is
 * missing.  The row's ns grows by the bytes at the peak of blocks and mappings,
 * its count by the samples.  Must be called before model_finish().  Returns 0
 * or -ENOMEM.
 */
int model_heap_add(struct model *m, const struct model_row *place,
    const struct model_heap *heap);

/*
 * Returns the allocations at the place of a row; all fields are 0 if there are
 * none.
 */
const struct model_heap *model_heap(const struct model *m,
    const struct model_row *row);	/* never NULL */

/* Adds all fields of *more to *to. */
void model_heap_sum(struct model_heap *to, const struct model_heap *more);

/*
 * Returns whether high_bytes of *heap were live at one moment.  If not, they
 * are an upper bound.
 */
bool model_heap_is_high_exact(const struct model *m,
    const struct model_heap *heap);

/*
 * Sets ns of all rows to their value of a metric of the heap, and count to the
 * number of samples on which that value rests.  May be called any number of
 * times.
 */
void model_heap_set_metric(struct model *m, enum metric measure);

/*
 * Switches the rows to the next metric of the heap, in a circle.  Returns false
 * if that is `first` again, or if the model holds time.
 */
bool model_heap_set_next(struct model *m, enum metric first);

/* Returns whether blocks were counted, not only mappings. */
bool model_heap_has_blocks(const struct model *m);

/*
 * model_heap_has_metric() returns whether the model can have values of the
 * metric.  model_heap_next_metric() returns the next such metric after
 * `measure`, in a circle.
 */
bool model_heap_has_metric(const struct model *m, enum metric measure);
enum metric model_heap_next_metric(const struct model *m, enum metric measure);

/* Returns whether only some allocations were sampled, and stand for all. */
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

/* Returns the time of rows as a number without its sign. */
static inline uint64_t
model_abs_time(const struct model *m, uint64_t ns)
{
	return model_has_signs(m) && ns > INT64_MAX ? 0 - ns : ns;
}

/* Returns whether the model holds allocations, not time. */
static inline bool
model_is_heap(const struct model *m)
{
	return (m->keep & MODEL_KEEP_HEAP) != 0;
}

/*
 * Adds counted calls: a row of kind MODEL_CALLS for the function and, with
 * MODEL_KEEP_ARCS, the arc itself and a row for the calling address.  Must be
 * called before model_finish().  Returns 0 or -ENOMEM.
 */
int model_add_arc(struct model *m, const struct model_arc *arc);

/*
 * Returns the frame with that key, which is made if it is missing.  The frame
 * also gets a row, through which symbolize_all() finds its function.  Returns 0
 * if memory is out.
 */
uint32_t model_add_frame(struct model *m, const struct stack_frame *key);

/*
 * Copies the functions and scopes of rows to the frames at the same place,
 * after rows have them.
 */
void model_name_frames(struct model *m);

/*
 * Completes a model after its last file: adds rows for CPU time without
 * samples, sorts rows by module, address and kind, and sets the row indexes of
 * frames, arcs and moments.  Must be called once.  Returns 0 or -ENOMEM.
 */
int model_finish(struct model *m);

/*
 * Longest text that model_intern() keeps, bytes.  No path is longer, and a
 * hostile file may name one long text in many records.
 */
#define MODEL_TEXT_MAX 4096

/*
 * Returns the only copy of a text of that many bytes, which lives as long as
 * the model.  The text is cut at MODEL_TEXT_MAX and at a NUL.  Returns NULL if
 * memory is out.
 */
const char *model_intern(struct model *m, const char *text, size_t bytes);

/* Returns the name of a module as it is shown. */
static inline const char *
model_module_name(const struct model *m, uint32_t module)
{
	const struct model_module *own = &m->modules[module];

	return own->shown != NULL ? own->shown : own->name;
}

/*
 * Returns the name of a function as it is shown: demangled as model_init() was
 * told.  Returns NULL if memory is out.
 */
const char *model_function_name(struct model *m, uint32_t function);

/*
 * Returns the name of a function with its parameters, which is shown where
 * another function has the same short name.  Returns NULL if memory is out.
 */
const char *model_function_full_name(struct model *m, uint32_t function);

/*
 * Returns the address by which the function of a row is looked up.  For a
 * return address that is an address inside the call: the instruction after a
 * call that never returns belongs to the next function.
 */
static inline uint64_t
model_lookup_address(const struct model_row *r)
{
	return r->kind == FORMAT_KERNEL || r->kind == FORMAT_SLEEP ||
	    r->kind == FORMAT_FRAME ? r->address - 1 : r->address;
}

/*
 * Returns the innermost function at the place of a row, which may be inlined
 * there.
 */
static inline uint32_t
model_innermost_function(const struct model *m, const struct model_row *r)
{
	return r->scopes == 0 ? r->function : m->scopes[r->scope].function;
}

/*
 * Returns whether rows of that kind are callers, which count nothing
 * themselves.
 */
static inline bool
model_is_caller(uint32_t kind)
{
	return kind == FORMAT_FRAME || kind == FORMAT_INTERRUPTED;
}

/*
 * Returns whether rows of that kind stand for CPU time.  Time asleep
 * (FORMAT_SLEEP) does not.
 */
static inline bool
model_is_cpu(uint32_t kind)
{
	return kind != FORMAT_SLEEP;
}

#endif
