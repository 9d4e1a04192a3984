/* Context: O.  Tests of prof --heap: each view of it, by each count. */
#include "command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(prof_heap, .init = command_init, .fini = compile_fini);

/* A call at 0x100 + n, and at its place what was allocated there. */
static uint32_t
frame(struct build *b, uint32_t parent, uint32_t module, uint64_t n)
{
	return build_node(b, parent, FORMAT_FRAME, module, 0x100 * n, 0, 0);
}

/*
 * a calls b, which allocates `blocks` of 100 bytes, all but one freed and one
 * of these at once; c allocates one of 5000, which is live.  The peak is over:
 * b has noted 300 of it.
 */
static void
save(const char *name, uint64_t blocks, bool pure)
{
	struct build b;
	struct format_heap *h;
	uint32_t m, root, lane;

	build_init(&b);
	m = build_module(&b, "/bin/prog", 0x5000, 0x15000);
	if (!pure)
		build_node(&b, build_root(&b, build_thread(&b, 1, "t")),
		    FORMAT_USER, m, 0x900, 5, 5 * MS);
	build_memory(&b, 3, 5300);
	lane = build_lane(&b);
	root = build_lane_root(&b, lane);
	h = build_heap(&b, frame(&b, frame(&b, root, m, 1), m, 2), blocks,
	    100 * blocks);
	h->freed_blocks = blocks - 1;
	h->freed_bytes = 100 * (blocks - 1);
	h->temporary_blocks = 1;
	h->era = 3;
	h->peak_bytes = 300;
	h->high_bytes = 400;
	build_heap(&b, frame(&b, root, m, 3), 1, 5000);
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

/* The last columns of a table for programs. */
#define MORE "mapped_bytes,mapped_peak_bytes,mapped_total_bytes,mappings," \
    "high_bytes,high_exact\n"

static void
shows(const char *arguments, const char *wanted)
{
	cr_expect_eq(prof(arguments), 0, "%s: %s", arguments, err);
	cr_expect_str_eq(out, wanted, "%s: %s", arguments, out);
}

Test(prof_heap, tables_are_sorted_by_what_is_asked_for)
{
	save("p", 10, true);
	shows("--heap --no-footer p",
	    " %Peak    Peak    Live   Total  Blocks    Temp  Name        "
	    "Module\n"
	    "  94.3    5000    5000    5000       1       0  prog+0x2ff  "
	    "prog\n"
	    "   5.7     300     100    1000      10       1  prog+0x1ff  "
	    "prog\n");
	shows("--heap=freed --no-footer p",
	    "%Freed   Freed    Peak    Live   Total  Blocks    Temp  Name    "
	    "    Module\n"
	    " 100.0     900     300     100    1000      10       1  "
	    "prog+0x1ff  prog\n"
	    "   0.0       0    5000    5000    5000       1       0  "
	    "prog+0x2ff  prog\n");
	shows("--heap=blocks --csv p", "function,module,live_bytes,"
	    "live_blocks,peak_bytes,total_bytes,total_blocks,freed_bytes,"
	    "temporary_blocks," MORE
	    "prog+0x1ff,prog,100,1,300,1000,10,900,1,0,0,0,0,400,yes\n"
	    "prog+0x2ff,prog,5000,1,5000,5000,1,0,0,0,0,0,0,5000,yes\n");
	shows("--heap=leaked --min=50 --no-footer p",
	    " %Live    Peak    Live   Total  Blocks    Temp  Name        "
	    "Module\n"
	    "  98.0    5000    5000    5000       1       0  prog+0x2ff  "
	    "prog\n");
}

/* Two paths of one line: each had its most at its own time, or both now. */
static void
save_two(const char *name, uint64_t high, uint64_t freed)
{
	struct build b;
	struct format_heap *h;
	uint32_t m, root;

	build_init(&b);
	build_header(&b)->pid = name[0];
	m = build_module(&b, "/bin/prog", 0x5000, 0x15000);
	build_memory(&b, 3, 0);
	root = build_lane_root(&b, build_lane(&b));
	for (unsigned i = 1; i < 3; i++) {
		h = build_heap(&b, frame(&b, frame(&b, root, m, i), m, 9), 20,
		    20000);
		h->freed_blocks = freed / 1000;
		h->freed_bytes = freed;
		h->high_bytes = high;
	}
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

Test(prof_heap, high_of_several_is_a_bound)
{
	save_two("p", 6000, 15000);
	shows("--heap=high p",
	    " %High    High    Peak    Live   Total  Blocks    Temp  Name      "
	    "  Module\n"
	    " 100.0 <=11.7K   9.77K   9.77K   39.1K      40       0  prog+0x8ff"
	    "  prog\n"
	    "\n"
	    "1 file of 1; bytes given out: 39.1K in 40 blocks (0 temporary)\n"
	    "at the peak: 9.77K; live at the end, or now: 9.77K in 10 blocks\n"
	    "high: the most that was live of each call path of a thread, at "
	    "any time;\na sum of several (<=) may not have been live at once\n");
	save_two("q", 5000, 15000);
	shows("--heap=high --csv q", "function,module,live_bytes,live_blocks,"
	    "peak_bytes,total_bytes,total_blocks,freed_bytes,temporary_blocks,"
	    MORE
	    "prog+0x8ff,prog,10000,10,10000,40000,40,30000,0,0,0,0,0,10000,"
	    "yes\n");
	cr_expect_eq(prof("--heap --csv p q"), 0, "%s", err);
	cr_expect_not_null(strstr(out, ",22000,no\n"), "%s", out);
}

/* A peak above the total is cut to the total. */
Test(prof_heap, high_is_no_more_than_all)
{
	save_two("p", UINT64_MAX, 20000);
	cr_expect_eq(prof("--heap --csv p"), 0, "%s", err);
	cr_expect_not_null(strstr(out, ",40000,no\n"), "%s", out);
}

Test(prof_heap, stacks_have_it_from_either_end)
{
	save("p", 10, true);
	shows("--heap=blocks --tree --no-footer p",
	    " %Total   %Self  Blocks  Name, below it what it called\n"
	    "   90.9     0.0      10  prog+0xff [prog]\n"
	    "   90.9    90.9      10  prog+0x1ff [prog]\n"
	    "    9.1     9.1       1  prog+0x2ff [prog]\n");
	shows("--heap=temporary --callers --csv p",
	    "node,parent,function,module,total_temporary_blocks,"
	    "self_temporary_blocks\n"
	    "1,,prog+0x1ff,prog,1,0\n"
	    "2,1,prog+0xff,prog,1,1\n");
	shows("--heap --graph --csv p",
	    "caller,caller_module,function,module,peak_bytes\n"
	    "prog+0xff,prog,prog+0x1ff,prog,300\n");
	shows("--heap=total --graph --top=1 --no-footer p",
	    " %Total   Total   %Self   Total  Name, and who called it (<-) and "
	    "what it called (->)\n"
	    "\n"
	    "   83.3    5000    83.3    5000  prog+0x2ff [prog]\n"
	    "\n"
	    "not shown: 2 functions (--top shows so many)\n");
}

Test(prof_heap, differences_are_exact)
{
	save("old", 10, true);
	save("new", 7, true);
	shows("--heap=total --diff=old new",
	    "   Change   Before      Now  Name  Module\n"
	    "     -300     1000      700  prog+0x1ff  prog\n"
	    "\n"
	    "unchanged: 1 line\n"
	    "\n"
	    "bytes given out: 6000 before, 5700 now: -300 (-5.0 %)\n");
	shows("--heap=total --diff=old --csv new", "function,module,"
	    "before_total_bytes,now_total_bytes,change_total_bytes\n"
	    "prog+0x1ff,prog,1000,700,-300\n"
	    "prog+0x2ff,prog,5000,5000,0\n");
}

Test(prof_heap, summary_has_the_most_of_each)
{
	save("p", 10, true);
	shows("--heap=summary --no-footer p",
	    "1 file of 1; bytes given out: 6000 in 11 blocks (1 temporary)\n"
	    "at the peak: 5300; live at the end, or now: 5100 in 2 blocks\n"
	    "\n"
	    "peak consumers: 5300 bytes in all\n"
	    "   94.3    5000  prog+0x2ff [prog]\n"
	    "    5.7     300  prog+0x1ff [prog]\n"
	    "    5.7     300    prog+0xff [prog]\n"
	    "\n"
	    "most calls of allocation functions: 11 in all\n"
	    "   90.9      10  prog+0x1ff [prog]\n"
	    "   90.9      10    prog+0xff [prog]\n"
	    "    9.1       1  prog+0x2ff [prog]\n"
	    "\n"
	    "most temporary blocks (freed before their thread asked for "
	    "another): 1 in all\n"
	    "  100.0       1  prog+0x1ff [prog]\n"
	    "  100.0       1    prog+0xff [prog]\n"
	    "\n"
	    "largest leaks (live at the end, or now): 5100 bytes in all\n"
	    "   98.0    5000  prog+0x2ff [prog]\n"
	    "    2.0     100  prog+0x1ff [prog]\n"
	    "    2.0     100    prog+0xff [prog]\n");
	shows("--heap=summary --top=1 --min=95 --no-footer p",
	    "1 file of 1; bytes given out: 6000 in 11 blocks (1 temporary)\n"
	    "at the peak: 5300; live at the end, or now: 5100 in 2 blocks\n"
	    "\n"
	    "peak consumers: 5300 bytes in all\n"
	    "\n"
	    "most calls of allocation functions: 11 in all\n"
	    "\n"
	    "most temporary blocks (freed before their thread asked for "
	    "another): 1 in all\n"
	    "  100.0       1  prog+0x1ff [prog]\n"
	    "  100.0       1    prog+0xff [prog]\n"
	    "\n"
	    "largest leaks (live at the end, or now): 5100 bytes in all\n"
	    "   98.0    5000  prog+0x2ff [prog]\n");
}

/* Deep paths end where they are not read any more, and say so. */
Test(prof_heap, summary_of_a_deep_path)
{
	struct build b;
	uint32_t m, at, lines = 0;

	build_init(&b);
	m = build_module(&b, "/bin/prog", 0x5000, 0x15000);
	build_memory(&b, 1, 8);
	at = build_lane_root(&b, build_lane(&b));
	for (unsigned i = 30; i > 0; i--)
		at = frame(&b, at, m, i);
	build_heap(&b, at, 1, 8);
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("deep")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--heap=summary --no-footer deep"), 0, "%s", err);
	for (const char *s = out; (s = strstr(s, "  prog+")) != NULL; s++)
		lines++;
	cr_expect_eq(lines, 3 * 10, "%s", out);
	cr_expect_not_null(strstr(out, "  prog+0x9ff [prog] ...\n\n"), "%s",
	    out);
}

/* Time and allocations of one profile are not added to each other. */
Test(prof_heap, time_is_apart)
{
	save("both", 10, false);
	shows("--heap --tree --csv both",
	    "node,parent,function,module,total_peak_bytes,self_peak_bytes\n"
	    "1,,prog+0x2ff,prog,5000,5000\n"
	    "2,,prog+0xff,prog,300,0\n"
	    "3,2,prog+0x1ff,prog,300,300\n");
	cr_expect_eq(prof("--csv both"), 0, "%s", err);
	cr_expect_null(strstr(out, "0x1ff"), "%s", out);
	cr_expect_not_null(strstr(out, "prog+0x900,prog,5,0.005"), "%s", out);
}

/* More freed than given out: it was read while it changed, or is a lie. */
Test(prof_heap, nothing_is_less_than_nothing)
{
	struct build b;
	struct format_heap *h;
	uint32_t m;

	build_init(&b);
	m = build_module(&b, "/bin/prog", 0x5000, 0x15000);
	build_memory(&b, 1, 0);
	h = build_heap(&b, frame(&b, build_lane_root(&b, build_lane(&b)), m,
	    1), 2, 100);
	h->freed_bytes = 150;
	h->freed_blocks = 3;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("torn")), 0);
	build_fini(&b);
	shows("--heap --csv torn", "function,module,live_bytes,live_blocks,"
	    "peak_bytes,total_bytes,total_blocks,freed_bytes,"
	    "temporary_blocks," MORE
	    "prog+0xff,prog,0,0,0,100,2,150,0,0,0,0,0,0,yes\n");
}

