/* Context: O.  prof as its user meets it, for tests. */
#include "command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

char out[65536], err[65536];

void
command_init(void)
{
	compile_init();
	unsetenv("PROFDIR");
}

void
slurp(const char *name, char *text, size_t room)
{
	FILE *in = fopen(compile_path(name), "r");
	size_t n;

	cr_assert_not_null(in, "%s", name);
	n = fread(text, 1, room - 1, in);
	text[n] = '\0';
	fclose(in);
}

int
prof(const char *arguments)
{
	const char *own = getenv("PROF");
	char command[1024];
	int status;

	snprintf(command, sizeof(command), "'%s' %s >.out 2>.err",
	    own != NULL ? own : "prof", arguments);
	status = compile_run(command);
	slurp(".out", out, sizeof(out));
	slurp(".err", err, sizeof(err));
	cr_assert(WIFEXITED(status), "%s", command);
	return WEXITSTATUS(status);
}

void
put(const char *name, int pid, uint64_t ms)
{
	struct build b;
	uint32_t module, root;

	build_init(&b);
	build_header(&b)->pid = pid;
	module = build_module(&b, "/none/lib.so", 0x1000, 0x9000);
	root = build_root(&b, build_thread(&b, pid, "main"));
	build_node(&b, root, FORMAT_USER, module, 0x10, ms * 3, ms * 3 * MS);
	build_node(&b, root, FORMAT_KERNEL, module, 0x21, ms, ms * MS);
	build_loss(&b, LOSS_STORE_SPACE, 7);
	build_seal(&b, FORMAT_END_EXIT, 0);
	build_header(&b)->cpu_ns = ms * 5 * MS;
	build_header(&b)->system_ns = ms * 2 * MS;
	build_header(&b)->cpu_birth_ns = 0;
	build_header(&b)->fine_seen = 1u << FORMAT_FINE_ON;
	build_header(&b)->ticks = 100;
	build_header(&b)->cost_ticks = 10;
	build_header(&b)->cost_ns = MS;
	cr_assert_eq(build_save(&b, compile_path(name)), 0);
	build_fini(&b);
}
