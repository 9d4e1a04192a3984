# Context: S.  One header a CPU; configure picks the directory.
EXTRA_DIST += \
	core/arch/aarch64/arch.h \
	core/arch/generic/arch.h \
	core/arch/x86_64/arch.h