/* Told from 4 blocks of 16, of which half is live: two of them are. */
Test(prof_heap, samples_have_errors)
{
	struct build b;
	struct format_heap *h;
	uint32_t m, root;

	build_init(&b);
	m = build_module(&b, "/bin/prog", 0x5000, 0x15000);
	((struct format_memory *)build_at(&b, build_memory(&b, 1, 0)))->period =
	    512 << 10;
	root = build_lane_root(&b, build_lane(&b));
	h = build_heap(&b, frame(&b, root, m, 1), 16, 1600);
	h->samples = 4;
	h->freed_bytes = 800;
	h->freed_blocks = 8;
	h = build_heap(&b, frame(&b, root, m, 2), 8, 800);
	h->samples = 2;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("some")), 0);
	build_fini(&b);
	shows("--heap=live --error some",
	    " %Live    +-    Peak    Live   Total  Blocks    Temp  Name        "
	    "Module\n"
	    "  50.0  35.0     800     800     800       8       0  prog+0x1ff  "
	    "prog\n"
	    "  50.0  35.0     800     800    1600      16       0  prog+0xff   "
	    "prog\n"
	    "\n"
	    "1 file of 1; bytes given out: 2400 in 24 blocks (0 temporary)\n"
	    "at the peak: 1600; live at the end, or now: 1600 in 16 blocks\n"
	    "chosen: 6 blocks, at random, one in 512K bytes: the bytes given "
	    "out are good to +-40.8 %\n");
	save("old", 10, true);
	cr_expect_eq(prof("--heap=total --diff=some --csv some"), 0, "%s",
	    err);
	cr_expect_str_eq(out, "function,module,before_total_bytes,"
	    "now_total_bytes,change_total_bytes,error_total_bytes,sure\n"
	    "prog+0x1ff,prog,800,800,0,800,noise\n"
	    "prog+0xff,prog,1600,1600,0,1131,noise\n");
}

