/* Context: load.  Preloaded: readdir(3) names STRANGER wherever a name is a
 * number, as if that had been given to another since. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct dirent *
readdir(DIR *directory)
{
	struct dirent *(*real)(DIR *);
	const char *stranger = getenv("STRANGER");
	struct dirent *e;

	*(void **)&real = dlsym(RTLD_NEXT, "readdir");
	e = real(directory);
	if (e != NULL && stranger != NULL &&
	    strspn(e->d_name, "0123456789") == strlen(e->d_name))
		strcpy(e->d_name, stranger);
	return e;
}
