/* Context: O.  Tests of core/model/derive/module_origin.c. */
#include "derive/module_origin.h"

#include <criterion/criterion.h>

static enum module_origin
origin(const char *name, uint32_t flags)
{
	const struct model_module module = { .name = name, .flags = flags };

	return module_origin_find(&module);
}

Test(module_origin, is_by_name)
{
	static const struct {
		const char *name;
		enum module_origin origin;
	} files[] = {
		{ "prog", MODULE_ORIGIN_USER },
		{ "libz.so.1", MODULE_ORIGIN_USER },
		{ "libmount.so.1", MODULE_ORIGIN_USER },
		{ "libc-client.so.2007", MODULE_ORIGIN_USER },
		{ "libc", MODULE_ORIGIN_USER },
		{ "ld", MODULE_ORIGIN_USER },	/* the linker of binutils */
		{ "libc.so.6", MODULE_ORIGIN_LIBC },
		{ "libc-2.31.so", MODULE_ORIGIN_LIBC },
		{ "libm.so.6", MODULE_ORIGIN_LIBC },
		{ "librt.so.1", MODULE_ORIGIN_LIBC },
		{ "libpthread-2.31.so", MODULE_ORIGIN_LIBC },
		{ "ld-2.31.so", MODULE_ORIGIN_LOADER },
		{ "ld-linux-x86-64.so.2", MODULE_ORIGIN_LOADER },
		{ "ld-linux-aarch64.so.1", MODULE_ORIGIN_LOADER },
		{ "ld-musl-x86_64.so.1", MODULE_ORIGIN_LOADER },
		{ "libstdc++.so.6.0.30", MODULE_ORIGIN_LIBSTDCXX },
		{ "libc++.so.1", MODULE_ORIGIN_LIBCXX },
		{ "libc++abi.so.1", MODULE_ORIGIN_LIBCXX },
		{ "libgcc_s.so.1", MODULE_ORIGIN_LIBGCC },
		{ "libtcmalloc_minimal.so.4", MODULE_ORIGIN_ALLOCATOR },
		{ "libmon.so", MODULE_ORIGIN_PROFILER },
		{ "[vdso]", MODULE_ORIGIN_VDSO },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		cr_expect_eq(origin(files[i].name, 0), files[i].origin, "%s",
		    files[i].name);
}

/* A copy of libmon.so, and the vdso, may have any name. */
Test(module_origin, is_by_flag)
{
	cr_expect_eq(origin("copy.so", FORMAT_M_OURS), MODULE_ORIGIN_PROFILER);
	cr_expect_eq(origin("linux-gate", FORMAT_M_VDSO), MODULE_ORIGIN_VDSO);
}

Test(module_origin, cxx_has_two_libraries)
{
	const struct model_module gnu = { .name = "libstdc++.so.6" };
	const struct model_module llvm = { .name = "libc++abi.so.1" };
	const struct model_module libc = { .name = "libc.so.6" };

	cr_expect(module_origin_is_cxx(&gnu));
	cr_expect(module_origin_is_cxx(&llvm));
	cr_expect_not(module_origin_is_cxx(&libc));
}

Test(module_origin, program_is_marked_or_named)
{
	struct model_process processes[2] = {
		{ .program = "sh" }, { .program = "prog" },
	};
	const struct model m = { .processes = processes, .process_count = 2 };
	const struct model_module marked = {
		.name = "any", .flags = FORMAT_M_MAIN,
	};
	const struct model_module named = { .name = "prog" };
	const struct model_module other = { .name = "prog2" };

	cr_expect(module_origin_is_program(&m, &marked));
	cr_expect(module_origin_is_program(&m, &named));
	cr_expect_not(module_origin_is_program(&m, &other));
}
