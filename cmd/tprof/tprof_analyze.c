/*
 * Context: O.  tprof analyze: lists the contents of a tprof.out as NetBSD does.
 */
#include "common/analyze_command.h"
#include "common/print_fault.h"
#include "tprof/tprof_commands.h"

static const char usage[] =
"usage: tprof analyze [-CkLPs] [-p PID] [-e EVENT] [FILE]\n"
"  -C  do not tell CPUs apart; -L  threads; -P  processes\n"
"  -k  list samples of the kernel alone\n"
"  -s  print a line for each function\n"
"  -p  list samples of that process alone; -e  of that event\n"
"FILE is tprof.out by default; - is standard input.  See tprof(8).\n";

int
tprof_analyze(int argc, char **argv)
{
	print_fault_set_program("tprof");
	return analyze_command_run(argc, argv, "tprof.out", usage);
}
