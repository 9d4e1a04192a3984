/* Context: O.  One ELF file in memory, through libelf. */
#include "elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>

static bool
elf_file_fits(const unsigned char *image, size_t size)
{
	return size >= sizeof(Elf64_Ehdr) &&
	    memcmp(image, ELFMAG, SELFMAG) == 0 &&
	    image[EI_CLASS] == ELFCLASS64 && image[EI_DATA] == ELFDATA2LSB;
}

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

int
elf_file_view(struct elf_file *f, const void *image, size_t size)
{
	GElf_Ehdr header;
	int ret = -ENOEXEC;

	memset(f, 0, sizeof(*f));
	if (!elf_file_fits(image, size))
		return -ENOEXEC;
	elf_version(EV_CURRENT);
	/* libelf takes char *, yet copies whatever it would have to change. */
	f->elf = elf_memory((char *)(uintptr_t)image, size);
	if (f->elf == NULL)
		return -ENOEXEC;
	f->image = image;
	f->size = size;
	if (gelf_getehdr(f->elf, &header) != NULL) {
		f->machine = header.e_machine;
		if (elf_getshdrstrndx(f->elf, &f->names) != 0)
			f->names = 0;
		ret = elf_file_segments(f);
	}
	if (ret != 0)
		elf_file_close(f);
	return ret;
}

static int
elf_file_map(struct elf_file *f, int fd)
{
	struct stat st;
	void *image;
	int ret;

	if (fstat(fd, &st) != 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size == 0)
		return -ENOEXEC;
	image = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (image == MAP_FAILED)
		return -errno;
	ret = elf_file_view(f, image, (size_t)st.st_size);
	if (ret != 0) {
		munmap(image, (size_t)st.st_size);
		return ret;
	}
	f->mapped = true;
	f->device = st.st_dev;
	f->inode = st.st_ino;
	f->changed = (uint64_t)st.st_ctim.tv_sec * 1000000000u +
	    (uint64_t)st.st_ctim.tv_nsec;
	return 0;
}

int
elf_file_open(struct elf_file *f, const char *path)
{
	struct stat st;
	int fd, ret;

	memset(f, 0, sizeof(*f));
	/* A path in a profile may name anything: to open a device can act. */
	if (stat(path, &st) != 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENOEXEC;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -errno;
	ret = elf_file_map(f, fd);
	close(fd);
	return ret;
}

void
elf_file_close(struct elf_file *f)
{
	if (f->elf != NULL)
		elf_end(f->elf);
	if (f->mapped)
		munmap((void *)(uintptr_t)f->image, f->size);
	free(f->segments);
	memset(f, 0, sizeof(*f));
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
elf_file_is(const struct elf_file *f, const unsigned char *id, size_t bytes)
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
elf_file_bytes(Elf_Scn *section, size_t *bytes)
{
	Elf_Data *data;

	if (section == NULL)
		return NULL;
	data = elf_rawdata(section, NULL);
	if (data == NULL || data->d_buf == NULL || data->d_size == 0)
		return NULL;
	*bytes = data->d_size;
	return data->d_buf;
}

const unsigned char *
elf_file_at(const struct elf_file *f, uint64_t address, size_t *left)
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
		return f->image + s->p_offset + skip;
	}
	return NULL;
}
