# Unit tests: one program a source file of core; Criterion runs each test in a
# process of its own.  Sources of other tests may use libunit.la (build.h makes
# profiles, tail.h buffers that end at an unmapped page).
UNIT_I = -I$(top_srcdir)/tests/unit $(FORMAT_I)
EXTRA_DIST += tests/unit/screens/annotate.txt \
	tests/unit/screens/asleep-mine.txt tests/unit/screens/asleep-tree.txt \
	tests/unit/screens/asleep.txt tests/unit/screens/callers.txt \
	tests/unit/screens/diff.txt tests/unit/screens/explain.txt \
	tests/unit/screens/flat.txt \
	tests/unit/screens/graph.txt tests/unit/screens/heap-flat.txt \
	tests/unit/screens/heap-growth.txt tests/unit/screens/heap-summary.txt \
	tests/unit/screens/heap-tree.txt tests/unit/screens/modules.txt \
	tests/unit/screens/sleep.txt tests/unit/screens/tree.txt
EXTRA_DIST += tests/unit/filter.h tests/unit/opened.h tests/unit/random.h \
	tests/unit/skipped

check_LTLIBRARIES += libunit.la
libunit_la_SOURCES = \
	tests/unit/build.c \
	tests/unit/build_heap.c \
	tests/unit/build.h \
	tests/unit/classics.c \
	tests/unit/classics.h \
	tests/unit/tail.c \
	tests/unit/tail.h
libunit_la_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
UNIT_LIBS = libunit.la libformat.la $(CRITERION_LIBS)

UNIT_FORMAT = \
	tests/unit/test_baseline \
	tests/unit/test_bins \
	tests/unit/test_bsdgmon \
	tests/unit/test_decode \
	tests/unit/test_decode_lists \
	tests/unit/test_fault \
	tests/unit/test_gmon \
	tests/unit/test_header \
	tests/unit/test_decode_heap \
	tests/unit/test_hostile \
	tests/unit/test_format_layout \
	tests/unit/test_decode_index \
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

tests_unit_test_baseline_SOURCES = tests/unit/test_baseline.c
tests_unit_test_baseline_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_baseline_LDADD = $(UNIT_LIBS)
tests_unit_test_bins_SOURCES = tests/unit/test_bins.c
tests_unit_test_bins_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_bins_LDADD = $(UNIT_LIBS)
tests_unit_test_bsdgmon_SOURCES = tests/unit/test_bsdgmon.c
tests_unit_test_bsdgmon_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_bsdgmon_LDADD = $(UNIT_LIBS)
tests_unit_test_decode_SOURCES = tests/unit/test_decode.c tests/unit/opened.c
tests_unit_test_decode_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_decode_LDADD = $(UNIT_LIBS)
tests_unit_test_decode_lists_SOURCES = tests/unit/test_decode_lists.c tests/unit/opened.c
tests_unit_test_decode_lists_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_decode_lists_LDADD = $(UNIT_LIBS)
tests_unit_test_fault_SOURCES = tests/unit/test_fault.c
tests_unit_test_fault_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_fault_LDADD = $(UNIT_LIBS)
tests_unit_test_gmon_SOURCES = tests/unit/test_gmon.c
tests_unit_test_gmon_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_gmon_LDADD = $(UNIT_LIBS)
tests_unit_test_header_SOURCES = tests/unit/test_header.c
tests_unit_test_header_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_header_LDADD = $(UNIT_LIBS)
tests_unit_test_decode_heap_SOURCES = tests/unit/test_decode_heap.c
tests_unit_test_decode_heap_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_decode_heap_LDADD = $(UNIT_LIBS)
tests_unit_test_hostile_SOURCES = tests/unit/test_hostile.c tests/unit/opened.c
tests_unit_test_hostile_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_hostile_LDADD = $(UNIT_LIBS)
tests_unit_test_format_layout_SOURCES = tests/unit/test_format_layout.c
tests_unit_test_format_layout_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_format_layout_LDADD = $(UNIT_LIBS)
tests_unit_test_decode_index_SOURCES = tests/unit/test_decode_index.c
tests_unit_test_decode_index_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I)
tests_unit_test_decode_index_LDADD = $(UNIT_LIBS)
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
	core/sampler/tprof_writer.c \
	core/sampler/tprof_writer.h \
	tests/unit/sampled.c \
	tests/unit/sampled.h \
	tests/unit/three.c \
	tests/unit/three.h
libtoolsunit_la_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
libtoolsunit_la_LIBADD = $(PROF_LIBS)
UNIT_TOOLS_I = $(UNIT_I) $(CMD_I) $(SAMPLER_I)
UNIT_TOOLS_LIBS = libtoolsunit.la $(UNIT_LIBS) $(TOOLS_LIBS) -lm

