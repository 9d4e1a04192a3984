/* Context: O.  Tests of core/model/foreign/read_tprof.c: a tprof.out in the
 * model. */
#include "tprof_model.h"
#include "sampled.h"
#include "tail.h"
#include "foreign/read_tprof.h"
#include "names/symbolize.h"

#include <criterion/criterion.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

TestSuite(read_tprof, .init = tprof_make, .fini = tprof_clean);

Test(read_tprof, sums_are_those_of_the_samples)
{
	cr_assert_eq(tprof_add(s.size, NULL, ALL), 0, "%s", f.what);
	tprof_finish();
	cr_expect_eq(tprof_count_all(), 14);
	cr_expect_eq(tprof_ns_all(), 14 * SAMPLED_MS);
	cr_expect_eq(tprof_row(FORMAT_USER, 0x1123)->count, 2);
	cr_expect_eq(tprof_row(FORMAT_KFUNC, 0xffffffff81000010)->ns,
	    3 * SAMPLED_MS);
	cr_expect_eq(tprof_row(FORMAT_USER, 0x5000)->module,
	    MODEL_MODULE_GENERATED);
	cr_expect_eq(tprof_row(FORMAT_USER, 0x6000)->module, MODEL_MODULE_NONE);
	cr_assert_eq(m.sampling_count, 1);
	cr_expect_eq(m.samplings->samples, 14);
	cr_expect_eq(m.samplings->others, 7);
	cr_expect_eq(m.samplings->value, 14 * SAMPLED_MS);
	cr_expect(m.samplings->timed);
	cr_expect_not(m.samplings->cut);
	cr_expect_str_eq(m.samplings->backend, "kernel");
	cr_expect_str_eq(m.samplings->command, "prog x");
	cr_assert_eq(m.lost_count, 3);
	cr_expect_eq(m.lost[0].samples + m.lost[2].samples, 14);
}

Test(read_tprof, another_event_is_asked_for)
{
	static const char *const names[] = { "faults", "faults:u", "event#01" };

	for (unsigned i = 0; i < 3; i++) {
		cr_assert_eq(tprof_add(s.size, names[i], 0), 0, "%s", f.what);
		tprof_finish();
		cr_expect_eq(tprof_count_all(), 7);
		cr_expect_eq(tprof_ns_all(), 7);
		cr_expect_eq(m.samplings->others, 14);
		cr_expect_not(m.samplings->timed);
	}
	cr_expect_eq(tprof_add(s.size, "fault", 0), -EINVAL);
	cr_expect_str_eq(f.what, "has no such event");
	cr_expect_eq(m.row_count, 0);
}

Test(read_tprof, modules_are_what_they_were)
{
	const struct model_module *own;

	cr_assert_eq(tprof_add(s.size, NULL, 0), 0);
	tprof_finish();
	own = &m.modules[tprof_row(FORMAT_USER, 0x1123)->module];
	cr_expect_str_eq(own->path, "/none/lib.so");
	cr_expect_eq(own->build_id_bytes, 2);
	cr_expect_eq(own->inode, 77);
	cr_expect_eq(own->seen, SAMPLED_REAL);
	cr_expect_eq(own->flags, 0);
	own = &m.modules[tprof_row(FORMAT_KFUNC, 0xffffffff81000010)->module];
	cr_expect_str_eq(own->name, "[kernel]");
	cr_expect_eq(own->flags, FORMAT_M_KERNEL);
	cr_expect_geq(own - m.modules, MODEL_MODULES);
}

Test(read_tprof, stacks_go_through_the_kernel)
{
	const struct model_row *r;
	const struct stack_frame *frame;

	cr_assert_eq(tprof_add(s.size, NULL, ALL), 0);
	tprof_finish();
	r = tprof_row(FORMAT_KFUNC, 0xffffffff81000010);
	cr_expect_str_eq(tprof_name(r), "inner");
	frame = &m.stacks.frames[r->stack];
	cr_expect_eq(frame->address, 0xffffffff81000120);
	cr_expect_eq(frame->kind, FORMAT_FRAME);
	/* Behind the last byte of it, which its call is before. */
	cr_expect_str_eq(m.functions[frame->function].name, "outer");
	frame = &m.stacks.frames[frame->caller];
	cr_expect_eq(frame->address, 0x1456);
	cr_expect_eq(frame->caller, 0);
	frame = &m.stacks.frames[tprof_row(FORMAT_USER, 0x1123)->stack];
	cr_expect_eq(m.stacks.frames[frame->caller].module,
	    MODEL_MODULE_CUT + FORMAT_CUT_DEPTH);
}

Test(read_tprof, processes_and_threads_are_told)
{
	const struct model_row *r;

	cr_assert_eq(tprof_add(s.size, NULL, ALL), 0);
	tprof_finish();
	cr_assert_eq(m.process_count, 1);
	cr_expect_eq(m.processes->pid, 10);
	cr_expect_str_eq(m.processes->program, "prog");
	cr_expect_eq(m.processes->euid, 1000);
	cr_expect_eq(m.processes->birth_real, SAMPLED_REAL);
	cr_expect(m.processes->foreign);
	cr_expect_not(m.processes->here);
	cr_expect_eq(m.processes->life, MODEL_ENDED);
	cr_assert_eq(m.thread_count, 2);
	r = tprof_row(FORMAT_USER, 0x5000);
	cr_expect_eq(m.threads[r->thread].thread.tid, 11);
	cr_expect_str_eq(m.threads[r->thread].thread.name, "worker");
}

