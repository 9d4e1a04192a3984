# Unit tests: one program a source file of core; Criterion runs each test in a
# process of its own.  Sources of other tests may use libunit.la (build.h makes
# profiles, tail.h buffers that end at an unmapped page).
UNIT_I = -I$(top_srcdir)/tests/unit $(FORMAT_I)
EXTRA_DIST += tests/unit/filter.h tests/unit/opened.h tests/unit/random.h \
	tests/unit/skipped

check_LTLIBRARIES += libunit.la
libunit_la_SOURCES = \
	tests/unit/build.c \
	tests/unit/build.h \
	tests/unit/classics.c \
	tests/unit/classics.h \
	tests/unit/tail.c \
	tests/unit/tail.h
libunit_la_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
UNIT_LIBS = libunit.la libformat.la $(CRITERION_LIBS)

UNIT_FORMAT = \
	tests/unit/test_base \
	tests/unit/test_bins \
	tests/unit/test_bsdgmon \
	tests/unit/test_decode \
	tests/unit/test_fault \
	tests/unit/test_gmon \
	tests/unit/test_header \
	tests/unit/test_heaps \
	tests/unit/test_hostile \
	tests/unit/test_layout \
	tests/unit/test_link \
	tests/unit/test_live \
	tests/unit/test_loss \
	tests/unit/test_monout \
	tests/unit/test_pointer \
	tests/unit/test_profout \
	tests/unit/test_random \
	tests/unit/test_snapshot
if CRITERION
check_PROGRAMS += $(UNIT_FORMAT)
TESTS += $(UNIT_FORMAT)
BESIDE += $(UNIT_FORMAT)
else
# Says that there are none.
TESTS += tests/unit/skipped
endif

tests_unit_test_base_SOURCES = tests/unit/test_base.c
tests_unit_test_base_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_base_LDADD = $(UNIT_LIBS)
tests_unit_test_bins_SOURCES = tests/unit/test_bins.c
tests_unit_test_bins_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_bins_LDADD = $(UNIT_LIBS)
tests_unit_test_bsdgmon_SOURCES = tests/unit/test_bsdgmon.c
tests_unit_test_bsdgmon_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_bsdgmon_LDADD = $(UNIT_LIBS)
tests_unit_test_decode_SOURCES = tests/unit/test_decode.c tests/unit/opened.c
tests_unit_test_decode_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_decode_LDADD = $(UNIT_LIBS)
tests_unit_test_fault_SOURCES = tests/unit/test_fault.c
tests_unit_test_fault_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_fault_LDADD = $(UNIT_LIBS)
tests_unit_test_gmon_SOURCES = tests/unit/test_gmon.c
tests_unit_test_gmon_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_gmon_LDADD = $(UNIT_LIBS)
tests_unit_test_header_SOURCES = tests/unit/test_header.c
tests_unit_test_header_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_header_LDADD = $(UNIT_LIBS)
tests_unit_test_heaps_SOURCES = tests/unit/test_heaps.c
tests_unit_test_heaps_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_heaps_LDADD = $(UNIT_LIBS)
tests_unit_test_hostile_SOURCES = tests/unit/test_hostile.c tests/unit/opened.c
tests_unit_test_hostile_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_hostile_LDADD = $(UNIT_LIBS)
tests_unit_test_layout_SOURCES = tests/unit/test_layout.c
tests_unit_test_layout_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_layout_LDADD = $(UNIT_LIBS)
tests_unit_test_link_SOURCES = tests/unit/test_link.c
tests_unit_test_link_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_link_LDADD = $(UNIT_LIBS)
tests_unit_test_live_SOURCES = tests/unit/test_live.c tests/unit/opened.c
tests_unit_test_live_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_live_LDADD = $(UNIT_LIBS)
tests_unit_test_loss_SOURCES = tests/unit/test_loss.c
tests_unit_test_loss_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_loss_LDADD = $(UNIT_LIBS)
tests_unit_test_monout_SOURCES = tests/unit/test_monout.c
tests_unit_test_monout_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_monout_LDADD = $(UNIT_LIBS)
tests_unit_test_pointer_SOURCES = tests/unit/test_pointer.c
tests_unit_test_pointer_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_pointer_LDADD = $(UNIT_LIBS)
tests_unit_test_profout_SOURCES = tests/unit/test_profout.c
tests_unit_test_profout_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_profout_LDADD = $(UNIT_LIBS)
tests_unit_test_random_SOURCES = tests/unit/test_random.c tests/unit/opened.c
tests_unit_test_random_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_random_LDADD = $(UNIT_LIBS)
tests_unit_test_snapshot_SOURCES = tests/unit/test_snapshot.c
tests_unit_test_snapshot_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_snapshot_LDADD = $(UNIT_LIBS)

