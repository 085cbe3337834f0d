// Entry point of the language server bundled in the extension. It uses standard input and output.
import { lsp } from './lsp.ts'

process.exitCode = await lsp()
