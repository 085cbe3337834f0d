/** The language server. It passes requests to the site's workspace and converts the results to the protocol. */
import { fileURLToPath } from 'node:url'
import {
  type Connection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { FEATURES } from './features.ts'
import { Sites } from './sites.ts'

/** Serves a connection until the client sends `exit`. */
export function serve(connection: Connection): Promise<number> {
  const sites = new Sites(connection)
  const { documents } = sites
  let watches = false
  connection.onInitialize((params): InitializeResult => {
    sites.folders = foldersOf(params)
    sites.client = params.capabilities
    watches = params.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true
    const features = FEATURES.map((feature) => feature(connection, sites))
    return {
      serverInfo: { name: 'ingot' },
      capabilities: Object.assign({ textDocumentSync: SYNC }, ...features),
    }
  })
  connection.onInitialized(() => {
    if (watches) void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: WATCHED })
  })
  connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) => {
    documents.set(uri, TextDocument.create(uri, languageId, version, text))
    updateText(sites, uri, text)
  })
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
    const document = documents.get(uri)
    if (document === undefined) return
    const changed = TextDocument.update(document, [...contentChanges], version)
    documents.set(uri, changed)
    updateText(sites, uri, changed.getText())
  })
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    documents.delete(uri)
    const place = sites.at(uri)
    place?.workspace.close(place.path)
  })
  connection.onDidChangeWatchedFiles(({ changes }) => {
    for (const { uri } of changes) {
      const place = sites.at(uri)
      place?.workspace.noteDiskChange(place.path)
    }
  })
  return new Promise((resolve) => {
    let isAsked = false
    connection.onShutdown(() => {
      isAsked = true
      sites.closeAll()
    })
    connection.onExit(() => resolve(isAsked ? 0 : 1))
    connection.listen()
  })
}

/** Milliseconds after a keystroke in which the completions of the editor are answered first. */
const UNTIL_DIAGNOSED = 8

const SYNC = { openClose: true, change: TextDocumentSyncKind.Incremental, save: { includeText: false } }

/** Files that the editor watches for changes on disk. */
const WATCHED = [
  { globPattern: '**/{app,marketplace_builder,modules}/**/*' },
  { globPattern: '**/{.platformos-check.yml,pos-modules.json,pos-modules.lock.json}' },
]

function foldersOf({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri])
  return uris.filter((uri) => uri.startsWith('file:')).map((uri) => fileURLToPath(uri).replace(/[\\/]$/, ''))
}

function updateText(sites: Sites, uri: string, text: string): void {
  const place = sites.at(uri)
  place?.workspace.edit(place.path, text, UNTIL_DIAGNOSED)
}