# Tests of the tools: core/object to cmd.  libtoolsunit.la holds all
# that they link; compile.h makes programs to read, resolve.h names places in
# one, merged.h makes a model.
if CRITERION
if TOOLS
check_LTLIBRARIES += libtoolsunit.la
endif
endif
libtoolsunit_la_SOURCES = \
	tests/unit/command.c \
	tests/unit/command.h \
	tests/unit/compile.c \
	tests/unit/compile.h \
	tests/unit/imports.c \
	tests/unit/imports.h \
	tests/unit/merged.c \
	tests/unit/merged.h \
	tests/unit/resolve.c \
	tests/unit/resolve.h \
	core/sampler/put.c \
	core/sampler/put.h \
	tests/unit/sampled.c \
	tests/unit/sampled.h \
	tests/unit/three.c \
	tests/unit/three.h
libtoolsunit_la_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
libtoolsunit_la_LIBADD = $(PROF_LIBS)
UNIT_TOOLS_I = $(UNIT_I) $(CMD_I) $(SAMPLER_I)
UNIT_TOOLS_LIBS = libtoolsunit.la $(UNIT_LIBS) $(TOOLS_LIBS) -lm

UNIT_TOOLS = \
	tests/unit/test_analysis \
	tests/unit/test_ask \
	tests/unit/test_census \
	tests/unit/test_column \
	tests/unit/test_debugfile \
	tests/unit/test_demangle \
	tests/unit/test_disasm \
	tests/unit/test_elf_hostile \
	tests/unit/test_extract \
	tests/unit/test_given \
	tests/unit/test_identity \
	tests/unit/test_guard \
	tests/unit/test_import_callgrind \
	tests/unit/test_import_gperftools \
	tests/unit/test_import_text \
	tests/unit/test_input \
	tests/unit/test_jitdump \
	tests/unit/test_kallsyms \
	tests/unit/test_lines \
	tests/unit/test_model \
	tests/unit/test_namer \
	tests/unit/test_object \
	tests/unit/test_option \
	tests/unit/test_order \
	tests/unit/test_prof \
	tests/unit/test_prof_classic \
	tests/unit/test_prof_diff \
	tests/unit/test_prof_growth \
	tests/unit/test_prof_heap \
	tests/unit/test_prof_faults \
	tests/unit/test_prof_footer \
	tests/unit/test_prof_imports \
	tests/unit/test_prof_listing \
	tests/unit/test_prof_massif \
	tests/unit/test_prof_names \
	tests/unit/test_prof_stacks \
	tests/unit/test_prof_tprof \
	tests/unit/test_prof_write \
	tests/unit/test_error \
	tests/unit/test_sample_scale \
	tests/unit/test_preload \
	tests/unit/test_program \
	tests/unit/test_sampling \
	tests/unit/test_spelling \
	tests/unit/test_standing \
	tests/unit/test_suited \
	tests/unit/test_symbolise \
	tests/unit/test_sheet \
	tests/unit/test_sources \
	tests/unit/test_term \
	tests/unit/test_textmap \
	tests/unit/test_topview \
	tests/unit/test_trim \
	tests/unit/test_tprof \
	tests/unit/test_unit \
	tests/unit/test_unseen
