/** Texts that are read as JSON, as far as they stand in the template: values that are printed into them are taken for numbers. */
import { invalidJson } from '../../../core/diagnostics/codes/values/invalid-json.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Node } from '../../../core/model/ast.ts'

/** What is wrong with the body of `parse_json`; null where nothing is, or where tags print what is not known. */
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

/** Why a text is no JSON, as a part of a sentence; null for one that is. */
export function jsonProblem(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch {
    if (/[{[,]\s*'/.test(text)) return 'has a single quote where a double one stands'
    if (/,\s*[}\]]/.test(text)) return 'has a comma behind its last entry'
    if (/[{,]\s*[A-Za-z_]\w*\s*:/.test(text)) return 'has a name without its quotes'
    return 'cannot be parsed'
  }
}
