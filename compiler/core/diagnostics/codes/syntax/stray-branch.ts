/** `stray-branch`: `else`, `elsif`, `when` or `catch` outside of a block that has such a branch. */
import { message } from '../../diagnostic.ts'
import { choice, quoted } from '../../words.ts'

export const strayBranch = message(
  'stray-branch',
  'error',
  'LiquidHTMLSyntaxError',
  (name: string, owners: Iterable<string>) => ({
    text: `${quoted(name)} stands alone; it belongs inside ${choice(owners)}.`,
  }),
  {
    wrong: '{% else %}',
    right: '{% if context.params.a %}yes{% else %}no{% endif %}',
  },
)
