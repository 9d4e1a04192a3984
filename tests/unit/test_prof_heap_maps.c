/* Context: O.  Tests of reports on mappings and on the heap over time. */
#include "heap_profile.h"
#include "command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

TestSuite(prof_heap_maps, .init = command_init, .fini = compile_fini);

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
	root = build_alloc_thread_root(&b, build_alloc_thread(&b));
	if (blocks)
		build_heap(&b, heap_frame(&b, root, m, 1), 4, 200);
	h = build_heap(&b, heap_frame(&b, root, m, 2), 3, 9000);
	h->node.kind = FORMAT_MAP;
	h->freed_blocks = 2;
	h->freed_bytes = 5000;
	h->era = 1;
	h->peak_bytes = 7000;
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

Test(prof_heap_maps, mappings_are_no_blocks)
{
	save_mapped("p", true);
	heap_shows("--heap --no-footer p",
	    " %Peak    Peak    Live   Total  Blocks    Temp  Name       Module\n"
	    " 100.0     200     200     200       4       0  prog+0xff  prog\n");
	heap_shows("--heap=mapped --no-footer p",
	    "  %Map MapPeak  Mapped  MapTot    Maps  Name        Module\n"
	    " 100.0    7000    4000    9000       3  prog+0x1ff  prog\n");
	heap_shows("--heap=mappings --csv p", "function,module,live_bytes,"
	    "live_blocks,peak_bytes,total_bytes,total_blocks,freed_bytes,"
	    "temporary_blocks," MORE
	    "prog+0x1ff,prog,0,0,0,0,0,0,0,4000,7000,9000,3,0,yes\n"
	    "prog+0xff,prog,200,4,200,200,4,0,0,0,0,0,0,200,yes\n");
}

/* Whoever says no count gets that of what there is. */
Test(prof_heap_maps, mappings_can_be_alone)
{
	static const char *const blocks[] = {
		"--heap=live p", "--heap=sizes p",
	};

	save_mapped("p", false);
	heap_shows_below_head("--heap p",
	    " %Peak MapPeak  Mapped  MapTot    Maps  Name        Module\n"
	    " 100.0    7000    4000    9000       3  prog+0x1ff  prog\n"
	    "\n"
	    "mappings alone\n"
	    "mapped: 9000 in 3 mappings; at the peak: 7000; at the end: "
	    "4000\n");
	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		cr_expect_eq(prof(blocks[i]), 1, "%s", blocks[i]);
		cr_expect_str_eq(err, "prof: mappings were counted, and "
		    "nothing else; prof --heap=mapped-peak shows them\n", "%s",
		    err);
	}
	heap_save("q", 10, true);
	cr_expect_eq(prof("--heap=mapped q"), 1);
	cr_expect_str_eq(err, "prof: no mapping was counted; "
	    "prof record --heap --set=heap=all counts them\n", "%s", err);
}

/* Mapped bytes are not compared with bytes that were given out. */
Test(prof_heap_maps, mappings_are_compared_with_mappings)
{
	heap_save("old", 10, true);
	save_mapped("both", true);
	save_mapped("new", false);
	for (unsigned i = 0; i < 2; i++) {
		cr_expect_eq(prof(i == 0 ? "--heap --diff=old new" :
		    "--heap --diff=new old"), 1, "%s", out);
		cr_expect_str_eq(err, "prof: no mapping was counted; "
		    "prof record --heap --set=heap=all counts them\n", "%s",
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
	uint32_t thread;

	build_init(&b);
	build_header(&b)->pid = name[0];	/* each is of its own process */
	build_header(&b)->birth_mono = 1000000000;
	build_memory(&b, 3, 5300);
	thread = build_alloc_thread(&b);
	build_alloc_thread_root(&b, thread);
	((struct format_alloc_thread *)build_at(&b, thread))->sizes[3] = 60;
	((struct format_alloc_thread *)build_at(&b, thread))->sizes[10] = 20;
	for (unsigned i = 0; i < points; i++)
		build_point(&b, 1000000000 + (i + 1) * MS, i == 1 ? 4000 : 100,
		    i == 0 ? 8000 : 0);
	build_seal(&b, FORMAT_END_EXIT, 0);
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}

Test(prof_heap_maps, growth_is_shown_over_time)
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
Test(prof_heap_maps, growth_and_sizes_are_of_processes)
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
Test(prof_heap_maps, growth_passes_no_peak_over)
{
	save_grown("p", 500);
	cr_expect_eq(prof("--heap=growth --no-footer p"), 0, "%s", err);
	cr_expect_not_null(strstr(out, "     0.002     4000     8000  "
	    "####################....................\n"), "%s", out);
}

Test(prof_heap_maps, sizes_are_shown)
{
	save_grown("p", 0);
	heap_shows("--heap=sizes --no-footer p",
	    "    From       To      Blocks      %  Sum %\n"
	    "       4        7          60   75.0   75.0  #####################"
	    "###################\n"
	    "     512     1023          20   25.0  100.0  #############\n"
	    "   total                   80  100.0\n");
	heap_shows("--heap=sizes --json p", "[\n"
	    "{\"least_bytes\":4,\"most_bytes\":7,\"blocks\":60},\n"
	    "{\"least_bytes\":512,\"most_bytes\":1023,\"blocks\":20}\n]\n");
	cr_expect_eq(prof("--heap=sizes --html p"), 2);
}
