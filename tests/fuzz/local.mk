# The readers of bytes that nobody vouches for.  The scripts build what they
# run, as every object of it needs the sanitizers; common says how.
TESTS += tests/fuzz/mutants tests/fuzz/run
BESIDE += tests/fuzz/mutants tests/fuzz/run
CHECK_LONG += tests/fuzz/run
EXTRA_DIST += \
	tests/fuzz/common \
	tests/fuzz/corpus \
	tests/fuzz/driver.c \
	tests/fuzz/fuzz.c \
	tests/fuzz/fuzz.h \
	tests/fuzz/fuzz.mk \
	tests/fuzz/fuzz_classic.c \
	tests/fuzz/fuzz_decode.c \
	tests/fuzz/fuzz_entry.c \
	tests/fuzz/fuzz_import.c \
	tests/fuzz/fuzz_instruction.c \
	tests/fuzz/fuzz_jitmap.c \
	tests/fuzz/fuzz_load.c \
	tests/fuzz/fuzz_tprof.c \
	tests/fuzz/mutants \
	tests/fuzz/mutate.c \
	tests/fuzz/mutate.h \
	tests/fuzz/run \
	tests/fuzz/seeds.c \
	tests/fuzz/seeds_classic.c \
	tests/fuzz/seeds_entry.s \
	tests/fuzz/seeds_tprof.c

clean-local: clean-fuzz
clean-fuzz:
	-rm -rf tests/fuzz/mutants.d tests/fuzz/run.d tests/fuzz/learnt.d
.PHONY: clean-fuzz
