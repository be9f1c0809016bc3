# fuzz.mk - fuzzers of readers, and the replay of all inputs that were kept.

# A fuzzer is tests/fuzz/fuzz_NAME.c with the dictionary tests/fuzz/NAME.dict. tests/fuzz/corpus/NAME/
# has inputs to start from, tests/fuzz/regression/NAME/ every input that ever broke something.

FUZZERS = $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

.PHONY: fuzz fuzz-keep replays fuzz-regress
fuzz: ## run one fuzzer: make fuzz FUZZ=name SECS=60
	$(if $(FUZZ),,$(error which? make fuzz FUZZ=name, of: $(FUZZERS)))
	+@$(MAKE) FLAVOUR=fuzz CC=clang build/fuzz/fuzz-$(FUZZ)
	@mkdir -p build/fuzz/found/$(FUZZ) tests/fuzz/corpus/$(FUZZ) tests/fuzz/regression/$(FUZZ)
	$(Q)build/fuzz/fuzz-$(FUZZ) -max_total_time=$(SECS) \
	    $(addprefix -dict=,$(wildcard tests/fuzz/$(FUZZ).dict)) \
	    -artifact_prefix=tests/fuzz/regression/$(FUZZ)/ \
	    build/fuzz/found/$(FUZZ) tests/fuzz/corpus/$(FUZZ)

fuzz-keep: ## add the inputs that reach new code to the corpus: make fuzz-keep FUZZ=name
	$(if $(FUZZ),,$(error which? make fuzz-keep FUZZ=name, of: $(FUZZERS)))
	$(Q)build/fuzz/fuzz-$(FUZZ) -merge=1 tests/fuzz/corpus/$(FUZZ) build/fuzz/found/$(FUZZ)

# Nothing takes as long to compile as code for sanitizers. So only those objects are made that the fuzzers are linked
# from: a link of all of them at once, without sanitizers, says which these are.
FUZZED = build/fuzzed
FUZZERS_CODE = $(API) $(DB) $(ENGINE) $(RULES)
$(FUZZED): $(call objects,tests/fuzz) $(FUZZERS_CODE)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -Wl,--trace,-z,muldefs -o $@.all $^ $(ALL_LIBS) >$@.files && rm $@.all
	$(Q)sed -n 's|^$(BUILD)/||p' $@.files >$@ && rm $@.files

replays: $(FUZZED) ## build the programs of fuzz-regress
	+@$(MAKE) FLAVOUR=asan $(FUZZERS:%=build/asan/replay-%)

fuzz-regress: replays ## run the fuzzers on every kept input once, under the sanitizers
	+@$(MAKE) FLAVOUR=asan $(FUZZERS:%=replay-%)

replay-%: $(BUILD)/replay-%
	$(say) REPLAY $*
	$(Q)$< $(wildcard tests/fuzz/corpus/$* tests/fuzz/regression/$*)

build/fuzz/fuzz-%: build/fuzz/tests/fuzz/fuzz_%.o $(FUZZERS_CODE) | packages-fuzz
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(ALL_LIBS)

# db/fault.c is empty without PLYD_FAULTS.
CODE = $(call objects,$(API_PATHS) db engine $(RULES_FOLDERS))
$(BUILD)/libfuzzed.a: $(filter $(CODE),$(addprefix $(BUILD)/,$(file <$(FUZZED)))) $(BUILD)/db/fault.o
$(BUILD)/replay-%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o $(BUILD)/libfuzzed.a
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)
