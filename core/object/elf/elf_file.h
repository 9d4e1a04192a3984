/*
 * Context: O.  One ELF file in memory, little-endian and of 64 bits.  Only the
 * parts that are asked for are read.  For core/object and for the sampler's
 * unwinder, each in one thread.
 */
#ifndef ELF_FILE_H
#define ELF_FILE_H

#include "base/file_copy.h"

#include <gelf.h>

/* An open ELF file. */
struct elf_file {
	Elf *elf;		/* NULL: not open */
	const unsigned char *bytes;	/* of the file */
	size_t size;
	struct file_copy *copy;	/* NULL: all bytes are there */
	void *adopted;		/* the bytes, if elf_file_close() frees them */
	uint64_t device;	/* as in a profile: major << 32 | minor */
	uint64_t inode;
	uint64_t changed;	/* ctime of the file, ns since 1970 */
	Elf64_Half machine;
	Elf64_Phdr *segments;
	size_t segment_count;
	size_t names;		/* index of the section name table */
};

/*
 * Opens the file at `path`, which elf_file_close() closes.  Returns 0; or
 * -errno, and *f is not open: -ENOEXEC if it is no little-endian 64-bit ELF
 * file.
 */
int elf_file_open(struct elf_file *f, const char *path);

/*
 * Opens an ELF file in memory, borrowed until the close.  Returns as
 * elf_file_open().
 */
int elf_file_open_memory(struct elf_file *f, const void *bytes, size_t size);

/*
 * Opens an ELF file in malloced memory and takes ownership of the memory, also
 * on failure.  Returns as elf_file_open().
 */
int elf_file_open_owned(struct elf_file *f, void *bytes, size_t size);

/* Closes the file.  *f may be all zero, which is a file that is not open. */
void elf_file_close(struct elf_file *f);

/*
 * Returns the number of bytes in the build-id, 0 if there is none.  *id points
 * into the file and is set only if there is one.
 */
size_t elf_file_build_id(const struct elf_file *f, const unsigned char **id);

/* Returns whether the file has a build-id and it is this one. */
bool elf_file_has_build_id(const struct elf_file *f, const unsigned char *id,
    size_t bytes);

/* Returns whether the file is shorter than its headers say. */
bool elf_file_is_truncated(const struct elf_file *f);

/*
 * Returns whether a debug file is shorter than its section headers say.  Its
 * segments are not checked, as their bytes are in another file.
 */
bool elf_file_lacks_sections(const struct elf_file *f);

/*
 * Returns whether all that was asked for could be read and no process changed
 * or truncated the file since it was opened.
 */
bool elf_file_is_unchanged(const struct elf_file *f);

/* Returns the section of that name, or NULL. */
Elf_Scn *elf_file_section(const struct elf_file *f, const char *name);

/*
 * Copies the header of a section; returns false if it cannot be read.  libelf's
 * own header may be misaligned in a malformed file.
 */
bool elf_file_header(Elf_Scn *section, Elf64_Shdr *header);

/*
 * Returns the bytes of a section and stores their number in *bytes, or returns
 * NULL if the section has none in the file.
 */
const unsigned char *elf_file_bytes(const struct elf_file *f,
    Elf_Scn *section, size_t *bytes);

/*
 * Returns the file's bytes at a link-time address, and in *left how many there
 * are, at most `most`.  Returns NULL if there are none.
 */
const unsigned char *elf_file_at(const struct elf_file *f, uint64_t address,
    size_t most, size_t *left);

/* Returns all f->size bytes of the file. */
const unsigned char *elf_file_all_bytes(const struct elf_file *f);

#endif
