/** Places of the compiler, which are offsets in files of a site, as those of the protocol: lines and characters of addresses. */
import { sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Position, Range } from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { SourceFile } from '../../../core/source/file.ts'
import { readOffset, type WrittenText, writtenSpan } from '../../../core/source/template-values.ts'

/** Folders in which files of a site stand. */
const SITE_FOLDERS: ReadonlySet<string> = new Set(['app', 'marketplace_builder', 'modules'])

/** A file of a site: the site's folder, and the path below it with forward slashes. */
export interface SitePath {
  readonly root: string
  readonly path: string
}

/**
 * The site that a file is part of, by the folders in its path: the outermost one of a site below the folder that is open.
 * @param folders that are open in the editor
 */
export function sitePathOf(uri: string, folders: readonly string[]): SitePath | null {
  if (!uri.startsWith('file:')) return null
  const full = fileURLToPath(uri)
  const inside = folders.filter((folder) => full.startsWith(folder + sep)).toSorted((a, b) => b.length - a.length)[0]
  const parts = full.split(sep)
  const from = inside === undefined ? 1 : inside.split(sep).length
  const at = parts.findIndex((part, index) => index >= from && SITE_FOLDERS.has(part))
  if (at >= 0) return { root: parts.slice(0, at).join(sep) || sep, path: parts.slice(at).join('/') }
  // Manifests and settings of the linter lie beside those folders.
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

/** Lines of one text. Characters are UTF-16 units, as offsets are. */
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

/** Lines of a text with values in the places of markup: the offsets are those of the text that is read, the lines those of the author's. */
class FilledLines extends Lines {
  readonly #written: WrittenText

  constructor(written: WrittenText) {
    super(written.text)
    this.#written = written
  }

  override range({ start, end }: { readonly start: number; readonly end: number }): Range {
    return super.range(writtenSpan(this.#written, { file: '', start, end }))
  }

  override position(offset: number): Position {
    return this.range({ start: offset, end: offset }).start
  }

  override offset(position: Position): number {
    return readOffset(this.#written, super.offset(position))
  }
}

/** The lines of a file, for offsets in the text that is read of it. */
export function linesRead({ text, written }: SourceFile): Lines {
  return written === undefined ? new Lines(text) : new FilledLines(written)
}
