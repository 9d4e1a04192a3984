/* Context: O.  Tests of core/hot/module/modules.c. */
#include "compile.h"
#include "mapped.h"
#include "module/modules.h"
#include "store/store.h"
#include "store/store_create.h"
#include "target.h"

#include "base/store_header.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
start(void)
{
	target_init();
	target_birth();
}

TestSuite(modules, .init = start, .fini = target_fini);

/* The address in the file's own headers: bias of the loader. */
static uint64_t
bias_of(const void *address)
{
	const Elf64_Ehdr *eh;
	const Elf64_Phdr *ph;
	Dl_info info;

	cr_assert_neq(dladdr(address, &info), 0);
	eh = info.dli_fbase;
	ph = (const void *)((const char *)eh + eh->e_phoff);
	while (ph->p_type != PT_LOAD)
		ph++;
	return (uintptr_t)eh - (ph->p_vaddr & ~4095ul);
}

static void
lies_in(const void *pc, const char *path, uint32_t flags)
{
	struct module_hit hit;

	modules_find((uintptr_t)pc, &hit);
	cr_assert(hit.known);
	cr_expect_str_eq(mapped_path(hit.record), path);
	cr_expect_eq(mapped_record(hit.record)->bias, bias_of(pc));
	cr_expect_eq(hit.address, (uintptr_t)pc - bias_of(pc));
	cr_expect_eq(mapped_record(hit.record)->flags, flags);
	cr_expect_leq(mapped_record(hit.record)->start, (uintptr_t)pc);
	cr_expect_gt(mapped_record(hit.record)->end, (uintptr_t)pc);
}

Test(modules, objects_of_this_process)
{
	char exe[PATH_MAX] = "", libc[PATH_MAX];
	Dl_info info;

	cr_assert_gt(readlink("/proc/self/exe", exe, sizeof exe - 1), 0);
	lies_in((void *)start, exe, FORMAT_M_MAIN);
	cr_assert_neq(dladdr((void *)getpid, &info), 0);
	cr_assert_not_null(realpath(info.dli_fname, libc));
	lies_in(dlsym(RTLD_DEFAULT, "getpid"), libc, 0);
}

Test(modules, the_vdso)
{
	struct target_file t;
	struct format_module m;
	uint32_t at = 0;
	unsigned vdso = 0;

	modules_refresh();
	target_read(&t, mon->store.path);
	while (decode_module(&t.d, &at, &m, &t.f) == 1) {
		if ((m.flags & FORMAT_M_VDSO) == 0)
			continue;
		vdso++;
		cr_expect_str_eq(target_text(&t, m.path), "[vdso]");
		cr_expect_eq(m.flags, FORMAT_M_VDSO);
		cr_expect_gt(m.build_id_bytes, 0);
	}
	cr_expect_eq(vdso, 1);
	target_read_fini(&t);
}

/* A record each, however often the map is read. */
Test(modules, known_ones_stay)
{
	struct target_file t;
	struct module_hit a, b;
	uint64_t used;
	unsigned n;

	modules_find((uintptr_t)start, &a);
	used = store_header()->used;
	target_read(&t, mon->store.path);
	n = t.modules;
	cr_expect_geq(n, 4);
	target_read_fini(&t);
	for (unsigned i = 0; i < 5; i++)
		modules_refresh();
	modules_find((uintptr_t)start, &b);
	cr_expect_eq(a.record, b.record);
	cr_expect_eq(store_header()->used, used);
	target_read(&t, mon->store.path);
	cr_expect_eq(t.modules, n);
	target_read_fini(&t);
}

/* Each dlclose() that unloads makes the next look read every object again. */
static void
stay_when_reread(unsigned stack)
{
	const struct format_header *header = store_header();
	uint64_t used;

	config.stack = stack;
	modules_refresh();
	used = header->used;
	for (unsigned i = 0; i < 5; i++) {
		modules_unload_begin();
		modules_unloaded(true);
		cr_expect(mon->module_reread);
		modules_refresh();
		cr_expect_not(mon->module_reread);
	}
	cr_expect_eq(header->used, used, "stack %u: %ju more", stack,
	    (uintmax_t)(header->used - used));
}

