// The VS Code extension. It starts the bundled language server, and shows the places that lenses link to. It makes no network requests.
import { join } from 'node:path'
import { commands, Location, Position, Range, Uri, workspace } from 'vscode'
import { LanguageClient, TransportKind } from 'vscode-languageclient/node'

/** @type {LanguageClient | null} */
let client = null
/** Serializes starts and stops. @type {Promise<void>} */
let pending = Promise.resolve()

/** Files of a site, whatever language the editor assigns to them. */
const SELECTOR = [
  { scheme: 'file', language: 'liquid' },
  { scheme: 'file', pattern: '**/{app,modules,marketplace_builder}/**/*.{liquid,graphql,yml,yaml}' },
]

/** @param {import('vscode').ExtensionContext} context */
export async function activate(context) {
  context.subscriptions.push(
    commands.registerCommand('ingot.restart', () => restart(context)),
    commands.registerCommand('ingot.showPlaces', showPlaces),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('ingot.server')) void restart(context)
    }),
  )
  await restart(context)
}

export function deactivate() {
  return (pending = pending.then(stop))
}

/**
 * Restarts the server. Starts and stops are serialized: a server that is still starting cannot be stopped and would keep running.
 * @param {import('vscode').ExtensionContext} context
 */
function restart(context) {
  return (pending = pending.then(stop).then(() => start(context)))
}

async function stop() {
  const last = client
  client = null
  // A client whose server failed to start, or has ended, rejects `stop`. Nothing needs to be stopped then.
  await last?.stop().catch(() => undefined)
}

/** @param {import('vscode').ExtensionContext} context */
async function start(context) {
  const chosen = workspace.getConfiguration('ingot').get('server')
  const bundledServer = { module: context.asAbsolutePath(join('server', 'server.mjs')), transport: TransportKind.stdio }
  const server =
    typeof chosen === 'string' && chosen !== ''
      ? { command: chosen, args: ['lsp'], transport: TransportKind.stdio }
      : bundledServer
  client = new LanguageClient('ingot', 'Ingot', server, { documentSelector: SELECTOR })
  // The client itself reports why its server did not start.
  await client.start().catch(() => undefined)
}

/**
 * Shows locations in the editor. The protocol uses plain objects, the editor its own classes.
 * @param {string} uri
 * @param {PlainPosition} position
 * @param {readonly { uri: string, range: { start: PlainPosition, end: PlainPosition } }[]} places
 */
async function showPlaces(uri, position, places) {
  const at = (/** @type {PlainPosition} */ { line, character }) => new Position(line, character)
  const locations = places.map(({ uri: file, range }) => {
    return new Location(Uri.parse(file), new Range(at(range.start), at(range.end)))
  })
  await commands.executeCommand('editor.action.showReferences', Uri.parse(uri), at(position), locations)
}

/** @typedef {{ readonly line: number, readonly character: number }} PlainPosition */
