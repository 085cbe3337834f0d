/** `date-format`: a format of a date in the letters of other languages, which is printed as it stands. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const dateFormat = message(
  'date-format',
  'warning',
  'DateFormat',
  (format: string, instead: string) => ({
    text: `The format ${quoted(format)} has no place for a date: places begin with \`%\`.`,
    hint: `Write \`'${instead}'\`.`,
    change: { edits: [{ part: format, text: instead }] },
  }),
  {
    wrong: `{{ 'now' | date: 'YYYY-MM-DD' }}`,
    right: `{{ 'now' | date: '%Y-%m-%d' }}`,
  },
)
