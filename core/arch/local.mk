# Context: S.  One directory for each CPU.  configure chooses one, whose sources
# become part of libhot.
if ARCH_X86_64
libhot_la_SOURCES += core/arch/x86_64/heap.S core/arch/x86_64/map.S \
	core/arch/x86_64/mcount.S core/arch/x86_64/restorer.c
endif
if ARCH_AARCH64
libhot_la_SOURCES += core/arch/aarch64/heap.S core/arch/aarch64/map.S \
	core/arch/aarch64/mcount.S core/arch/aarch64/restorer.c
endif
EXTRA_DIST += \
	core/arch/aarch64/arch.h \
	core/arch/aarch64/frame.h \
	core/arch/aarch64/known_code.h \
	core/arch/generic/arch.h \
	core/arch/stub_functions.h \
	core/arch/x86_64/arch.h \
	core/arch/x86_64/frame.h \
	core/arch/x86_64/known_code.h