UNIT_TOOLS = \
	tests/unit/test_tprof_analysis \
	tests/unit/test_control_client \
	tests/unit/test_aggregate \
	tests/unit/test_varint_column \
	tests/unit/test_debugfile \
	tests/unit/test_cxx_name \
	tests/unit/test_cxx_structor \
	tests/unit/test_inlines \
	tests/unit/test_name_match \
	tests/unit/test_common_names \
	tests/unit/test_name_nearest \
	tests/unit/test_demangle \
	tests/unit/test_disasm \
	tests/unit/test_elf_hostile \
	tests/unit/test_symbol_lookup \
	tests/unit/test_object_profile \
	tests/unit/test_embedded_names \
	tests/unit/test_merge_key \
	tests/unit/test_sigbus_guard \
	tests/unit/test_import_callgrind \
	tests/unit/test_import_perf \
	tests/unit/test_import_gperftools \
	tests/unit/test_import_text \
	tests/unit/test_input \
	tests/unit/test_input_live \
	tests/unit/test_jitdump \
	tests/unit/test_kallsyms \
	tests/unit/test_lines \
	tests/unit/test_group_interval \
	tests/unit/test_lines_damaged \
	tests/unit/test_model \
	tests/unit/test_model_lines \
	tests/unit/test_name_cache \
	tests/unit/test_object \
	tests/unit/test_option \
	tests/unit/test_control_command \
	tests/unit/test_prof \
	tests/unit/test_prof_classic \
	tests/unit/test_diff_stats \
	tests/unit/test_html_kind \
	tests/unit/test_html_lines \
	tests/unit/test_output \
	tests/unit/test_regular_file \
	tests/unit/test_prof_diff \
	tests/unit/test_prof_growth \
	tests/unit/test_prof_heap \
	tests/unit/test_prof_heap_maps \
	tests/unit/test_prof_faults \
	tests/unit/test_prof_refusals \
	tests/unit/test_prof_findings \
	tests/unit/test_elapsed_sums \
	tests/unit/test_sleep_reasons \
	tests/unit/test_prof_footer \
	tests/unit/test_prof_imports \
	tests/unit/test_prof_listing \
	tests/unit/test_prof_listing_bsd \
	tests/unit/test_prof_massif \
	tests/unit/test_prof_names \
	tests/unit/test_prof_screens \
	tests/unit/test_prof_stacks \
	tests/unit/test_prof_stacks_select \
	tests/unit/test_prof_tprof \
	tests/unit/test_prof_write \
	tests/unit/test_calltree \
	tests/unit/test_charge_callers \
	tests/unit/test_cxx_collapse \
	tests/unit/test_code_times \
	tests/unit/test_library_name \
	tests/unit/test_allocator_name \
	tests/unit/test_module_origin \
	tests/unit/test_sampling_error \
	tests/unit/test_sample_scale \
	tests/unit/test_backend_preload \
	tests/unit/test_backend_preload_sums \
	tests/unit/test_elf_layout \
	tests/unit/test_read_tprof \
	tests/unit/test_read_tprof_faults \
	tests/unit/test_maps_path \
	tests/unit/test_defaults_file \
	tests/unit/test_preload_check \
	tests/unit/test_symbolize \
	tests/unit/test_data_table \
	tests/unit/test_source_files \
	tests/unit/test_term \
	tests/unit/test_symbol_text \
	tests/unit/test_top_view \
	tests/unit/test_trim \
	tests/unit/test_tprof \
	tests/unit/test_quantity \
	tests/unit/test_size_histogram \
	tests/unit/test_unprofiled_time
if CRITERION
if TOOLS
# Of proffs, as far as it needs no mount.
UNIT_DEVICE = \
	tests/unit/test_module_ids \
	tests/unit/test_device_path \
	tests/unit/test_verb
if PROFFS
UNIT_TOOLS += $(UNIT_DEVICE)
endif
if PPROF
UNIT_TOOLS += tests/unit/test_prof_pprof
endif
if ZYDIS
UNIT_TOOLS += tests/unit/test_instruction_zydis
# Short in check, all of /usr in check-long.
CHECK_LONG += tests/unit/test_instruction_zydis
endif
if ZLIB
UNIT_TOOLS += tests/unit/test_import_pprof \
	tests/unit/test_import_pprof_gzip
endif
check_PROGRAMS += $(UNIT_TOOLS)
TESTS += $(UNIT_TOOLS)
BESIDE += $(UNIT_TOOLS)
endif
endif

tests_unit_test_tprof_analysis_SOURCES = tests/unit/test_tprof_analysis.c
tests_unit_test_tprof_analysis_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_tprof_analysis_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_read_tprof_SOURCES = tests/unit/test_read_tprof.c \
	tests/unit/tprof_model.c tests/unit/tprof_model.h
tests_unit_test_read_tprof_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_read_tprof_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_read_tprof_faults_SOURCES = tests/unit/test_read_tprof_faults.c \
	tests/unit/tprof_model.c tests/unit/tprof_model.h