/* Nothing to be stored leaves the file what it was. */
Test(prof_heap, embed_of_nothing)
{
	struct build b;

	build_init(&b);
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("empty")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--embed empty"), 0, "%s", err);
	cr_expect_eq(prof("--check empty"), 0, "%s", err);
}

Test(prof_heap, wrong_use)
{
	save("p", 10, true);
	cr_expect_eq(prof("--heap=most p"), 2);
	cr_expect_str_eq(err, "prof: --heap=most: use peak, live (or leaked), "
	    "live-blocks, total, blocks, freed, temporary, high, mapped, "
	    "mapped-peak, mapped-total, mappings, summary, growth, "
	    "sizes\n");
	/* The argument after it is a file. */
	cr_expect_eq(prof("--heap live"), 1);
	cr_expect_str_eq(err, "prof: live: cannot be opened: No such file or "
	    "directory\n");
	cr_expect_eq(prof("--heap=summary --error p"), 2);
	cr_expect_eq(prof("--heap --sort=calls p"), 2);
	cr_expect_eq(prof("--heap --write=perf -o x p"), 2);
	cr_expect_eq(prof("--heap=summary --json p"), 2);
	cr_expect_eq(prof("--heap=summary --callers p"), 2);
	cr_expect_str_eq(err, "prof: --graph, --tree, --callers, --annotate "
	    "and --heap=summary: one at a time\n");
}

