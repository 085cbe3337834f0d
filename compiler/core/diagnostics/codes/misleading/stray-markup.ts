/**
 * `stray-markup`: text in a tag or an output that is ignored. Reported by `noteDiagnostic` (phases/parse/notes.ts) and
 * `leftoverDiagnostic` (phases/parse/notes.ts).
 */
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const strayMarkup = message(
  'stray-markup',
  'warning',
  'LiquidHTMLSyntaxError',
  (text: string, tag: string) => ({
    subject: { kind: 'markup', name: text, of: tag },
    text: `${quote(text)} is ignored by \`${tag}\`.`,
    hint: 'Remove it.',
    change: { edits: [{ text: '' }] },
  }),
  {
    wrong: '{% for i in (1..3) %}{{ i }}{% break now %}{% endfor %}',
    right: '{% for i in (1..3) %}{{ i }}{% break %}{% endfor %}',
  },
)
