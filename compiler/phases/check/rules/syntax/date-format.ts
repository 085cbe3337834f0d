/** `date-format`: a date format in the notation of another language. It is printed unchanged. */
import type { FilterCall } from '../../../../core/tree/ast.ts'
import { locatedText } from '../../walk/literal-text.ts'
import type { Walk } from '../../walk/walk.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const dateFormat = message(
  'date-format',
  'warning',
  'DateFormat',
  (format: string, instead: string) => ({
    subject: { kind: 'format', name: format },
    text: `The date format ${quote(format)} has no \`%\` directives, so it is printed unchanged.`,
    hint: `Write \`'${instead}'\`.`,
    change: { edits: [{ part: format, text: instead }] },
  }),
  {
    wrong: `{{ 'now' | date: 'YYYY-MM-DD' }}`,
    right: `{{ 'now' | date: '%Y-%m-%d' }}`,
  },
)

/** Date letters of other languages, longest first, with the equivalent directives. */
const DATE_LETTERS: readonly (readonly [RegExp, string])[] = [
  [/Y{4}|y{4}/g, '%Y'],
  [/YY|yy/g, '%y'],
  [/M{4}/g, '%B'],
  [/MMM/g, '%b'],
  [/MM(?![a-z])/g, '%m'],
  [/DD|dd/g, '%d'],
  [/HH/g, '%H'],
  [/hh/g, '%I'],
  [/mm|MI/g, '%M'],
  [/ss/g, '%S'],
]

/** Reports a date format without `%`, which is printed unchanged. A word may be the name of a format and is not reported. */
export function checkDateFormat(walk: Walk, call: FilterCall): void {
  const format = locatedText(call.positional[0])
  if (format === null || format.text.includes('%') || !/Y{2}|y{2}|MM|DD|dd|HH/.test(format.text)) return
  if (!/^[YyMDdHhmsI\s.,:/-]+$/.test(format.text)) return
  const strftimeFormat = DATE_LETTERS.reduce(
    (text, [letters, directive]) => text.replace(letters, directive),
    format.text,
  )
  walk.report(dateFormat(format.span, format.text, strftimeFormat))
}
