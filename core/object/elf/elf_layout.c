/*
 * Context: O.  Reads where an ELF file's code lies, of any machine, by libelf,
 * for the model, the listing, core/load and the sampler; see elf_layout.h.
 * Keeps nothing open.
 */
#include "elf/elf_layout.h"

#include "base/clock_ns.h"
#include "base/regular_file.h"

#include <errno.h>
#include <gelf.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>

#define ELF_LAYOUT_PAGE	4096u	/* on the machines that had these formats */

bool
elf_layout_is_elf(const char *path)
{
	char magic[SELFMAG];
	struct stat st;
	int fd = regular_file_open(path, 0, &st);
	bool is;

	if (fd < 0)
		return false;
	is = pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
	    memcmp(magic, ELFMAG, SELFMAG) == 0;
	close(fd);
	return is;
}

/*
 * Returns the address of the function that the loader calls first in a library,
 * which has no entry point.
 */
static uint64_t
read_init_address(Elf *elf, const GElf_Phdr *dynamic)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)dynamic->p_offset,
	    dynamic->p_filesz, ELF_T_DYN);
	GElf_Dyn entry;

	for (int i = 0; data != NULL && gelf_getdyn(data, i, &entry) != NULL &&
	    entry.d_tag != DT_NULL; i++)
		if (entry.d_tag == DT_INIT)
			return entry.d_un.d_ptr;
	return 0;
}

/* Adds a segment, and keeps the list sorted; drops the highest of too many. */
static void
add_code_segment(struct elf_layout *p, const GElf_Phdr *s)
{
	size_t at = p->code_count;

	while (at > 0 && p->code[at - 1].address > s->p_vaddr)
		at--;
	if (at == ELF_LAYOUT_SEGMENTS)
		return;
	if (p->code_count < ELF_LAYOUT_SEGMENTS)
		p->code_count++;
	memmove(&p->code[at + 1], &p->code[at],
	    (p->code_count - at - 1) * sizeof(*p->code));
	p->code[at] = (struct elf_layout_segment) {
		s->p_vaddr, s->p_memsz, s->p_offset,
	};
}

/* Adds what one program header says. */
static void
elf_layout_segment(struct elf_layout *p, Elf *elf, const GElf_Phdr *s)
{
	if (s->p_type == PT_DYNAMIC && p->outside == 0)
		p->outside = read_init_address(elf, s);
	if (s->p_type != PT_LOAD)
		return;
	if (s->p_offset < ELF_LAYOUT_PAGE && !p->headed) {
		p->headed = true;
		p->head = s->p_vaddr & -(uint64_t)ELF_LAYOUT_PAGE;
	}
	if (s->p_vaddr < p->base)
		p->base = s->p_vaddr & -(uint64_t)ELF_LAYOUT_PAGE;
	if ((s->p_flags & PF_X) == 0 || s->p_memsz == 0 ||
	    s->p_memsz > UINT64_MAX - s->p_vaddr)
		return;
	if (s->p_vaddr < p->low) {
		p->low = s->p_vaddr;
		p->offset = s->p_offset;
	}
	add_code_segment(p, s);
	if (s->p_vaddr + s->p_memsz > p->high)
		p->high = s->p_vaddr + s->p_memsz;
}

static void
read_elf_build_id(struct elf_layout *p, Elf *elf)
{
	const void *id;
	ssize_t bytes = dwelf_elf_gnu_build_id(elf, &id);

	if (bytes <= 0 || (size_t)bytes > sizeof(p->build_id))
		return;
	memcpy(p->build_id, id, (size_t)bytes);
	p->build_id_bytes = (size_t)bytes;
}

static bool
has_interpreter(Elf *elf, size_t segments)
{
	GElf_Phdr s;

	for (size_t i = 0; i < segments && i <= INT_MAX; i++)
		if (gelf_getphdr(elf, (int)i, &s) != NULL &&
		    s.p_type == PT_INTERP)
			return true;
	return false;
}

/* Fills *p from an open file.  Returns 0 or -ENOEXEC. */
static int
read_elf_layout(struct elf_layout *p, Elf *elf)
{
	size_t segments = 0;
	GElf_Ehdr e;
	GElf_Phdr s;

	if (elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &e) == NULL ||
	    elf_getphdrnum(elf, &segments) != 0)
		return -ENOEXEC;
	p->wide = e.e_ident[EI_CLASS] == ELFCLASS64;
	p->big = e.e_ident[EI_DATA] == ELFDATA2MSB;
	p->fixed = e.e_type == ET_EXEC;
	p->base = p->low = UINT64_MAX;
	if (e.e_type == ET_EXEC || has_interpreter(elf, segments))
		p->outside = e.e_entry;
	for (size_t i = 0; i < segments && i <= INT_MAX; i++)
		if (gelf_getphdr(elf, (int)i, &s) != NULL)
			elf_layout_segment(p, elf, &s);
	if (p->low >= p->high)
		return -ENOEXEC;
	if (p->outside < p->low || p->outside >= p->high)
		p->outside = p->low;
	read_elf_build_id(p, elf);
	return 0;
}

int
elf_layout_read(struct elf_layout *p, const char *path)
{
	struct stat st;
	int fd = regular_file_open(path, 0, &st), ret;
	Elf *elf;

	memset(p, 0, sizeof(*p));
	if (fd < 0)
		return fd;
	p->device = (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev);
	p->inode = st.st_ino;
	p->changed = clock_ns_of(&st.st_ctim);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	ret = elf == NULL ? -ENOEXEC : read_elf_layout(p, elf);
	if (elf != NULL)
		elf_end(elf);
	close(fd);
	return ret;
}

static uint64_t
page_of(uint64_t address)
{
	return address & -(uint64_t)ELF_LAYOUT_PAGE;
}

/*
 * Returns whether the segment holds the page that the mapping begins with and,
 * if `whole`, all of the mapping.
 */
static bool
segment_holds_mapping(const struct elf_layout_segment *s,
    const struct elf_layout_mapping *m, bool whole)
{
	const uint64_t from = page_of(s->offset);
	const uint64_t end =
	    page_of(s->offset + s->bytes + ELF_LAYOUT_PAGE - 1);

	return m->offset >= from && m->offset < end &&
	    (!whole || m->end - m->start <= end - m->offset);
}

uint64_t
elf_layout_bias(const struct elf_layout *p, const struct elf_layout_mapping *m)
{
	if (p->fixed)
		return 0;
	if (m->head != 0 && p->headed)
		return m->head - p->head;
	for (int whole = 1; whole >= 0; whole--)
		for (size_t i = 0; i < p->code_count; i++)
			if (segment_holds_mapping(&p->code[i], m, whole))
				return m->start - m->offset -
				    (p->code[i].address - p->code[i].offset);
	return m->start - m->offset - (p->low - p->offset);
}
