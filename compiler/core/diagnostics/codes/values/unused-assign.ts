/** `unused-assign`: a variable that is set and never read. */
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const unusedAssign = message(
  'unused-assign',
  'warning',
  'UnusedAssign',
  /** `does`: what gives the value does something as well, so only its result is idle. */
  (name: string, does: boolean) => ({
    text: `${quoted(name)} is set here and never read.`,
    hint: does
      ? `Name it \`_${name}\` where only what is done counts.`
      : `Take it away, or name it \`_${name}\` when that is meant.`,
    change: does
      ? { edits: [{ part: name, text: `_${name}` }], safe: true }
      : { edits: [{ reach: 'markup', match: '^(?:\\{%-?\\s*)?assign\\s[^]*$', text: '' }] },
  }),
  {
    wrong: '{% assign x = 1 %}',
    right: '{% assign x = 1 %}{{ x }}',
  },
)
