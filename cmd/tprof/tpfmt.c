/* Context: O.  tpfmt(1): lists the samples of tprof(8). */
#include "common/analyze_command.h"
#include "common/print_fault.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
"usage: tpfmt [-CkLPs] [-p PID] [-e EVENT] [FILE]\n"
"  -C  do not tell CPUs apart; -L  threads; -P  processes\n"
"  -k  list samples of the kernel alone\n"
"  -s  print a line for each function\n"
"  -p  list samples of that process alone; -e  of that event\n"
"Without FILE, standard input is read.  See tpfmt(1).\n";

int
main(int argc, char **argv)
{
	static char program[] = "tpfmt";

	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		printf("tpfmt %s\n", PACKAGE_VERSION);
		return 0;
	}
	print_fault_set_program(program);
	/* getopt(3) begins its messages with this name */
	argv[0] = program;
	return analyze_command_run(argc, argv, "-", usage);
}
