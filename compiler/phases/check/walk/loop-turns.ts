/** Returns the maximum number of iterations of a loop over the result of a query: the `per_page` of the query. */
import type { Operations } from '../../../core/model/operation.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'

const BLOCKS = /\b(?:(for)\s+\w+\s+in\s+([a-z_]\w*)((?:\.\w+)*)|(endfor))\b/g

/** Returns the maximum number of iterations of the innermost loop around a place; null if it is not known. */
export function turnsOf({ file, start }: Span, site: Site, { storedOperations }: Operations): number | null {
  const textBefore = (site.byFile.get(file)?.file.text ?? '').slice(0, start)
  const openLoops: { readonly name: string; readonly path: string }[] = []
  for (const { 1: isFor, 2: name = '', 3: path = '' } of textBefore.matchAll(BLOCKS)) {
    if (isFor === undefined) openLoops.pop()
    else openLoops.push({ name, path })
  }
  const loop = openLoops.at(-1)
  const result = loop === undefined ? null : queryOfVariable(loop.name, loop.path, textBefore)
  const operation = result === null ? undefined : storedOperations.get(result.query)
  const text = operation === undefined ? '' : (site.byFile.get(operation.span.file)?.file.text ?? '')
  return result === null ? null : perPageOf(text, result.field, result.passedVariables)
}

/** Returns the query and the root field whose result a variable or its part contains; null for other values. */
function queryOfVariable(
  name: string,
  path: string,
  textBefore: string,
): { readonly query: string; readonly field: string; readonly passedVariables: string } | null {
  const [, assigned, part] =
    findLastMatch(textBefore, `\\bassign\\s+${name}\\s*=\\s*([a-z_]\\w*)((?:\\.\\w+)*)\\s*(?=-?%\\}|\\n)`) ?? []
  const [variable, fullPath] = assigned === undefined ? [name, path] : [assigned, `${part}${path}`]
  const [, query, passedVariables = ''] =
    findLastMatch(textBefore, `\\bgraphql\\s+${variable}\\s*=\\s*['"]([^'"\\n]+)['"]([^%\\n]*)`) ?? []
  const field = fullPath.split('.')[1]
  return query === undefined || field === undefined ? null : { query, field, passedVariables }
}

function findLastMatch(text: string, pattern: string): RegExpMatchArray | undefined {
  return [...text.matchAll(new RegExp(pattern, 'g'))].at(-1)
}

/**
 * Returns the `per_page` of a root field in a document; null if it is not known.
 * @param field the name or alias
 * @param passedVariables the text of the variables that the tag passes
 */
function perPageOf(document: string, field: string, passedVariables: string): number | null {
  const rest = new RegExp(`(?<![\\w$."])${field}\\s*(?::\\s*\\w+\\s*)?\\(([^]*)`).exec(document)?.[1] ?? ''
  const [, literal, variable] = /^[^()]*?\bper_page:\s*(?:(\d+)|\$(\w+))/.exec(rest) ?? []
  if (literal !== undefined) return Number(literal)
  // The default of a variable applies if the variable is not passed.
  if (variable === undefined || new RegExp(`\\b(?:${variable}|args)\\s*:`).test(passedVariables)) return null
  const defaultValue = new RegExp(`\\$${variable}\\s*:\\s*\\w+!?\\s*=\\s*(\\d+)`).exec(document)?.[1]
  return defaultValue === undefined ? null : Number(defaultValue)
}