tests_unit_test_read_tprof_faults_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_read_tprof_faults_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_tprof_SOURCES = tests/unit/test_prof_tprof.c
tests_unit_test_prof_tprof_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_tprof_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_tprof_SOURCES = tests/unit/test_tprof.c
tests_unit_test_tprof_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_tprof_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_control_client_SOURCES = tests/unit/test_control_client.c
tests_unit_test_control_client_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_control_client_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_debugfile_SOURCES = tests/unit/test_debugfile.c
tests_unit_test_debugfile_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_debugfile_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_name_match_SOURCES = tests/unit/test_name_match.c
tests_unit_test_name_match_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_name_match_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_common_names_SOURCES = tests/unit/test_common_names.c
tests_unit_test_common_names_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_common_names_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_name_nearest_SOURCES = tests/unit/test_name_nearest.c
tests_unit_test_name_nearest_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_name_nearest_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_cxx_name_SOURCES = tests/unit/test_cxx_name.c
tests_unit_test_cxx_name_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_cxx_name_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_inlines_SOURCES = tests/unit/test_inlines.c
tests_unit_test_inlines_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_inlines_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_cxx_structor_SOURCES = tests/unit/test_cxx_structor.c
tests_unit_test_cxx_structor_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_cxx_structor_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_demangle_SOURCES = tests/unit/test_demangle.c
tests_unit_test_demangle_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_demangle_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_elf_hostile_SOURCES = tests/unit/test_elf_hostile.c
tests_unit_test_elf_hostile_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_elf_hostile_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_symbol_lookup_SOURCES = tests/unit/test_symbol_lookup.c
tests_unit_test_symbol_lookup_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_symbol_lookup_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_object_profile_SOURCES = tests/unit/test_object_profile.c
tests_unit_test_object_profile_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_object_profile_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_library_name_SOURCES = tests/unit/test_library_name.c
tests_unit_test_library_name_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_library_name_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_allocator_name_SOURCES = tests/unit/test_allocator_name.c
tests_unit_test_allocator_name_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_allocator_name_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_module_origin_SOURCES = tests/unit/test_module_origin.c
tests_unit_test_module_origin_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_module_origin_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_calltree_SOURCES = tests/unit/test_calltree.c
tests_unit_test_calltree_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_calltree_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_charge_callers_SOURCES = tests/unit/test_charge_callers.c
tests_unit_test_charge_callers_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_charge_callers_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_cxx_collapse_SOURCES = tests/unit/test_cxx_collapse.c
tests_unit_test_cxx_collapse_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_cxx_collapse_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_code_times_SOURCES = tests/unit/test_code_times.c
tests_unit_test_code_times_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_code_times_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_sampling_error_SOURCES = tests/unit/test_sampling_error.c
tests_unit_test_sampling_error_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_sampling_error_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_sample_scale_SOURCES = tests/unit/test_sample_scale.c
tests_unit_test_sample_scale_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_sample_scale_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_merge_key_SOURCES = tests/unit/test_merge_key.c
tests_unit_test_merge_key_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_merge_key_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_name_cache_SOURCES = tests/unit/test_name_cache.c
tests_unit_test_name_cache_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_name_cache_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_aggregate_SOURCES = tests/unit/test_aggregate.c
tests_unit_test_aggregate_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_aggregate_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_object_SOURCES = tests/unit/test_object.c
tests_unit_test_object_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_object_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_symbol_text_SOURCES = tests/unit/test_symbol_text.c
tests_unit_test_symbol_text_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_symbol_text_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_top_view_SOURCES = tests/unit/test_top_view.c
tests_unit_test_top_view_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_top_view_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_sigbus_guard_SOURCES = tests/unit/test_sigbus_guard.c
tests_unit_test_sigbus_guard_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_sigbus_guard_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_import_perf_SOURCES = tests/unit/test_import_perf.c
tests_unit_test_import_perf_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_import_perf_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_import_callgrind_SOURCES = tests/unit/test_import_callgrind.c
tests_unit_test_import_callgrind_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_import_callgrind_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_import_gperftools_SOURCES = tests/unit/test_import_gperftools.c
tests_unit_test_import_gperftools_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_import_gperftools_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_import_pprof_SOURCES = tests/unit/test_import_pprof.c \
	tests/unit/pprof_bytes.c tests/unit/pprof_bytes.h
tests_unit_test_import_pprof_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_import_pprof_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_import_pprof_gzip_SOURCES = tests/unit/test_import_pprof_gzip.c \
	tests/unit/pprof_bytes.c tests/unit/pprof_bytes.h
tests_unit_test_import_pprof_gzip_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_import_pprof_gzip_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_import_text_SOURCES = tests/unit/test_import_text.c
tests_unit_test_import_text_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_import_text_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_trim_SOURCES = tests/unit/test_trim.c
tests_unit_test_trim_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_trim_LDADD = $(UNIT_TOOLS_LIBS) -lpthread
tests_unit_test_input_SOURCES = tests/unit/test_input.c \
	tests/unit/input_files.c tests/unit/input_files.h
tests_unit_test_input_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_input_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_group_interval_SOURCES = tests/unit/test_group_interval.c
tests_unit_test_group_interval_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_group_interval_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_input_live_SOURCES = tests/unit/test_input_live.c \
	tests/unit/input_files.c tests/unit/input_files.h