if CRITERION
if TOOLS
# Of proffs, as far as it needs no mount.
UNIT_DEVICE = \
	tests/unit/test_catalogue \
	tests/unit/test_node \
	tests/unit/test_verb
if PROFFS
UNIT_TOOLS += $(UNIT_DEVICE)
endif
if PPROF
UNIT_TOOLS += tests/unit/test_prof_pprof
endif
if ZLIB
UNIT_TOOLS += tests/unit/test_import_pprof
endif
check_PROGRAMS += $(UNIT_TOOLS)
TESTS += $(UNIT_TOOLS)
BESIDE += $(UNIT_TOOLS)
endif
endif

tests_unit_test_analysis_SOURCES = tests/unit/test_analysis.c
tests_unit_test_analysis_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_analysis_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_sampling_SOURCES = tests/unit/test_sampling.c
tests_unit_test_sampling_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_sampling_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_tprof_SOURCES = tests/unit/test_prof_tprof.c
tests_unit_test_prof_tprof_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_tprof_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_tprof_SOURCES = tests/unit/test_tprof.c
tests_unit_test_tprof_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_tprof_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_ask_SOURCES = tests/unit/test_ask.c
tests_unit_test_ask_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_ask_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_debugfile_SOURCES = tests/unit/test_debugfile.c
tests_unit_test_debugfile_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_debugfile_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_demangle_SOURCES = tests/unit/test_demangle.c
tests_unit_test_demangle_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_demangle_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_elf_hostile_SOURCES = tests/unit/test_elf_hostile.c
tests_unit_test_elf_hostile_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_elf_hostile_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_extract_SOURCES = tests/unit/test_extract.c
tests_unit_test_extract_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_extract_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_error_SOURCES = tests/unit/test_error.c
tests_unit_test_error_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_error_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_sample_scale_SOURCES = tests/unit/test_sample_scale.c
tests_unit_test_sample_scale_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_sample_scale_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_identity_SOURCES = tests/unit/test_identity.c
tests_unit_test_identity_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_identity_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_namer_SOURCES = tests/unit/test_namer.c
tests_unit_test_namer_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_namer_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_census_SOURCES = tests/unit/test_census.c
tests_unit_test_census_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_census_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_object_SOURCES = tests/unit/test_object.c
tests_unit_test_object_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_object_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_textmap_SOURCES = tests/unit/test_textmap.c
tests_unit_test_textmap_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_textmap_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_topview_SOURCES = tests/unit/test_topview.c
tests_unit_test_topview_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_topview_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_guard_SOURCES = tests/unit/test_guard.c
tests_unit_test_guard_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_guard_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_import_callgrind_SOURCES = tests/unit/test_import_callgrind.c
tests_unit_test_import_callgrind_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_import_callgrind_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_import_gperftools_SOURCES = tests/unit/test_import_gperftools.c
tests_unit_test_import_gperftools_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_import_gperftools_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_import_pprof_SOURCES = tests/unit/test_import_pprof.c
tests_unit_test_import_pprof_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_import_pprof_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_import_text_SOURCES = tests/unit/test_import_text.c
tests_unit_test_import_text_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_import_text_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_trim_SOURCES = tests/unit/test_trim.c
tests_unit_test_trim_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_trim_LDADD = $(UNIT_TOOLS_LIBS) -lpthread
tests_unit_test_input_SOURCES = tests/unit/test_input.c
tests_unit_test_input_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_input_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_model_SOURCES = tests/unit/test_model.c
tests_unit_test_model_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_model_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_option_SOURCES = tests/unit/test_option.c cmd/option.c
tests_unit_test_option_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_option_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_order_SOURCES = tests/unit/test_order.c
tests_unit_test_order_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_order_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_SOURCES = tests/unit/test_prof.c
tests_unit_test_prof_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_classic_SOURCES = tests/unit/test_prof_classic.c
tests_unit_test_prof_classic_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_classic_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_faults_SOURCES = tests/unit/test_prof_faults.c
tests_unit_test_prof_faults_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_faults_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_footer_SOURCES = tests/unit/test_prof_footer.c
tests_unit_test_prof_footer_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_footer_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_imports_SOURCES = tests/unit/test_prof_imports.c
tests_unit_test_prof_imports_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_imports_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_listing_SOURCES = tests/unit/test_prof_listing.c
tests_unit_test_prof_listing_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_listing_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_names_SOURCES = tests/unit/test_prof_names.c
tests_unit_test_prof_names_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_names_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_stacks_SOURCES = tests/unit/test_prof_stacks.c
tests_unit_test_prof_stacks_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_stacks_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_write_SOURCES = tests/unit/test_prof_write.c
tests_unit_test_prof_write_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_write_LDADD = $(UNIT_TOOLS_LIBS)
# Of tprof: what it is made of stands in front.
SAMPLER_LIBS = libsampler.la $(UNIT_TOOLS_LIBS) $(UNWINDER_LIBS)
tests_unit_test_preload_SOURCES = tests/unit/test_preload.c
tests_unit_test_preload_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= \
	$(UNIT_TOOLS_I) $(SAMPLER_I)