Test(modules, read_again_ones_stay)
{
	stay_when_reread(FORMAT_STACK_OFF);
}

Test(modules, read_again_ones_stay_with_stacks)
{
	stay_when_reread(FORMAT_STACK_AUTO);
}

static void
is_absolute(const char *p)
{
	struct module_hit hit;

	modules_find((uintptr_t)p + 5, &hit);
	cr_expect(hit.known);
	cr_expect_eq(hit.record, 0);
	cr_expect_eq(hit.address, (uintptr_t)p + 5);
	cr_expect_eq(hit.text, 0, "JIT code makes no system calls");
}

Test(modules, made_code)
{
	int fd = memfd_create("jit-cache", 0);

	cr_assert_eq(ftruncate(fd, 4096), 0);
	char *a = mapped_page(-1, MAP_PRIVATE | MAP_ANONYMOUS);
	char *b = mapped_page(fd, MAP_SHARED);
	char *c = mapped_page(-1, MAP_SHARED | MAP_ANONYMOUS);	/* /dev/zero */
	is_absolute(a);
	is_absolute(b);
	is_absolute(c);
}

Test(modules, files_that_are_no_objects)
{
	struct module_hit hit;
	int fd = mapped_file("data", 8192);
	char *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
	    4096);

	modules_find((uintptr_t)p + 5, &hit);
	cr_expect_str_eq(mapped_path(hit.record), target_path("data"));
	cr_expect_eq(mapped_record(hit.record)->flags, FORMAT_M_NO_ELF);
	cr_expect_eq(hit.address, 4096 + 5);
}

Test(modules, a_deleted_file)
{
	struct module_hit hit;
	char *p = mapped_page(mapped_file("gone", 4096), MAP_PRIVATE);

	cr_assert_eq(unlink(target_path("gone")), 0);
	modules_find((uintptr_t)p, &hit);
	cr_expect_str_eq(mapped_path(hit.record), target_path("gone"));
	cr_expect_eq(mapped_record(hit.record)->flags,
	    FORMAT_M_NO_ELF | FORMAT_M_DELETED);
}

Test(modules, addresses_of_nothing)
{
	struct module_hit hit;

	modules_find(16, &hit);
	cr_expect_not(hit.known);
	cr_expect_eq(hit.record, 0);
	cr_expect_eq(hit.address, 16);
	cr_expect_eq(hit.text, 0);
	/* Data of ours: mapped, not executable. */
	modules_find((uintptr_t)&config, &hit);
	cr_expect_not(hit.known);
	cr_expect_eq(hit.address, (uintptr_t)&config);
	modules_find(UINTPTR_MAX, &hit);
	cr_expect_not(hit.known);
}

Test(modules, unloaded)
{
	struct module_hit a, b;
	void *(*fn)(void), *handle;

	compile_init();
	compile_source("l.so", ".c", "-shared -fPIC -O1",
	    "int f(int n) { return n * 3; }\n");
	handle = dlopen(compile_path("l.so"), RTLD_NOW);
	cr_assert_not_null(handle, "%s", dlerror());
	fn = dlsym(handle, "f");
	lies_in((void *)fn, compile_path("l.so"), 0);
	modules_find((uintptr_t)fn, &a);
	cr_expect_eq(a.address, compile_address("l.so", "f"));
	dlclose(handle);
	modules_refresh();
	cr_expect_neq(mapped_record(a.record)->unload_mono, 0);
	modules_find((uintptr_t)fn, &b);
	cr_expect_eq(b.record, 0);
	compile_fini();
}

static unsigned
records(void)
{
	struct target_file t;
	unsigned n;

	target_read(&t, mon->store.path);
	n = t.modules;
	target_read_fini(&t);
	return n;
}

