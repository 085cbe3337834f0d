/** Checks JSON texts in templates. A value that Liquid prints into the text is treated as a number. */
import { invalidJson } from '../rules/values/invalid-json.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Node } from '../../../core/tree/ast.ts'

/** Returns the problem of a `parse_json` body; null if there is none, or if tags in the body may print anything. */
export function bodyProblem(body: readonly Node[]): Diagnostic | null {
  const [first] = body
  let text = ''
  for (const node of body) {
    if (node.kind === 'tag') return null
    text += node.kind === 'text' ? node.text : '0'
  }
  if (first === undefined || text.trim() === '' || text.includes('&')) return null
  const reason = jsonProblem(text)
  if (reason === null) return null
  const span = { ...first.span, end: body.at(-1)?.span.end ?? first.span.end }
  const isCertain = body.every(({ kind }) => kind === 'text')
  return { ...invalidJson(span, reason), severity: isCertain ? 'error' : 'warning' }
}

/** Returns why a text is not valid JSON, as a part of a sentence; null if it is valid. */
export function jsonProblem(text: string): string | null {
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
