# bench.mk - benches, the soak, and the weights of the engine.

.PHONY: bench
# Servers that a bench makes are not in memory, as those of tests are.
bench: ## install what is missing, and measure the speed relative to other programs
	@scripts/packages.sh install build server bench
	+@$(MAKE) $(PLYD) $(BUILD)/bench-machine $(BENCH:%=$(BUILD)/bench-%)
	$(Q)scripts/postgres.sh with env -u PLYD_TEST_PRISTINE $(BUILD)/bench-machine
	$(Q)for bench in $(BENCH); do \
	    PLYD_PROGRAM=$(PLYD) scripts/postgres.sh with env -u PLYD_TEST_PRISTINE \
	        $(BUILD)/bench-$$bench $(ARGS) || exit 1; \
	done

.PHONY: soak
soak: ## install what is missing, and send the daemon 360,000 good and bad requests
	@scripts/packages.sh install build server
	+@$(MAKE) $(PLYD) $(BUILD)/bench-soak
	$(Q)PLYD_PROGRAM=$(PLYD) scripts/postgres.sh with $(BUILD)/bench-soak $(ARGS)

$(BUILD)/bench-engine: $(BUILD)/tests/bench/plain.o
$(BUILD)/bench-worst: $(BUILD)/tests/bench/worst_imports.o $(BUILD)/tests/bench/worst_offers.o $(BUILD)/tests/bench/worst_stalls.o

# Positions are kept: the next run adds to them. Those of an engine whose weights are old are still of use.
.PHONY: fit
fit: $(BUILD)/bench-fit ## let the engine play GAME against itself on all processors, and fit its weights to that
	$(say) FIT engine/$(GAME)_weights.def
	$(Q)mkdir -p build/fit
	$(Q)for i in $$(seq $$(nproc)); do \
	    nice $(BUILD)/bench-fit --game $(GAME) --only play --seconds $(SECS) --seed $$(date +%N)$$i build/fit/$(GAME).$$i & \
	done; wait
	$(Q)$(BUILD)/bench-fit --game $(GAME) --only fit build/fit/$(GAME).* >build/fit/weights.def
	$(Q)mv build/fit/weights.def engine/$(GAME)_weights.def

$(BUILD)/bench-%: $(BUILD)/tests/bench/%.o $(SUPPORT) $(API) $(DB) $(ENGINE) $(RULES)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(ALL_LIBS)
