/**
 * `invalid-hash-assign-target`: a `hash_assign` whose target does not end with a bracket. Reported by `hash_assign`
 * (language/tags/hash_assign.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const invalidHashAssignTarget = message(
  'invalid-hash-assign-target',
  'error',
  'LiquidHTMLSyntaxError',
  (target: string) => ({
    text: `\`hash_assign\` needs a key in brackets, but ${quote(target)} does not end with one.`,
    hint: "Write `hash['key'] = value`, or use `assign`.",
    change: { edits: [{ match: '\\.([\\w-]+)$', text: "['$1']" }] },
  }),
  {
    wrong: '{% assign h = {} %}{% # platformos-check-disable DeprecatedTag %}{% hash_assign h.k = 1 %}{{ h }}',
    right: `{% assign h = {} %}{% assign h['k'] = 1 %}{{ h }}`,
  },
)
