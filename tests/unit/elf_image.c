/* Context: O.  See elf_image.h. */
#include "elf_image.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct exec_image image __attribute__((aligned(4096)));

void
image_init(unsigned phdrs)
{
	memset(&image, 0, sizeof image);
	memcpy(image.eh.e_ident, ELFMAG, SELFMAG);
	image.eh.e_ident[EI_CLASS] = ELFCLASS64;
	image.eh.e_phoff = offsetof(struct exec_image, ph);
	image.eh.e_phentsize = sizeof(Elf64_Phdr);
	image.eh.e_phnum = (Elf64_Half)phdrs;
}

void
image_load(unsigned at, uint32_t flags, uint64_t offset, uint64_t address,
    uint64_t bytes)
{
	image.ph[at] = (Elf64_Phdr){.p_type = PT_LOAD, .p_flags = flags,
	    .p_offset = offset, .p_vaddr = address, .p_filesz = bytes,
	    .p_memsz = bytes};
}

size_t
image_note(size_t at, const char *name, uint32_t type, const void *desc,
    uint32_t n)
{
	Elf64_Nhdr h = {(uint32_t)strlen(name) + 1, n, type};
	char *p = image.notes + at;

	cr_assert_leq(at + sizeof h + 8 + n + 3, sizeof image.notes);
	memcpy(p, &h, sizeof h);
	memcpy(p + sizeof h, name, h.n_namesz);
	p += sizeof h + ((h.n_namesz + 3u) & ~3u);
	memcpy(p, desc, n);
	return at + sizeof h + ((h.n_namesz + 3u) & ~3u) + ((n + 3) & ~3u);
}

void
image_notes(unsigned ph, size_t bytes)
{
	image.ph[ph] = (Elf64_Phdr){.p_type = PT_NOTE,
	    .p_offset = offsetof(struct exec_image, notes), .p_filesz = bytes};
}

int
image_read(struct elf_headers *e, uint64_t start, uint64_t offset)
{
	return elf_headers_read(e, (uintptr_t)&image, "", start, offset);
}