tests_unit_test_preload_LDADD = $(SAMPLER_LIBS)
tests_unit_test_suited_SOURCES = tests/unit/test_suited.c
tests_unit_test_suited_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I) $(SAMPLER_I)
tests_unit_test_suited_LDADD = $(SAMPLER_LIBS)
tests_unit_test_program_SOURCES = tests/unit/test_program.c
tests_unit_test_program_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_program_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_spelling_SOURCES = tests/unit/test_spelling.c
tests_unit_test_spelling_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_spelling_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_lines_SOURCES = tests/unit/test_lines.c
tests_unit_test_lines_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_lines_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_standing_SOURCES = tests/unit/test_standing.c
tests_unit_test_standing_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_standing_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_symbolise_SOURCES = tests/unit/test_symbolise.c
tests_unit_test_symbolise_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_symbolise_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_disasm_SOURCES = tests/unit/test_disasm.c
tests_unit_test_disasm_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_disasm_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_diff_SOURCES = tests/unit/test_prof_diff.c
tests_unit_test_prof_diff_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_diff_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_growth_SOURCES = tests/unit/test_prof_growth.c
tests_unit_test_prof_growth_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_growth_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_massif_SOURCES = tests/unit/test_prof_massif.c
tests_unit_test_prof_massif_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_massif_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_heap_SOURCES = tests/unit/test_prof_heap.c
tests_unit_test_prof_heap_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_heap_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_pprof_SOURCES = tests/unit/test_prof_pprof.c
tests_unit_test_prof_pprof_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I) \
	-Icore/export
tests_unit_test_prof_pprof_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_column_SOURCES = tests/unit/test_column.c
tests_unit_test_column_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_column_LDADD = $(UNIT_TOOLS_LIBS)

tests_unit_test_kallsyms_SOURCES = tests/unit/test_kallsyms.c
tests_unit_test_kallsyms_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_kallsyms_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_jitdump_SOURCES = tests/unit/test_jitdump.c
tests_unit_test_jitdump_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_jitdump_LDADD = $(UNIT_TOOLS_LIBS)

tests_unit_test_given_SOURCES = tests/unit/test_given.c
tests_unit_test_given_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_given_LDADD = $(UNIT_TOOLS_LIBS)

tests_unit_test_sheet_SOURCES = tests/unit/test_sheet.c
tests_unit_test_sheet_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_sheet_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_sources_SOURCES = tests/unit/test_sources.c
tests_unit_test_sources_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_sources_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_unit_SOURCES = tests/unit/test_unit.c
tests_unit_test_unit_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_unit_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_unseen_SOURCES = tests/unit/test_unseen.c
tests_unit_test_unseen_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_unseen_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_term_SOURCES = tests/unit/test_term.c
tests_unit_test_term_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_term_LDADD = $(UNIT_TOOLS_LIBS)

