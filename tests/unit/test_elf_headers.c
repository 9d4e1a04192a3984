/* Context: O.  Tests of core/hot/module/elf_headers.c. */
#include "elf_image.h"
#include "base/config.h"
#include "module/elf_headers.h"
#include "module/proc_maps.h"
#include "tail.h"
#include "target.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(elf_headers, .init = target_init, .fini = target_fini);

/* The loader's record of the object at an address. */
struct link_map_object {
	uint64_t bias;
	const unsigned char *id;
	uint32_t id_bytes;
};

static void
loaded_id(struct link_map_object *l, const unsigned char *p, size_t n)
{
	while (n > sizeof(Elf64_Nhdr)) {
		const Elf64_Nhdr *h = (const void *)p;
		size_t name = (h->n_namesz + 3u) & ~3u;
		size_t desc = (h->n_descsz + 3u) & ~3u;

		if (h->n_type == NT_GNU_BUILD_ID) {
			l->id_bytes = h->n_descsz;
			l->id = p + sizeof *h + name;
		}
		p += sizeof *h + name + desc;
		n -= sizeof *h + name + desc;
	}
}

static bool
loaded_find(struct link_map_object *l, uint64_t address)
{
	const Elf64_Ehdr *eh;
	const Elf64_Phdr *ph;
	Dl_info info;
	unsigned i;

	*l = (struct link_map_object){0};
	if (dladdr((void *)address, &info) == 0)
		return false;
	eh = info.dli_fbase;
	ph = (const void *)((const char *)eh + eh->e_phoff);
	for (i = 0; i < eh->e_phnum && ph[i].p_type != PT_LOAD; i++)
		;
	l->bias = (uintptr_t)eh - (ph[i].p_vaddr & ~4095ul);
	for (i = 0; i < eh->e_phnum; i++)
		if (ph[i].p_type == PT_NOTE)
			loaded_id(l, (unsigned char *)l->bias +
			    ph[i].p_vaddr, ph[i].p_filesz);
	return true;
}

static void
agrees(const struct proc_maps_line *line, uint64_t head,
    const struct link_map_object *l)
{
	struct elf_headers e;

	cr_assert_eq(elf_headers_read(&e, head, line->path, line->start,
	    line->offset), 0, "%s", line->path);
	cr_expect_eq(e.bias, l->bias, "%s: %#jx, not %#jx", line->path,
	    (uintmax_t)e.bias, (uintmax_t)l->bias);
	cr_expect_eq(e.build_id_bytes, l->id_bytes, "%s", line->path);
	cr_expect_arr_eq(e.build_id, l->id, l->id_bytes);
}

static void
compare(const struct proc_maps_line *line, void *arg)
{
	struct link_map_object l;

	if (!line->executable || !loaded_find(&l, line->start))
		return;		/* [vsyscall] */
	cr_assert_neq(line->head, 0, "%s", line->path);
	agrees(line, line->head, &l);
	if (line->path[0] == '/')
		agrees(line, 0, &l);	/* through the file */
	++*(unsigned *)arg;
}

Test(elf_headers, agrees_with_the_loader)
{
	static char buf[4 * PATH_MAX];
	unsigned objects = 0;

	cr_assert_eq(proc_maps_read(0, buf, sizeof buf, compare, &objects), 0);
	cr_expect_geq(objects, 4, "%u", objects);	/* and the vdso */
}

/* GNU ld: each segment on pages of its own, all at one bias. */
Test(elf_headers, segments_on_pages_of_their_own)
{
	struct elf_headers e;

	image_init(3);
	image_load(0, PF_R, 0, 0x400000, 0x800);
	image_load(1, PF_R | PF_X, 0x1000, 0x401000, 0x5678);
	image_load(2, PF_R | PF_W, 0x7000, 0x408000, 0x100);
	cr_assert_eq(image_read(&e, 0x555555401000, 0x1000), 0);
	cr_expect_eq(e.bias, 0x555555000000);
	/* The middle of it, behind a hole that an mprotect made. */
	cr_assert_eq(image_read(&e, 0x555555403000, 0x3000), 0);
	cr_expect_eq(e.bias, 0x555555000000);
	cr_assert_eq(image_read(&e, 0x401000, 0x1000), 0);
	cr_expect_eq(e.bias, 0);
	/* A page of the file that no segment holds. */
	cr_expect_eq(image_read(&e, 0x555555900000, 0x9000), -ENOEXEC);
}

/* lld: one page of the file is mapped for two segments, at two addresses. */
Test(elf_headers, a_page_of_two_segments)
{
	struct elf_headers e;

	image_init(2);
	image_load(0, PF_R, 0, 0, 0x1a20);
	image_load(1, PF_R | PF_X, 0x1a20, 0x2a20, 0x500);
	cr_assert_eq(image_read(&e, 0x7f0000002000, 0x1000), 0);
	cr_expect_eq(e.bias, 0x7f0000000000, "%#jx", (uintmax_t)e.bias);
	/* In the other order, which ELF does not allow but files have. */
	image_load(0, PF_R | PF_X, 0x1a20, 0x2a20, 0x500);
	image_load(1, PF_R, 0, 0, 0x1a20);
	cr_assert_eq(image_read(&e, 0x7f0000002000, 0x1000), 0);
	cr_expect_eq(e.bias, 0x7f0000000000, "%#jx", (uintmax_t)e.bias);
}

