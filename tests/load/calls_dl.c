/* Context: load.  Libraries that come and go where others were: calls_dl TURNS
 * CALLS LIBRARY... opens each in turn, calls its function CALLS times and
 * closes it. */
#include "load.h"

#include <dlfcn.h>

static void
once(const char *path, uint64_t calls)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	uint64_t (*run)(uint64_t);

	if (library == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		exit(2);
	}
	*(void **)&run = dlsym(library, "calls_run");
	printf("%p\n", *(void **)&run);
	if (run(calls) != calls)
		exit(1);
	dlclose(library);
}

int
main(int argc, char **argv)
{
	uint64_t turns = argc > 3 ? strtoull(argv[1], NULL, 10) : 0;
	uint64_t calls = argc > 3 ? strtoull(argv[2], NULL, 10) : 0;
	int i;

	while (turns-- > 0)
		for (i = 3; i < argc; i++)
			once(argv[i], calls);
	return 0;
}
