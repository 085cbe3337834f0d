/** `date-format`: a date format in the notation of another language. It is printed unchanged. */
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
