/**
 * `tag-argument-value`: an argument of a tag with the right type but an invalid value. Reported by `checkOption`
 * (language/tags/options.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const tagArgumentValue = message(
  'tag-argument-value',
  'warning',
  'ValidTagArgumentTypes',
  (tag: string, name: string, value: string, expected: string, hint?: string) => ({
    text: `${quote(value)} is not a valid ${quote(name)} for the tag \`${tag}\`; expected ${expected}.`,
    hint,
  }),
  {
    wrong: `{% redirect_to '/', status: 200 %}`,
    right: `{% redirect_to '/', status: 301 %}`,
  },
)
