/*
 * Context: O.  One ELF file in memory, through libelf, for core/object and the
 * sampler; see elf_file.h.
 */
#include "elf/elf_file.h"

#include "base/clock_ns.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include <elfutils/libdwelf.h>

static bool
elf_file_is_elf64(const void *bytes)
{
	const unsigned char *ident = bytes;

	return memcmp(ident, ELFMAG, SELFMAG) == 0 &&
	    ident[EI_CLASS] == ELFCLASS64 && ident[EI_DATA] == ELFDATA2LSB;
}

/* Copies the program headers.  Returns 0 or -ENOMEM. */
static int
elf_file_segments(struct elf_file *f)
{
	size_t count = 0;

	if (elf_getphdrnum(f->elf, &count) != 0 || count == 0)
		return 0;
	f->segments = calloc(count, sizeof(*f->segments));
	if (f->segments == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < count && i <= INT_MAX; i++)
		if (gelf_getphdr(f->elf, (int)i,
		    &f->segments[f->segment_count]) != NULL)
			f->segment_count++;
	return 0;
}

/* Reads a part of the file into the copy, if there is one. */
static void
elf_file_fetch(const struct elf_file *f, uint64_t offset, uint64_t bytes)
{
	if (f->copy != NULL)
		file_copy_fetch(f->copy, offset, bytes);
}

/* Reads the tables into the copy that libelf follows on its own. */
static void
elf_file_fetch_tables(struct elf_file *f)
{
	Elf64_Ehdr e;
	Elf64_Shdr first;
	uint64_t sections;

	memcpy(&e, f->bytes, sizeof(e));
	elf_file_fetch(f, e.e_phoff, (uint64_t)e.e_phnum * sizeof(Elf64_Phdr));
	elf_file_fetch(f, e.e_shoff, sizeof(first));
	sections = e.e_shnum;
	if (sections == 0 && e.e_shoff <= f->size - sizeof(first)) {
		memcpy(&first, f->bytes + e.e_shoff, sizeof(first));
		sections = first.sh_size;
		if (sections > f->size / sizeof(first))
			sections = f->size / sizeof(first);
	}
	elf_file_fetch(f, e.e_shoff, sections * sizeof(first));
}

/*
 * Reads the segments and sections into the copy that hold the names of sections
 * and the build-id.
 */
static void
elf_file_fetch_names(struct elf_file *f)
{
	Elf64_Shdr header;

	if (elf_getshdrstrndx(f->elf, &f->names) != 0)
		f->names = 0;
	else if (elf_file_header(elf_getscn(f->elf, f->names), &header))
		elf_file_fetch(f, header.sh_offset, header.sh_size);
	for (size_t i = 0; i < f->segment_count; i++)
		if (f->segments[i].p_type == PT_NOTE)
			elf_file_fetch(f, f->segments[i].p_offset,
			    f->segments[i].p_filesz);
}

/* Reads what libelf has found.  Returns 0; or -errno, and *f is closed. */
static int
elf_file_begin(struct elf_file *f)
{
	GElf_Ehdr header;
	int ret = -ENOEXEC;

	if (f->elf != NULL && gelf_getehdr(f->elf, &header) != NULL) {
		f->machine = header.e_machine;
		ret = elf_file_segments(f);
		elf_file_fetch_names(f);
	}
	if (ret != 0)
		elf_file_close(f);
	return ret;
}

/* Opens the bytes.  Returns 0; or -errno, and *f is closed. */
static int
elf_file_parse(struct elf_file *f, const void *bytes, size_t size)
{
	f->bytes = bytes;
	f->size = size;
	elf_file_fetch(f, 0, sizeof(Elf64_Ehdr));
	if (size < sizeof(Elf64_Ehdr) || !elf_file_is_elf64(bytes)) {
		elf_file_close(f);
		return -ENOEXEC;
	}
	elf_file_fetch_tables(f);
	elf_version(EV_CURRENT);
	/* libelf takes char *, but copies whatever it has to change. */
	f->elf = elf_memory((char *)(uintptr_t)bytes, size);
	return elf_file_begin(f);
}

int
elf_file_open_memory(struct elf_file *f, const void *bytes, size_t size)
{
	memset(f, 0, sizeof(*f));
	return elf_file_parse(f, bytes, size);
}

int
elf_file_open_owned(struct elf_file *f, void *bytes, size_t size)
{
	memset(f, 0, sizeof(*f));
	f->adopted = bytes;
	return elf_file_parse(f, bytes, size);
}

