/*
 * Context: O.  Keeps the command line and the host of a process in the model,
 * for read_profile.c; see process_texts.h.
 */
#include "read/process_texts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Writes one argument, in single quotes if a shell would not read it as one
 * word as it is, or if it is empty.  Bytes above 127 are letters and need no
 * quotes.
 */
static void
put_argument(FILE *out, const char *text, size_t bytes)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
	bool quoted = bytes == 0;

	for (size_t i = 0; i < bytes; i++)
		quoted |= (unsigned char)text[i] < 0x80 &&
		    strchr(plain, text[i]) == NULL;
	fputs(quoted ? "'" : "", out);
	for (size_t i = 0; i < bytes; i++)
		if (text[i] == '\'')
			fputs("'\\''", out);
		else
			putc(text[i], out);
	fputs(quoted ? "'" : "", out);
}

/*
 * Writes arguments with blanks between.  A NUL ends each of them, except
 * perhaps the last.
 */
static void
put_arguments(FILE *out, const char *text, size_t bytes)
{
	for (size_t at = 0; at < bytes;) {
		const size_t own = strnlen(text + at, bytes - at);

		if (at != 0)
			putc(' ', out);
		put_argument(out, text + at, own);
		at += own + 1;
	}
}

/*
 * Sets *to to the arguments of the process as a user would type them in a
 * shell, a text of the model; "" if the file has none.  The last argument may
 * be cut off, as the text in the file is.  Returns 0, or -EINVAL or -ENOMEM
 * with the fault set.
 */
static int
keep_command(struct profile_reader *x, const char **to)
{
	uint32_t length;
	const char *text = decode_text(x->file, x->file->header.cmdline,
	    &length, x->fault);
	char *shown = NULL;
	size_t bytes;
	FILE *out = text == NULL ? NULL : open_memstream(&shown, &bytes);

	if (text == NULL)
		return -EINVAL;
	if (out == NULL)
		return fault_set_no_memory(x->fault);
	put_arguments(out, text, length);
	*to = fclose(out) != 0 ? NULL : model_intern(x->model, shown, bytes);
	free(shown);
	return *to != NULL ? 0 : fault_set_no_memory(x->fault);
}

/*
 * Sets *to to the host name that the file has, a text of the model; "" if it
 * has none.  Returns as keep_command().
 */
static int
keep_host(struct profile_reader *x, const char **to)
{
	uint32_t length;
	const char *text = decode_text(x->file, x->file->header.host, &length,
	    x->fault);

	if (text == NULL)
		return -EINVAL;
	*to = model_intern(x->model, text, length);
	return *to != NULL ? 0 : fault_set_no_memory(x->fault);
}

int
process_texts_keep(struct profile_reader *x)
{
	struct model_process *p = &x->model->processes[x->process];
	int ret = 0;

	if (*p->command == '\0')
		ret = keep_command(x, &p->command);
	if (ret == 0 && *p->host == '\0')
		ret = keep_host(x, &p->host);
	return ret;
}
