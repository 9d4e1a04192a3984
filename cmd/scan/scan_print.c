/* Context: O.  Prints the sums of prof --scan; see scan_print.h. */
#include "scan/scan_print.h"

#include "base/plural.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const words[ENTRY_WAYS] = {
	[ENTRY_JUMP] = "a jump in place of whole instructions",
	[ENTRY_CALL] = "a call among the first bytes, redirected",
	[ENTRY_SHORT] = "a short jump to a jump in the padding before",
	[ENTRY_TRAPPED] = "a jump that other jumps lead into: these trap",
	[ENTRY_UNKNOWN] = "an instruction that is not known",
	[ENTRY_SYSTEM] = "a system call or a trap at the entry",
	[ENTRY_LOOP] = "a loop that leads back to the entry",
	[ENTRY_BOUND_CALL] = "a call at the entry that cannot be moved",
	[ENTRY_NO_ROOM] = "too short, and no padding beside it",
};

static double
percent(uint64_t part, uint64_t all)
{
	return all == 0 ? 0 : 100.0 * (double)part / (double)all;
}

static void
print_sum(const char *what, const struct scan_sum *sum, uint64_t functions)
{
	printf("  %-11s %9" PRIu64 " %6.2f %% %11" PRIu64 " bytes\n", what,
	    sum->functions, percent(sum->functions, functions), sum->bytes);
}

/* Prints a line for each way that some function has. */
static void
print_ways(const struct scan_sums *sums, bool counted)
{
	for (unsigned way = 0; way < ENTRY_WAYS; way++) {
		const struct scan_sum *sum = &sums->ways[way];

		if ((way <= ENTRY_TRAPPED) == counted && sum->functions != 0)
			printf("  %21" PRIu64 " %20" PRIu64 " bytes  %s\n",
			    sum->functions, sum->bytes, words[way]);
	}
}

void
scan_print(const char *name, const struct scan_sums *sums, bool ways)
{
	const struct scan_sum counted = scan_sums_of(sums, true);
	const struct scan_sum rest = scan_sums_of(sums, false);
	const uint64_t all = counted.functions + rest.functions;
	const uint64_t text = counted.bytes + rest.bytes + sums->parts.bytes;

	printf("%s: calls of %.2f %% of %" PRIu64 " function%s can be "
	    "counted\n", name, percent(counted.functions, all), all,
	    plural_suffix(all));
	print_sum("counted", &counted, all);
	if (ways)
		print_ways(sums, true);
	print_sum("not counted", &rest, all);
	print_ways(sums, false);
	printf("  %-11s %9" PRIu64 " %20" PRIu64 " bytes  cold parts of "
	    "functions, and the like\n", "parts", sums->parts.functions,
	    sums->parts.bytes);
	printf("  %-21s %20" PRIu64 " bytes  padding, constants, code without "
	    "a table\n", "other", sums->code - text);
	if (sums->undecoded != 0)
		printf("  %-21s %20" PRIu64 " bytes of functions, behind an "
		    "unknown instruction\n", "not decoded",
		    sums->undecoded);
}

void
scan_print_uncounted(const char *name, const struct unwind_function *f,
    enum entry_way why)
{
	printf("%s: 0x%" PRIx64 ": %" PRIu64 " bytes: not counted: %s\n", name,
	    f->start, f->bytes, words[why]);
}
