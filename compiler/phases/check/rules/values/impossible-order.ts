/** `impossible-order`: text and a number that are compared by order, which raises an error. */
import type { Type } from '../../../../core/model/type.ts'
import type { Comparison } from '../../../../core/tree/ast.ts'
import { type Category, categories, describe, onlyCategory } from '../../../../language/types/relate.ts'
import { findLiteralSide, nonNilCategory, operatorOfValues } from '../../walk/compared-values.ts'
import type { Walk } from '../../walk/walk.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { withArticle, capitalize } from '../../../../core/diagnostics/words.ts'

export const impossibleOrder = message(
  'impossible-order',
  'error',
  'WS20',
  /** `written`: a number in quotes. */
  (left: string, right: string, writtenText: string | null = null) => ({
    text: `${capitalize(withArticle(left))} cannot be compared by order with ${withArticle(right)}, so this raises an error.`,
    hint:
      writtenText === null
        ? 'Convert the text to a number first, with `plus: 0`.'
        : `Write \`${writtenText.slice(1, -1)}\`, without quotes.`,
    change: writtenText === null ? undefined : { edits: [{ part: writtenText, text: writtenText.slice(1, -1) }] },
  }),
  {
    wrong: `{% assign n = 'x' | size %}{% if n > '0' %}yes{% endif %}`,
    right: `{% assign n = 'x' | size %}{% if n > 0 %}yes{% endif %}`,
  },
)

/** Operators that do not compare by order. */
const OTHER_OPERATORS: ReadonlySet<string> = new Set(['==', '!=', 'contains'])

/** Reports a comparison by order of text with a number. Other pairs of types compare as false without an error. */
export function checkImpossibleOrder(walk: Walk, expression: Comparison, left: Type, right: Type): void {
  const operator = operatorOfValues(expression)
  if (operator === null || OTHER_OPERATORS.has(operator)) return
  const a = onlyCategory(left)
  const b = onlyCategory(right)
  const make = (writtenText: string | null) =>
    impossibleOrder(expression.span, describe(left), describe(right), writtenText)
  if ((a === 'text' && b === 'number') || (a === 'number' && b === 'text')) {
    const literal = findLiteralSide(walk, expression, left, right)
    walk.findings.reportFault(make(literal !== null && /^["']/.test(literal) ? literal : null))
  } else if (
    (nonNilCategory(left) === 'number' && b === 'text') ||
    (a === 'text' && nonNilCategory(right) === 'number')
  ) {
    // If the value is nil instead of a number, the comparison causes no error.
    walk.report({ ...make(findLiteralSide(walk, expression, left, right)), severity: 'warning' })
  } else if ((mayBeText(left) && b === 'number') || (a === 'number' && mayBeText(right)))
    walk.report({ ...impossibleOrder(expression.span, 'text', 'number', null), severity: 'warning' })
}

/** Returns whether text is the only orderable category of a value, as in a request parameter or a text property. */
function mayBeText(type: Type): boolean {
  const found = categories(type)
  return found?.has('text') === true && [...found].every((each) => UNORDERED.has(each))
}

const UNORDERED: ReadonlySet<Category> = new Set(['text', 'nil', 'list', 'hash'])
