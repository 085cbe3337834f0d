/** `tag-argument-value`: an argument of a tag that has the right type and a value the tag does not take. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const tagArgumentValue = message(
  'tag-argument-value',
  'warning',
  'ValidTagArgumentTypes',
  (tag: string, name: string, value: string, expected: string, hint?: string) => ({
    text: `${quoted(value)} is no ${quoted(name)} for the tag \`${tag}\`; ${expected} was expected.`,
    hint,
  }),
  {
    wrong: `{% redirect_to '/', status: 200 %}`,
    right: `{% redirect_to '/', status: 301 %}`,
  },
)
