# The whole project from one place. Every target makes the virtual environment ready first.
export VENV ?= $(CURDIR)/.venv

.PHONY: help setup try test lint format generate adopt bench clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1	\2/p' Makefile

setup: ## make the virtual environment and install the pinned packages
	@scripts/setup

try: setup ## install goblin into a sample repository and verify it, step by step
	@scripts/try $(TRY)

test: ## run every linter and every test; the last line counts them
	@scripts/test

lint: ## run the linters alone
	@scripts/test ruff format mypy shellcheck generated rules rules-prove

format: setup ## format the Python source
	@$(VENV)/bin/python -m ruff check --fix .
	@$(VENV)/bin/python -m ruff format .

generate: setup ## write the generated files again
	@$(VENV)/bin/python scripts/generate.py

adopt: setup ## bring the copy in .goblin, which governs this repository, up to the source
	@$(VENV)/bin/goblin-install --target . --upgrade

bench: setup ## measure the targets of benchmarks/README.md
	@benchmarks/run

clean: ## remove what building and testing left behind
	@rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
