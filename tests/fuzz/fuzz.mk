# Context: -.  Builds the fuzzers beside the tree, with sanitizers in all of it.
#
# run and mutants call it with SRC, BUILT, OUT, CC, SAN, LINK (libFuzzer's main, or
# ours in driver.c), and from the build's Makefile DEFS and TOOLS_LIBS.
LAYERS = load model view listing export
FLAGS = -std=gnu11 -g -O1 -fno-omit-frame-pointer $(SAN) $(DEFS) \
	-I$(SRC)/tests/fuzz -I$(SRC)/tests/unit $(LAYERS:%=-I$(SRC)/core/%) \
	-I$(SRC)/core/import -I$(SRC)/core/object -I$(SRC)/core/format \
	-I$(SRC)/core/instruction -I$(SRC)/core/entry -I$(BUILT)/core/export \
	$(if $(findstring -lZydis,$(TOOLS_LIBS)),-DFUZZ_ZYDIS)

DEMANGLE = $(if $(findstring -liberty,$(TOOLS_LIBS)),demangle_none,demangle)
files = $(patsubst $(SRC)/%.c,$(OUT)/%.o,$(wildcard $(SRC)/core/$(1)/*.c \
	$(SRC)/core/$(1)/*/*.c))
FORMAT = $(call files,format)
DISASM = $(if $(findstring -lZydis,$(TOOLS_LIBS)),zydis,$(if \
	$(findstring -lcapstone,$(TOOLS_LIBS)),capstone,none))
OBJECT = $(filter-out %/$(DEMANGLE).o \
	$(patsubst %,\%/disasm_%.o,$(filter-out $(DISASM),zydis capstone \
	none)) %/remote_debuginfod.o,$(call files,object))
PPROF = $(if $(findstring -lprotobuf-c,$(TOOLS_LIBS)),export_pprof_none, \
	export_pprof gzip)
REPORT = $(filter-out $(PPROF:%=\%/%.o), \
	$(foreach layer,$(LAYERS),$(call files,$(layer)))) \
	$(if $(findstring export_pprof_none,$(PPROF)),$(OUT)/pprof.pb-c.o) \
	$(OUT)/html_page.o
IMPORT = $(filter-out %/$(if $(findstring -DHAVE_ZLIB,$(DEFS)),inflate_none, \
	inflate).o,$(call files,import))
COMMON = $(OUT)/tests/fuzz/fuzz.o $(OUT)/tests/fuzz/mutate.o \
	$(if $(DRIVER),$(OUT)/tests/fuzz/driver.o)

all: $(HARNESSES:%=$(OUT)/fuzz_%)

$(OUT)/fuzz_classic: $(OUT)/tests/fuzz/fuzz_classic.o $(COMMON) $(REPORT) \
	$(IMPORT) $(OBJECT) $(FORMAT)
$(OUT)/fuzz_decode: $(OUT)/tests/fuzz/fuzz_decode.o $(COMMON) $(FORMAT)
$(OUT)/fuzz_entry: $(OUT)/tests/fuzz/fuzz_entry.o $(COMMON) \
	$(call files,entry) $(call files,instruction)
$(OUT)/fuzz_import: $(OUT)/tests/fuzz/fuzz_import.o $(COMMON) $(REPORT) \
	$(IMPORT) $(OBJECT) $(FORMAT)
$(OUT)/fuzz_instruction: $(OUT)/tests/fuzz/fuzz_instruction.o $(COMMON) \
	$(call files,instruction)
$(OUT)/fuzz_jitmap: $(OUT)/tests/fuzz/fuzz_jitmap.o $(COMMON) $(OBJECT) \
	$(FORMAT)
$(OUT)/fuzz_load: $(OUT)/tests/fuzz/fuzz_load.o $(COMMON) $(REPORT) \
	$(IMPORT) $(OBJECT) $(FORMAT)
$(OUT)/fuzz_tprof: $(OUT)/tests/fuzz/fuzz_tprof.o $(COMMON) $(REPORT) \
	$(IMPORT) $(OBJECT) $(FORMAT)
$(OUT)/fuzz_%:
	@$(CC) $(SAN) $(LINK) -o $@ $^ $(TOOLS_LIBS) -lm

$(OUT)/pprof.pb-c.o: $(BUILT)/core/export/pprof.pb-c.c
	@$(CC) $(FLAGS) -c -o $@ $<
$(OUT)/html_page.o: $(BUILT)/core/export/html/html_page.c
	@$(CC) $(FLAGS) -c -o $@ $<
$(OUT)/%.o: $(SRC)/%.c
	@mkdir -p $(@D)
	@$(CC) $(FLAGS) -MMD -MP -c -o $@ $<

-include $(wildcard $(OUT)/*/*/*.d)

.PHONY: all
.SECONDARY:
