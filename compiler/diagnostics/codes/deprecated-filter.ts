/** `deprecated-filter`: a filter that has a successor. */
import { message } from '../diagnostic.ts'
import { quoted } from '../words.ts'

export const deprecatedFilter = message(
  'deprecated-filter',
  'warning',
  'DeprecatedFilter',
  (name: string, successor: string | null) => ({
    text: `The filter ${quoted(name)} is deprecated.`,
    hint: successor === null ? undefined : `Use \`${successor}\`.`,
  }),
  {
    wrong: `{% assign h = { "a": 1 } %}{{ h | dig: 'a' }}`,
    right: `{% assign h = { "a": 1 } %}{{ h | hash_dig: 'a' }}`,
  },
)
