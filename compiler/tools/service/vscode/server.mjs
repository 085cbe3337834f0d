// The language server as it lies in the extension: on standard input and output, by itself.
import { lsp } from '../lsp/command.ts'

process.exitCode = await lsp()