tests_unit_test_input_live_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_input_live_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_model_SOURCES = tests/unit/test_model.c
tests_unit_test_model_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_model_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_model_lines_SOURCES = tests/unit/test_model_lines.c
tests_unit_test_model_lines_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_model_lines_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_option_SOURCES = tests/unit/test_option.c cmd/common/option.c
tests_unit_test_option_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_option_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_control_command_SOURCES = tests/unit/test_control_command.c
tests_unit_test_control_command_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_control_command_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_SOURCES = tests/unit/test_prof.c
tests_unit_test_prof_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_classic_SOURCES = tests/unit/test_prof_classic.c
tests_unit_test_prof_classic_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_classic_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_refusals_SOURCES = tests/unit/test_prof_refusals.c
tests_unit_test_prof_refusals_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_refusals_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_faults_SOURCES = tests/unit/test_prof_faults.c
tests_unit_test_prof_faults_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_faults_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_findings_SOURCES = tests/unit/test_prof_findings.c
tests_unit_test_prof_findings_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_findings_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_sleep_reasons_SOURCES = tests/unit/test_sleep_reasons.c
tests_unit_test_sleep_reasons_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_sleep_reasons_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_elapsed_sums_SOURCES = tests/unit/test_elapsed_sums.c
tests_unit_test_elapsed_sums_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_elapsed_sums_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_html_kind_SOURCES = tests/unit/test_html_kind.c
tests_unit_test_html_kind_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I) $(EXPORT_I)
tests_unit_test_html_kind_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_html_lines_SOURCES = tests/unit/test_html_lines.c
tests_unit_test_html_lines_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I) $(EXPORT_I)
tests_unit_test_html_lines_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_footer_SOURCES = tests/unit/test_prof_footer.c \
	tests/unit/heap_profile.c tests/unit/heap_profile.h
tests_unit_test_prof_footer_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_footer_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_imports_SOURCES = tests/unit/test_prof_imports.c
tests_unit_test_prof_imports_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_imports_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_listing_SOURCES = tests/unit/test_prof_listing.c \
	tests/unit/listing_files.c tests/unit/listing_files.h
tests_unit_test_prof_listing_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_listing_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_listing_bsd_SOURCES = tests/unit/test_prof_listing_bsd.c \
	tests/unit/listing_files.c tests/unit/listing_files.h
tests_unit_test_prof_listing_bsd_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_listing_bsd_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_names_SOURCES = tests/unit/test_prof_names.c
tests_unit_test_prof_names_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_names_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_screens_SOURCES = tests/unit/test_prof_screens.c
tests_unit_test_prof_screens_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_screens_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_stacks_SOURCES = tests/unit/test_prof_stacks.c \
	tests/unit/stack_profile.c tests/unit/stack_profile.h
tests_unit_test_prof_stacks_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_stacks_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_stacks_select_SOURCES = tests/unit/test_prof_stacks_select.c \
	tests/unit/stack_profile.c tests/unit/stack_profile.h
tests_unit_test_prof_stacks_select_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_stacks_select_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_write_SOURCES = tests/unit/test_prof_write.c
tests_unit_test_prof_write_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_write_LDADD = $(UNIT_TOOLS_LIBS)
# Of tprof: what it is made of stands in front.
SAMPLER_LIBS = libsampler.la $(UNIT_TOOLS_LIBS) $(UNWINDER_LIBS)
tests_unit_test_backend_preload_SOURCES = tests/unit/test_backend_preload.c \
	tests/unit/preload_run.c tests/unit/preload_run.h
tests_unit_test_backend_preload_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= \
	$(UNIT_TOOLS_I) $(SAMPLER_I)
tests_unit_test_backend_preload_LDADD = $(SAMPLER_LIBS)
tests_unit_test_backend_preload_sums_SOURCES = tests/unit/test_backend_preload_sums.c \
	tests/unit/preload_run.c tests/unit/preload_run.h
tests_unit_test_backend_preload_sums_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE= \
	$(UNIT_TOOLS_I) $(SAMPLER_I)
tests_unit_test_backend_preload_sums_LDADD = $(SAMPLER_LIBS)
tests_unit_test_preload_check_SOURCES = tests/unit/test_preload_check.c
tests_unit_test_preload_check_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I) $(SAMPLER_I)
tests_unit_test_preload_check_LDADD = $(SAMPLER_LIBS)
tests_unit_test_elf_layout_SOURCES = tests/unit/test_elf_layout.c
tests_unit_test_elf_layout_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_elf_layout_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_maps_path_SOURCES = tests/unit/test_maps_path.c
tests_unit_test_maps_path_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_maps_path_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_lines_SOURCES = tests/unit/test_lines.c \
	tests/unit/addr2line.c tests/unit/addr2line.h
tests_unit_test_lines_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_lines_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_lines_damaged_SOURCES = tests/unit/test_lines_damaged.c \
	tests/unit/addr2line.c tests/unit/addr2line.h
