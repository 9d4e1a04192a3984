# Context: P.  Instructions of x86-64, for code that is to be moved.
noinst_LTLIBRARIES += libinstruction.la
libinstruction_la_SOURCES = \
	core/instruction/flag_use.c \
	core/instruction/flag_use.h \
	core/instruction/instruction.c \
	core/instruction/instruction.h \
	core/instruction/opcode.c \
	core/instruction/opcode.h
libinstruction_la_CPPFLAGS = $(AM_CPPFLAGS) $(INSTRUCTION_I)
