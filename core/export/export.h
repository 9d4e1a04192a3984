/*
 * Context: O.  Writes the model as a file of another profiler or as the HTML
 * page, for prof --write.  cmd/prof reads and names the models, asks here what
 * they must keep and which options fit a format, and prints the faults.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include "base/model.h"

/* File of a page that the user did not name, of prof and prof record. */
#define EXPORT_PAGE	"mon.html"

/*
 * Formats: of one object a file, of all objects in one file, and those of call
 * stacks.  EXPORT_NONE, which stands for no file, has no name and needs
 * nothing.
 */
enum export_format {
	EXPORT_NONE,
	EXPORT_GMON,		/* one file for each object */
	EXPORT_MONOUT,		/* one file for each object */
	EXPORT_PROFOUT,		/* one file for all objects */
	EXPORT_FOLDED,		/* from here on: call stacks, one file */
	EXPORT_PPROF,
	EXPORT_SPEEDSCOPE,
	EXPORT_FIREFOX,
	EXPORT_CALLGRIND,
	EXPORT_PERF,
	EXPORT_GPERFTOOLS,
	EXPORT_MASSIF,
	EXPORT_HTML,
	EXPORT_FORMATS,
};

/* Returns what the model must keep for the format: MODEL_KEEP_* bits. */
unsigned export_keep(enum export_format format);

/* Returns whether the format holds call stacks. */
bool export_has_stacks(enum export_format format);

/* Returns whether the format can hold allocations. */
bool export_has_heap(enum export_format format);

/* Returns whether the format is text that other programs read from a pipe. */
bool export_is_text(enum export_format format);

/* Returns whether the format can show the difference of two profiles. */
bool export_compares(enum export_format format);

/* Returns the name of a format, or NULL for a number without one. */
const char *export_name(unsigned format);

/*
 * Writes the model, after symbolize_all(), to the file `path`, which is
 * replaced as a whole or left as it is.  A format with one file for each object
 * writes one object there, or all of them if `path` is a directory, which is
 * made if `path` ends in a slash.  `old` is the profile to compare with if
 * export_compares(), else NULL; work: how many units of work both did, as in
 * diff_make(), or NULL.  An exporter may change the metric and the
 * shown names of the models.  Returns 0, or -errno with *f set; the file name
 * in *f is `path` or lives as long as the model.  If nothing matches the
 * filters, a format of stacks leaves the file as it was and returns 0; m->met
 * says so.
 */
int export_write(struct model *m, struct model *old, const double *work,
    enum export_format format, const char *path, struct fault *f);

/*
 * Writes the HTML page of time, in which the reader can choose the allocations
 * of `heap`, a model of the same profiles, instead.  Works as export_write().
 */
int export_write_page(struct model *m, struct model *heap, const char *path,
    struct fault *f);

#endif