tests_unit_test_lines_damaged_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_lines_damaged_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_defaults_file_SOURCES = tests/unit/test_defaults_file.c
tests_unit_test_defaults_file_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_defaults_file_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_symbolize_SOURCES = tests/unit/test_symbolize.c
tests_unit_test_symbolize_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_symbolize_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_disasm_SOURCES = tests/unit/test_disasm.c
tests_unit_test_disasm_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_disasm_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_diff_stats_SOURCES = tests/unit/test_diff_stats.c
tests_unit_test_diff_stats_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_diff_stats_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_output_SOURCES = tests/unit/test_output.c
tests_unit_test_output_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_output_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_regular_file_SOURCES = tests/unit/test_regular_file.c
tests_unit_test_regular_file_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_regular_file_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_diff_SOURCES = tests/unit/test_prof_diff.c \
	tests/unit/heap_profile.c tests/unit/heap_profile.h
tests_unit_test_prof_diff_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_diff_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_growth_SOURCES = tests/unit/test_prof_growth.c
tests_unit_test_prof_growth_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_growth_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_massif_SOURCES = tests/unit/test_prof_massif.c
tests_unit_test_prof_massif_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_massif_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_heap_SOURCES = tests/unit/test_prof_heap.c \
	tests/unit/heap_profile.c tests/unit/heap_profile.h
tests_unit_test_prof_heap_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_heap_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_heap_maps_SOURCES = tests/unit/test_prof_heap_maps.c \
	tests/unit/heap_profile.c tests/unit/heap_profile.h
tests_unit_test_prof_heap_maps_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_prof_heap_maps_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_prof_pprof_SOURCES = tests/unit/test_prof_pprof.c
tests_unit_test_prof_pprof_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I) \
	-Icore/export
tests_unit_test_prof_pprof_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_varint_column_SOURCES = tests/unit/test_varint_column.c
tests_unit_test_varint_column_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_varint_column_LDADD = $(UNIT_TOOLS_LIBS)

tests_unit_test_kallsyms_SOURCES = tests/unit/test_kallsyms.c
tests_unit_test_kallsyms_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_kallsyms_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_jitdump_SOURCES = tests/unit/test_jitdump.c
tests_unit_test_jitdump_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_jitdump_LDADD = $(UNIT_TOOLS_LIBS)

tests_unit_test_embedded_names_SOURCES = tests/unit/test_embedded_names.c
tests_unit_test_embedded_names_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_embedded_names_LDADD = $(UNIT_TOOLS_LIBS)

tests_unit_test_data_table_SOURCES = tests/unit/test_data_table.c
tests_unit_test_data_table_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_data_table_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_source_files_SOURCES = tests/unit/test_source_files.c
tests_unit_test_source_files_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_source_files_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_quantity_SOURCES = tests/unit/test_quantity.c
tests_unit_test_quantity_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_quantity_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_size_histogram_SOURCES = tests/unit/test_size_histogram.c
tests_unit_test_size_histogram_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_size_histogram_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_unprofiled_time_SOURCES = tests/unit/test_unprofiled_time.c
tests_unit_test_unprofiled_time_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I)
tests_unit_test_unprofiled_time_LDADD = $(UNIT_TOOLS_LIBS)
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
	tests/unit/test_altstack_small \
	tests/unit/test_arc \
	tests/unit/test_private_fds \
	tests/unit/test_private_fds_alone \
	tests/unit/test_store_create \
	tests/unit/test_store_create_limits \
	tests/unit/test_live_blocks \
	tests/unit/test_live_blocks_memory \
	tests/unit/test_robust_lock \
	tests/unit/test_live_bytes \
	tests/unit/test_cpu_timer \
	tests/unit/test_live_control \
	tests/unit/test_file_create \
	tests/unit/test_kernel_samples \
	tests/unit/test_elf_headers \
	tests/unit/test_elf_memory \
	tests/unit/test_exec_signals \
	tests/unit/test_perf_clock \
	tests/unit/test_histogram \
	tests/unit/test_process_age \
	tests/unit/test_proc_maps \
	tests/unit/test_signal_mask \
	tests/unit/test_modules \
	tests/unit/test_profile_name \
	tests/unit/test_options \
	tests/unit/test_start_defaults \
	tests/unit/test_store_path \
	tests/unit/test_proc_info \
	tests/unit/test_record \
	tests/unit/test_refresh \
	tests/unit/test_peak \
	tests/unit/test_map_table \
	tests/unit/test_path_cache_table \
	tests/unit/test_alloc_dispatch \
	tests/unit/test_alloc_thread \
	tests/unit/test_mmap_area \
	tests/unit/test_perf_ring \
	tests/unit/test_unwind_cache \
	tests/unit/test_unwind_known \
	tests/unit/test_stack_walk \
	tests/unit/test_run \
	tests/unit/test_alloc_sample \
	tests/unit/test_seccomp \
	tests/unit/test_seccomp_filter \
	tests/unit/test_seal \
	tests/unit/test_arc_shard \
	tests/unit/test_sigmask \
	tests/unit/test_thread_slot \
	tests/unit/test_thread_slot_steps \
	tests/unit/test_start \
	tests/unit/test_store \
	tests/unit/test_store_taken \
	tests/unit/test_str \
	tests/unit/test_call_totals \
	tests/unit/test_thread \
	tests/unit/test_tick \
	tests/unit/test_tick_clocks \
	tests/unit/test_tick_process \
	tests/unit/test_cct \
	tests/unit/test_thread_life \
	tests/unit/test_cpu_quota \
	tests/unit/test_wall_sampler \
	tests/unit/test_wiped_memory \
	tests/unit/test_module_filter
