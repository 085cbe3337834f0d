/** `space-in-target`: white space inside what is written to. */
import { literalPattern, literally } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const spaceInTarget = message(
  'space-in-target',
  'error',
  'LiquidHTMLSyntaxError',
  (name: string) => ({
    text: `White space cannot stand behind ${quoted(name)} in what is assigned to.`,
    hint: 'Write the name and its keys without spaces between them.',
    change: { edits: [{ reach: 'markup', match: `${literalPattern(name)}\\s+(?=[[.])`, text: literally(name) }] },
  }),
  {
    wrong: `{% assign h = {} %}{% assign h ['k'] = 1 %}{{ h }}`,
    right: `{% assign h = {} %}{% assign h['k'] = 1 %}{{ h }}`,
  },
)