/*
 * With mappings, and with blocks or not: 3 of 9000 bytes, of which one is left.
 */
static void
save_mapped(const char *name, bool blocks)
{
	struct build b;
	struct format_heap *h;
	uint32_t m, root;

	build_init(&b);
	m = build_module(&b, "/bin/prog", 0x5000, 0x15000);
	build_memory(&b, 1, 0);
	build_header(&b)->maps = build_header(&b)->memory;
	build_memory(&b, 2, 0);
	root = build_lane_root(&b, build_lane(&b));
	if (blocks)
		build_heap(&b, frame(&b, root, m, 1), 4, 200);
	h = build_heap(&b, frame(&b, root, m, 2), 3, 9000);
	h->node.kind = FORMAT_MAP;
	h->freed_blocks = 2;
	h->freed_bytes = 5000;
	h->era = 1;
	h->peak_bytes = 7000;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

Test(prof_heap, mappings_are_no_blocks)
{
	save_mapped("p", true);
	shows("--heap --no-footer p",
	    " %Peak    Peak    Live   Total  Blocks    Temp  Name       Module\n"
	    " 100.0     200     200     200       4       0  prog+0xff  prog\n");
	shows("--heap=mapped --no-footer p",
	    "  %Map MapPeak  Mapped  MapTot    Maps  Name        Module\n"
	    " 100.0    7000    4000    9000       3  prog+0x1ff  prog\n");
	shows("--heap=mappings --csv p", "function,module,live_bytes,"
	    "live_blocks,peak_bytes,total_bytes,total_blocks,freed_bytes,"
	    "temporary_blocks," MORE
	    "prog+0x1ff,prog,0,0,0,0,0,0,0,4000,7000,9000,3,0,yes\n"
	    "prog+0xff,prog,200,4,200,200,4,0,0,0,0,0,0,200,yes\n");
}

/* Whoever says no count gets that of what there is. */
Test(prof_heap, mappings_can_be_alone)
{
	static const char *const blocks[] = {
		"--heap=live p", "--heap=sizes p",
	};

	save_mapped("p", false);
	shows("--heap p",
	    " %Peak MapPeak  Mapped  MapTot    Maps  Name        Module\n"
	    " 100.0    7000    4000    9000       3  prog+0x1ff  prog\n"
	    "\n"
	    "1 file of 1; of mappings alone\n"
	    "mapped: 9000 in 3 mappings; at the peak: 7000; at the end, or "
	    "now: 4000\n");
	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		cr_expect_eq(prof(blocks[i]), 1, "%s", blocks[i]);
		cr_expect_str_eq(err, "prof: mappings were counted, and "
		    "nothing else; prof --heap=mapped-peak shows them\n", "%s",
		    err);
	}
	save("q", 10, true);
	cr_expect_eq(prof("--heap=mapped q"), 1);
	cr_expect_str_eq(err, "prof: no mapping was counted; "
	    "PROFOPTS=mode=heap,heap=all counts them, too\n", "%s", err);
}