/* The instruction that was interrupted, and the call that has not come back. */
Test(read_tprof, user_code_below_the_kernel_is_where_it_was)
{
	struct tprof_writer_frame frames[] = {
		{ 0, TPROF_F_KERNEL, 0xffffffff81000010 }, { 0, 0, 0x5000 },
	};
	struct tprof_writer_sample own = { .pid = 5, .kernel = true, .weight =
	    1,
		.frames = frames, .depth = 2 };
	const struct stack_frame *frame;

	sampled_free(&s);
	sampled_begin(&s, "");
	tprof_writer_event(&s.put, 0, "cycles", false, 0);
	tprof_writer_sample(&s.put, &own);
	own.frames = frames + 1;
	own.depth = 1;
	tprof_writer_sample(&s.put, &own);
	frames[1].flags = TPROF_F_CALLER;
	tprof_writer_sample(&s.put, &own);
	sampled_end(&s);
	cr_assert_eq(tprof_add(s.size, NULL, ALL), 0);
	tprof_finish();
	frame = &m.stacks.frames[tprof_row(FORMAT_KFUNC,
	    0xffffffff81000010)->stack];
	cr_expect_eq(frame->address, 0x5000);
	cr_expect_eq(frame->kind, FORMAT_INTERRUPTED);
	/* These are looked up one before. */
	cr_expect_eq(tprof_row(FORMAT_KERNEL, 0x5001)->count, 1);
	cr_expect_eq(tprof_row(FORMAT_KERNEL, 0x5000)->count, 1);
}

/* Time of a shell is not charged to the program that it became. */
Test(read_tprof, a_program_has_what_it_ran_alone)
{
	struct tprof_writer_sample own = { .pid = 5, .tid = 5, .weight = 1 };

	sampled_free(&s);
	sampled_begin(&s, "");
	tprof_writer_event(&s.put, 0, "cycles", false, 0);
	tprof_writer_process(&s.put, 5, 1, 0, "sh");
	tprof_writer_thread(&s.put, 5, 5, "early");
	tprof_writer_sample(&s.put, &own);
	tprof_writer_thread(&s.put, 5, 5, "late");
	tprof_writer_process(&s.put, 5, 2, 0, "/bin/prog");
	tprof_writer_thread(&s.put, 5, 5, "prog");
	own.weight = 2;
	tprof_writer_sample(&s.put, &own);
	tprof_writer_process(&s.put, 5, 1, 0, "sh");
	own.weight = 4;
	tprof_writer_sample(&s.put, &own);
	sampled_end(&s);
	cr_assert_eq(tprof_add(s.size, NULL, ALL), 0);
	tprof_finish();
	cr_assert_eq(m.process_count, 2);
	cr_assert_eq(m.row_count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct model_row *r = &m.rows[i];
		const struct model_process *p = &m.processes[r->process];
		const bool shell = strcmp(p->program, "sh") == 0;

		cr_expect_eq(p->image, !shell);
		cr_expect_eq(p->euid, 2 - shell);
		cr_expect_eq(r->ns, shell ? 5 : 2);
		/* The last name of a thread is that of all its time. */
		cr_expect_str_eq(m.threads[r->thread].thread.name,
		    shell ? "late" : "prog");
	}
}

Test(read_tprof, moments_are_at_real_times)
{
	cr_assert_eq(tprof_add(s.size, NULL, ALL), 0);
	tprof_finish();
	cr_assert_eq(m.moment_count, 14);
	for (size_t i = 0; i < m.moment_count; i++) {
		cr_expect_eq(m.moments[i].real, SAMPLED_REAL + (i + 1) *
		    1000000000u);
		cr_expect_eq(m.moments[i].ns, SAMPLED_MS);
	}
	cr_expect_eq(m.rows[m.moments[2].row].kind, FORMAT_KFUNC);
	cr_assert_eq(tprof_add(s.size, NULL, 0), 0);
	cr_expect_eq(m.moment_count, 0);
}

/* Knows, on this boot, a process that lives, and one whose number came back. */
Test(read_tprof, who_is_here_is_known)
{
	struct timespec now;
	char boot[64], head[256];
	const struct tprof_writer_sample own = { .pid = (uint32_t)getpid(),
		.kernel = true, .pc = 0xffffffff80000000, .weight = 1 };
	FILE *in = fopen("/proc/sys/kernel/random/boot_id", "r");

	cr_assert(in != NULL && fscanf(in, "%63s", boot) == 1);
	fclose(in);
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(head, sizeof(head), "boot_id=%s\n", boot);
	for (unsigned back = 0; back < 2; back++) {
		sampled_free(&s);
		sampled_begin(&s, head);
		tprof_writer_process(&s.put, own.pid, 0,
		    ((uint64_t)now.tv_sec - back * 3600) * 1000000000u, "x");
		tprof_writer_sample(&s.put, &own);
		sampled_end(&s);
		cr_assert_eq(tprof_add(s.size, NULL, 0), 0);
		cr_expect_eq(m.rows->module, MODEL_MODULE_KERNEL);
		cr_expect(m.processes->here);
		cr_expect_eq(m.processes->life, back ? MODEL_ENDED :
		    MODEL_RUNNING);
	}
}

Test(read_tprof, filters_are_of_samples)
{
	cr_assert_eq(filter_add(&filter, FILTER_THREAD, "worker"), 0);
	cr_assert_eq(tprof_add(s.size, NULL, ALL), 0);
	tprof_finish();
	cr_expect_eq(tprof_count_all(), 12);
}