int
elf_file_open(struct elf_file *f, const char *path)
{
	const struct stat *st;
	int ret;

	memset(f, 0, sizeof(*f));
	f->copy = malloc(sizeof(*f->copy));
	if (f->copy == NULL)
		return -ENOMEM;
	ret = file_copy_open(f->copy, path);
	if (ret != 0) {
		free(f->copy);
		f->copy = NULL;
		return ret;
	}
	st = &f->copy->st;
	f->device = (uint64_t)major(st->st_dev) << 32 | minor(st->st_dev);
	f->inode = st->st_ino;
	f->changed = clock_ns_of(&st->st_ctim);
	return elf_file_parse(f, f->copy->bytes, f->copy->size);
}

void
elf_file_close(struct elf_file *f)
{
	if (f->elf != NULL)
		elf_end(f->elf);
	if (f->copy != NULL)
		file_copy_close(f->copy);
	free(f->copy);
	free(f->adopted);
	free(f->segments);
	memset(f, 0, sizeof(*f));
}

static bool
elf_file_ends_before(const struct elf_file *f, uint64_t offset, uint64_t bytes)
{
	return offset > f->size || bytes > f->size - offset;
}

static bool
elf_file_lacks_table(const struct elf_file *f)
{
	Elf64_Ehdr e;

	memcpy(&e, f->bytes, sizeof(e));
	return elf_file_ends_before(f, e.e_shoff,
	    (uint64_t)e.e_shnum * sizeof(Elf64_Shdr));
}

bool
elf_file_is_truncated(const struct elf_file *f)
{
	for (size_t i = 0; i < f->segment_count; i++)
		if (f->segments[i].p_type == PT_LOAD &&
		    elf_file_ends_before(f, f->segments[i].p_offset,
		    f->segments[i].p_filesz))
			return true;
	return elf_file_lacks_table(f);
}

bool
elf_file_lacks_sections(const struct elf_file *f)
{
	Elf_Scn *section = NULL;
	Elf64_Shdr header;

	while ((section = elf_nextscn(f->elf, section)) != NULL)
		if (elf_file_header(section, &header) &&
		    header.sh_type != SHT_NOBITS &&
		    elf_file_ends_before(f, header.sh_offset, header.sh_size))
			return true;
	return elf_file_lacks_table(f);
}

bool
elf_file_is_unchanged(const struct elf_file *f)
{
	return f->copy == NULL || file_copy_is_unchanged(f->copy);
}

size_t
elf_file_build_id(const struct elf_file *f, const unsigned char **id)
{
	const void *found;
	ssize_t bytes = dwelf_elf_gnu_build_id(f->elf, &found);

	if (bytes <= 0)
		return 0;
	*id = found;
	return (size_t)bytes;
}

bool
elf_file_has_build_id(const struct elf_file *f, const unsigned char *id,
    size_t bytes)
{
	const unsigned char *own;

	return bytes != 0 && elf_file_build_id(f, &own) == bytes &&
	    memcmp(own, id, bytes) == 0;
}

Elf_Scn *
elf_file_section(const struct elf_file *f, const char *name)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(f->elf, section)) != NULL) {
		Elf64_Shdr header;
		const char *own;

		if (!elf_file_header(section, &header))
			continue;
		own = elf_strptr(f->elf, f->names, header.sh_name);
		if (own != NULL && strcmp(own, name) == 0)
			return section;
	}
	return NULL;
}

bool
elf_file_header(Elf_Scn *section, Elf64_Shdr *header)
{
	return section != NULL && gelf_getshdr(section, header) != NULL;
}

const unsigned char *
elf_file_bytes(const struct elf_file *f, Elf_Scn *section, size_t *bytes)
{
	Elf64_Shdr header;
	Elf_Data *data;

	if (!elf_file_header(section, &header))
		return NULL;
	data = elf_rawdata(section, NULL);
	if (data == NULL || data->d_buf == NULL || data->d_size == 0)
		return NULL;
	elf_file_fetch(f, header.sh_offset, data->d_size);
	*bytes = data->d_size;
	return data->d_buf;
}

const unsigned char *
elf_file_at(const struct elf_file *f, uint64_t address, size_t most,
    size_t *left)
{
	for (size_t i = 0; i < f->segment_count; i++) {
		const Elf64_Phdr *s = &f->segments[i];
		uint64_t skip = address - s->p_vaddr;

		if (s->p_type != PT_LOAD || address < s->p_vaddr ||
		    skip >= s->p_filesz || s->p_offset > f->size ||
		    skip >= f->size - s->p_offset)
			continue;
		*left = f->size - s->p_offset - skip;
		if (*left > s->p_filesz - skip)
			*left = s->p_filesz - skip;
		if (*left > most)
			*left = most;
		elf_file_fetch(f, s->p_offset + skip, *left);
		return f->bytes + s->p_offset + skip;
	}
	return NULL;
}

const unsigned char *
elf_file_all_bytes(const struct elf_file *f)
{
	elf_file_fetch(f, 0, f->size);
	return f->bytes;
}
