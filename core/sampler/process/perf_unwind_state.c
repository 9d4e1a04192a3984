/*
 * Context: O.  Opens the unwind tables of a code file for perf_unwind.c, and
 * frees what libunwind keeps for the address_space files and code_file.c; see
 * perf_unwind_state.h.
 */
#include "process/perf_unwind_state.h"

#include <libunwind.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_VERSION	1u
#define ENCODED_SDATA4	0x1bu	/* relative to its own address */
#define ENCODED_UDATA4	0x03u
#define ENCODED_TABLE	0x3bu	/* relative to the header */

/* Finds the binary search table, if the file has one that can be searched. */
static void
find_table(struct perf_unwind_tables *t)
{
	Elf_Scn *section = elf_file_section(&t->file, ".eh_frame_hdr");
	const unsigned char *bytes;
	Elf64_Shdr header;
	uint32_t count;
	size_t size;

	if (section == NULL || !elf_file_header(section, &header))
		return;
	bytes = elf_file_bytes(&t->file, section, &size);
	if (bytes == NULL || size < PERF_UNWIND_HEADER_BYTES ||
	    bytes[0] != HEADER_VERSION || bytes[1] != ENCODED_SDATA4 ||
	    bytes[2] != ENCODED_UDATA4 || bytes[3] != ENCODED_TABLE)
		return;
	memcpy(&count, bytes + 8, sizeof(count));
	if (count > (size - PERF_UNWIND_HEADER_BYTES) /
	    PERF_UNWIND_ENTRY_BYTES)
		return;
	t->header = header.sh_addr;
	t->entries = count;
}

const struct perf_unwind_tables *
perf_unwind_state_tables(void **tables, const char *path)
{
	struct perf_unwind_tables *t = *tables;

	if (t != NULL)
		return t;
	t = calloc(1, sizeof(*t));
	if (t == NULL)
		return NULL;
	*tables = t;
	t->open = path != NULL && elf_file_open(&t->file, path) == 0;
	if (t->open)
		find_table(t);
	return t;
}

void
perf_unwind_state_close(void *tables)
{
	struct perf_unwind_tables *t = tables;

	if (t != NULL && t->open)
		elf_file_close(&t->file);
	free(t);
}

/* The cached data may belong to code that is gone. */
void
perf_unwind_state_forget(void *unwinder)
{
	if (unwinder != NULL)
		unw_flush_cache(unwinder, 0, 0);
}

void
perf_unwind_state_free(void *unwinder)
{
	if (unwinder != NULL)
		unw_destroy_addr_space(unwinder);
}
