# Tests of the built libmon.so and prof on whole programs; python3, no more
# than its standard library.  Short in check, long in check-long.
E2E = \
	tests/e2e/calls.py \
	tests/e2e/children.py \
	tests/e2e/classic.py \
	tests/e2e/control.py \
	tests/e2e/counts.py \
	tests/e2e/debuginfod.py \
	tests/e2e/embed.py \
	tests/e2e/eintr.py \
	tests/e2e/exports.py \
	tests/e2e/fallback.py \
	tests/e2e/faults.py \
	tests/e2e/file.py \
	tests/e2e/heap.py \
	tests/e2e/heappeers.py \
	tests/e2e/heapstorm.py \
	tests/e2e/heapfiles.py \
	tests/e2e/heapfull.py \
	tests/e2e/heapgrowth.py \
	tests/e2e/heapviews.py \
	tests/e2e/histogram.py \
	tests/e2e/html.py \
	tests/e2e/imports.py \
	tests/e2e/kill.py \
	tests/e2e/life.py \
	tests/e2e/memory.py \
	tests/e2e/monitor.py \
	tests/e2e/names.py \
	tests/e2e/objects.py \
	tests/e2e/off.py \
	tests/e2e/proffs.py \
	tests/e2e/programs.py \
	tests/e2e/recorder.py \
	tests/e2e/roundtrip.py \
	tests/e2e/same.py \
	tests/e2e/servers.py \
	tests/e2e/sigprof.py \
	tests/e2e/source.py \
	tests/e2e/stacks.py \
	tests/e2e/storms.py \
	tests/e2e/top.py \
	tests/e2e/tprof.py \
	tests/e2e/truth.py \
	tests/e2e/versus.py
TESTS += $(E2E)
# Of what is in a profile and of what programs see: no shares of time.
BESIDE += \
	tests/e2e/calls.py \
	tests/e2e/classic.py \
	tests/e2e/counts.py \
	tests/e2e/debuginfod.py \
	tests/e2e/embed.py \
	tests/e2e/exports.py \
	tests/e2e/faults.py \
	tests/e2e/file.py \
	tests/e2e/heap.py \
	tests/e2e/heappeers.py \
	tests/e2e/heapstorm.py \
	tests/e2e/heapfiles.py \
	tests/e2e/heapviews.py \
	tests/e2e/html.py \
	tests/e2e/imports.py \
	tests/e2e/kill.py \
	tests/e2e/life.py \
	tests/e2e/names.py \
	tests/e2e/objects.py \
	tests/e2e/proffs.py \
	tests/e2e/programs.py \
	tests/e2e/same.py \
	tests/e2e/source.py
# Fetches and builds what it runs: never in check.
CHECK_LONG += $(E2E) tests/e2e/selftest.py
EXTRA_DIST += \
	tests/e2e/README.md \
	tests/e2e/aarch64.py \
	tests/e2e/browser.py \
	tests/e2e/callgrind.py \
	tests/e2e/forge.py \
	tests/e2e/harness.py \
	tests/e2e/heaptruth.py \
	tests/e2e/pagedata.py \
	tests/e2e/process.py \
	tests/e2e/recording.py \
	tests/e2e/selftest.py \
	tests/e2e/tprofout.py \
	$(E2E)
