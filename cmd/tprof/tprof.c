/*
 * Context: O.  tprof(8): samples a program or the whole machine.  This file has
 * main(), which calls one of the commands.
 */
#include "tprof/tprof_commands.h"

#include "common/print_fault.h"
#include "common/std_fds.h"

#include <stdio.h>
#include <string.h>

/* A command of tprof. */
struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *usage;
};

static const struct command commands[] = {
	{ "list", tprof_list, "" },
	{ "monitor", tprof_monitor,
	    "[-e EVENT]... [-c] [-o FILE] COMMAND ..." },
	{ "count", tprof_count, "-e EVENT... [-i SECONDS] COMMAND ..." },
	{ "top", tprof_top, "[-acu] [-e EVENT]... [-i SECONDS] [PID]" },
	{ "analyze", tprof_analyze, "[-CkLPs] [-p PID] [-e EVENT] [FILE]" },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void
print_tprof_usage(FILE *out)
{
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "%s tprof %s %s\n", i == 0 ? "usage:" : "      ",
		    commands[i].name, commands[i].usage);
	fputs("       tprof [-c] [-o FILE] COMMAND ...\n"
	    "see tprof(8)\n", out);
}

/*
 * Without the name of a command, as in the old form, the words are a program to
 * run.
 */
int
main(int argc, char **argv)
{
	static char program[] = "tprof";

	print_fault_set_program("tprof");
	std_fds_open();
	if (argc < 2) {
		print_tprof_usage(stderr);
		return TPROF_WRONG_USE;
	}
	if (strcmp(argv[1], "--help") == 0) {
		print_tprof_usage(stdout);
		return TPROF_GOOD;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("tprof %s\n", PACKAGE_VERSION);
		return TPROF_GOOD;
	}
	for (size_t i = 0; i < COMMANDS; i++) {
		if (strcmp(argv[1], commands[i].name) != 0)
			continue;
		/* getopt(3) begins its messages with this name */
		argv[1] = program;
		return commands[i].run(argc - 1, argv + 1);
	}
	argv[0] = program;
	return tprof_monitor(argc, argv);
}
