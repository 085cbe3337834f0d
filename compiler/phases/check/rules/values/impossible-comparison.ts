/** `impossible-comparison`: two values that can never be equal. */
import type { Type } from '../../../../core/model/type.ts'
import type { Comparison } from '../../../../core/tree/ast.ts'
import { type Category, categories, describe } from '../../../../language/types/relate.ts'
import { findLiteralSide, operatorOfValues } from '../../walk/compared-values.ts'
import type { Walk } from '../../walk/walk.ts'
import { type Fix, message } from '../../../../core/diagnostics/diagnostic.ts'
import { withArticle, capitalize } from '../../../../core/diagnostics/words.ts'

/** Returns the fix: adds quotes to a number, or removes them. */
function changeType(writtenText: string): Fix {
  const unquoted = /^(["'])(.*)\1$/.exec(writtenText)?.[2]
  return unquoted === undefined
    ? {
        hint: `Write \`'${writtenText}'\`, in quotes.`,
        change: { edits: [{ part: writtenText, text: `'${writtenText}'` }] },
      }
    : { hint: `Write \`${unquoted}\`, without quotes.`, change: { edits: [{ part: writtenText, text: unquoted }] } }
}

export const impossibleComparison = message(
  'impossible-comparison',
  'warning',
  'WS19',
  /** `written`: the literal number or string that can be changed to the other type. */
  (left: string, right: string, writtenText: string | null = null) => ({
    text: `${capitalize(withArticle(left))} is never equal to ${withArticle(right)}.`,
    ...(writtenText === null
      ? { hint: 'Convert both to the same type first: `plus: 0` converts text to a number.' }
      : changeType(writtenText)),
  }),
  {
    wrong: `{% assign n = 'x' | size %}{% if n == '1' %}yes{% endif %}`,
    right: `{% assign n = 'x' | size %}{% if n == 1 %}yes{% endif %}`,
  },
)

/** Reports an equality of values that can never be equal. */
export function checkImpossibleComparison(walk: Walk, expression: Comparison, left: Type, right: Type): void {
  const operator = operatorOfValues(expression)
  if ((operator !== '==' && operator !== '!=') || !areNeverEqual(left, right)) return
  const literal = findLiteralSide(walk, expression, left, right)
  walk.report(impossibleComparison(expression.span, describe(left), describe(right), literal))
}

/** Categories whose comparison has a definite outcome. */
const COMPARABLE: ReadonlySet<Category> = new Set(['text', 'number', 'boolean', 'list', 'hash'])

/** Returns whether two values are definitely never equal. */
function areNeverEqual(left: Type, right: Type): boolean {
  const a = categories(left)
  const b = categories(right)
  if (a === null || b === null || a.size === 0 || b.size === 0) return false
  // If only one value may be nil, nil never makes them equal, so the other categories decide.
  let hasComparable = false
  for (const each of a) {
    if (each === 'nil') {
      if (b.has('nil')) return false
      continue
    }
    if (!COMPARABLE.has(each) || b.has(each)) return false
    hasComparable = true
  }
  if (!hasComparable) return false
  let hasOther = false
  for (const each of b) {
    if (each === 'nil') continue
    if (!COMPARABLE.has(each)) return false
    hasOther = true
  }
  return hasOther
}
