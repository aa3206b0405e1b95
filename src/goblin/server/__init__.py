"""The MCP server: what the commands say of a repository, as tools over standard input and output.

`schemas` and `tools` describe the tools, `serve` speaks the protocol (the official `mcp` package, extra
`mcp`), `calls` runs each call in a process of its own, and `work` is that process. The server never writes;
`goblin_loop_record`, where it is allowed, is the command `goblin-loop record`. No repository carries this.
"""
