/**
 * `stray-branch`: `else`, `elsif`, `when` or `catch` outside of a block that has such a branch. Reported by `TreeBuilder`
 * (phases/parse/build-tree.ts).
 */
import { message } from '../../diagnostic.ts'
import { joinWithOr, quote } from '../../words.ts'

export const strayBranch = message(
  'stray-branch',
  'error',
  'LiquidHTMLSyntaxError',
  (name: string, owners: Iterable<string>) => ({
    subject: { kind: 'tag', name },
    text: `${quote(name)} is only allowed inside ${joinWithOr(owners)}.`,
  }),
  {
    wrong: '{% else %}',
    right: '{% if context.params.a %}yes{% else %}no{% endif %}',
  },
)
