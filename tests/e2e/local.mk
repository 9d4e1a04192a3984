# Tests of the built libmon.so and prof on whole programs; python3, no more
# than its standard library.  Short in check, long in check-long.
E2E = \
	tests/e2e/attached.py \
	tests/e2e/calls.py \
	tests/e2e/children.py \
	tests/e2e/classic.py \
	tests/e2e/completions.py \
	tests/e2e/control.py \
	tests/e2e/controlharm.py \
	tests/e2e/controlheap.py \
	tests/e2e/counts.py \
	tests/e2e/debuginfod.py \
	tests/e2e/doctor.py \
	tests/e2e/eintr.py \
	tests/e2e/embed.py \
	tests/e2e/entries.py \
	tests/e2e/exports.py \
	tests/e2e/fallback.py \
	tests/e2e/faults.py \
	tests/e2e/file.py \
	tests/e2e/filespace.py \
	tests/e2e/findings.py \
	tests/e2e/gmon.py \
	tests/e2e/heap.py \
	tests/e2e/heapallocators.py \
	tests/e2e/heapfiles.py \
	tests/e2e/heapfull.py \
	tests/e2e/heapgrowth.py \
	tests/e2e/heapmaps.py \
	tests/e2e/heappeers.py \
	tests/e2e/heapstorm.py \
	tests/e2e/heapsummary.py \
	tests/e2e/heapviews.py \
	tests/e2e/histogram.py \
	tests/e2e/html.py \
	tests/e2e/htmlcode.py \
	tests/e2e/htmldiff.py \
	tests/e2e/htmlheap.py \
	tests/e2e/htmltime.py \
	tests/e2e/htmlviews.py \
	tests/e2e/imports.py \
	tests/e2e/kerneltime.py \
	tests/e2e/kill.py \
	tests/e2e/languages.py \
	tests/e2e/life.py \
	tests/e2e/live.py \
	tests/e2e/memory.py \
	tests/e2e/monitor.py \
	tests/e2e/names.py \
	tests/e2e/objects.py \
	tests/e2e/off.py \
	tests/e2e/orphans.py \
	tests/e2e/proffs.py \
	tests/e2e/proffsharm.py \
	tests/e2e/proffsmemory.py \
	tests/e2e/programs.py \
	tests/e2e/rebuilt.py \
	tests/e2e/record.py \
	tests/e2e/recorder.py \
	tests/e2e/roundtrip.py \
	tests/e2e/same.py \
	tests/e2e/servers.py \
	tests/e2e/sigprof.py \
	tests/e2e/source.py \
	tests/e2e/stacks.py \
	tests/e2e/stackviews.py \
	tests/e2e/storms.py \
	tests/e2e/top.py \
	tests/e2e/topends.py \
	tests/e2e/tprof.py \
	tests/e2e/tprofpreload.py \
	tests/e2e/tprofviews.py \
	tests/e2e/truth.py \
	tests/e2e/versus.py \
	tests/e2e/waiting.py
TESTS += $(E2E)
# These look at what profiles hold and programs see, not at shares of time.
BESIDE += \
	tests/e2e/calls.py \
	tests/e2e/classic.py \
	tests/e2e/counts.py \
	tests/e2e/debuginfod.py \
	tests/e2e/embed.py \
	tests/e2e/entries.py \
	tests/e2e/exports.py \
	tests/e2e/faults.py \
	tests/e2e/file.py \
	tests/e2e/filespace.py \
	tests/e2e/heap.py \
	tests/e2e/heapallocators.py \
	tests/e2e/heapfiles.py \
	tests/e2e/heapmaps.py \
	tests/e2e/heappeers.py \
	tests/e2e/heapstorm.py \
	tests/e2e/heapsummary.py \
	tests/e2e/heapviews.py \
	tests/e2e/html.py \
	tests/e2e/htmlcode.py \
	tests/e2e/htmldiff.py \
	tests/e2e/htmlheap.py \
	tests/e2e/htmltime.py \
	tests/e2e/htmlviews.py \
	tests/e2e/imports.py \
	tests/e2e/kill.py \
	tests/e2e/life.py \
	tests/e2e/names.py \
	tests/e2e/objects.py \
	tests/e2e/orphans.py \
	tests/e2e/proffs.py \
	tests/e2e/proffsharm.py \
	tests/e2e/proffsmemory.py \
	tests/e2e/programs.py \
	tests/e2e/rebuilt.py \
	tests/e2e/same.py \
	tests/e2e/source.py
# They fetch or build what they run: never in check.  automake writes rules for
# the tests that TESTS names, also under a condition that is never true.
LONG_ONLY = tests/e2e/package.py tests/e2e/selftest.py
if NEVER
TESTS += $(LONG_ONLY)
endif
CHECK_LONG += $(E2E) $(LONG_ONLY)
EXTRA_DIST += \
	tests/e2e/README.md \
	tests/e2e/aarch64.py \
	tests/e2e/agreement.py \
	tests/e2e/browser.py \
	tests/e2e/callgrind.py \
	tests/e2e/controlled.py \
	tests/e2e/findingtext.py \
	tests/e2e/forge.py \
	tests/e2e/harness.py \
	tests/e2e/heapcounts.py \
	tests/e2e/heaptables.py \
	tests/e2e/heaptruth.py \
	tests/e2e/knownstacks.py \
	tests/e2e/mounted.py \
	tests/e2e/package.py \
	tests/e2e/pagedata.py \
	tests/e2e/pages.py \
	tests/e2e/process.py \
	tests/e2e/profilefile.py \
	tests/e2e/recording.py \
	tests/e2e/screen.py \
	tests/e2e/selftest.py \
	tests/e2e/tprofout.py \
	tests/e2e/unharmed.py \
	$(E2E)
