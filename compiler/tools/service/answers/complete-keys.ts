/** Completes the keys of values in quoted texts: in brackets, and in filters that take the name of a key. */
import type { SourceFile } from '../../../core/source/file.ts'
import type { Workspace } from '../workspace.ts'
import type { Markup, QuotedText } from './cursor.ts'
import { describeType, elementFields, knownFields } from './descriptions.ts'
import type { Suggestion } from './suggestion.ts'
import { inferTypesAtCursor } from './types-at-cursor.ts'

/** Filters whose first argument is a key of the items of a list. */
const LIST_FILTERS: ReadonlySet<string> = new Set(
  'where reject find find_index has map sort sort_natural sum uniq compact array_compact array_group_by array_map array_sort_by array_uniq'.split(
    ' ',
  ),
)
/** Filters whose first argument is a key of a hash. */
const HASH_FILTERS: ReadonlySet<string> = new Set(['hash_fetch', 'hash_add_key', 'hash_delete_key', 'hash_dig'])

/** Returns the keys that a quoted text can name; null if it names no key. */
export function completeKey(
  workspace: Workspace,
  file: SourceFile,
  cursor: Markup,
  quoted: QuotedText,
): readonly Suggestion[] | null {
  const before = file.text.slice(cursor.start, quoted.start - 1)
  const sign = file.text[quoted.start - 1] ?? ''
  const end = file.text[quoted.end] === sign ? quoted.end + 1 : quoted.end
  if (/[\w\])]\s*\[\s*$/.test(before)) {
    const bracket = /\s*\]/y
    bracket.lastIndex = end
    const word = {
      start: file.text.lastIndexOf('[', quoted.start),
      end: end + (bracket.exec(file.text)?.[0].length ?? 0),
    }
    const { owner } = inferTypesAtCursor(workspace, file, { ...cursor, at: 'property', word }, '.')
    return owner === null ? [] : suggestionsOf(knownFields(owner))
  }
  const filter = /\|\s*(\w+)\s*:\s*$/.exec(before)
  const name = filter?.[1] ?? ''
  if (filter === null || !(LIST_FILTERS.has(name) || HASH_FILTERS.has(name))) return null
  const word = { start: cursor.start + filter.index + filter[0].indexOf(name), end }
  const { piped } = inferTypesAtCursor(workspace, file, { ...cursor, at: 'filter', word })
  if (piped === null) return []
  return suggestionsOf(HASH_FILTERS.has(name) ? knownFields(piped) : elementFields(piped))
}

function suggestionsOf(fields: ReturnType<typeof knownFields>): readonly Suggestion[] {
  return [...fields].map(([label, type]) => ({ label, kind: 'property', detail: describeType(type) }))
}
