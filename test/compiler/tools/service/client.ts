/** A client of the language server: in this process, over streams, or with a separate process. */
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'
import {
  type ClientCapabilities,
  createConnection,
  createProtocolConnection,
  type Diagnostic,
  type InitializeResult,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node'
import { serve } from '../../../../compiler/tools/service/lsp/server.ts'

export interface Client {
  readonly connection: ProtocolConnection
  readonly capabilities: InitializeResult['capabilities']
  /** Waits for diagnostics of a file that satisfy the condition. */
  diagnostics(path: string, are: (found: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]>
  uri(path: string): string
  open(path: string, text: string): void
  /** Replaces the whole text. */
  change(path: string, text: string): void
  end(): Promise<void>
}

/** Starts a server in this process for the site in a folder. */
export async function clientInProcess(root: string, capabilities: ClientCapabilities = {}): Promise<Client> {
  const up = new PassThrough()
  const down = new PassThrough()
  const server = createConnection(new StreamMessageReader(up), new StreamMessageWriter(down))
  void serve(server)
  const connection = createProtocolConnection(new StreamMessageReader(down), new StreamMessageWriter(up))
  return clientOver(root, connection, capabilities)
}

export async function clientOver(
  root: string,
  connection: ProtocolConnection,
  capabilities: ClientCapabilities = {},
): Promise<Client> {
  const told = new Map<string, readonly Diagnostic[]>()
  const waiting = new Set<() => void>()
  connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
    told.set(uri, diagnostics)
    for (const wake of waiting) wake()
  })
  connection.listen()
  const uri = (path: string): string => `${pathToFileURL(root).href}/${path}`
  const result: InitializeResult = await connection.sendRequest('initialize', {
    processId: null,
    rootUri: pathToFileURL(root).href,
    capabilities,
    workspaceFolders: [{ uri: pathToFileURL(root).href, name: 'site' }],
  })
  await connection.sendNotification('initialized', {})
  let version = 1
  return {
    connection,
    capabilities: result.capabilities,
    uri,
    diagnostics: (path, are) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = told.get(uri(path))
          if (found === undefined || !are(found)) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    open: (path, text) =>
      void connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: uri(path), languageId: 'liquid', version: version++, text },
      }),
    change: (path, text) =>
      void connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uri(path), version: version++ },
        contentChanges: [{ text }],
      }),
    end: async () => {
      // The client does not send `exit`, because that would end this process.
      await connection.sendRequest('shutdown')
      connection.dispose()
    },
  }
}
