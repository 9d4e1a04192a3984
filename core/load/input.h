/* Context: O.  Which files are to be read. */
#ifndef INPUT_H
#define INPUT_H

#include "fault.h"
#include "import_format.h"

#include <stdbool.h>
#include <stddef.h>

struct input_file {
	char *path;
	bool named;	/* by the user: an error when it is not a profile */
	const char *program;	/* the last one named before it; or NULL */
};

struct input {
	struct input_file *files;
	size_t count;
	size_t room;
	char **programs;	/* ELF files, of which classic files are */
	size_t program_count, program_room;
	/*
	 * What those that were named are that are not ours, and what of them.
	 */
	enum import_format read;	/* IMPORT_NONE = what they look like */
	const char *choice;	/* NULL = the first */
};

/* A file, a program, or every profile in a directory, by name. */
int input_add(struct input *in, const char *path, struct fault *f);

/* The same, where no program can be meant. */
int input_add_files(struct input *in, const char *path, struct fault *f);

/* PROFDIR, if it is a directory, or NULL. */
const char *input_profdir(void);

/*
 * Nothing was named: the directory PROFDIR, if it is one; else the newest run
 * in the current directory: of the files mon.out and mon.out.* those with
 * the same run (process, start and boot), the one that began last.
 */
int input_add_default(struct input *in, struct fault *f);

void input_free(struct input *in);

/* For who chooses: one more, directory "" or in front; 0 or -ENOMEM. */
int input_append(struct input *in, const char *directory, const char *name,
    bool named);

/*
 * ... all in a directory that is opened as `open`; wanted NULL: whatever name.
 */
typedef bool input_wanted(const char *name);
int input_list(struct input *in, const char *directory, const char *open,
    input_wanted *wanted, struct fault *f);

#endif
