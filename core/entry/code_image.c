/*
 * Context: P.  Segments of an ELF file, for the other files of this folder; see
 * code_image.h.
 */
#include "code_image.h"

#include <elf.h>
#include <string.h>

/* Returns whether the file has `bytes` bytes from `offset` on. */
static bool
has_range(const struct code_image *image, uint64_t offset, uint64_t bytes)
{
	return offset <= image->bytes && bytes <= image->bytes - offset;
}

static bool
is_x86_64(const Elf64_Ehdr *e)
{
	return memcmp(e->e_ident, ELFMAG, SELFMAG) == 0 &&
	    e->e_ident[EI_CLASS] == ELFCLASS64 &&
	    e->e_ident[EI_DATA] == ELFDATA2LSB && e->e_machine == EM_X86_64 &&
	    (e->e_type == ET_EXEC || e->e_type == ET_DYN) &&
	    e->e_phentsize == sizeof(Elf64_Phdr);
}

static enum code_image_state
add_segment(struct code_image *image, const Elf64_Phdr *p)
{
	struct code_segment *s = &image->segments[image->segment_count];

	if (!has_range(image, p->p_offset, p->p_filesz) ||
	    p->p_vaddr + p->p_filesz < p->p_vaddr)
		return CODE_IMAGE_CUT;
	if (image->segment_count == CODE_IMAGE_SEGMENTS)
		return CODE_IMAGE_SEGMENTED;
	s->address = p->p_vaddr;
	s->bytes = p->p_filesz;
	s->file = image->file + p->p_offset;
	s->executable = (p->p_flags & PF_X) != 0;
	image->segment_count++;
	return CODE_IMAGE_OPEN;
}

enum code_image_state
code_image_open(struct code_image *image, const void *file, size_t bytes)
{
	enum code_image_state state = CODE_IMAGE_OPEN;
	Elf64_Ehdr e;

	memset(image, 0, sizeof(*image));
	image->file = file;
	image->bytes = bytes;
	if (bytes < sizeof(e))
		return CODE_IMAGE_NOT_ELF;
	memcpy(&e, file, sizeof(e));
	if (!is_x86_64(&e))
		return CODE_IMAGE_NOT_ELF;
	if (!has_range(image, e.e_phoff, e.e_phnum * sizeof(Elf64_Phdr)))
		return CODE_IMAGE_CUT;
	for (unsigned i = 0; i < e.e_phnum && state == CODE_IMAGE_OPEN; i++) {
		Elf64_Phdr p;

		memcpy(&p, image->file + e.e_phoff + i * sizeof(p), sizeof(p));
		if (p.p_type == PT_LOAD)
			state = add_segment(image, &p);
		else if (p.p_type == PT_GNU_EH_FRAME)
			image->table = p.p_vaddr;
	}
	return state;
}

const struct code_segment *
code_image_segment(const struct code_image *image, uint64_t address)
{
	for (unsigned i = 0; i < image->segment_count; i++) {
		const struct code_segment *s = &image->segments[i];

		if (address >= s->address && address - s->address < s->bytes)
			return s;
	}
	return NULL;
}

const uint8_t *
code_image_find(const struct code_image *image, uint64_t address, size_t *room)
{
	const struct code_segment *s = code_image_segment(image, address);

	*room = s == NULL ? 0 : (size_t)(s->bytes - (address - s->address));
	return s == NULL ? NULL : s->file + (address - s->address);
}