# Tests of the target: core/hot, core/runtime.  libtargetunit.la makes the state
# that they work on.
if CRITERION
check_LTLIBRARIES += libtargetunit.la
endif
UNIT_TARGET_I = -I$(top_srcdir)/tests/unit $(RUNTIME_I)
libtargetunit_la_SOURCES = \
	tests/unit/born.c \
	tests/unit/born.h \
	tests/unit/environ.c \
	tests/unit/environ.h \
	tests/unit/mapped.c \
	tests/unit/mapped.h \
	tests/unit/target.c \
	tests/unit/target.h \
	tests/unit/target_file.c
libtargetunit_la_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
libtargetunit_la_LIBADD = libruntime.la libhot.la
UNIT_TARGET_LIBS = libtargetunit.la $(UNIT_LIBS)

UNIT_TARGET = \
	tests/unit/test_altstack \
	tests/unit/test_arc \
	tests/unit/test_aside \
	tests/unit/test_aside_alone \
	tests/unit/test_birth \
	tests/unit/test_birth_limits \
	tests/unit/test_blocks \
	tests/unit/test_lock \
	tests/unit/test_stake \
	tests/unit/test_coarse \
	tests/unit/test_control \
	tests/unit/test_create \
	tests/unit/test_detail \
	tests/unit/test_elfmem \
	tests/unit/test_expose \
	tests/unit/test_fine \
	tests/unit/test_histogram \
	tests/unit/test_lifetime \
	tests/unit/test_maps \
	tests/unit/test_mask \
	tests/unit/test_modules \
	tests/unit/test_name \
	tests/unit/test_options \
	tests/unit/test_orders \
	tests/unit/test_place \
	tests/unit/test_process \
	tests/unit/test_record \
	tests/unit/test_refresh \
	tests/unit/test_peak \
	tests/unit/test_ranges \
	tests/unit/test_recallpath \
	tests/unit/test_lane \
	tests/unit/test_region \
	tests/unit/test_ring \
	tests/unit/test_rows \
	tests/unit/test_walk \
	tests/unit/test_run \
	tests/unit/test_sample \
	tests/unit/test_sandbox \
	tests/unit/test_sandbox_filter \
	tests/unit/test_seal \
	tests/unit/test_shard \
	tests/unit/test_sigmask \
	tests/unit/test_slot \
	tests/unit/test_slot_steps \
	tests/unit/test_start \
	tests/unit/test_store \
	tests/unit/test_store_taken \
	tests/unit/test_str \
	tests/unit/test_tally \
	tests/unit/test_thread \
	tests/unit/test_tick \
	tests/unit/test_tick_process \
	tests/unit/test_tree \
	tests/unit/test_wall \
	tests/unit/test_watch
# libdw is what it is held against.
if TOOLS
UNIT_TARGET += tests/unit/test_cfi
endif
if CRITERION
check_PROGRAMS += $(UNIT_TARGET)
TESTS += $(UNIT_TARGET)
endif

