/** `deprecated-filter`: a filter that is deprecated. */
import type { FilterCall } from '../../../../core/tree/ast.ts'
import type { FilterSignature } from '../../../../core/model/signature.ts'
import type { FilterInput } from '../../walk/filter-input.ts'
import type { Walk } from '../../walk/walk.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

/** Returns the hint that names the successor. @param written whether the value is a literal in the template */
function hintOf(successor: string, written: boolean): string {
  // The tag `assign` replaces a filter only if the value is written in the template.
  if (successor !== 'assign') return `Use \`${successor}\`.`
  return written
    ? 'Write the hash or array in `assign`: `{% assign h = { "a": 1 } %}`.'
    : 'If the value is fixed, write it as a hash or array literal in `assign`. For other strings, keep using this filter.'
}

/** Successors with a different result: `asset_url` returns another URL, and `newline_to_br` keeps the line feeds. */
const HAS_OTHER_RESULT: ReadonlySet<string> = new Set(['asset_url', 'newline_to_br'])

export const deprecatedFilter = message(
  'deprecated-filter',
  'warning',
  'DeprecatedFilter',
  (name: string, successor: string | null, written: boolean) => ({
    text: `The filter ${quote(name)} is deprecated.`,
    hint: successor === null ? undefined : hintOf(successor, written),
    change:
      successor === null || successor === 'assign'
        ? undefined
        : { edits: [{ part: name, text: successor }], safe: !HAS_OTHER_RESULT.has(successor) },
  }),
  {
    wrong: `{% assign h = { "a": 1 } %}{{ h | dig: 'a' }}`,
    right: `{% assign h = { "a": 1 } %}{{ h | hash_dig: 'a' }}`,
  },
)

/** Reports a deprecated filter. */
export function checkDeprecatedFilter(
  walk: Walk,
  { name }: FilterCall,
  { deprecated }: FilterSignature,
  { source }: FilterInput,
): void {
  if (walk.platform && deprecated !== null)
    walk.report(deprecatedFilter(name.span, name.name, deprecated, source?.kind === 'literal'))
}
