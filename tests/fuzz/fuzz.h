/* Context: O.  The functions of a harness; their names are libFuzzer's. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Aborts when something that must hold does not. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Changes the input in place; its new size, at most `room`. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
    unsigned int seed);

/* libFuzzer's own; not there without it. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room)
    __attribute__((weak));

/* Fails the run, whatever NDEBUG says. */
#define FUZZ_MUST(condition)						\
	do {								\
		if (!(condition))					\
			fuzz_fail(__FILE__, __LINE__, #condition);	\
	} while (0)
void fuzz_fail(const char *file, int line, const char *condition)
    __attribute__((noreturn));

/* A file in the current directory that holds the bytes until the next call. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* One change of an input in place; returns its new size, at most `room`. */
typedef size_t fuzz_change(uint8_t *data, size_t size, size_t room,
    uint64_t *random);

/* Changes bytes that are text, or of no known kind. */
fuzz_change fuzz_mutate_bytes;

/*
 * Mutates the input: by libFuzzer's own mutator once in `own` times, else by
 * one to four changes.  Returns the new size, at most `room`.
 */
size_t fuzz_mutate(uint8_t *data, size_t size, size_t room, unsigned int seed,
    uint32_t own, fuzz_change *change);

#endif
