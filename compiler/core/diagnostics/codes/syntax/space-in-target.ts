/** `space-in-target`: white space inside the target of an assignment. Reported by `noteDiagnostic` (phases/parse/notes.ts). */
import { escapePattern, escapeReplacement } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const spaceInTarget = message(
  'space-in-target',
  'error',
  'LiquidHTMLSyntaxError',
  (name: string) => ({
    text: `White space is not allowed after ${quote(name)} in the target of an assignment.`,
    hint: 'Write the name and its keys without spaces between them.',
    change: {
      edits: [{ target: 'markup', match: `${escapePattern(name)}\\s+(?=[[.])`, text: escapeReplacement(name) }],
    },
  }),
  {
    wrong: `{% assign h = {} %}{% assign h ['k'] = 1 %}{{ h }}`,
    right: `{% assign h = {} %}{% assign h['k'] = 1 %}{{ h }}`,
  },
)
