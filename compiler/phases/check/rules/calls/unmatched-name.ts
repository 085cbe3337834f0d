/** `unmatched-name`: a computed name with a known beginning or end that no partial has. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unmatchedName = message(
  'unmatched-name',
  'warning',
  'WS10',
  (prefix: string, suffix: string, similarName: string | null) => ({
    subject: { kind: 'partial', name: `${prefix}…${suffix}` },
    text: `This computed name ${describeEnds(prefix, suffix)}, but no partial has such a name.`,
    hint:
      similarName === null
        ? undefined
        : prefix === `lib/${similarName}`
          ? `Remove \`lib/\`: begin the name with ${quote(similarName)}.`
          : `Did you mean ${quote(similarName)}?`,
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% assign name = 'crads/' | append: context.params.a %}{% include name %}{% render 'cards/one' %}`,
      'app/views/partials/cards/one.liquid': 'x',
    },
    right: { 'app/views/pages/index.liquid': `{% render 'cards/one' %}`, 'app/views/partials/cards/one.liquid': 'x' },
  },
)

function describeEnds(prefix: string, suffix: string): string {
  const first = prefix === '' ? null : `begins with ${quote(prefix)}`
  const last = suffix === '' ? null : `ends with ${quote(suffix)}`
  return [first, last].filter((each) => each !== null).join(' and ')
}