/* A program that opens and closes a library for ever: the file stays small. */
Test(modules, loaded_again)
{
	uint64_t address;
	unsigned known;
	struct module_hit hit;

	compile_init();
	compile_source("l.so", ".c", "-shared -fPIC -O1",
	    "int f(int n) { return n * 3; }\n");
	address = compile_address("l.so", "f");
	modules_refresh();
	known = records();
	for (unsigned i = 0; i < 50; i++) {
		void *handle = dlopen(compile_path("l.so"), RTLD_NOW);
		uint64_t bias;

		cr_assert_not_null(handle, "%s", dlerror());
		modules_refresh();
		bias = bias_of(dlsym(handle, "f"));
		modules_find((uintptr_t)dlsym(handle, "f"), &hit);
		cr_assert_eq(hit.address, address);
		cr_assert_eq(mapped_record(hit.record)->unload_mono, 0);
		cr_assert_eq(mapped_record(hit.record)->bias, bias);
		dlclose(handle);
		/* Another place for the next. */
		if (i % 2 == 0)
			mapped_page(-1, MAP_PRIVATE | MAP_ANONYMOUS);
		if (i % 3 != 0)
			modules_refresh();
	}
	cr_expect_leq(records(), known + 2);
	compile_fini();
}

/* Another build at that path is another object. */
Test(modules, rebuilt_meanwhile)
{
	struct module_hit a, b;
	void *handle;

	compile_init();
	compile_source("l.so", ".c", "-shared -fPIC -O1",
	    "int f(int n) { return n * 3; }\n");
	handle = dlopen(compile_path("l.so"), RTLD_NOW);
	modules_refresh();
	modules_find((uintptr_t)dlsym(handle, "f"), &a);
	dlclose(handle);
	modules_refresh();
	compile_source("l.so", ".c", "-shared -fPIC -O1",
	    "int g(int n) { return n * 5; }\nint f(int n) { return n; }\n");
	handle = dlopen(compile_path("l.so"), RTLD_NOW);
	modules_refresh();
	modules_find((uintptr_t)dlsym(handle, "f"), &b);
	cr_expect_neq(a.record, b.record);
	cr_expect_neq(mapped_record(a.record)->unload_mono, 0);
	compile_fini();
}

/* The linkers that pack segments onto one page of the file. */
static void
linked_with(const char *linker)
{
	char flags[128];
	struct module_hit hit;
	void *handle;

	snprintf(flags, sizeof flags, "-shared -fPIC -fuse-ld=%s", linker);
	compile_source("p.so", ".c", flags,
	    "static int t[999]; int big(int n) { return t[n]; }\n"
	    "const char text[5000] = \"x\"; int f(int n) { return n; }\n");
	handle = dlopen(compile_path("p.so"), RTLD_NOW);
	cr_assert_not_null(handle, "%s", dlerror());
	modules_refresh();
	modules_find((uintptr_t)dlsym(handle, "f"), &hit);
	cr_expect_eq(hit.address, compile_address("p.so", "f"), "%s", linker);
	dlclose(handle);
}

Test(modules, linkers)
{
	static const char *const linker[] = {"bfd", "gold", "lld"};
	char command[64];

	compile_init();
	for (size_t i = 0; i < sizeof linker / sizeof *linker; i++) {
		snprintf(command, sizeof command,
		    "command -v ld.%s >/dev/null", linker[i]);
		if (compile_run(command) == 0)
			linked_with(linker[i]);
	}
	compile_fini();
}

/* Where a look for a system call instruction may read. */
Test(modules, text_that_can_be_read)
{
	char *p = mapped_page(mapped_file("text", 4096), MAP_PRIVATE);
	char *q = mapped_page(mapped_file("only", 4096), MAP_PRIVATE);
	struct module_hit hit;

	cr_assert_eq(mprotect(q, 4096, PROT_EXEC), 0);
	modules_find((uintptr_t)p + 7, &hit);
	cr_expect_eq(hit.text, (uintptr_t)p);
	cr_expect_eq(hit.text_end, (uintptr_t)p + 4096);
	modules_find((uintptr_t)q + 7, &hit);
	cr_expect(hit.known);
	cr_expect_eq(hit.text, 0);
	cr_expect_eq(hit.text_end, 0);
}

/* A full file has no room for a module: its code is of an unknown place. */
Test(modules, no_room_for_a_record)
{
	struct module_hit hit;
	char *p = mapped_page(mapped_file("late", 4096), MAP_PRIVATE);

	while (store_take(16) != 0)
		;
	modules_refresh();
	modules_find((uintptr_t)p, &hit);
	cr_expect_not(hit.known);
	cr_expect_eq(hit.record, 0);
	cr_expect_eq(hit.address, (uintptr_t)p);
}
