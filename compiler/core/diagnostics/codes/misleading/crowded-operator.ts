/**
 * `crowded-operator`: an operator without spaces, which some runtimes parse as part of the name. Reported by `noteDiagnostic`
 * (phases/parse/notes.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const crowdedOperator = message(
  'crowded-operator',
  'warning',
  'LiquidHTMLSyntaxError',
  (operator: string) => ({
    text: `There is no space around ${quote(operator)}, so some runtimes parse it as part of the name.`,
    hint: `Write spaces on both sides of \`${operator}\`.`,
  }),
  {
    wrong: `{% if context.params.a=='x' %}yes{% endif %}`,
    right: `{% if context.params.a == 'x' %}yes{% endif %}`,
  },
)