tests_unit_test_altstack_SOURCES = tests/unit/test_altstack.c
tests_unit_test_altstack_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_altstack_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_arc_SOURCES = tests/unit/test_arc.c
tests_unit_test_arc_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_arc_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_aside_SOURCES = tests/unit/test_aside.c
tests_unit_test_aside_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_aside_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_aside_alone_SOURCES = tests/unit/test_aside_alone.c
tests_unit_test_aside_alone_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_aside_alone_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_birth_SOURCES = tests/unit/test_birth.c
tests_unit_test_birth_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_birth_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_birth_limits_SOURCES = tests/unit/test_birth_limits.c
tests_unit_test_birth_limits_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_birth_limits_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_coarse_SOURCES = tests/unit/test_coarse.c
tests_unit_test_coarse_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_coarse_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_control_SOURCES = tests/unit/test_control.c
tests_unit_test_control_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_control_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_create_SOURCES = tests/unit/test_create.c
tests_unit_test_create_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_create_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_detail_SOURCES = tests/unit/test_detail.c
tests_unit_test_detail_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_detail_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_elfmem_SOURCES = tests/unit/test_elfmem.c
tests_unit_test_elfmem_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_elfmem_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_expose_SOURCES = tests/unit/test_expose.c
tests_unit_test_expose_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_expose_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_fine_SOURCES = tests/unit/test_fine.c
tests_unit_test_fine_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_fine_LDADD = $(UNIT_TARGET_LIBS) -lm
tests_unit_test_histogram_SOURCES = tests/unit/test_histogram.c
tests_unit_test_histogram_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_histogram_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_lifetime_SOURCES = tests/unit/test_lifetime.c
tests_unit_test_lifetime_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_lifetime_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_maps_SOURCES = tests/unit/test_maps.c
tests_unit_test_maps_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_maps_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_mask_SOURCES = tests/unit/test_mask.c
tests_unit_test_mask_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_mask_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_modules_SOURCES = tests/unit/test_modules.c tests/unit/compile.c
tests_unit_test_modules_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_modules_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_name_SOURCES = tests/unit/test_name.c
tests_unit_test_name_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_name_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_options_SOURCES = tests/unit/test_options.c
tests_unit_test_options_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_options_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_orders_SOURCES = tests/unit/test_orders.c tests/unit/born.c \
	tests/unit/born.h
tests_unit_test_orders_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_orders_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_place_SOURCES = tests/unit/test_place.c
tests_unit_test_place_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_place_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_process_SOURCES = tests/unit/test_process.c
tests_unit_test_process_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_process_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_record_SOURCES = tests/unit/test_record.c
tests_unit_test_record_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_record_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_refresh_SOURCES = tests/unit/test_refresh.c
tests_unit_test_refresh_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_refresh_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_peak_SOURCES = tests/unit/test_peak.c
tests_unit_test_peak_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_peak_LDADD = $(UNIT_TARGET_LIBS)

tests_unit_test_recallpath_SOURCES = tests/unit/test_recallpath.c
tests_unit_test_recallpath_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_recallpath_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_lane_SOURCES = tests/unit/test_lane.c
tests_unit_test_lane_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_lane_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_region_SOURCES = tests/unit/test_region.c
tests_unit_test_region_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_region_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_ranges_SOURCES = tests/unit/test_ranges.c
tests_unit_test_ranges_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_ranges_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_ring_SOURCES = tests/unit/test_ring.c
tests_unit_test_ring_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_ring_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_walk_SOURCES = tests/unit/test_walk.c
tests_unit_test_walk_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_walk_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_rows_SOURCES = tests/unit/test_rows.c
tests_unit_test_rows_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_rows_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_run_SOURCES = tests/unit/test_run.c
tests_unit_test_run_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_run_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_sample_SOURCES = tests/unit/test_sample.c
tests_unit_test_sample_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_sample_LDADD = $(UNIT_TARGET_LIBS) -lm

