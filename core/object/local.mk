# Context: O.  ELF and DWARF through elfutils, JIT maps, demangling, disassembly.
if TOOLS
noinst_LTLIBRARIES += libobject.la
endif
libobject_la_SOURCES = \
	core/object/base/arena.c \
	core/object/base/arena.h \
	core/object/base/clock_ns.h \
	core/object/code/address_claims.h \
	core/object/elf/debugfile.c \
	core/object/elf/debugfile.h \
	core/object/symbol/cxx_name.c \
	core/object/symbol/cxx_structor.c \
	core/object/symbol/cxx_structor.h \
	core/object/symbol/cxx_collapse.c \
	core/object/symbol/cxx_collapse.h \
	core/object/symbol/allocator_name.c \
	core/object/symbol/allocator_name.h \
	core/object/symbol/library_name.c \
	core/object/symbol/library_name.h \
	core/object/symbol/name_match.c \
	core/object/symbol/name_match.h \
	core/object/symbol/cxx_name.h \
	core/object/symbol/demangle.h \
	core/object/dwarf/dwarf_file.c \
	core/object/dwarf/dwarf_file.h \
	core/object/elf/ehframe.c \
	core/object/elf/ehframe.h \
	core/object/elf/elf_file.c \
	core/object/elf/elf_file.h \
	core/object/base/file_copy.c \
	core/object/base/file_copy.h \
	core/object/elf_foreign.c \
	core/object/elf_foreign.h \
	core/object/code/disasm.h \
	core/object/base/edit_distance.c \
	core/object/base/edit_distance.h \
	core/object/base/hash_index.c \
	core/object/base/hash_index.h \
	core/object/base/vector.h \
	core/object/base/intern.c \
	core/object/base/intern.h \
	core/object/base/key_table.c \
	core/object/base/key_table.h \
	core/object/base/string_pool.c \
	core/object/base/string_pool.h \
	core/object/base/plural.h \
	core/object/code/jitdump.c \
	core/object/code/jitdump.h \
	core/object/code/jitdump_pieces.c \
	core/object/code/jitdump_pieces.h \
	core/object/code/jitmap.c \
	core/object/symbol/kallsyms.c \
	core/object/symbol/kallsyms.h \
	core/object/symbol/kallsyms_name.c \
	core/object/dwarf/lines.c \
	core/object/dwarf/lines.h \
	core/object/base/map_identity.c \
	core/object/base/map_identity.h \
	core/object/elf/minidebug.c \
	core/object/elf/minidebug.h \
	core/object/object.c \
	core/object/object.h \
	core/object/object_files.c \
	core/object/object_files.h \
	core/object/elf/own_vdso.c \
	core/object/elf/own_vdso.h \
	core/object/base/compare.h \
	core/object/symbol/plt.c \
	core/object/symbol/plt.h \
	core/object/elf/elf_layout.c \
	core/object/elf/elf_layout.h \
	core/object/dwarf/cxx_qualify.c \
	core/object/dwarf/cxx_qualify.h \
	core/object/elf/remote.h \
	core/object/base/maps_path.c \
	core/object/base/maps_path.h \
	core/object/base/mount_guard.c \
	core/object/base/mount_guard.h \
	core/object/base/regular_file.c \
	core/object/base/regular_file.h \
	core/object/symbol/symbol_lookup.c \
	core/object/symbol/symbol_lookup.h \
	core/object/symbol/symtab.c \
	core/object/symbol/symtab.h \
	core/object/symbol/symbol_text.c \
	core/object/symbol/symbol_text.h
if LIBIBERTY
libobject_la_SOURCES += core/object/symbol/demangle.c
else
libobject_la_SOURCES += core/object/symbol/demangle_none.c
endif
EXTRA_DIST += core/object/symbol/demangle.c core/object/symbol/demangle_none.c
if DEBUGINFOD
libobject_la_SOURCES += core/object/elf/remote_debuginfod.c
else
libobject_la_SOURCES += core/object/elf/remote_none.c
endif
if ZYDIS
libobject_la_SOURCES += core/object/code/disasm_zydis.c
else
if CAPSTONE
libobject_la_SOURCES += core/object/code/disasm_capstone.c
else
libobject_la_SOURCES += core/object/code/disasm_none.c
endif
endif
libobject_la_CPPFLAGS = $(AM_CPPFLAGS) $(OBJECT_I)
