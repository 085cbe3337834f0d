/** One file of a site as text, and the lines of a text. */
import type { WrittenText } from './template-values.ts'

/** What a file is, decided by its path alone (`kinds.ts`). */
export type FileKind =
  | 'page'
  | 'layout'
  | 'partial'
  | 'authorization_policy'
  | 'email'
  | 'api_call'
  | 'sms'
  | 'migration'
  | 'form'
  | 'table'
  | 'user_profile_schema'
  | 'translation'
  | 'activity_handler'
  | 'graphql'
  | 'asset'
  | 'config'
  | 'user_schema'
  | 'lint_config'

/** A format that a file's name can have. */
export type FileFormat = 'html' | 'json' | 'xml' | 'rss' | 'csv' | 'pdf' | 'css' | 'text' | 'js' | 'txt' | 'svg' | 'ics'

/** A file of the site. `text` is empty for assets that are neither stylesheets nor hold template values: the phases read none of their bytes. */
export interface SourceFile {
  /** Path relative to the site's root, with forward slashes: `app/views/pages/index.liquid`. */
  readonly path: string
  readonly kind: FileKind
  /** Logical name below the kind's folder, with the prefix `modules/<name>/` for files of modules: `modules/core/cards/user`. */
  readonly name: string
  /** The module the file belongs to, or null for the application itself. */
  readonly module: string | null
  readonly visibility: 'public' | 'private' | null
  /** A file of `app/modules/...` or `marketplace_builder/modules/...`, which replaces the module's file of the same name. */
  readonly override: boolean
  /** The format that the file's name tells (`x.json.liquid`), or null. */
  readonly format: FileFormat | null
  /** What is read: with its template values in their places. */
  readonly text: string
  /** The text as it was written, where values were put into it. */
  readonly written?: WrittenText
  /** Why its bytes are no text; `text` is empty then. Without a full stop: it goes into a sentence. */
  readonly unreadable?: string
}

/** The texts of files as their authors wrote them, by path: those that diagnostics, maps and error pages speak of. */
export function writtenTexts(files: readonly SourceFile[]): ReadonlyMap<string, string> {
  let texts = WRITTEN_TEXTS.get(files)
  if (texts === undefined) {
    texts = new Map(files.map(({ path, text, written }) => [path, written?.text ?? text]))
    WRITTEN_TEXTS.set(files, texts)
  }
  return texts
}

/** One site is asked for them several times over. */
const WRITTEN_TEXTS = new WeakMap<readonly SourceFile[], ReadonlyMap<string, string>>()

/** Offsets at which lines begin. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** 1-based line and column (UTF-16 units) of an offset. */
export function position(starts: readonly number[], offset: number): { line: number; column: number } {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
}
