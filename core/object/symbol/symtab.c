/*
 * Context: O.  Reads every function of an object, for the listing and
 * elf_foreign.c; see symtab.h.
 */
#include "symbol/symtab.h"

#include "base/compare.h"
#include "base/regular_file.h"
#include "elf/debugfile.h"
#include "symbol/symbol_lookup.h"
#include "base/vector.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

static int
row_compare(const void *left, const void *right)
{
	const struct symtab_row *a = left, *b = right;
	int d = compare_u64(a->value, b->value);

	return d != 0 ? d : compare_u64(a->at, b->at);
}

/*
 * Returns whether a symbol is code.  "__bss_start" and such are not, though
 * linkers may count them to .text, behind its end.
 */
static bool
is_code(Elf *elf, const GElf_Sym *sym, GElf_Shdr *in)
{
	const unsigned type = GELF_ST_TYPE(sym->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC ||
	    type == STT_NOTYPE) && sym->st_shndx != SHN_UNDEF &&
	    sym->st_shndx < SHN_LORESERVE &&
	    gelf_getshdr(elf_getscn(elf, sym->st_shndx), in) != NULL &&
	    (in->sh_flags & SHF_EXECINSTR) != 0 &&
	    sym->st_value - in->sh_addr < in->sh_size;
}

/* Adds a symbol if it is a function with a name.  Returns 0 or -ENOMEM. */
static int
add_symtab_row(struct symtab *t, Elf *elf, const GElf_Sym *sym,
    const char *name)
{
	struct symtab_row *row;
	GElf_Shdr in;

	if (name == NULL || name[0] == '\0' ||
	    symbol_lookup_is_mapping(name, GELF_ST_TYPE(sym->st_info)) ||
	    !is_code(elf, sym, &in))
		return 0;
	if (vector_grow(&t->rows, t->count, &t->room, sizeof(*row)) != 0)
		return -ENOMEM;
	row = &t->rows[t->count];
	*row = (struct symtab_row) {
		.value = sym->st_value,
		.size = sym->st_size,
		.limit = in.sh_addr + in.sh_size,
		/* The version, as in "memcpy@@GLIBC_2.14", is cut off. */
		.name = arena_copy(&t->names, name, strcspn(name, "@")),
		.at = t->entries,
		.type = GELF_ST_TYPE(sym->st_info),
		.bind = GELF_ST_BIND(sym->st_info),
	};
	if (row->name == NULL)
		return -ENOMEM;
	if (row->size > t->longest)
		t->longest = row->size;
	t->count++;
	return 0;
}

static Elf_Scn *
find_table(Elf *elf, Elf64_Word type, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section)) != NULL)
		if (gelf_getshdr(section, header) != NULL &&
		    header->sh_type == type)
			return section;
	return NULL;
}

/*
 * Reads the symbol section of that type.  Returns 1, 0 if there is none, or
 * -ENOMEM.
 */
static int
read_symbol_section(struct symtab *t, Elf *elf, Elf64_Word type)
{
	GElf_Shdr header;
	Elf_Scn *section = find_table(elf, type, &header);
	Elf_Data *data = section == NULL ? NULL : elf_getdata(section, NULL);
	GElf_Sym sym;

	if (data == NULL)
		return 0;
	for (int i = 0; gelf_getsym(data, i, &sym) != NULL; i++) {
		int ret = add_symtab_row(t, elf, &sym, elf_strptr(elf,
		    header.sh_link, sym.st_name));

		if (ret != 0)
			return ret;
		t->entries++;
		if (i == INT_MAX)
			break;
	}
	return 1;
}

/*
 * Reads .symtab of the separate debug file, found as in object_files.c: by
 * build-id, else by the name that the file gives.
 */
static int
read_debug_symtab(struct symtab *t, const struct elf_file *f, const char *path)
{
	struct debugfile_refused refused = { .fault = DEBUGFILE_OK };
	const unsigned char *id = NULL;
	size_t bytes = elf_file_build_id(f, &id);
	struct elf_file debug;
	int ret;

	if (debugfile_by_build_id(&debug, id, bytes, &refused) != 0 &&
	    debugfile_by_debuglink(&debug, f, path, &refused) != 0)
		return 0;
	elf_file_all_bytes(&debug);
	ret = read_symbol_section(t, debug.elf, SHT_SYMTAB);
	elf_file_close(&debug);
	return ret;
}

/*
 * Reads the functions of a file.  f is NULL for formats of other machines, for
 * which no debug files are looked up.
 */
static int
read_file_symtab(struct symtab *t, Elf *elf, const struct elf_file *f,
    const char *path)
{
	int ret = read_symbol_section(t, elf, SHT_SYMTAB);

	if (ret == 0 && f != NULL)
		ret = read_debug_symtab(t, f, path);
	if (ret == 0)
		ret = read_symbol_section(t, elf, SHT_DYNSYM);
	if (t->count > 1)
		qsort(t->rows, t->count, sizeof(*t->rows), row_compare);
	return ret < 0 ? ret : 0;
}

/*
 * Reads the functions of a file that elf_file.h does not open.  Returns as
 * symtab_read().
 */
static int
read_foreign_symtab(struct symtab *t, const char *path)
{
	struct stat st;
	int fd = regular_file_open(path, 0, &st);
	int ret = -ENOEXEC;
	Elf *elf;

	if (fd < 0)
		return fd;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf != NULL && elf_kind(elf) == ELF_K_ELF)
		ret = read_file_symtab(t, elf, NULL, path);
	if (elf != NULL)
		elf_end(elf);
	close(fd);
	return ret;
}

int
symtab_read(struct symtab *t, const char *path)
{
	struct elf_file f;
	int ret = elf_file_open(&f, path);

	memset(t, 0, sizeof(*t));
	if (ret == -ENOEXEC) {
		ret = read_foreign_symtab(t, path);
	} else if (ret == 0) {
		elf_file_all_bytes(&f);
		ret = read_file_symtab(t, f.elf, &f, path);
		elf_file_close(&f);
	}
	if (ret != 0)
		symtab_free(t);
	return ret;
}

void
symtab_free(struct symtab *t)
{
	free(t->rows);
	arena_free(&t->names);
	memset(t, 0, sizeof(*t));
}
