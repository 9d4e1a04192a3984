/*
 * Context: O.  Holds core/instruction against Zydis, at each instruction of the
 * code of objects: of those that this program has mapped, and in the long form
 * of all in /usr.
 */
#define _GNU_SOURCE		/* nftw */
#include "instruction.h"

#include <Zydis/Zydis.h>
#include <criterion/criterion.h>
#include <elf.h>
#include <fcntl.h>
#include <ftw.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ALL_FLAGS	(ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF |		\
			ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF |		\
			ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF)
/* At most one instruction in so many is unknown: XOP, 3DNow!, and data. */
#define KNOWN_OF	1000

static ZydisDecoder decoder;
static size_t compared, unknown;

/* An instruction as Zydis sees it. */
struct seen {
	ZydisDecodedInstruction in;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

/* Returns the offset of a displacement from the instruction, or 0. */
static unsigned
relative_memory(const struct seen *z)
{
	for (unsigned i = 0; i < z->in.operand_count; i++) {
		const ZydisDecodedOperand *o = &z->operands[i];

		if (o->type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    (o->mem.base == ZYDIS_REGISTER_RIP ||
		    o->mem.base == ZYDIS_REGISTER_EIP))
			return z->in.raw.disp.offset;
	}
	return 0;
}

static bool
is_kind(const struct seen *z, enum instruction_kind kind)
{
	switch (z->in.meta.category) {
	case ZYDIS_CATEGORY_COND_BR:
		return kind == INSTRUCTION_BRANCH ||
		    kind == INSTRUCTION_LOOP || kind == INSTRUCTION_XBEGIN ||
		    (kind == INSTRUCTION_PLAIN &&
		    z->in.mnemonic == ZYDIS_MNEMONIC_XEND);
	case ZYDIS_CATEGORY_UNCOND_BR:
		return kind == INSTRUCTION_JUMP ||
		    kind == INSTRUCTION_JUMP_INDIRECT ||
		    (kind == INSTRUCTION_PLAIN &&
		    z->in.mnemonic == ZYDIS_MNEMONIC_XABORT);
	case ZYDIS_CATEGORY_CALL:
		return kind == INSTRUCTION_CALL ||
		    kind == INSTRUCTION_CALL_INDIRECT;
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_SYSRET:
		return kind == INSTRUCTION_RETURN;
	case ZYDIS_CATEGORY_SYSCALL:
		return kind == INSTRUCTION_SYSTEM;
	case ZYDIS_CATEGORY_INTERRUPT:
		return kind == INSTRUCTION_TRAP || kind == INSTRUCTION_SYSTEM;
	default:
		return kind == INSTRUCTION_PLAIN || (kind == INSTRUCTION_TRAP &&
		    (z->in.mnemonic == ZYDIS_MNEMONIC_HLT ||
		    z->in.mnemonic == ZYDIS_MNEMONIC_UD0 ||
		    z->in.mnemonic == ZYDIS_MNEMONIC_UD1 ||
		    z->in.mnemonic == ZYDIS_MNEMONIC_UD2));
	}
}

/* Returns what differs, or NULL. */
static const char *
find_difference(const struct seen *z, const struct instruction *in)
{
	const ZydisAccessedFlags *f = z->in.cpu_flags;
	const unsigned written = (f->modified | f->set_0 | f->set_1 |
	    f->undefined) & ALL_FLAGS;
	const bool read = (f->tested & ALL_FLAGS) != 0;
	unsigned target = 0;

	for (unsigned i = 0; i < 2; i++)
		if (z->in.raw.imm[i].is_relative)
			target = z->in.raw.imm[i].offset;
	return in->bytes != z->in.length ? "length" :
	    in->target_at != target ? "target" :
	    in->memory_at != relative_memory(z) ? "operand" :
	    !is_kind(z, in->kind) ? "kind" :
	    read && in->flags != INSTRUCTION_FLAGS_READ ? "flags read" :
	    in->flags == INSTRUCTION_FLAGS_KILLED &&
	    (read || written != ALL_FLAGS) ? "flags overwritten" : NULL;
}

/* Compares all instructions from the first on; data that Zydis skips, too. */
static void
compare_code(const char *path, const uint8_t *file, const uint8_t *code,
    size_t bytes)
{
	struct instruction in;
	struct seen z;

	for (size_t at = 0; at < bytes; at += z.in.length) {
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code + at,
		    bytes - at, &z.in, z.operands))) {
			z.in.length = 1;
			continue;
		}
		compared++;
		if (!instruction_decode(code + at, bytes - at, &in)) {
			unknown++;
			continue;
		}
		cr_assert_null(find_difference(&z, &in), "%s+%#zx: %s: %s",
		    path, (size_t)(code + at - file),
		    ZydisMnemonicGetString(z.in.mnemonic),
		    find_difference(&z, &in));
	}
}

static void
compare_sections(const char *path, const uint8_t *file, size_t bytes)
{
	const Elf64_Ehdr *e = (const void *)file;
	const Elf64_Shdr *s = (const void *)(file + e->e_shoff);

	if (e->e_shoff == 0 || e->e_shoff > bytes ||
	    e->e_shnum > (bytes - e->e_shoff) / sizeof(*s))
		return;
	for (unsigned i = 0; i < e->e_shnum; i++)
		if ((s[i].sh_flags & SHF_EXECINSTR) != 0 &&
		    s[i].sh_type == SHT_PROGBITS && s[i].sh_offset <= bytes &&
		    s[i].sh_size <= bytes - s[i].sh_offset)
			compare_code(path, file, file + s[i].sh_offset,
			    s[i].sh_size);
}

static void
compare_object(const char *path, size_t bytes)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint8_t *file = fd < 0 || bytes < sizeof(Elf64_Ehdr) ? MAP_FAILED :
	    mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
	const Elf64_Ehdr *e = (const void *)file;

	if (fd >= 0)
		close(fd);
	if (file == MAP_FAILED)
		return;
	if (memcmp(e->e_ident, ELFMAG, SELFMAG) == 0 &&
	    e->e_ident[EI_CLASS] == ELFCLASS64 && e->e_machine == EM_X86_64)
		compare_sections(path, file, bytes);
	munmap(file, bytes);
}

static int
visit_file(const char *path, const struct stat *st, int type, struct FTW *unused)
{
	(void)unused;
	if (type == FTW_F && S_ISREG(st->st_mode))
		compare_object(path, (size_t)st->st_size);
	return 0;
}

static int
visit_mapped(struct dl_phdr_info *info, size_t size, void *unused)
{
	const char *path = *info->dlpi_name != '\0' ? info->dlpi_name :
	    "/proc/self/exe";
	struct stat st;

	(void)size;
	(void)unused;
	if (stat(path, &st) == 0)
		compare_object(path, (size_t)st.st_size);
	return 0;
}

Test(instruction_zydis, agrees, .timeout = 3600)
{
	const char *form = getenv("CHECK_FORM");

	cr_assert(ZYAN_SUCCESS(ZydisDecoderInit(&decoder,
	    ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)));
	dl_iterate_phdr(visit_mapped, NULL);
	if (form != NULL && strcmp(form, "long") == 0)
		nftw("/usr", visit_file, 16, FTW_PHYS | FTW_MOUNT);
	cr_expect_gt(compared, 100000u, "some code");
	cr_expect_lt(unknown, compared / KNOWN_OF, "%zu of %zu are unknown",
	    unknown, compared);
	printf("%zu instructions, %zu unknown\n", compared, unknown);
}