# libdw is what it is held against.
if TOOLS
UNIT_TARGET += tests/unit/test_cfi
endif
if CRITERION
check_PROGRAMS += $(UNIT_TARGET)
TESTS += $(UNIT_TARGET)
endif

tests_unit_test_altstack_SOURCES = tests/unit/test_altstack.c \
	tests/unit/altstack_target.c tests/unit/altstack_target.h
tests_unit_test_altstack_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_altstack_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_altstack_small_SOURCES = tests/unit/test_altstack_small.c \
	tests/unit/altstack_target.c tests/unit/altstack_target.h
tests_unit_test_altstack_small_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_altstack_small_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_arc_SOURCES = tests/unit/test_arc.c
tests_unit_test_arc_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_arc_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_private_fds_SOURCES = tests/unit/test_private_fds.c
tests_unit_test_private_fds_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_private_fds_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_private_fds_alone_SOURCES = tests/unit/test_private_fds_alone.c
tests_unit_test_private_fds_alone_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_private_fds_alone_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_store_create_SOURCES = tests/unit/test_store_create.c
tests_unit_test_store_create_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_store_create_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_store_create_limits_SOURCES = tests/unit/test_store_create_limits.c
tests_unit_test_store_create_limits_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_store_create_limits_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_cpu_timer_SOURCES = tests/unit/test_cpu_timer.c
tests_unit_test_cpu_timer_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_cpu_timer_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_live_control_SOURCES = tests/unit/test_live_control.c
tests_unit_test_live_control_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_live_control_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_file_create_SOURCES = tests/unit/test_file_create.c
tests_unit_test_file_create_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_file_create_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_kernel_samples_SOURCES = tests/unit/test_kernel_samples.c
tests_unit_test_kernel_samples_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_kernel_samples_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_elf_headers_SOURCES = tests/unit/test_elf_headers.c \
	tests/unit/elf_image.c tests/unit/elf_image.h
tests_unit_test_elf_headers_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_elf_headers_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_elf_memory_SOURCES = tests/unit/test_elf_memory.c \
	tests/unit/elf_image.c tests/unit/elf_image.h
tests_unit_test_elf_memory_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_elf_memory_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_exec_signals_SOURCES = tests/unit/test_exec_signals.c
tests_unit_test_exec_signals_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_exec_signals_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_perf_clock_SOURCES = tests/unit/test_perf_clock.c
tests_unit_test_perf_clock_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_perf_clock_LDADD = $(UNIT_TARGET_LIBS) -lm
tests_unit_test_histogram_SOURCES = tests/unit/test_histogram.c
tests_unit_test_histogram_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_histogram_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_process_age_SOURCES = tests/unit/test_process_age.c
tests_unit_test_process_age_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_process_age_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_proc_maps_SOURCES = tests/unit/test_proc_maps.c
tests_unit_test_proc_maps_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_proc_maps_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_signal_mask_SOURCES = tests/unit/test_signal_mask.c
tests_unit_test_signal_mask_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_signal_mask_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_modules_SOURCES = tests/unit/test_modules.c tests/unit/compile.c
tests_unit_test_modules_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_modules_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_profile_name_SOURCES = tests/unit/test_profile_name.c
tests_unit_test_profile_name_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_profile_name_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_options_SOURCES = tests/unit/test_options.c
tests_unit_test_options_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_options_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_start_defaults_SOURCES = tests/unit/test_start_defaults.c tests/unit/born.c \
	tests/unit/born.h
tests_unit_test_start_defaults_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_start_defaults_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_store_path_SOURCES = tests/unit/test_store_path.c
tests_unit_test_store_path_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_store_path_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_proc_info_SOURCES = tests/unit/test_proc_info.c
tests_unit_test_proc_info_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_proc_info_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_record_SOURCES = tests/unit/test_record.c
tests_unit_test_record_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_record_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_refresh_SOURCES = tests/unit/test_refresh.c
tests_unit_test_refresh_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_refresh_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_peak_SOURCES = tests/unit/test_peak.c
tests_unit_test_peak_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_peak_LDADD = $(UNIT_TARGET_LIBS)

tests_unit_test_path_cache_table_SOURCES = tests/unit/test_path_cache_table.c
tests_unit_test_path_cache_table_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_path_cache_table_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_alloc_dispatch_SOURCES = tests/unit/test_alloc_dispatch.c
tests_unit_test_alloc_dispatch_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_alloc_dispatch_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_alloc_thread_SOURCES = tests/unit/test_alloc_thread.c
tests_unit_test_alloc_thread_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_alloc_thread_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_mmap_area_SOURCES = tests/unit/test_mmap_area.c
tests_unit_test_mmap_area_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_mmap_area_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_map_table_SOURCES = tests/unit/test_map_table.c
tests_unit_test_map_table_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_map_table_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_perf_ring_SOURCES = tests/unit/test_perf_ring.c
tests_unit_test_perf_ring_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_perf_ring_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_stack_walk_SOURCES = tests/unit/test_stack_walk.c
tests_unit_test_stack_walk_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_stack_walk_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_unwind_cache_SOURCES = tests/unit/test_unwind_cache.c
tests_unit_test_unwind_cache_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_unwind_cache_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_unwind_known_SOURCES = tests/unit/test_unwind_known.c
tests_unit_test_unwind_known_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_unwind_known_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_run_SOURCES = tests/unit/test_run.c
tests_unit_test_run_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_run_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_alloc_sample_SOURCES = tests/unit/test_alloc_sample.c
tests_unit_test_alloc_sample_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_alloc_sample_LDADD = $(UNIT_TARGET_LIBS) -lm

