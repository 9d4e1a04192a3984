/* Context: O.  The symbols in .gnu_debugdata (LZMA), as Fedora strips. */
#include "minidebug.h"

#include <fcntl.h>
#include <unistd.h>

#include <elfutils/libdwfl.h>

/*
 * elfutils unpacks the section but only behind libdwfl.  That is slow to set
 * up, which is why nothing else here goes that way.
 */
static int
minidebug_no_file(Dwfl_Module *module, void **user, const char *name,
    Dwarf_Addr base, const char *path, const char *link, GElf_Word crc,
    char **found)
{
	(void)module, (void)user, (void)name, (void)base;
	(void)path, (void)link, (void)crc, (void)found;
	return -1;
}

static const Dwfl_Callbacks minidebug_callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = minidebug_no_file,
	.section_address = dwfl_offline_section_address,
};

static int
minidebug_offer_all(struct symbol_set *s, Dwfl_Module *module)
{
	GElf_Addr bias;
	int count = dwfl_module_getsymtab(module), ret = 0;

	if (dwfl_module_getelf(module, &bias) == NULL)
		return 0;
	for (int i = 1; i < count && ret == 0; i++) {
		GElf_Sym sym;
		GElf_Addr address;
		const char *name = dwfl_module_getsym_info(module, i, &sym,
		    &address, NULL, NULL, NULL);
		struct symbol_offer o = { .name = name };

		o.type = GELF_ST_TYPE(sym.st_info);
		if (name == NULL || name[0] == '\0' || sym.st_size == 0 ||
		    sym.st_shndx == SHN_UNDEF ||
		    (o.type != STT_FUNC && o.type != STT_GNU_IFUNC))
			continue;
		o.value = address - bias;
		o.size = sym.st_size;
		o.bind = GELF_ST_BIND(sym.st_info);
		ret = symbol_offer(s, &o);
	}
	return ret;
}

int
minidebug_offer(struct symbol_set *s, const struct elf_file *f,
    const char *path, struct Dwfl **keep)
{
	Dwfl_Module *module;

	*keep = NULL;
	if (elf_file_section(f, ".gnu_debugdata") == NULL)
		return 0;
	*keep = dwfl_begin(&minidebug_callbacks);
	if (*keep == NULL)
		return 0;
	module = dwfl_report_offline(*keep, "", path, -1);
	if (dwfl_report_end(*keep, NULL, NULL) != 0 || module == NULL)
		return 0;
	return minidebug_offer_all(s, module);
}

void
minidebug_close(struct Dwfl *keep)
{
	if (keep != NULL)
		dwfl_end(keep);
}
