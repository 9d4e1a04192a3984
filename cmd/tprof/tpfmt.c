/*
 * Context: O.  tpfmt(1): lists the samples of tprof(8), from standard input if
 * no file is named.  This file has main().
 */
#include "common/analyze_command.h"
#include "common/print_fault.h"

#include <stdio.h>
#include <string.h>

int
main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		printf("tpfmt %s\n", PACKAGE_VERSION);
		return 0;
	}
	print_fault_set_program("tpfmt");
	return analyze_command_run(argv, "tpfmt", "-");
}
