/* Context: O.  tpfmt(1): lists the samples of tprof(8). */
#include "common/analyze_command.h"
#include "common/print_fault.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
"usage: tpfmt [-CkLPs] [-p PID] [-e EVENT] [FILE]\n"
"  -C  CPUs are one, -L  threads are, -P  processes are\n"
"  -k  samples of the kernel alone\n"
"  -s  a line each function\n"
"  -p  samples of that process alone, -e  of that event\n"
"standard input is read where no FILE is named; see tpfmt(1)\n";

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