tests_unit_test_seccomp_SOURCES = tests/unit/test_seccomp.c
tests_unit_test_seccomp_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_seccomp_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_seccomp_filter_SOURCES = tests/unit/test_seccomp_filter.c
tests_unit_test_seccomp_filter_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_seccomp_filter_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_seal_SOURCES = tests/unit/test_seal.c
tests_unit_test_seal_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_seal_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_arc_shard_SOURCES = tests/unit/test_arc_shard.c
tests_unit_test_arc_shard_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_arc_shard_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_sigmask_SOURCES = tests/unit/test_sigmask.c
tests_unit_test_sigmask_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_sigmask_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_thread_slot_SOURCES = tests/unit/test_thread_slot.c
tests_unit_test_thread_slot_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_thread_slot_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_thread_slot_steps_SOURCES = tests/unit/test_thread_slot_steps.c
tests_unit_test_thread_slot_steps_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_thread_slot_steps_LDADD = $(UNIT_TARGET_LIBS)
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
tests_unit_test_call_totals_SOURCES = tests/unit/test_call_totals.c
tests_unit_test_call_totals_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_call_totals_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_thread_SOURCES = tests/unit/test_thread.c
tests_unit_test_thread_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_thread_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_tick_SOURCES = tests/unit/test_tick.c \
	tests/unit/tick_target.c tests/unit/tick_target.h
tests_unit_test_tick_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_tick_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_tick_process_SOURCES = tests/unit/test_tick_process.c
tests_unit_test_tick_process_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_tick_process_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_tick_clocks_SOURCES = tests/unit/test_tick_clocks.c \
	tests/unit/tick_target.c tests/unit/tick_target.h
tests_unit_test_tick_clocks_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_tick_clocks_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_cfi_SOURCES = tests/unit/test_cfi.c
tests_unit_test_cfi_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_cfi_LDADD = $(UNIT_TARGET_LIBS) $(TOOLS_LIBS)
tests_unit_test_live_bytes_SOURCES = tests/unit/test_live_bytes.c
tests_unit_test_live_bytes_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_live_bytes_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_robust_lock_SOURCES = tests/unit/test_robust_lock.c
tests_unit_test_robust_lock_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_robust_lock_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_live_blocks_SOURCES = tests/unit/test_live_blocks.c \
	tests/unit/block_table.c tests/unit/block_table.h
tests_unit_test_live_blocks_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_live_blocks_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_live_blocks_memory_SOURCES = tests/unit/test_live_blocks_memory.c \
	tests/unit/block_table.c tests/unit/block_table.h
tests_unit_test_live_blocks_memory_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_live_blocks_memory_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_cct_SOURCES = tests/unit/test_cct.c
tests_unit_test_cct_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_cct_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_thread_life_SOURCES = tests/unit/test_thread_life.c
tests_unit_test_thread_life_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_thread_life_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_cpu_quota_SOURCES = tests/unit/test_cpu_quota.c
tests_unit_test_cpu_quota_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_cpu_quota_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_wall_sampler_SOURCES = tests/unit/test_wall_sampler.c
tests_unit_test_wall_sampler_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_wall_sampler_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_wiped_memory_SOURCES = tests/unit/test_wiped_memory.c
tests_unit_test_wiped_memory_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_wiped_memory_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_module_filter_SOURCES = tests/unit/test_module_filter.c
tests_unit_test_module_filter_CPPFLAGS = $(MON_CPPFLAGS) $(UNIT_TARGET_I)
tests_unit_test_module_filter_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_module_ids_SOURCES = tests/unit/test_module_ids.c
tests_unit_test_module_ids_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I) $(DEVICE_I)
tests_unit_test_module_ids_LDADD = libdevice.la $(UNIT_TOOLS_LIBS)
tests_unit_test_device_path_SOURCES = tests/unit/test_device_path.c
tests_unit_test_device_path_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I) $(DEVICE_I)
tests_unit_test_device_path_LDADD = libdevice.la $(UNIT_TOOLS_LIBS)
tests_unit_test_verb_SOURCES = tests/unit/test_verb.c
tests_unit_test_verb_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_TOOLS_I) $(DEVICE_I)
tests_unit_test_verb_LDADD = libdevice.la $(UNIT_TOOLS_LIBS)