/* Read in pieces: the one that counts lies behind the first. */
/* A segment begins anywhere in its first page, however large pages are. */
Test(elf_headers, large_pages)
{
	struct elf_headers e;

	image_init(1);
	image_load(0, PF_R | PF_X, 0x1fab8, 0x2fab8, 0x1000);
	cr_expect_lt(image_read(&e, 0x7f0000010000, 0x10000), 0);
	config.page = 65536;
	cr_assert_eq(image_read(&e, 0x7f0000010000, 0x10000), 0);
	cr_expect_eq(e.bias, 0x7f0000010000 - 0x20000);
}

Test(elf_headers, many_program_headers)
{
	struct elf_headers e;

	image_init(PHDRS);
	image_load(PHDRS - 1, PF_X, 0x3000, 0x5000, 0x1000);
	cr_assert_eq(image_read(&e, 0x10005000, 0x3000), 0);
	cr_expect_eq(e.bias, 0x10000000);
}

/*
 * Many segments, each in turn the one that counts, and the gaps between them.
 */
Test(elf_headers, text_of_the_object_at_the_head)
{
	const uint64_t head = (uintptr_t)&image & ~4095ul;
	struct elf_headers e;

	image_init(PHDRS);
	image_load(0, PF_R, 0, 0x400000, 0x800);
	for (unsigned i = 1; i < PHDRS; i++)
		image_load(i, i % 2 != 0 ? PF_R | PF_X : PF_R | PF_W, 0x800,
		    0x400000 + i * 0x3000ul, 0x1800);
	for (unsigned i = 1; i < PHDRS; i++) {
		const uint64_t at = (uintptr_t)&image + i * 0x3000ul;

		cr_assert_eq(elf_headers_read(&e, (uintptr_t)&image, "", at,
		    ELF_HEADERS_NO_OFFSET), 0);
		cr_expect_eq(e.bias, (uintptr_t)&image - 0x400000);
		cr_expect_eq(e.own, i % 2 != 0, "segment %u", i);
		if (e.own)
			cr_expect_eq(e.until & ~4095ul, (head + i * 0x3000ul +
			    0x2000) & ~4095ul, "segment %u", i);
		else
			cr_expect_geq(e.next == 0 ? at : e.next, at);
		/* No segment follows the last one. */
		cr_assert_eq(elf_headers_read(&e, (uintptr_t)&image, "", at +
		    0x2000, ELF_HEADERS_NO_OFFSET), 0);
		cr_expect_not(e.own);
	}
}

Test(elf_headers, build_ids)
{
	static const char id[] = "0123456789abcdef0123456789abcde";
	struct elf_headers e;
	size_t n;

	image_init(3);
	image_load(0, PF_X, 0, 0, 0x1000);
	/* Others before it, one with the number but another name. */
	n = image_note(0, "LINUX", 3, "no", 2);
	n = image_note(n, "GNU", NT_GNU_ABI_TAG, "1234", 4);
	n = image_note(n, "GNU", NT_GNU_BUILD_ID, id, 20);
	image_notes(1, n);
	cr_assert_eq(image_read(&e, 0x10000, 0), 0);
	cr_expect_eq(e.build_id_bytes, 20);
	cr_expect_arr_eq(e.build_id, id, 20);

	n = image_note(0, "GNU", NT_GNU_BUILD_ID, id, 32);
	image_notes(1, n);
	cr_assert_eq(image_read(&e, 0x10000, 0), 0);
	cr_expect_eq(e.build_id_bytes, 32);

	/* One that does not fit is none. */
	n = image_note(0, "GNU", NT_GNU_BUILD_ID, id, 32);
	((Elf64_Nhdr *)image.notes)->n_descsz = 33;
	image_notes(1, n + 4);
	cr_assert_eq(image_read(&e, 0x10000, 0), 0);
	cr_expect_eq(e.build_id_bytes, 0);

	/* In the second segment of notes. */
	n = image_note(0, "GNU", NT_GNU_ABI_TAG, "1234", 4);
	image_notes(1, n);
	image_note(n, "GNU", NT_GNU_BUILD_ID, id, 8);
	image_notes(2, 24);
	image.ph[2].p_offset += n;
	cr_assert_eq(image_read(&e, 0x10000, 0), 0);
	cr_expect_eq(e.build_id_bytes, 8);
}

Test(elf_headers, notes_that_lie)
{
	static const uint32_t sizes[] = {5, 21, 0x7fffffff, 0x80000000,
	    0xfffffffc, 0xfffffffd, 0xffffffff};
	struct elf_headers e;
	size_t n;

	image_init(2);
	image_load(0, PF_X, 0, 0, 0x1000);
	n = image_note(0, "GNU", NT_GNU_BUILD_ID, "1234567890123456789", 20);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		image_notes(1, n);
		((Elf64_Nhdr *)image.notes)->n_descsz = sizes[i] > 20 ?
		    sizes[i] : 20;
		((Elf64_Nhdr *)image.notes)->n_namesz = sizes[i];
		cr_assert_eq(image_read(&e, 0x10000, 0), 0);
		cr_expect_eq(e.build_id_bytes, 0, "%#x", sizes[i]);
	}
	/* Cut at every byte. */
	n = image_note(0, "GNU", NT_GNU_BUILD_ID, "1234567890123456789", 20);
	for (size_t cut = 0; cut < n; cut++) {
		((Elf64_Nhdr *)image.notes)->n_namesz = 4;
		image_notes(1, cut);
		cr_assert_eq(image_read(&e, 0x10000, 0), 0);
		cr_expect_eq(e.build_id_bytes, 0, "%zu", cut);
	}
}
