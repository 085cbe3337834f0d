/** `unknown-operator`: a word between two values that compares nothing; also `not`, which the language lacks. */
import { message } from '../../diagnostic.ts'
import { listed, quoted } from '../../words.ts'

export const unknownOperator = message(
  'unknown-operator',
  'error',
  'LiquidHTMLSyntaxError',
  (operator: string, known: Iterable<string>) => ({
    text: `${quoted(operator)} is no operator.`,
    hint:
      operator === 'not' ? 'Write `unless`, or compare with `== false`.' : `The operators are ${listed(known, 12)}.`,
  }),
  {
    wrong: '{% if not context.params.a %}yes{% endif %}',
    right: '{% unless context.params.a %}yes{% endunless %}',
  },
)
