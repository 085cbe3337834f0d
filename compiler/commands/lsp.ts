/** `ingot lsp`: the language server on standard input and output. */
import { createConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node'
import { HeapLimiter } from '../tools/service/heap-limiter.ts'
import { serve } from '../tools/service/lsp/server.ts'

/** Serves until the client sends `exit` or disconnects. */
export async function lsp(): Promise<number> {
  const reader = new StreamMessageReader(process.stdin)
  const connection = createConnection(reader, new StreamMessageWriter(process.stdout))
  // Standard output is reserved for the protocol.
  console.log = (...words) => connection.console.log(words.map(String).join(' '))
  const gone = new Promise<number>((resolve) => reader.onClose(() => resolve(1)))
  const served = serve(connection)
  const heap = new HeapLimiter(20)
  process.stdin.on('data', () => heap.noteRequest())
  return Promise.race([served, gone])
}
