/** `unknown-operator`: a word that is not an operator, such as `not`. Reported by `noteDiagnostic` (phases/parse/notes.ts). */
import { message } from '../../diagnostic.ts'
import { joinWithAnd, quote } from '../../words.ts'

export const unknownOperator = message(
  'unknown-operator',
  'error',
  'LiquidHTMLSyntaxError',
  (operator: string, knownNames: Iterable<string>) => ({
    text: `${quote(operator)} is not an operator.`,
    hint:
      operator === 'not'
        ? 'Write `unless`, or compare with `== false`.'
        : `The operators are ${joinWithAnd(knownNames, 12)}.`,
  }),
  {
    wrong: '{% if not context.params.a %}yes{% endif %}',
    right: '{% unless context.params.a %}yes{% endunless %}',
  },
)
