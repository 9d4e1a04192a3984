/* Context: O.  See input_files.h. */
#include "input_files.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char back[4096];
struct input in;
struct fault fault;

void
input_setup(void)
{
	compile_init();
	cr_assert_not_null(getcwd(back, sizeof(back)));
	cr_assert_eq(chdir(compile_path("")), 0);
	unsetenv("PROFDIR");
}

void
input_teardown(void)
{
	input_free(&in);
	cr_assert_eq(chdir(back), 0);
	compile_fini();
}

void
input_put_text(const char *name, const char *text)
{
	FILE *out = fopen(name, "w");

	cr_assert_not_null(out);
	fputs(text, out);
	fclose(out);
}

char said[512];
struct model model;
struct filter filter;

void
input_on_fault(void *arg, const struct fault *f)
{
	(void)arg;
	sprintf(said + strlen(said), "%s: %s\n", f->file, f->what);
}

void
input_on_progress(void *arg, size_t done, size_t all, const char *what)
{
	(void)arg, (void)done, (void)all, (void)what;
}

void
input_gather(const char *path)
{
	cr_assert_eq(input_add(&in, path, &fault), 0);
	said[0] = '\0';
	cr_assert_eq(model_init(&model, &filter, 0, DEMANGLE_OFF), 0);
	cr_assert_eq(read_inputs(&model, &in, input_on_fault, input_on_progress,
	    NULL), 0);
}

void
input_put_pointer(const char *name, const char *to, unsigned other_boot)
{
	char id[40] = "", text[5000];
	struct build b;

	build_init(&b);
	build_here(&b);
	for (int i = 0; i < 16; i++)
		sprintf(id + 2 * i, "%02x", build_header(&b)->boot_id[i] ^
		    other_boot);
	build_fini(&b);
	snprintf(text, sizeof(text), "monptr 1\npath=%s\nboot_id=%s\npid=1\n"
	    "start=2\n", to, id);
	input_put_text(name, text);
}

void
input_put_live(const char *name, int pid, uint64_t start, unsigned other_boot)
{
	struct build b;

	build_init(&b);
	build_here(&b);
	build_header(&b)->boot_id[0] ^= (uint8_t)other_boot;
	build_header(&b)->pid = pid;
	build_header(&b)->start_ticks = start;
	build_node(&b, build_root(&b, build_thread(&b, pid, "main")),
	    FORMAT_USER, 0, 0x10, 1, 1000);
	cr_assert_eq(build_save(&b, name), 0);
	build_fini(&b);
}
