/** `invalid-loop-arguments`: an argument that `for` or `tablerow` does not have. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { listed, type NameList, quoted } from '../../words.ts'

export const invalidLoopArguments = message(
  'invalid-loop-arguments',
  'error',
  'LiquidHTMLSyntaxError',
  (name: string, known: NameList) => ({
    text: `The loop has no argument ${quoted(name)}; it takes ${listed(known)}.`,
    ...meantName(name, known),
  }),
  {
    wrong: '{% for i in (1..3) max: 2 %}{{ i }}{% endfor %}',
    right: '{% for i in (1..3) limit: 2 %}{{ i }}{% endfor %}',
  },
)
