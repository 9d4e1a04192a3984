/*
 * Context: O.  tprof(8): samples a program or the whole machine.  This file has
 * main(), which calls one of the commands of tprof_commands.h.
 */
#include "tprof/tprof_commands.h"

#include "common/print_fault.h"
#include "common/std_fds.h"

#include <stdio.h>
#include <string.h>

/* A command of tprof. */
struct command {
	const char *name;
	int (*run)(char **argv);
	const char *usage, *help;
};

static const struct command commands[] = {
	{ "monitor", tprof_monitor, "[OPTION...] COMMAND...",
	    "sample while a command runs" },
	{ "top", tprof_top, "[OPTION...] [PID,...]",
	    "show what runs, every second" },
	{ "count", tprof_count, "-e EVENT... COMMAND...",
	    "count events of a command" },
	{ "analyze", tprof_analyze, "[OPTION...] [FILE]",
	    "list samples, as NetBSD does" },
	{ "list", tprof_list, "", "list the events that there are" },
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void
print_tprof_usage(FILE *out)
{
	for (size_t i = 0; i < COMMANDS; i++)
		fprintf(out, "%s tprof %-7s %-24s%s\n", i == 0 ? "usage:" :
		    "      ", commands[i].name, commands[i].usage,
		    commands[i].help);
	fputs("       tprof [-c] [-o FILE] COMMAND...       as tprof monitor\n"
	    "Samples the whole machine, where the kernel allows that, or a "
	    "command alone.\n"
	    "tprof monitor -p PID,... samples processes that run already.  "
	    "tprof COMMAND\n"
	    "--help lists the options of a command; see tprof(8).\n", out);
}

/*
 * Without the name of a command, as in the old form, the words are a program to
 * run.
 */
int
main(int argc, char **argv)
{
	print_fault_set_program("tprof");
	std_fds_open();
	if (argc < 2) {
		print_tprof_usage(stderr);
		return TPROF_WRONG_USE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		print_tprof_usage(stdout);
		return TPROF_GOOD;
	}
	if (strcmp(argv[1], "--version") == 0) {
		printf("tprof %s\n", PACKAGE_VERSION);
		return TPROF_GOOD;
	}
	for (size_t i = 0; i < COMMANDS; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run(argv + 1);
	return tprof_monitor(argv);
}
