/** How often a loop over what a query found turns at most: the `per_page` of the query. */
import type { Operations } from '../../../core/model/operation.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Span } from '../../../core/source/span.ts'

const BLOCKS = /\b(?:(for)\s+\w+\s+in\s+([a-z_]\w*)((?:\.\w+)*)|(endfor))\b/g

/** The turns of the innermost loop around a place; null where they are not known. */
export function turnsOf({ file, start }: Span, site: Site, { stored }: Operations): number | null {
  const before = (site.byFile.get(file)?.file.text ?? '').slice(0, start)
  const open: { readonly name: string; readonly path: string }[] = []
  for (const { 1: isFor, 2: name = '', 3: path = '' } of before.matchAll(BLOCKS)) {
    if (isFor === undefined) open.pop()
    else open.push({ name, path })
  }
  const loop = open.at(-1)
  const list = loop === undefined ? null : resultOf(loop.name, loop.path, before)
  const operation = list === null ? undefined : stored.get(list.query)
  const text = operation === undefined ? '' : (site.byFile.get(operation.span.file)?.file.text ?? '')
  return list === null ? null : perPage(text, list.field, list.given)
}

/** The query whose result a variable is, or a part of it, and the root field; null for any other value. */
function resultOf(
  name: string,
  path: string,
  before: string,
): { readonly query: string; readonly field: string; readonly given: string } | null {
  const [, assigned, part] =
    last(before, `\\bassign\\s+${name}\\s*=\\s*([a-z_]\\w*)((?:\\.\\w+)*)\\s*(?=-?%\\}|\\n)`) ?? []
  const [root, whole] = assigned === undefined ? [name, path] : [assigned, `${part}${path}`]
  const [, query, given = ''] = last(before, `\\bgraphql\\s+${root}\\s*=\\s*['"]([^'"\\n]+)['"]([^%\\n]*)`) ?? []
  const field = whole.split('.')[1]
  return query === undefined || field === undefined ? null : { query, field, given }
}

function last(text: string, pattern: string): RegExpMatchArray | undefined {
  return [...text.matchAll(new RegExp(pattern, 'g'))].at(-1)
}

/** What a root field of a document, by its name or alias, gives at the most. `given`: the variables that the tag passes. */
function perPage(document: string, field: string, given: string): number | null {
  const rest = new RegExp(`(?<![\\w$."])${field}\\s*(?::\\s*\\w+\\s*)?\\(([^]*)`).exec(document)?.[1] ?? ''
  const [, written, variable] = /^[^()]*?\bper_page:\s*(?:(\d+)|\$(\w+))/.exec(rest) ?? []
  if (written !== undefined) return Number(written)
  // A variable that is not passed has its default.
  if (variable === undefined || new RegExp(`\\b(?:${variable}|args)\\s*:`).test(given)) return null
  const preset = new RegExp(`\\$${variable}\\s*:\\s*\\w+!?\\s*=\\s*(\\d+)`).exec(document)?.[1]
  return preset === undefined ? null : Number(preset)
}
