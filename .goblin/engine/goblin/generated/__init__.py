"""Code made by scripts/generate.py from the published data; never edited by hand."""
