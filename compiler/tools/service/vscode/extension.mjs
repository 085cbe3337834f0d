// The extension: starts the language server that is part of it, and shows the places that lenses lead to. Nothing is asked of any network.
import { join } from 'node:path'
import { commands, Location, Position, Range, Uri, workspace } from 'vscode'
import { LanguageClient, TransportKind } from 'vscode-languageclient/node'

/** @type {LanguageClient | null} */
let client = null
/** What is started and stopped, in its order. @type {Promise<void>} */
let turn = Promise.resolve()

/** Files that a site is made of, whatever language the editor takes them for. */
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
  return (turn = turn.then(stop))
}

/**
 * One after the other: a server that is still starting cannot be stopped, and would stay beside the next one.
 * @param {import('vscode').ExtensionContext} context
 */
function restart(context) {
  return (turn = turn.then(stop).then(() => start(context)))
}

async function stop() {
  const last = client
  client = null
  // A client whose server did not start, or has ended, refuses to be stopped: there is nothing left of it.
  await last?.stop().catch(() => undefined)
}

/** @param {import('vscode').ExtensionContext} context */
async function start(context) {
  const chosen = workspace.getConfiguration('ingot').get('server')
  const own = { module: context.asAbsolutePath(join('server', 'server.mjs')), transport: TransportKind.stdio }
  const server =
    typeof chosen === 'string' && chosen !== ''
      ? { command: chosen, args: ['lsp'], transport: TransportKind.stdio }
      : own
  client = new LanguageClient('ingot', 'Ingot', server, { documentSelector: SELECTOR })
  // The client tells by itself why its server has not started.
  await client.start().catch(() => undefined)
}

/**
 * The protocol knows places as plain records, the editor by its own classes.
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
