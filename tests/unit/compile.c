/* Context: O.  Programs made by the compiler under test's eyes. */
#include "compile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/libmon-unit-XXXXXX";

static const char *
tool(const char *name, const char *usual)
{
	const char *given = getenv(name);

	return given != NULL && given[0] != '\0' ? given : usual;
}

static void
wrong(const char *what)
{
	fprintf(stderr, "compile: %s\n", what);
	abort();
}

void
compile_init(void)
{
	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	if (mkdtemp(directory) == NULL)
		wrong("no directory");
}

void
compile_fini(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	if (system(command) != 0)
		wrong(command);
}

const char *
compile_path(const char *name)
{
	static char path[4][256];
	static unsigned next;
	char *at = path[next++ % 4];

	snprintf(at, sizeof(path[0]), "%s/%s", directory, name);
	return at;
}

int
compile_run(const char *command)
{
	char line[2048];

	snprintf(line, sizeof(line), "cd '%s' && { %s; }", directory, command);
	return system(line);
}

void
compile_source(const char *name, const char *suffix, const char *flags,
    const char *source)
{
	char file[64], command[1024];
	FILE *out;

	snprintf(file, sizeof(file), "%s%s", name, suffix);
	out = fopen(compile_path(file), "w");
	if (out == NULL || fputs(source, out) < 0 || fclose(out) != 0)
		wrong(file);
	snprintf(command, sizeof(command), "%s -o %s %s %s",
	    strcmp(suffix, ".cc") == 0 ? tool("CXX", "c++") : tool("CC", "cc"),
	    name, flags, file);
	if (compile_run(command) != 0)
		wrong(command);
}

uint64_t
compile_address(const char *name, const char *symbol)
{
	char command[512], line[256], own[200];
	uint64_t address = 0, value;
	FILE *in;

	snprintf(command, sizeof(command), "%s '%s'; %s -D '%s' 2>/dev/null",
	    tool("NM", "nm"), compile_path(name), tool("NM", "nm"),
	    compile_path(name));
	in = popen(command, "r");
	while (in != NULL && fgets(line, sizeof(line), in) != NULL)
		if (sscanf(line, "%" SCNx64 " %*c %199s", &value, own) == 2 &&
		    strcmp(own, symbol) == 0)
			address = value;
	if (in == NULL || pclose(in) != 0 || address == 0)
		wrong(symbol);
	return address;
}
