/** `crowded-operator`: an operator without spaces, which old runtimes read as part of the name. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const crowdedOperator = message(
  'crowded-operator',
  'warning',
  'LiquidHTMLSyntaxError',
  (operator: string) => ({
    text: `There is no space around ${quoted(operator)}, and some runtimes read it as a part of the name.`,
    hint: `Write spaces on both sides of \`${operator}\`.`,
  }),
  {
    wrong: `{% if context.params.a=='x' %}yes{% endif %}`,
    right: `{% if context.params.a == 'x' %}yes{% endif %}`,
  },
)
