/*
 * Context: O.  The list of the files that a tool is to read: those that the
 * user names, all in a directory, or those of the newest run.  prof, classic
 * prof, prof --control, prof record, tprof and the prof device (proffs) make
 * such lists; read_inputs() and core/control read what is in them.
 */
#ifndef INPUT_H
#define INPUT_H

#include "fault.h"
#include "import_format.h"

#include <stdbool.h>
#include <stddef.h>

/* Directory in which prof record leaves the profiles of a run. */
#define INPUT_RECORD_DIRECTORY	"mon.out.d"

/* One file of the list. */
struct input_file {
	/* allocated */
	char *path;
	/* named by the user: a fault if no reader knows it */
	bool named;
	/*
	 * program that was named last before the file, borrowed from the list's
	 * `programs`; or NULL
	 */
	const char *program;
};

/*
 * The list.  The caller zeroes it before first use, sets `read` and `choice` if
 * the user did, and ends with input_free().
 */
struct input {
	struct input_file *files;
	size_t count;
	size_t room;
	/* ELF files that were named; gmon.out and mon.out files need them */
	char **programs;
	size_t program_count, program_room;
	/*
	 * How to read a named file that is no profile of libmon: its format,
	 * and which of its event types or parts.  Only read_inputs() looks at
	 * these.
	 */
	enum import_format read;	/* IMPORT_NONE: recognize the format */
	const char *choice;	/* NULL: the first */
};

/*
 * Adds a file, a program (an ELF file, which goes to in->programs), or the
 * files of a directory, as input_list() does.  A file need not exist: its
 * reader reports that.  Returns 0, or -errno with *f set.
 */
int input_add(struct input *in, const char *path, struct fault *f);

/*
 * Adds like input_add(), but takes an ELF file for an input file, not for a
 * program.
 */
int input_add_files(struct input *in, const char *path, struct fault *f);

/*
 * Returns the value of PROFDIR if that is a directory, else NULL.  The text is
 * the environment's.
 */
const char *input_profdir(void);

/*
 * Adds the files to be read if the user names none, for prof(1): the files of
 * the directory PROFDIR, if it is one; else the newest run in the current
 * directory: mon.out.d as a whole, or files mon.out and mon.out.*, which are of
 * one run if they agree in the first process (pid, start time and boot).  The
 * newest run is the one that began last.  Files that are no profiles of libmon
 * are added only if there is no profile.  The list must have no files yet; it
 * can have programs.  Adding nothing is no error.  Returns 0, or -errno with *f
 * set.
 */
int input_add_default(struct input *in, struct fault *f);

/* Frees the list and zeroes all of it, `read` and `choice` too. */
void input_free(struct input *in);

/*
 * Adds one file, `name` in `directory` ("": `name` is the whole path).  Copies
 * both texts.  named: the user named the file.  Returns 0 or -ENOMEM.
 */
int input_append(struct input *in, const char *directory, const char *name,
    bool named);

/* Returns whether a file of this name, without a directory, is wanted. */
typedef bool input_wanted(const char *name);

/*
 * Adds the files of a directory in order of their names, without its
 * subdirectories and without partial copies (load_is_part()).  The files are
 * not `named`.  The directory is opened by the name `open`; the paths in the
 * list begin with `directory`.  wanted: chooses the names; NULL: all.  Returns
 * 0, or -errno with *f set, except f->file.
 */
int input_list(struct input *in, const char *directory, const char *open,
    input_wanted *wanted, struct fault *f);

#endif
