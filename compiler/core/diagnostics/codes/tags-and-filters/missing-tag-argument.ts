/** `missing-tag-argument`: a named argument that the tag can do nothing without. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const missingTagArgument = message(
  'missing-tag-argument',
  'warning',
  'ValidTagArgumentTypes',
  (tag: string, name: string) => ({
    text: `The tag \`${tag}\` needs ${quoted(name)}.`,
    hint: `Pass ${quoted(`${name}: …`)}.`,
  }),
  {
    wrong: '{% sign_in timeout_in_minutes: 15 %}',
    right: `{% sign_in user_id: 1, timeout_in_minutes: 15 %}`,
  },
)
