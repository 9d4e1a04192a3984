/*
 * Context: O. Tests of core/hot/module/elf_headers.c: objects in memory that
 * cannot be read, that are mapped again, and files.
 */
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

TestSuite(elf_memory, .init = target_init, .fini = target_fini);

static int
refused(void)
{
	struct elf_headers e;

	return image_read(&e, 0x10000, 0);
}

Test(elf_memory, other_memory)
{
	image_init(1);
	image_load(0, PF_X, 0, 0, 0x1000);
	cr_assert_eq(refused(), 0);
	image.eh.e_ident[EI_CLASS] = ELFCLASS32;
	cr_expect_eq(refused(), -ENOEXEC);
	image.eh.e_ident[EI_CLASS] = ELFCLASS64;
	image.eh.e_phentsize = 32;
	cr_expect_eq(refused(), -ENOEXEC);
	image.eh.e_phentsize = sizeof(Elf64_Phdr);
	image.eh.e_ident[0] = 0;
	cr_expect_eq(refused(), -ENOEXEC);
	image_init(0);
	cr_expect_eq(refused(), -ENOEXEC);
	image_init(1);
	image.eh.e_phoff = UINT64_MAX - 8;
	cr_expect_eq(refused(), -ENOEXEC);
}

/* It may end anywhere: each byte is asked for before it is there. */
Test(elf_memory, objects_that_end_early)
{
	size_t whole = offsetof(struct exec_image, ph) + sizeof(Elf64_Phdr);
	struct elf_headers e;

	image_init(1);
	image_load(0, PF_X, 0, 0, 0x1000);
	for (size_t n = 1; n <= whole; n++) {
		unsigned char *copy = tail_copy(&image, n);
		int ret = elf_headers_read(&e, (uintptr_t)copy, "", 0x10000, 0);

		if (n == whole)
			cr_expect_eq(ret, 0);
		else
			cr_expect_lt(ret, 0, "%zu bytes accepted", n);
		tail_free(copy, n);
	}
}

Test(elf_memory, files)
{
	const char *path = target_path("object");
	unsigned before;
	struct elf_headers e;
	FILE *out;

	image_init(2);
	image_load(0, PF_X, 0, 0, 0x1000);
	image_notes(1, image_note(0, "GNU", NT_GNU_BUILD_ID, "12345678", 8));
	out = fopen(path, "w");
	cr_assert_eq(fwrite(&image, sizeof image, 1, out), 1);
	fclose(out);
	before = target_descriptors();
	cr_assert_eq(elf_headers_read(&e, 0, path, 0x10000, 0), 0);
	cr_expect_eq(e.bias, 0x10000);
	cr_expect_eq(e.build_id_bytes, 8);
	/* Its first page is not mapped any more. */
	cr_assert_eq(elf_headers_read(&e, 4096, path, 0x20000, 0), 0);
	cr_expect_eq(e.bias, 0x20000);
	cr_expect_lt(elf_headers_read(&e, 0, target_path("none"), 0, 0), 0);
	cr_expect_lt(elf_headers_read(&e, 0, config.directory, 0, 0), 0);
	cr_expect_lt(elf_headers_read(&e, 0, "[vdso]", 0, 0), 0);
	cr_assert_eq(mkfifo(target_path("fifo"), 0600), 0);
	cr_expect_lt(elf_headers_read(&e, 0, target_path("fifo"), 0, 0), 0);
	cr_expect_eq(target_descriptors(), before);
}

struct text {
	char path[4096];
	uint64_t offset, bytes;
};

static void
find_libc_text(const struct proc_maps_line *line, void *arg)
{
	struct text *t = arg;

	if (!line->executable || strstr(line->path, "/libc.so") == NULL)
		return;
	snprintf(t->path, sizeof t->path, "%s", line->path);
	t->offset = line->offset;
	t->bytes = line->end - line->start;
}

/* Text that is mapped again: other memory is where its index would be. */
static void
map_again(int prot)
{
	static char buf[8192];
	const size_t room = 16 << 20;
	struct text t = {.bytes = 0};
	struct elf_headers e;
	char *place;
	int fd;

	cr_assert_eq(proc_maps_read(0, buf, sizeof buf, find_libc_text, &t), 0);
	fd = open(t.path, O_RDONLY);
	cr_assert_geq(fd, 0, "%s", t.path);
	place = mmap(NULL, room, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	cr_assert_neq(place, MAP_FAILED);
	cr_assert_neq(mmap(place + t.offset, t.bytes, PROT_READ | PROT_EXEC,
	    MAP_PRIVATE | MAP_FIXED, fd, (off_t)t.offset), MAP_FAILED);
	close(fd);
	cr_assert_eq(elf_headers_read(&e, 0, t.path,
	    (uintptr_t)place + t.offset, t.offset), 0);
	cr_expect_eq(e.tables.index, 0);
	munmap(place, room);
}

Test(elf_memory, text_that_is_mapped_again)
{
	map_again(PROT_NONE);
	map_again(PROT_READ | PROT_WRITE);
}

/* Old container filters forbid it: the file answers. */
static int
without_vm_readv(void)
{
	struct elf_headers e;

	if (target_forbid(SYS_process_vm_readv, TARGET_ANY, EPERM) != 0)
		return __LINE__;
	if (elf_headers_read(&e, (uintptr_t)&image, "", 0x10000, 0) != -EPERM)
		return __LINE__;
	if (elf_headers_read(&e, (uintptr_t)&image, target_path("object"),
	    0x10000, 0) != 0 || e.bias != 0x10000)
		return __LINE__;
	return 0;
}

Test(elf_memory, where_reading_memory_is_forbidden)
{
	FILE *out = fopen(target_path("object"), "w");
	int line;

	image_init(1);
	image_load(0, PF_X, 0, 0, 0x1000);
	cr_assert_eq(fwrite(&image, sizeof image, 1, out), 1);
	fclose(out);
	line = target_child(without_vm_readv);
	cr_expect_eq(line, 0, "line %d", line);
}
