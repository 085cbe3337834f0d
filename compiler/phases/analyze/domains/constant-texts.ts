/** The texts that a value can be: a domain of patterns with known beginnings and ends. Null: nothing is known about the value. */
import type { TextPattern } from '../../../core/model/outline.ts'
import type { Expression, Filtered, Lookup } from '../../../core/tree/ast.ts'

/** The patterns of all texts that a value can be; null if it may be anything. */
export type Texts = readonly TextPattern[] | null

/** The maximum number of patterns. A value with more possible texts may be anything. */
const MAX_PATTERNS = 16
const ANY_TEXT: readonly TextPattern[] = [{ prefix: '', suffix: '', exact: false }]

export function exactText(text: string): TextPattern {
  return { prefix: text, suffix: '', exact: true }
}

/** Returns the texts of a value that is one of two values. */
export function joinTexts(a: Texts, b: Texts): Texts {
  if (a === null || b === null) return null
  const all = [...a, ...b.filter((pattern) => !a.some((each) => isSame(each, pattern)))]
  return all.length > MAX_PATTERNS ? null : all
}

export function areSameTexts(a: Texts, b: Texts): boolean {
  if (a === null || b === null) return a === b
  return a.length === b.length && a.every((each, at) => isSame(each, b[at]))
}

function isSame({ prefix, suffix, exact }: TextPattern, other: TextPattern | undefined): boolean {
  return prefix === other?.prefix && suffix === other.suffix && exact === other.exact
}

/** Returns the texts of two values, one after the other. */
function concatenate(left: Texts, right: Texts): Texts {
  let all: Texts = []
  for (const a of left ?? ANY_TEXT)
    for (const b of right ?? ANY_TEXT) {
      const pattern: TextPattern = {
        prefix: a.exact ? a.prefix + b.prefix : a.prefix,
        suffix: a.exact && b.exact ? '' : b.exact ? a.suffix + b.prefix : b.suffix,
        exact: a.exact && b.exact,
      }
      all = joinTexts(all, [pattern])
    }
  return withoutAnyText(all)
}

/** Returns null if one of the patterns matches any text. */
function withoutAnyText(texts: Texts): Texts {
  return texts?.some((each) => each.prefix === '' && each.suffix === '' && !each.exact) === true ? null : texts
}

/** Returns the texts that an expression can be. `read` returns those of a variable or of a part of one. */
export function constantTexts(expression: Expression, read: (lookup: Lookup) => Texts): Texts {
  switch (expression.kind) {
    case 'literal':
      return expression.value.type === 'string' ? [exactText(expression.value.value)] : null
    case 'lookup':
      return read(expression)
    case 'interpolation': {
      const parts = expression.parts.map((part) =>
        typeof part === 'string' ? [exactText(part)] : constantTexts(part, read),
      )
      return parts.length === 0 ? null : parts.reduce(concatenate)
    }
    case 'filtered':
      return filteredTexts(expression, read)
    default:
      return null
  }
}

/** Returns the texts after filters that join texts. After other filters, nothing is known. */
function filteredTexts({ input, filters }: Filtered, read: (lookup: Lookup) => Texts): Texts {
  let texts = constantTexts(input, read)
  for (const { name, positional } of filters) {
    const [argument] = positional
    const added = argument === undefined ? null : constantTexts(argument, read)
    if (name.name === 'append') texts = concatenate(texts, added)
    else if (name.name === 'prepend') texts = concatenate(added, texts)
    else if (name.name === 'default') texts = joinTexts(texts, added)
    else texts = null
  }
  return texts
}
