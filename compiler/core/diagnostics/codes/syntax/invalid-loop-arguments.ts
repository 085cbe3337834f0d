/** `invalid-loop-arguments`: an argument that `for` or `tablerow` does not have. Reported by `checkLoopHead` (language/tags/for.ts). */
import { suggestName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { joinWithAnd, type NameList, quote } from '../../words.ts'

export const invalidLoopArguments = message(
  'invalid-loop-arguments',
  'error',
  'LiquidHTMLSyntaxError',
  (name: string, knownNames: NameList) => ({
    text: `A loop has no argument ${quote(name)}; it takes ${joinWithAnd(knownNames)}.`,
    ...suggestName(name, knownNames),
  }),
  {
    wrong: '{% for i in (1..3) max: 2 %}{{ i }}{% endfor %}',
    right: '{% for i in (1..3) limit: 2 %}{{ i }}{% endfor %}',
  },
)
