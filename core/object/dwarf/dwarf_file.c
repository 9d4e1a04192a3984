/*
 * Context: O.  Opens debug information, after making sure that all its bytes
 * are there, for lines.c; see dwarf_file.h.
 */
#include "dwarf/dwarf_file.h"

#include "elf/debugfile.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ZSTD	2u		/* ELFCOMPRESS_ZSTD, which old headers lack */

/*
 * Returns LINES_ZSTD or LINES_COMPRESSED for a section whose compression this
 * libelf does not support; libdw would skip it as if it were not there.
 */
static enum lines_fault
compression_fault(Elf_Scn *section, const Elf64_Shdr *header)
{
	GElf_Chdr packed;

	if ((header->sh_flags & SHF_COMPRESSED) == 0 ||
	    gelf_getchdr(section, &packed) == NULL ||
	    packed.ch_type == ELFCOMPRESS_ZLIB ||
	    elf_compress(section, 0, 0) >= 0)
		return LINES_OK;
	return packed.ch_type == ZSTD ? LINES_ZSTD : LINES_COMPRESSED;
}

/*
 * Reads the sections with debug information into the copy of the file, as libdw
 * takes the bytes as they are.
 */
static bool
fetch_sections(const struct elf_file *f, enum lines_fault *fault)
{
	Elf_Scn *section = NULL;
	bool some = false;

	while ((section = elf_nextscn(f->elf, section)) != NULL) {
		Elf64_Shdr header;
		const char *name;
		size_t bytes;

		if (!elf_file_header(section, &header))
			continue;
		name = elf_strptr(f->elf, f->names, header.sh_name);
		if (name == NULL || (strncmp(name, ".debug_", 7) != 0 &&
		    strncmp(name, ".zdebug_", 8) != 0 &&
		    strcmp(name, ".gnu_debugaltlink") != 0))
			continue;
		if (elf_file_bytes(f, section, &bytes) == NULL)
			continue;
		some |= strstr(name, "debug_info") != NULL;
		if (*fault == LINES_OK)
			*fault = compression_fault(section, &header);
	}
	return some;
}

/*
 * Makes the path of dwz's file; a relative name starts from the directory that
 * the file is in.
 */
static bool
alt_path(char *path, size_t room, const struct elf_file *f, const char *name)
{
	char link[64], *slash;
	ssize_t n;

	if (name[0] == '/')
		return snprintf(path, room, "%s", name) < (int)room;
	if (f->copy == NULL)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", f->copy->fd);
	n = readlink(link, path, room - 1);
	if (n <= 0)
		return false;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (slash == NULL)
		return false;
	room -= (size_t)(slash + 1 - path);
	return snprintf(slash + 1, room, "%s", name) < (int)room;
}

/*
 * Opens the file of dwz with this build-id: below /usr/lib/debug, or where
 * `name` says.  Returns whether there is one.
 */
static bool
open_alt(struct dwarf_file *d, const struct elf_file *f, const char *name,
    const void *id, size_t bytes)
{
	struct debugfile_refused refused = { .fault = DEBUGFILE_OK };
	char path[PATH_MAX];

	if (debugfile_by_build_id(&d->alt, id, bytes, &refused) == 0)
		return true;
	if (!alt_path(path, sizeof(path), f, name) ||
	    elf_file_open(&d->alt, path) != 0)
		return false;
	if (elf_file_has_build_id(&d->alt, id, bytes))
		return true;
	elf_file_close(&d->alt);
	return false;
}

/*
 * Opens the file of dwz that the debug information refers to, if there is one.
 */
static void
find_alt(struct dwarf_file *d, const struct elf_file *f)
{
	enum lines_fault fault = LINES_OK;
	const char *name;
	const void *id;
	ssize_t bytes = dwelf_dwarf_gnu_debugaltlink(d->dwarf, &name, &id);

	if (bytes <= 0 || !open_alt(d, f, name, id, (size_t)bytes))
		return;
	if (fetch_sections(&d->alt, &fault))
		d->alt_dwarf = dwarf_begin_elf(d->alt.elf, DWARF_C_READ, NULL);
	if (d->alt_dwarf != NULL)
		dwarf_setalt(d->dwarf, d->alt_dwarf);
}

int
dwarf_file_open(struct dwarf_file *d, const struct elf_file *f,
    enum lines_fault *fault)
{
	memset(d, 0, sizeof(*d));
	if (f->elf == NULL || !fetch_sections(f, fault))
		return -ENOENT;
	d->dwarf = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
	if (d->dwarf == NULL) {
		if (*fault == LINES_OK)
			*fault = LINES_DAMAGED;
		return -ENOENT;
	}
	find_alt(d, f);
	return 0;
}

void
dwarf_file_close(struct dwarf_file *d)
{
	dwarf_end(d->dwarf);
	if (d->alt_dwarf != NULL)
		dwarf_end(d->alt_dwarf);
	elf_file_close(&d->alt);
}
