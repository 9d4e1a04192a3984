/* Context: O.  For tests of ELF headers: makes the image of an object. */
#ifndef ELF_IMAGE_H
#define ELF_IMAGE_H

#include "base/config.h"
#include "module/elf_headers.h"
#include "module/proc_maps.h"
#include "tail.h"
#include "target.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An object made by hand: headers, then notes. */
#define PHDRS 200
struct exec_image {
	Elf64_Ehdr eh;
	Elf64_Phdr ph[PHDRS];
	char notes[1024];
};

extern struct exec_image image __attribute__((aligned(4096)));

void image_init(unsigned phdrs);

void image_load(unsigned at, uint32_t flags, uint64_t offset, uint64_t address,
    uint64_t bytes);

/* Behind what is there; returns the bytes used. */
size_t image_note(size_t at, const char *name, uint32_t type, const void *desc,
    uint32_t n);

void image_notes(unsigned ph, size_t bytes);

int image_read(struct elf_headers *e, uint64_t start, uint64_t offset);

#endif
