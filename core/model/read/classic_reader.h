/*
 * Context: O.  State that the parts of the reader of classic files
 * (read_classic.c, classic_program.c) share.
 */
#ifndef CLASSIC_READER_H
#define CLASSIC_READER_H

#include "base/model.h"
#include "elf/elf_layout.h"
#include "read/bin_split.h"
#include "read/read_classic.h"

/*
 * Where a module was mapped in the process of a CLASSIC_PROF file (the
 * versioned mon.out of Solaris), which lists its modules.
 */
struct classic_mapping {
	uint64_t start, end, bias;
	uint32_t module;
};

/*
 * State while one file is read.  read_classic_add() owns it and frees what is
 * allocated.
 */
struct read_classic {
	struct model *model;
	const struct read_classic_file *file;
	struct fault *fault;
	unsigned char *bytes;	/* of the file; allocated */
	size_t size;
	struct classic classic;
	struct elf_layout program;
	bool known;		/* the program was read */
	char *path;	/* absolute path of the program; allocated; or NULL */
	uint32_t module;	/* module of the program in the model */
	struct classic_mapping *runs;
	size_t run_count, run_room;
	struct bin_split_list bins;
	struct model_classic sum;
	uint64_t ns;		/* sum of the times of all bins, ns */
	/*
	 * number of records that fit the program, and of those that do not,
	 * which are left out
	 */
	uint64_t fit, unfit;
	struct fault first;	/* fault of the first record that is left out */
	uint64_t added;		/* calls that the second pass has added */
};

/*
 * Returns whether the file has a list of modules, after classic_open().  If so,
 * it names its program itself.
 */
static inline bool
classic_reader_has_modules(const struct read_classic *x)
{
	return x->classic.kind == CLASSIC_PROF;
}

#endif
