# drills.mk - daemons behind proxies, under Prometheus, on Citus and on Patroni.

# What is built before the time of a drill begins: BUILT.DRILL.
.PHONY: drills
DRILLS ?= patroni citus backup proxies monitoring deb
BUILT.patroni = $(BUILD)/drill-patroni
BUILT.citus = $(DRILLED)
BUILT.proxies = $(BUILD)/proxies-load
drills: ## install what is missing, and run each drill for ten minutes at most; the last lines are a table: make drills DRILLS='patroni backup'
	@scripts/packages.sh install build server test
	+@$(MAKE) $(PROGRAM) $(foreach drill,$(DRILLS),$(BUILT.$(drill)))
	+@MAKE='$(MAKE)' CITUS='$(CITUS)' tests/drills.sh $(DRILLS)

# Proxies that are not installed are left out.
.PHONY: check-proxies
check-proxies: $(PROGRAM) $(BUILD)/proxies-load ## (nginx, caddy, haproxy) the files of contrib/ in front of two daemons; ten rolling restarts
	$(say) CHECK proxies
	$(Q)$(ALONE) PLYD_PROGRAM=$(abspath $(PROGRAM)) PLYD_LOAD=$(abspath $(BUILD)/proxies-load) \
	    scripts/postgres.sh with tests/proxies/run.sh

.PHONY: check-monitoring picture-dashboard
check-monitoring: $(PROGRAM) ## (prometheus, node) live daemons have data for every panel of the dashboard
	$(say) CHECK monitoring
	$(Q)$(ALONE) PLYD_PROGRAM=$(abspath $(PROGRAM)) scripts/postgres.sh with tests/monitoring/run.sh

picture-dashboard: $(PROGRAM) ## (prometheus, node) redraw the picture of the dashboard, in three minutes; then look at it
	$(say) DRAW docs/pictures/dashboard.svg
	$(Q)$(ALONE) PLYD_PROGRAM=$(abspath $(PROGRAM)) \
	    scripts/postgres.sh with tests/monitoring/run.sh picture docs/pictures/dashboard.svg

# How long it takes to make and to restore backups of a database of GAMES games, of which a million take 3 GB, and 20 GB
# of disk meanwhile: they are there twice, as restored from the dump, and so is the base backup.
.PHONY: drill-restore
GAMES ?= 1000000
drill-restore: $(PROGRAM) $(BUILD)/bench-fill ## measure the commands of docs/backup.md: make drill-restore GAMES=1000000
	$(say) DRILL restore
	$(Q)$(ALONE) PLYD_PROGRAM=$(abspath $(PROGRAM)) PLYD_FILL=$(abspath $(BUILD)/bench-fill) GAMES=$(GAMES) \
	    tests/backup/run.sh

# CITUS is the pg_config of a PostgreSQL that has Citus, or the connection string of a coordinator's database.
.PHONY: drill-citus
CITUS ?=
DRILLED = $(addprefix $(BUILD)/test-,db http fault)
drill-citus: $(PROGRAM) $(DRILLED) ## (Citus) the suites of db and HTTP on Citus, kills of a worker: make drill-citus CITUS=/path/to/pg_config
	$(say) DRILL citus
	$(Q)[ -n "$(CITUS)" ] || { echo "plyd: say where Citus is: make drill-citus CITUS=/path/to/pg_config, or" \
	    "CITUS=postgresql://HOST/NAME. docs/citus.md says how to build it." >&2; exit 1; }
	$(Q)$(ALONE) FILTER='$(FILTER)' scripts/citus.sh with '$(CITUS)' tests/citus/run.sh $(DRILLED)

$(BUILD)/proxies-load: $(BUILD)/tests/proxies/load.o $(SUPPORT) $(API) $(DB) $(ENGINE) $(RULES)
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

# The clients and judges of check-fault, one fault after the other.
.PHONY: drill-patroni
drill-patroni: ## (patroni, etcd, haproxy) install what is missing; kill, freeze and switch servers of a cluster under two daemons
	@scripts/packages.sh install build server test patroni
	+@$(MAKE) $(PROGRAM) $(BUILD)/drill-patroni
	$(say) DRILL patroni
	@echo '| fault | acknowledged | lost | doubled | longest gap, s | told again | /readyz of the daemons | load |'
	$(Q)$(ALONE) tests/failover/cluster.sh with $(BUILD)/drill-patroni --jobs 1 --filter '$(FILTER)'

DRILL_CLIENTS = $(addprefix $(BUILD)/tests/fault/,players.o friends.o stubborn.o)
$(BUILD)/drill-patroni: $(call objects,tests/criterion tests/failover) $(DRILL_CLIENTS) $(TESTED.fault) | packages-test
	$(say) LINK $@
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS) -lcriterion
