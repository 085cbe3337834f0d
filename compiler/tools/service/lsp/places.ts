/** Converts positions: offsets in site files to and from the protocol's lines and characters. */
import { sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Position, Range } from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { SourceFile } from '../../../core/source/file.ts'
import { filledOffset, type WrittenText, writtenSpan } from '../../../core/source/template-values.ts'

/** Top-level folders of a site. */
const SITE_FOLDERS: ReadonlySet<string> = new Set(['app', 'marketplace_builder', 'modules'])

/** The site's folder, and the path of a file below it with forward slashes. */
export interface SitePath {
  readonly root: string
  readonly path: string
}

/** Finds the site of a file from its path. It is the outermost site below an open folder. @param folders folders open in the editor */
export function sitePathOf(uri: string, folders: readonly string[]): SitePath | null {
  if (!uri.startsWith('file:')) return null
  const full = fileURLToPath(uri)
  const inside = folders.filter((folder) => full.startsWith(folder + sep)).toSorted((a, b) => b.length - a.length)[0]
  const parts = full.split(sep)
  const from = inside === undefined ? 1 : inside.split(sep).length
  const at = parts.findIndex((part, index) => index >= from && SITE_FOLDERS.has(part))
  if (at >= 0) return { root: parts.slice(0, at).join(sep) || sep, path: parts.slice(at).join('/') }
  // Manifests and linter settings are next to those folders.
  return inside === undefined
    ? null
    : {
        root: inside,
        path: full
          .slice(inside.length + 1)
          .split(sep)
          .join('/'),
      }
}

export function uriOf({ root, path }: SitePath): string {
  return pathToFileURL(`${root}${sep}${path.split('/').join(sep)}`).href
}

/** Line positions in a text. Characters are UTF-16 units, like offsets. */
export class Lines {
  readonly #document: TextDocument

  constructor(text: string) {
    this.#document = TextDocument.create('', '', 0, text)
  }

  range({ start, end }: { readonly start: number; readonly end: number }): Range {
    return { start: this.#document.positionAt(start), end: this.#document.positionAt(end) }
  }

  position(offset: number): Position {
    return this.#document.positionAt(offset)
  }

  offset(position: Position): number {
    return this.#document.offsetAt(position)
  }
}

/** Lines of a text with substituted values. Offsets refer to the substituted text, lines to the author's text. */
class SubstitutedLines extends Lines {
  readonly #written: WrittenText

  constructor(writtenText: WrittenText) {
    super(writtenText.text)
    this.#written = writtenText
  }

  override range({ start, end }: { readonly start: number; readonly end: number }): Range {
    return super.range(writtenSpan(this.#written, { file: '', start, end }))
  }

  override position(offset: number): Position {
    return this.range({ start: offset, end: offset }).start
  }

  override offset(position: Position): number {
    return filledOffset(this.#written, super.offset(position))
  }
}

/** Returns the lines of a file for offsets in its substituted text. */
export function sourceLines({ text, writtenText }: SourceFile): Lines {
  return writtenText === undefined ? new Lines(text) : new SubstitutedLines(writtenText)
}
