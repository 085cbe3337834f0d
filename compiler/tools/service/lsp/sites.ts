/** The sites with files open in the editor, each with its workspace. */
import { basename } from 'node:path'
import type { ClientCapabilities, Connection, Position } from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { Workspace } from '../workspace.ts'
import { toProtocolDiagnostic } from './diagnostics.ts'
import { Lines, sourceLines, type SitePath, sitePathOf, uriOf } from './places.ts'

/** A file of a site. */
export interface SitePlace extends SitePath {
  readonly workspace: Workspace
  readonly uri: string
  /** Converts offsets in the author's text, as in diagnostics. */
  readonly lines: Lines
}

/** A position in a request. */
export interface RequestPosition extends SitePlace {
  readonly position: Position
  /** Converts offsets in the substituted text, as `offset` is. */
  readonly substitutedLines: Lines
  readonly offset: number
}

export class Sites {
  readonly #connection: Connection
  readonly #byRoot = new Map<string, Workspace>()
  /** The last diagnostics of each file by address, which quick fixes refer to. */
  readonly #diagnostics = new Map<string, readonly Diagnostic[]>()
  folders: readonly string[] = []
  /** The open documents, by address. */
  readonly documents = new Map<string, TextDocument>()
  /** The client's capabilities. */
  client: ClientCapabilities = {}
  /** Called after an analysis of a whole site. */
  onSettled: () => void = () => undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Returns the file at an address; null for a file outside of all sites. */
  at(uri: string): SitePlace | null {
    const found = sitePathOf(uri, this.folders)
    if (found === null) return null
    const workspace = this.#workspaceAt(found.root)
    return { ...found, uri, workspace, lines: this.linesOf(workspace, found.path) }
  }

  all(): readonly Workspace[] {
    return [...this.#byRoot.values()]
  }

  linesOf(workspace: Workspace, path: string): Lines {
    return new Lines(workspace.writtenText(path) ?? workspace.unsaved(path) ?? '')
  }

  /** Returns the lines for offsets in the substituted text, which analysis results use. */
  substitutedLinesOf(workspace: Workspace, path: string): Lines {
    const file = workspace.file(path)
    return file === null ? this.linesOf(workspace, path) : sourceLines(file)
  }

  /** Returns the diagnostics of the current text of a file. */
  diagnosticsAt(uri: string): readonly Diagnostic[] {
    this.at(uri)?.workspace.sendWaiting()
    return this.#diagnostics.get(uri) ?? []
  }

  closeAll(): void {
    for (const workspace of this.#byRoot.values()) workspace.stop()
  }

  #workspaceAt(root: string): Workspace {
    const known = this.#byRoot.get(root)
    if (known !== undefined) return known
    const workspace: Workspace = new Workspace(root, {
      diagnosed: (path, diagnostics, text) => this.#publish(workspace, path, diagnostics, text),
      settled: () => this.onSettled(),
      failed: (error) => this.#connection.console.error(`${basename(root)}: ${error}`),
    })
    this.#byRoot.set(root, workspace)
    return workspace
  }

  #publish(workspace: Workspace, path: string, diagnostics: readonly Diagnostic[], text: string): void {
    const uri = uriOf({ root: workspace.root, path })
    const lines = new Lines(text)
    const linesOf = (other: string) =>
      other === path
        ? { uri, lines }
        : { uri: uriOf({ root: workspace.root, path: other }), lines: this.linesOf(workspace, other) }
    if (diagnostics.length === 0) this.#diagnostics.delete(uri)
    else this.#diagnostics.set(uri, diagnostics)
    const protocolDiagnostics = diagnostics.map((each) => toProtocolDiagnostic(each, lines, linesOf))
    const document = this.documents.get(uri)
    // Only diagnostics of the current text belong to the current version.
    const version = document?.getText() === text ? document.version : undefined
    void this.#connection.sendDiagnostics({
      uri,
      diagnostics: protocolDiagnostics,
      ...(version !== undefined && { version }),
    })
  }
}
