/*
 * Context: O.  Keeps the files whose code is mapped by any process of a
 * sampler: their identity, and how their addresses map.  Only the thread of
 * sampler_next() uses it: the address spaces add files, event_order.c and
 * perf_unwind.c look at them, the recorder and tprof top number them.
 */
#ifndef CODE_FILE_H
#define CODE_FILE_H

#include "elf/elf_layout.h"
#include "base/hash_index.h"
#include "classic/tprof.h"

/* A file, or a mapping with a name such as "[vdso]". */
struct code_file {
	/* identity; the path is allocated and ends with NUL */
	struct tprof_module id;
	/*
	 * numbers that maps have of it, by which code_files_find() knows it
	 * again; those of `id` become those of stat(2), which differ on btrfs
	 * and overlayfs.  Without an inode `id` is compared
	 */
	uint64_t map_device, map_inode;
	uint32_t flags;		/* TPROF_M_* */
	/* address in the ELF headers less offset in the file */
	uint64_t bias;
	struct elf_layout program;	/* valid with TPROF_M_BIASED */
	/* code_files_resolve() has looked at it */
	bool settled;
	/* path where the file was read; NULL: nowhere */
	char *found;
	/* path in our root, if it is in a chroot; NULL: as in `id` */
	char *outside;
	/* see perf_unwind_state.h; NULL: not opened yet */
	void *tables;
	/* free for the user of the samples; 0 at first */
	uint32_t number;
};

/*
 * All files.  A pointer to one is valid until code_files_find() adds another.
 */
struct code_files {
	struct code_file *all;
	size_t count, room;
	struct hash_index by_path;
};

/*
 * Returns the index of the file with this path and identity, and adds it, with
 * a copy of the path, if it is new.  The identity is device and inode as maps
 * have them; without inodes it is the build-id.  Returns UINT32_MAX without
 * memory.
 */
uint32_t code_files_find(struct code_files *l, const struct tprof_module *id);

/*
 * Reads from the file what only the file has: its build-id, and how its
 * addresses map.  pid: a process that has the file mapped, in whose mount
 * namespace the path is valid.  Does this once for each file.  Without the file
 * only `settled` is set.
 */
void code_files_resolve(struct code_files *l, uint32_t n, int32_t pid);

/*
 * Returns the identity of the file with its path in our root directory, for a
 * later search for the file.  The path stays that of *own.
 */
struct tprof_module code_file_id(const struct code_file *own);

/* Frees all files. */
void code_files_free(struct code_files *l);

#endif
