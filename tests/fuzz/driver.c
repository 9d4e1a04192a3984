/*
 * Context: O.  Runs a harness without libFuzzer: replay, and mutants.
 *
 *	driver [-n MUTANTS] FILE|DIRECTORY...
 *
 * Each file is given to the harness as it is; then so many mutants of them
 * all, the same ones at every run.  An input that takes 10 s, or after which
 * memory is broken, is left in ./crash-mutant.
 */
#include "fuzz.h"

#include "random.h"

#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INPUTS	1024
#define MOST	(1u << 20)	/* bytes of an input */

static struct input {
	uint8_t *data;
	size_t size;
} inputs[INPUTS];
static size_t count;

static uint8_t *now;		/* what the harness has */
static size_t now_size;

static void
leave(void)
{
	int fd = open("crash-mutant", O_CREAT | O_TRUNC | O_WRONLY, 0600);

	if (fd >= 0 && write(fd, now, now_size) == (ssize_t)now_size)
		fputs("input left in crash-mutant\n", stderr);
}

static void
on_alarm(int signal)
{
	(void)signal;
	leave();
	_exit(1);
}

/* In memory of its very size, so that a byte past its end is seen. */
static void
run(const uint8_t *data, size_t size)
{
	now = malloc(size != 0 ? size : 1);
	if (now == NULL)
		err(2, "malloc");
	memcpy(now, data, size);
	now_size = size;
	alarm(10);
	LLVMFuzzerTestOneInput(now, size);
	alarm(0);
	free(now);
	now = NULL;
	now_size = 0;
}

static void
add_file(const char *path, size_t size)
{
	struct input *in = &inputs[count];
	int fd = open(path, O_RDONLY);

	if (count == INPUTS || size > MOST)
		errx(2, "%s: too many, or too large", path);
	in->data = malloc(size + 1);
	if (in->data == NULL || fd < 0 ||
	    read(fd, in->data, size) != (ssize_t)size)
		err(2, "%s", path);
	in->size = size;
	count++;
	close(fd);
}

static void
add(const char *path)
{
	struct dirent **names;
	struct stat st;
	char name[4096];
	int n;

	if (stat(path, &st) != 0)
		err(2, "%s", path);
	if (!S_ISDIR(st.st_mode)) {
		add_file(path, (size_t)st.st_size);
		return;
	}
	n = scandir(path, &names, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		snprintf(name, sizeof name, "%s/%s", path, names[i]->d_name);
		if (names[i]->d_name[0] != '.')
			add(name);
		free(names[i]);
	}
	free(names);
}

static void
run_mutants(unsigned long mutants)
{
	static uint8_t room[MOST];
	uint64_t random = 1;

	for (unsigned long i = 0; i < mutants; i++) {
		const struct input *in = &inputs[i % count];
		size_t size = in->size;

		memcpy(room, in->data, size);
		size = LLVMFuzzerCustomMutator(room, size, sizeof room,
		    (unsigned int)(random_next(&random) >> 32));
		run(room, size);
	}
}

int
main(int argc, char **argv)
{
	unsigned long mutants = 0;
	int option;

	while ((option = getopt(argc, argv, "n:")) != -1) {
		if (option != 'n')
			return 2;
		mutants = strtoul(optarg, NULL, 10);
	}
	for (int i = optind; i < argc; i++)
		add(argv[i]);
	if (count == 0)
		errx(2, "no input");
	signal(SIGALRM, on_alarm);
	__sanitizer_set_death_callback(leave);
	for (size_t i = 0; i < count; i++)
		run(inputs[i].data, inputs[i].size);
	run_mutants(mutants);
	printf("%zu inputs, %lu mutants\n", count, mutants);
	for (size_t i = 0; i < count; i++)
		free(inputs[i].data);
	return 0;
}