/* Mapped bytes are not compared with bytes that were given out. */
Test(prof_heap, mappings_are_compared_with_mappings)
{
	save("old", 10, true);
	save_mapped("both", true);
	save_mapped("new", false);
	for (unsigned i = 0; i < 2; i++) {
		cr_expect_eq(prof(i == 0 ? "--heap --diff=old new" :
		    "--heap --diff=new old"), 1, "%s", out);
		cr_expect_str_eq(err, "prof: no mapping was counted; "
		    "PROFOPTS=mode=heap,heap=all counts them, too\n", "%s",
		    err);
	}
	cr_expect_eq(prof("--heap --diff=both new"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "bytes mapped at the peak: 7000 before, "
	    "7000 now"), "%s", out);
}

static void
save_grown(const char *name, unsigned points)
{
	struct build b;
	uint32_t lane;

	build_init(&b);
	build_header(&b)->pid = name[0];	/* each is of its own process */
	build_header(&b)->birth_mono = 1000000000;
	build_memory(&b, 3, 5300);
	lane = build_lane(&b);
	build_lane_root(&b, lane);
	((struct format_alloc_thread *)build_at(&b, lane))->sizes[3] = 60;
	((struct format_alloc_thread *)build_at(&b, lane))->sizes[10] = 20;
	for (unsigned i = 0; i < points; i++)
		build_point(&b, 1000000000 + (i + 1) * MS, i == 1 ? 4000 : 100,
		    i == 0 ? 8000 : 0);
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

Test(prof_heap, growth_is_shown_over_time)
{
	save_grown("p", 3);
	cr_expect_eq(prof("--heap=growth --no-footer p"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "   Seconds     Live Resident  "
	    "#: live, to the end of the dots: resident\n"
	    "     0.001      100     8000  #......................................"
	    ".\n" "     0.002     4000        -  ####################\n"
	    "     0.003      100        -  #\n"), "%s", out);
	cr_expect_eq(prof("--heap=growth --csv p"), 0, "%s", err);
	cr_expect_not_null(strstr(out, ",0.001000,100,8000,1,\n"), "%s", out);
	cr_expect_not_null(strstr(out, ",0.002000,4000,,1,\n"), "%s", out);
	save_grown("q", 0);
	cr_expect_eq(prof("--heap=growth q"), 1);
	cr_expect_str_eq(out, "");
	cr_expect_str_eq(err, "prof: q: no point of the heap timeline was "
	    "recorded at offset 4192; prof --heap has its sums; the program "
	    "ended too early, or size= of PROFOPTS left no room\n");
	/* Others are shown all the same. */
	cr_expect_eq(prof("--heap=growth --csv q p"), 1);
	cr_expect_not_null(strstr(out, ",0.002000,4000,,1,\n"), "%s", out);
}

/* A choice that would change nothing is no choice. */
Test(prof_heap, growth_and_sizes_are_of_processes)
{
	static const char *const wrong[] = {
		"--min=5", "--by=module", "--lines", "--error",
		"--function=f", "--module=m", "--focus=f", "--ignore=f",
		"--sort=name", "--no-inline", "--diff=p", "--html=x",
	};
	char arguments[80];

	save_grown("p", 3);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		for (unsigned k = 0; k < 2; k++) {
			snprintf(arguments, sizeof(arguments), "--heap=%s %s "
			    "p", k == 0 ? "growth" : "sizes", wrong[i]);
			cr_expect_eq(prof(arguments), 2, "%s: %s", arguments,
			    err);
		}
	cr_expect_eq(prof("--heap=sizes --top=3 p"), 2);
	cr_expect_eq(prof("--heap=growth --diff=p p"), 2);
	cr_expect_not_null(strstr(err, "go with --tree, --callers, --graph, "
	    "--sort or --heap=summary, growth or sizes"), "%s", err);
}

/* The highest of several is in their line. */
Test(prof_heap, growth_passes_no_peak_over)
{
	save_grown("p", 500);
	cr_expect_eq(prof("--heap=growth --no-footer p"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "     0.002     4000     8000  "
	    "####################....................\n"), "%s", out);
}

Test(prof_heap, sizes_are_shown)
{
	save_grown("p", 0);
	shows("--heap=sizes --no-footer p",
	    "    From       To      Blocks      %\n"
	    "       4        7          60   75.0  ############################"
	    "############\n"
	    "     512     1023          20   25.0  #############\n");
	shows("--heap=sizes --json p", "[\n"
	    "{\"least_bytes\":4,\"most_bytes\":7,\"blocks\":60},\n"
	    "{\"least_bytes\":512,\"most_bytes\":1023,\"blocks\":20}\n]\n");
	cr_expect_eq(prof("--heap=sizes --html p"), 2);
}
