# Context: O.  ELF through elfutils, JIT maps, demangling.
if TOOLS
noinst_LTLIBRARIES += libobject.la
endif
libobject_la_SOURCES = \
	core/object/arena.c \
	core/object/arena.h \
	core/object/address_claims.h \
	core/object/debugfile.c \
	core/object/debugfile.h \
	core/object/demangle.h \
	core/object/dwarf_file.c \
	core/object/dwarf_file.h \
	core/object/ehframe.c \
	core/object/ehframe.h \
	core/object/elf_file.c \
	core/object/elf_file.h \
	core/object/file_copy.c \
	core/object/file_copy.h \
	core/object/elf_foreign.c \
	core/object/elf_foreign.h \
	core/object/disasm.h \
	core/object/hash_index.c \
	core/object/hash_index.h \
	core/object/vector.h \
	core/object/intern.c \
	core/object/intern.h \
	core/object/jitdump.c \
	core/object/jitdump.h \
	core/object/jitmap.c \
	core/object/kallsyms.c \
	core/object/kallsyms.h \
	core/object/kallsyms_name.c \
	core/object/lines.c \
	core/object/lines.h \
	core/object/map_identity.c \
	core/object/map_identity.h \
	core/object/minidebug.c \
	core/object/minidebug.h \
	core/object/object.c \
	core/object/object.h \
	core/object/compare.h \
	core/object/plt.c \
	core/object/plt.h \
	core/object/elf_layout.c \
	core/object/elf_layout.h \
	core/object/cxx_qualify.c \
	core/object/cxx_qualify.h \
	core/object/remote.h \
	core/object/maps_path.c \
	core/object/maps_path.h \
	core/object/symbol_lookup.c \
	core/object/symbol_lookup.h \
	core/object/symtab.c \
	core/object/symtab.h \
	core/object/symbol_text.c \
	core/object/symbol_text.h
if LIBIBERTY
libobject_la_SOURCES += core/object/demangle.c
else
libobject_la_SOURCES += core/object/demangle_none.c
endif
EXTRA_DIST += core/object/demangle.c core/object/demangle_none.c
if DEBUGINFOD
libobject_la_SOURCES += core/object/remote_debuginfod.c
else
libobject_la_SOURCES += core/object/remote_none.c
endif
if ZYDIS
libobject_la_SOURCES += core/object/disasm_zydis.c
else
if CAPSTONE
libobject_la_SOURCES += core/object/disasm_capstone.c
else
libobject_la_SOURCES += core/object/disasm_none.c
endif
endif
libobject_la_CPPFLAGS = $(AM_CPPFLAGS) $(OBJECT_I)
