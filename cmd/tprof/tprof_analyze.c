/*
 * Context: O.  tprof analyze, called by main() of tprof: lists the contents of
 * a tprof.out as NetBSD does.
 */
#include "common/analyze_command.h"
#include "tprof/tprof_commands.h"

int
tprof_analyze(char **argv)
{
	return analyze_command_run(argv, "tprof analyze", "tprof.out");
}
