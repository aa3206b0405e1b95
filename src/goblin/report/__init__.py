"""Report formats: one module a format, each a reader of `engine.Report`."""
