/*
 * Context: O.  The model: everything that was read from all input files,
 * merged.  A tool calls model_init(), read_inputs(), which ends with
 * model_finish(), and symbolize_all(), in this order and in one thread.
 * Readers add rows, frames, arcs and moments; views, exporters, the listing,
 * the prof device and tprof top show the result.
 */
#ifndef MODEL_H
#define MODEL_H

#include "base/arena.h"
#include "base/embedded_names.h"
#include "base/filter.h"
#include "base/hash_index.h"
#include "base/merge_key.h"
#include "base/metric.h"
#include "base/model_function.h"
#include "base/model_module.h"
#include "base/model_process.h"
#include "base/model_row.h"
#include "base/model_source.h"
#include "base/source_files.h"
#include "base/stack_frames.h"
#include "base/string_pool.h"
#include "symbol/demangle.h"

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
	 * whether a filter of that kind matched anything: readers set it for
	 * processes and threads, group_make() and others for modules and
	 * functions, focus_matches() for the rest
	 */
	bool met[FILTER_KINDS];
	enum demangle demangle;

	struct model_row *rows;
	size_t row_count, row_room;
	/* by model_row.number; only where allocations are kept */
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
	 * the model has no CPU time
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
	/*
	 * number of processes with profiles of libmon.so, each counted once;
	 * `processes` has their images and the processes of other files
	 */
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
	/* keys of modules, process images, processes and profiles */
	struct merge_key_table module_keys, process_keys, pid_keys, file_keys;
	struct string_pool texts;	/* of model_intern(), in the arena */

	size_t files;
	/* number of `files` that are from other profilers */
	size_t files_foreign;
	size_t files_cut;	/* truncated files */
	size_t files_copied;	/* left out: copies of a file that was added */
	/* left out: of processes that were not selected */
	size_t files_other;
	uint64_t losses[LOSS_MAX];
	/* those of them that are of chosen blocks; each stands for many */
	uint64_t sampled_losses[LOSS_MAX];
	/* ticks of all profiles, each one run of the handler */
	uint64_t ticks;
	/* CPU time of these ticks, extrapolated from the measured ones, ns */
	double cost_ns;
	/*
	 * all files of each run are read: the user named directories only, or
	 * nothing
	 */
	bool whole;
	/*
	 * CPU time of child processes that is in no profile, ns; set by
	 * unprofiled_time_find()
	 */
	uint64_t unseen_ns;
	/* number of processes without a profile, as far as is known */
	uint64_t unseen_processes;
	bool wall;		/* some file was recorded with the wall clock */
	/* some profile has a baseline: it was reset by a tool */
	bool some_anew;
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
	/* by row, its marks in focus.c; NULL = by its functions */
	unsigned char *focus_marks;
	/* by row, the enum sleep_reason before charge_callers(); NULL: none */
	unsigned char *sleep_reasons;
	/*
	 * what charge_callers() could not charge: CPU time (or the model's
	 * metric), and time asleep
	 */
	uint64_t uncharged_ns, uncharged_sleep_ns;
};

/*
 * Begins an empty model with the fixed modules.  `filter` selects what is read
 * and must outlive the model; `keep` is a set of MODEL_KEEP_* and
 * MODEL_NEED_POINTS; `demangle` says how names are shown.  Returns 0 or
 * -ENOMEM; call model_free() in either case.
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
 * before model_finish(), for model_add_moment().  Returns 0 or -ENOMEM.
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
 * Returns whether high_bytes of *heap are known to have been live at one time.
 * If not, they are an upper bound.
 */
bool model_heap_is_high_exact(const struct model *m,
    const struct model_heap *heap);

/*
 * Sets ns of all rows to their value of a metric of the heap, and count to the
 * number of samples on which that value rests; sets m->measure.  May be called
 * any number of times.
 */
void model_heap_set_metric(struct model *m, enum metric measure);

/*
 * Switches the rows to the next metric of the heap that the model has, in a
 * circle.  Returns false if that is `first` again, or if the model holds time;
 * in a model of time nothing changes.
 */
bool model_heap_set_next(struct model *m, enum metric first);

/*
 * Returns false if mappings alone were counted, and no blocks; otherwise true,
 * also if nothing was counted.
 */
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

/* Returns whether a thread was found asleep. */
static inline bool
model_has_sleep(const struct model *m)
{
	for (size_t i = 0; i < m->row_count; i++)
		if (m->rows[i].kind == FORMAT_SLEEP)
			return true;
	return false;
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
 * Returns the number of the frame with that key, which is made if it is
 * missing.  The frame also gets a row, through which symbolize_all() finds its
 * function.  Must be called before model_finish().  Returns 0 if memory is out.
 */
uint32_t model_add_frame(struct model *m, const struct stack_frame *key);

/*
 * Copies the functions and scopes of rows to the frames at the same place:
 * symbolize_all() calls it, and what replaces functions of rows afterwards.
 */
void model_name_frames(struct model *m);

/*
 * Completes a model after its last file: computes mean_weight and clump, adds
 * rows for CPU time without samples, sorts the rows (see model_rows_sort()),
 * sets the row indexes of frames, arcs and moments, and removes time below zero
 * unless m->signs.  Must be called once.  Returns 0 or -ENOMEM.
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
 * Returns the name of a function as it is shown: demangled as m->demangle says,
 * or as stored if memory is out.  Never NULL.
 */
const char *model_function_name(struct model *m, uint32_t function);

/*
 * Returns the whole name of a function, with its parameters, which patterns of
 * the user may match, too.  Returns NULL if memory is out.
 */
const char *model_function_full_name(struct model *m, uint32_t function);

/*
 * Returns the innermost function at the place of a row, which may be inlined
 * there.
 */
static inline uint32_t
model_innermost_function(const struct model *m, const struct model_row *r)
{
	return r->scopes == 0 ? r->function : m->scopes[r->scope].function;
}

#endif
