/* Context: O.  Tests of prof --heap: each view of it, by each count. */
#include "heap_profile.h"
#include "command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(prof_heap, .init = command_init, .fini = compile_fini);

/* A profile of allocations alone is shown as one. */
Test(prof_heap, is_shown_without_being_asked_for)
{
	char summary[sizeof(out)];

	heap_save("p", 10, true);
	cr_assert_eq(prof("--heap=summary p"), 0, "%s", err);
	strcpy(summary, out);
	cr_expect_eq(prof("p"), 0, "%s", err);
	cr_expect_str_eq(out, summary);
	cr_expect_eq(prof("--heap --tree p"), 0, "%s", err);
	strcpy(summary, out);
	cr_expect_eq(prof("--tree p"), 0, "%s", err);
	cr_expect_str_eq(out, summary);
	cr_expect_eq(prof("--by=module p"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "%Peak"), "%s", out);
	cr_expect_eq(prof("--by=thread p"), 1, "%s", out);
	cr_expect_not_null(strstr(err, "prof: the files have allocations "
	    "alone, which --heap shows; --heap has no threads"), "%s", err);
	cr_expect_eq(prof("--asleep p"), 1, "%s", out);
	cr_expect_not_null(strstr(err, "alone, which --heap shows; prof record "
	    "--wall"), "%s", err);
	cr_expect_eq(prof("--html=a.html --heap p"), 0, "%s", err);
	cr_expect_eq(prof("--html=b.html p"), 0, "%s", err);
}

/* --check reads the call paths of allocations, too. */
Test(prof_heap, check_finds_damage_in_a_path)
{
	struct build b;
	struct format_node *n;
	uint32_t path;

	build_init(&b);
	build_memory(&b, 3, 100);
	path = heap_frame(&b, build_alloc_thread_root(&b,
	    build_alloc_thread(&b)),
	    build_module(&b, "/bin/prog", 0x5000, 0x15000), 1);
	build_heap(&b, path, 1, 100);
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("p")), 0);
	cr_expect_eq(prof("--check p"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "good, "), "%s", out);
	n = (void *)(b.bytes + (size_t)path * FORMAT_UNIT);
	n->child = UINT32_MAX;
	cr_assert_eq(build_save(&b, compile_path("p")), 0);
	build_fini(&b);
	cr_expect_eq(prof("--check p"), 1, "%s", out);
	cr_expect_not_null(strstr(err, "prof: p: "), "%s", err);
}

