/**
 * `missing-dynamic-partial`: a computed name that can be the name of a missing partial. Reported by `computedTargets`
 * (phases/check/types/call-targets.ts) and `RUNTIME_CALL_ERRORS` (tools/engine/compilation.ts).
 */
import { suggestName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const missingDynamicPartial = message(
  'missing-dynamic-partial',
  'error',
  'WS10',
  (name: string, knownNames: Iterable<string>) => ({
    text: `This name can be ${quote(name)}, but there is no such partial.`,
    ...suggestName(name, knownNames),
  }),
  {
    wrong: `{% assign name = 'crad' %}{% function a = name %}{% function b = 'card' %}{{ a }}{{ b }}`,
    right: `{% assign name = 'card' %}{% function a = name %}{{ a }}`,
    both: { 'app/views/partials/card.liquid': '{% return 1 %}' },
  },
)
