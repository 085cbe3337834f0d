/** A file of a site as text, and the lines of a text. */
import type { WrittenText } from './template-values.ts'
import { getOrMake } from './maps.ts'

/** The kind of a file, which depends only on its path (`kinds.ts`). */
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

/** The formats that a file's name can contain. Any other word is part of the name. Markdown pages have the format `html`. */
export const FORMATS = ['html', 'json', 'xml', 'rss', 'csv', 'pdf', 'css', 'text', 'js', 'txt', 'svg', 'ics'] as const
export type FileFormat = (typeof FORMATS)[number]

/** A file of the site. `text` is empty for assets, except stylesheets and files with template values, because no phase reads them. */
export interface SourceFile {
  /** The path relative to the root of the site, with forward slashes: `app/views/pages/index.liquid`. */
  readonly path: string
  readonly kind: FileKind
  /** The name within the folder of its kind, with the prefix `modules/<name>/` for modules: `modules/core/cards/user`. */
  readonly name: string
  /** The module of the file; null for the application. */
  readonly module: string | null
  readonly visibility: 'public' | 'private' | null
  /**
   * Whether the file is in `app/modules/...` or `marketplace_builder/modules/...`, which replaces the module's file of the same name.
   */
  readonly override: boolean
  /** The format in the file name (`x.json.liquid`), or null. */
  readonly format: FileFormat | null
  /** The text to compile, with template values filled in. */
  readonly text: string
  /** The text as the author wrote it, if template values were filled in. */
  readonly writtenText?: WrittenText
  /** Why the file is not text; `text` is then empty. Without a period, because it becomes part of a sentence. */
  readonly unreadable?: string
}

/** Returns the texts as their authors wrote them, by path. Diagnostics, source maps and error pages use these texts. */
export function writtenTexts(files: readonly SourceFile[]): ReadonlyMap<string, string> {
  return getOrMake(
    WRITTEN_TEXTS,
    files,
    () => new Map(files.map(({ path, text, writtenText }) => [path, writtenText?.text ?? text])),
  )
}

/** Cached, because the texts of one site are requested several times. */
const WRITTEN_TEXTS = new WeakMap<readonly SourceFile[], ReadonlyMap<string, string>>()

/** Returns the offsets at which lines begin. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Returns the 1-based line and column (in UTF-16 units) of an offset. */
export function position(starts: readonly number[], offset: number): { line: number; column: number } {
  const line = Math.max(lastIndexUpTo(starts, offset), 0)
  return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 }
}

/** Returns the index of the last of the ascending offsets that is not after `offset`; -1 if all are. */
export function lastIndexUpTo(offsets: readonly number[], offset: number): number {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low - 1
}
