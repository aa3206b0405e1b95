"""The record of one unattended run: what stands in `.goblin/loop/`, read and judged (rows JG and LP)."""
