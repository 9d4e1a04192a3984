/* Context: O.  One ELF file in memory; only the parts that are asked cost. */
#ifndef ELF_FILE_H
#define ELF_FILE_H

#include "file_copy.h"

#include <gelf.h>

struct elf_file {
	Elf *elf;
	const unsigned char *image;
	size_t size;
	struct file_copy *copy;	/* NULL: all of the image is there */
	void *adopted;		/* the image, if it is ours to free */
	uint64_t device;	/* as a profile has it: major << 32, minor */
	uint64_t inode;
	uint64_t changed;	/* its ctime, ns since 1970 */
	Elf64_Half machine;
	Elf64_Phdr *segments;
	size_t segment_count;
	size_t names;		/* index of the section name table */
};

/* 0, -errno, or -ENOEXEC: not a little-endian 64-bit ELF file. */
int elf_file_open(struct elf_file *f, const char *path);

/* The same of bytes in memory, borrowed until the close. */
int elf_file_open_memory(struct elf_file *f, const void *image, size_t size);

/* The same of malloced bytes; they are ours from then on, also on failure. */
int elf_file_open_owned(struct elf_file *f, void *image, size_t size);

void elf_file_close(struct elf_file *f);

/* Bytes in the build-id, 0 = none; *id points into the file. */
size_t elf_file_build_id(const struct elf_file *f, const unsigned char **id);

/* Has the file a build-id, and is it this one? */
bool elf_file_has_build_id(const struct elf_file *f, const unsigned char *id,
    size_t bytes);

/* Do its headers speak of more than it has? */
bool elf_file_is_truncated(const struct elf_file *f);

/* The same of a debug file, whose segments are somewhere else. */
bool elf_file_lacks_sections(const struct elf_file *f);

/* Nobody changed or truncated it while it was read. */
bool elf_file_is_unchanged(const struct elf_file *f);

/* The section of that name, NULL = none. */
Elf_Scn *elf_file_section(const struct elf_file *f, const char *name);

/*
 * A copy of its header, false = none.  (libelf's own may be misaligned in a
 * file that lies.)
 */
bool elf_file_header(Elf_Scn *section, Elf64_Shdr *header);

/* Its bytes, NULL when it has none in the file. */
const unsigned char *elf_file_bytes(const struct elf_file *f,
    Elf_Scn *section, size_t *bytes);

/* The file's bytes at a link-time address; *left is how many, up to `most`. */
const unsigned char *elf_file_at(const struct elf_file *f, uint64_t address,
    size_t most, size_t *left);

/* All bytes of the file, which are f->size. */
const unsigned char *elf_file_all_bytes(const struct elf_file *f);

#endif
