/**
 * `missing-tag-argument`: a required named argument of a tag that is missing. Reported by `readOptions` (language/tags/options.ts) and
 * `spam_protection` (language/tags/spam_protection.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const missingTagArgument = message(
  'missing-tag-argument',
  'warning',
  'ValidTagArgumentTypes',
  (tag: string, name: string) => ({
    text: `The tag \`${tag}\` needs the argument ${quote(name)}.`,
    hint: `Pass ${quote(`${name}: …`)}.`,
  }),
  {
    wrong: '{% sign_in timeout_in_minutes: 15 %}',
    right: `{% sign_in user_id: 1, timeout_in_minutes: 15 %}`,
  },
)