tests_unit_test_sandbox_SOURCES = tests/unit/test_sandbox.c
tests_unit_test_sandbox_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_sandbox_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_sandbox_filter_SOURCES = tests/unit/test_sandbox_filter.c
tests_unit_test_sandbox_filter_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_sandbox_filter_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_seal_SOURCES = tests/unit/test_seal.c
tests_unit_test_seal_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_seal_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_shard_SOURCES = tests/unit/test_shard.c
tests_unit_test_shard_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_shard_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_sigmask_SOURCES = tests/unit/test_sigmask.c
tests_unit_test_sigmask_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_sigmask_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_slot_SOURCES = tests/unit/test_slot.c
tests_unit_test_slot_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_slot_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_slot_steps_SOURCES = tests/unit/test_slot_steps.c
tests_unit_test_slot_steps_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_slot_steps_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_start_SOURCES = tests/unit/test_start.c
tests_unit_test_start_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_start_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_store_SOURCES = tests/unit/test_store.c
tests_unit_test_store_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_store_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_store_taken_SOURCES = tests/unit/test_store_taken.c
tests_unit_test_store_taken_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_store_taken_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_str_SOURCES = tests/unit/test_str.c
tests_unit_test_str_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_str_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_tally_SOURCES = tests/unit/test_tally.c
tests_unit_test_tally_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_tally_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_thread_SOURCES = tests/unit/test_thread.c
tests_unit_test_thread_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_thread_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_tick_SOURCES = tests/unit/test_tick.c
tests_unit_test_tick_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_tick_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_tick_process_SOURCES = tests/unit/test_tick_process.c
tests_unit_test_tick_process_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_tick_process_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_cfi_SOURCES = tests/unit/test_cfi.c
tests_unit_test_cfi_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_cfi_LDADD = $(UNIT_TARGET_LIBS) $(TOOLS_LIBS)
tests_unit_test_stake_SOURCES = tests/unit/test_stake.c
tests_unit_test_stake_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_stake_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_lock_SOURCES = tests/unit/test_lock.c
tests_unit_test_lock_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_lock_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_blocks_SOURCES = tests/unit/test_blocks.c
tests_unit_test_blocks_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_blocks_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_tree_SOURCES = tests/unit/test_tree.c
tests_unit_test_tree_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_tree_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_wall_SOURCES = tests/unit/test_wall.c
tests_unit_test_wall_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_wall_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_watch_SOURCES = tests/unit/test_watch.c
tests_unit_test_watch_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_watch_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_catalogue_SOURCES = tests/unit/test_catalogue.c
tests_unit_test_catalogue_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I) $(DEVICE_I)
tests_unit_test_catalogue_LDADD = libdevice.la $(UNIT_TOOLS_LIBS)
tests_unit_test_node_SOURCES = tests/unit/test_node.c
tests_unit_test_node_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I) $(DEVICE_I)
tests_unit_test_node_LDADD = libdevice.la $(UNIT_TOOLS_LIBS)
tests_unit_test_verb_SOURCES = tests/unit/test_verb.c
tests_unit_test_verb_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I) $(DEVICE_I)
tests_unit_test_verb_LDADD = libdevice.la $(UNIT_TOOLS_LIBS)

# Of samples by the kernel.
UNIT_SAMPLER = \
	tests/unit/test_event \
	tests/unit/test_krecord \
	tests/unit/test_put \
	tests/unit/test_space
if CRITERION
if TOOLS
check_PROGRAMS += $(UNIT_SAMPLER)
TESTS += $(UNIT_SAMPLER)
BESIDE += $(UNIT_SAMPLER)
endif
endif
UNIT_SAMPLER_I = -D_GNU_SOURCE= $(UNIT_TOOLS_I) $(SAMPLER_I)
tests_unit_test_event_SOURCES = tests/unit/test_event.c
tests_unit_test_event_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_SAMPLER_I)
tests_unit_test_event_LDADD = $(SAMPLER_LIBS)
tests_unit_test_krecord_SOURCES = tests/unit/test_krecord.c
tests_unit_test_krecord_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_SAMPLER_I)
tests_unit_test_krecord_LDADD = $(SAMPLER_LIBS)
tests_unit_test_put_SOURCES = tests/unit/test_put.c
tests_unit_test_put_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_SAMPLER_I)
tests_unit_test_put_LDADD = $(SAMPLER_LIBS)
tests_unit_test_space_SOURCES = tests/unit/test_space.c
tests_unit_test_space_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_SAMPLER_I)
tests_unit_test_space_LDADD = $(SAMPLER_LIBS)
