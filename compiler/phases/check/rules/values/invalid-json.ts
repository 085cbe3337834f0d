/** `invalid-json`: text that is parsed as JSON but is not valid JSON. */
import type { FilterCall, Node } from '../../../../core/tree/ast.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { FilterInput } from '../../walk/filter-input.ts'
import { locatedText } from '../../walk/literal-text.ts'
import type { Walk } from '../../walk/walk.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'

export const invalidJson = message(
  'invalid-json',
  'error',
  'ValidJSON',
  (reason: string) => ({
    text: `This text is not valid JSON: it ${reason}.`,
    hint: 'Put keys and strings in double quotes, and remove the comma after the last entry.',
  }),
  {
    wrong: `{% parse_json cart %}{ 'items': 2 }{% endparse_json %}{{ cart.items }}`,
    right: `{% assign cart = { "items": 2 } %}{{ cart.items }}`,
  },
)

/** Reports a literal text that is piped to `parse_json`. */
export function checkJsonText(walk: Walk, _call: FilterCall, { source }: FilterInput): void {
  const json = locatedText(source)
  const reason = json === null ? null : jsonProblem(json.text)
  if (json === null || reason === null) return
  const diagnostic = invalidJson(json.span, reason)
  walk.report(walk.flow.inTry ? { ...diagnostic, severity: 'warning' } : diagnostic)
}

/** Reports bodies of the tag `parse_json`. */
export function checkJsonBodies({ siteTemplates, factsOf }: CheckedSite): readonly Diagnostic[] {
  return siteTemplates.flatMap(({ key }) =>
    (factsOf(key)?.notes ?? []).flatMap(({ note }) => (note.kind === 'json' ? (bodyProblem(note.body) ?? []) : [])),
  )
}

/**
 * Returns the problem of a body; null if there is none, or if tags in the body may print anything. A printed value is treated as a number.
 */
function bodyProblem(body: readonly Node[]): Diagnostic | null {
  const [first] = body
  let text = ''
  for (const node of body) {
    if (node.kind === 'tag') return null
    text += node.kind === 'text' ? node.text : '0'
  }
  const reason = jsonProblem(text)
  if (first === undefined || reason === null) return null
  const span = { ...first.span, end: body.at(-1)?.span.end ?? first.span.end }
  const isCertain = body.every(({ kind }) => kind === 'text')
  return { ...invalidJson(span, reason), severity: isCertain ? 'error' : 'warning' }
}

/**
 * Returns why a text is not valid JSON, as a part of a sentence; null if it is valid or blank. A text with entities is not checked, because
 * they are decoded first.
 */
function jsonProblem(text: string): string | null {
  if (text.trim() === '' || text.includes('&')) return null
  try {
    JSON.parse(text)
    return null
  } catch {
    if (/[{[,]\s*'/.test(text)) return 'has a single quote instead of a double quote'
    if (/,\s*[}\]]/.test(text)) return 'has a comma after its last entry'
    if (/[{,]\s*[A-Za-z_]\w*\s*:/.test(text)) return 'has a key without quotes'
    return 'cannot be parsed'
  }
}