# Of samples by the kernel.
UNIT_SAMPLER = \
	tests/unit/test_event \
	tests/unit/test_event_order \
	tests/unit/test_tprof_output \
	tests/unit/test_command_start \
	tests/unit/test_perf_record \
	tests/unit/test_tprof_writer \
	tests/unit/test_address_space
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
tests_unit_test_command_start_SOURCES = tests/unit/test_command_start.c
tests_unit_test_command_start_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_SAMPLER_I)
tests_unit_test_command_start_LDADD = $(SAMPLER_LIBS)
tests_unit_test_tprof_output_SOURCES = tests/unit/test_tprof_output.c \
	cmd/tprof/tprof_output.c
tests_unit_test_tprof_output_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_SAMPLER_I)
tests_unit_test_tprof_output_LDADD = $(SAMPLER_LIBS)
tests_unit_test_event_order_SOURCES = tests/unit/test_event_order.c
tests_unit_test_event_order_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_SAMPLER_I)
tests_unit_test_event_order_LDADD = $(SAMPLER_LIBS)
tests_unit_test_perf_record_SOURCES = tests/unit/test_perf_record.c
tests_unit_test_perf_record_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_SAMPLER_I)
tests_unit_test_perf_record_LDADD = $(SAMPLER_LIBS)
tests_unit_test_tprof_writer_SOURCES = tests/unit/test_tprof_writer.c
tests_unit_test_tprof_writer_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_SAMPLER_I)
tests_unit_test_tprof_writer_LDADD = $(SAMPLER_LIBS)
tests_unit_test_address_space_SOURCES = tests/unit/test_address_space.c
tests_unit_test_address_space_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_SAMPLER_I)
tests_unit_test_address_space_LDADD = $(SAMPLER_LIBS)

# Tests of core/instruction and core/entry.
UNIT_CODE = \
	tests/unit/test_entry_functions \
	tests/unit/test_displaced_code \
	tests/unit/test_trap_mirror \
	tests/unit/test_entry_depth \
	tests/unit/test_entry_place \
	tests/unit/test_entry_stub \
	tests/unit/test_instruction \
	tests/unit/test_jump_targets
if CRITERION
check_PROGRAMS += $(UNIT_CODE)
TESTS += $(UNIT_CODE)
BESIDE += $(UNIT_CODE)
endif

INSTRUCTION_LIBS = libinstruction.la $(UNIT_LIBS)
tests_unit_test_instruction_SOURCES = tests/unit/test_instruction.c
tests_unit_test_instruction_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I) $(INSTRUCTION_I)
tests_unit_test_instruction_LDADD = $(INSTRUCTION_LIBS)
tests_unit_test_instruction_zydis_SOURCES = tests/unit/test_instruction_zydis.c
tests_unit_test_instruction_zydis_CPPFLAGS = $(AM_CPPFLAGS) $(UNIT_I) $(INSTRUCTION_I)
tests_unit_test_instruction_zydis_LDADD = $(INSTRUCTION_LIBS) $(TOOLS_LIBS)

ENTRY_LIBS = libentry.la $(UNIT_LIBS)
ENTRY_TEST_I = $(AM_CPPFLAGS) $(UNIT_I) $(ENTRY_I)
tests_unit_test_entry_functions_SOURCES = tests/unit/test_entry_functions.c \
	tests/unit/code_object.c tests/unit/code_object.h
tests_unit_test_entry_functions_CPPFLAGS = $(ENTRY_TEST_I)
tests_unit_test_entry_functions_LDADD = $(ENTRY_LIBS)
tests_unit_test_displaced_code_SOURCES = tests/unit/test_displaced_code.c
tests_unit_test_displaced_code_CPPFLAGS = $(ENTRY_TEST_I)
tests_unit_test_displaced_code_LDADD = $(ENTRY_LIBS)
tests_unit_test_trap_mirror_SOURCES = tests/unit/test_trap_mirror.c
tests_unit_test_trap_mirror_CPPFLAGS = $(ENTRY_TEST_I)
tests_unit_test_trap_mirror_LDADD = $(ENTRY_LIBS)
tests_unit_test_entry_stub_SOURCES = tests/unit/test_entry_stub.c
tests_unit_test_entry_stub_CPPFLAGS = $(ENTRY_TEST_I)
tests_unit_test_entry_stub_LDADD = $(ENTRY_LIBS)
tests_unit_test_entry_depth_SOURCES = tests/unit/test_entry_depth.c
tests_unit_test_entry_depth_CPPFLAGS = $(ENTRY_TEST_I)
tests_unit_test_entry_depth_LDADD = $(ENTRY_LIBS)
tests_unit_test_entry_place_SOURCES = tests/unit/test_entry_place.c \
	tests/unit/code_object.c tests/unit/code_object.h
tests_unit_test_entry_place_CPPFLAGS = $(ENTRY_TEST_I)
tests_unit_test_entry_place_LDADD = $(ENTRY_LIBS)
tests_unit_test_jump_targets_SOURCES = tests/unit/test_jump_targets.c \
	tests/unit/code_object.c tests/unit/code_object.h
tests_unit_test_jump_targets_CPPFLAGS = $(ENTRY_TEST_I)
tests_unit_test_jump_targets_LDADD = $(ENTRY_LIBS)