Test(prof_heap, tables_are_sorted_by_what_is_asked_for)
{
	heap_save("p", 10, true);
	heap_shows("--heap --no-footer p",
	    " %Peak    Peak    Live   Total  Blocks    Temp  Name        "
	    "Module\n"
	    "  94.3    5000    5000    5000       1       0  prog+0x2ff  "
	    "prog\n"
	    "   5.7     300     100    1000      10       1  prog+0x1ff  "
	    "prog\n");
	heap_shows("--heap=freed --no-footer p",
	    "%Freed   Freed    Peak    Live   Total  Blocks    Temp  Name    "
	    "    Module\n"
	    " 100.0     900     300     100    1000      10       1  "
	    "prog+0x1ff  prog\n"
	    "   0.0       0    5000    5000    5000       1       0  "
	    "prog+0x2ff  prog\n");
	heap_shows("--heap=blocks --csv p", "function,module,live_bytes,"
	    "live_blocks,peak_bytes,total_bytes,total_blocks,freed_bytes,"
	    "temporary_blocks," MORE
	    "prog+0x1ff,prog,100,1,300,1000,10,900,1,0,0,0,0,400,yes\n"
	    "prog+0x2ff,prog,5000,1,5000,5000,1,0,0,0,0,0,0,5000,yes\n");
	heap_shows("--heap=leaked --min=50 --no-footer p",
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
	root = build_alloc_thread_root(&b, build_alloc_thread(&b));
	for (unsigned i = 1; i < 3; i++) {
		h = build_heap(&b, heap_frame(&b, heap_frame(&b, root, m, i), m,
		    9), 20,
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
	heap_shows_below_head("--heap=high p",
	    " %High    High    Peak    Live   Total  Blocks    Temp  Name      "
	    "  Module\n"
	    " 100.0 <=11.7K   9.77K   9.77K   39.1K      40       0  prog+0x8ff"
	    "  prog\n"
	    "\n"
	    "allocated 39.1K in 40 calls (0 temporary)\n"
	    "peak 9.77K; live at the end: 9.77K in 10 blocks\n"
	    "high: the most that was live of each call path of a thread, at "
	    "any time;\na sum of several (<=) may not have been live at once\n");
	save_two("q", 5000, 15000);
	heap_shows("--heap=high --csv q",
	    "function,module,live_bytes,live_blocks,"
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
	heap_save("p", 10, true);
	heap_shows("--heap=blocks --tree --no-footer p",
	    " %Total   %Self  Blocks  Name, below it what it called "
	    "(+ one of several)\n"
	    "   90.9     0.0      10  prog+0xff [prog]\n"
	    "   90.9    90.9      10    prog+0x1ff [prog]\n"
	    "    9.1     9.1       1  prog+0x2ff [prog]\n");
	heap_shows("--heap=temporary --callers --csv p",
	    "node,parent,function,module,total_temporary_blocks,"
	    "self_temporary_blocks\n"
	    "1,,prog+0x1ff,prog,1,0\n"
	    "2,1,prog+0xff,prog,1,1\n");
	heap_shows("--heap --graph --csv p",
	    "caller,caller_module,function,module,peak_bytes\n"
	    "prog+0xff,prog,prog+0x1ff,prog,300\n");
	heap_shows("--heap=total --graph --top=1 --no-footer p",
	    "%Total: the function and all that it called (inclusive); of a "
	    "pair, while the one\nhad called the other.  %Self: the function "
	    "itself.\n"
	    " %Total   Total   %Self   Total  Name, and who called it (<-) and "
	    "what it called (->)\n"
	    "\n"
	    "   83.3    5000    83.3    5000  prog+0x2ff [prog]\n"
	    "\n"
	    "not shown: 2 functions (--top=0 shows all)\n");
}

Test(prof_heap, differences_are_exact)
{
	heap_save("old", 10, true);
	heap_save("new", 7, true);
	heap_shows("--heap=total --diff=old --no-footer new",
	    "   Change   Before      Now  Name  Module\n"
	    "     -300     1000      700  prog+0x1ff  prog\n"
	    "\n"
	    "unchanged: 1 line\n"
	    "bytes given out: 6000 before, 5700 now: -300 (-5.0 %)\n");
	heap_shows("--heap=total --diff=old --csv new", "function,module,"
	    "before_total_bytes,now_total_bytes,change_total_bytes\n"
	    "prog+0x1ff,prog,1000,700,-300\n"
	    "prog+0x2ff,prog,5000,5000,0\n");
}

Test(prof_heap, summary_has_the_most_of_each)
{
	heap_save("p", 10, true);
	heap_shows("--heap=summary --no-footer p",
	    "allocated 6000 in 11 calls (1 temporary, 9.1 %)\n"
	    "peak 5300; live at the end: 5100 in 2 blocks\n"
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
	    "largest leaks (live at the end): 5100 bytes in all\n"
	    "   98.0    5000  prog+0x2ff [prog]\n"
	    "    2.0     100  prog+0x1ff [prog]\n"
	    "    2.0     100    prog+0xff [prog]\n");
	heap_shows("--heap=summary --top=1 --min=95 --no-footer p",
	    "allocated 6000 in 11 calls (1 temporary, 9.1 %)\n"
	    "peak 5300; live at the end: 5100 in 2 blocks\n"
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
	    "largest leaks (live at the end): 5100 bytes in all\n"
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
	at = build_alloc_thread_root(&b, build_alloc_thread(&b));
	for (unsigned i = 30; i > 0; i--)
		at = heap_frame(&b, at, m, i);
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
	heap_save("both", 10, false);
	heap_shows("--heap --tree --csv both",
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
	h = build_heap(&b, heap_frame(&b, build_alloc_thread_root(&b,
	    build_alloc_thread(&b)), m, 1), 2, 100);
	h->freed_bytes = 150;
	h->freed_blocks = 3;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("torn")), 0);
	build_fini(&b);
	heap_shows("--heap --csv torn",
	    "function,module,live_bytes,live_blocks,"
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
	root = build_alloc_thread_root(&b, build_alloc_thread(&b));
	h = build_heap(&b, heap_frame(&b, root, m, 1), 16, 1600);
	h->samples = 4;
	h->freed_bytes = 800;
	h->freed_blocks = 8;
	h = build_heap(&b, heap_frame(&b, root, m, 2), 8, 800);
	h->samples = 2;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path("some")), 0);
	build_fini(&b);
	heap_shows_below_head("--heap=live --error some",
	    " %Live    +-    Peak    Live   Total  Blocks    Temp  Name        "
	    "Module\n"
	    "  50.0  35.0     800     800     800       8       0  prog+0x1ff  "
	    "prog\n"
	    "  50.0  35.0     800     800    1600      16       0  prog+0xff   "
	    "prog\n"
	    "\n"
	    "allocated 2400 in 24 calls (0 temporary)\n"
	    "peak 1600; live at the end: 1600 in 16 blocks\n"
	    "chosen: 6 blocks, at random, one in 512K bytes: the allocated "
	    "bytes are good to +-40.8 %\n");
	heap_save("old", 10, true);
	cr_expect_eq(prof("--heap=total --diff=some --csv some"), 0, "%s",
	    err);
	cr_expect_str_eq(out, "function,module,before_total_bytes,"
	    "now_total_bytes,change_total_bytes,error_total_bytes,change_points,"
	    "sure\n"
	    "prog+0x1ff,prog,800,800,0,800,0.0000,noise\n"
	    "prog+0xff,prog,1600,1600,0,1131,0.0000,noise\n");
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
	heap_save("p", 10, true);
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
