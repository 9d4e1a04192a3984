/* Context: O.  Files whose code is mapped, of any process. */
#ifndef CODE_FILE_H
#define CODE_FILE_H

#include "elf_layout.h"
#include "hash_index.h"
#include "tprof.h"

struct code_file {
	struct tprof_module id;	/* path: ours, with a NUL behind */
	uint32_t flags;		/* TPROF_M_* */
	uint64_t bias;		/* of addresses that are offsets in the file */
	struct elf_layout program;	/* with TPROF_M_BIASED */
	bool settled;
	char *found;		/* where its file was read; NULL = nowhere */
	char *outside;		/* what its path is here, of a program below
				   another root; NULL = the same */
	void *tables;		/* of perf_unwind.h; NULL = not opened yet */
	uint32_t number;	/* for who uses them; 0 at first */
};

struct code_files {
	struct code_file *all;
	size_t count, room;
	struct hash_index by_path;
};

/*
 * That of this path and identity, made when it is not there: by its build-id,
 * or else by device and inode.  UINT32_MAX: no memory.
 */
uint32_t code_files_find(struct code_files *l, const struct tprof_module *id);

/*
 * What only the file says: its build-id, and how its addresses map; by a
 * process that has it mapped, as paths mean what they mean there.
 */
void code_files_resolve(struct code_files *l, uint32_t n, int32_t pid);

/* For who looks for the file later: `id`, by its path here. */
struct tprof_module code_file_id(const struct code_file *own);
void code_files_free(struct code_files *l);

#endif
