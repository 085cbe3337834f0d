/** `unused-assign`: a variable that is set and never read. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unusedAssign = message(
  'unused-assign',
  'warning',
  'UnusedAssign',
  /** `hasSideEffect`: the expression has a side effect, so only its result is unused. */
  (name: string, hasSideEffect: boolean) => ({
    subject: { kind: 'variable', name },
    text: `${quote(name)} is set here but never read.`,
    hint: hasSideEffect
      ? `Rename the variable to \`_${name}\` if only the side effect matters.`
      : `Remove the variable, or rename it to \`_${name}\` if this is intended.`,
    change: hasSideEffect
      ? { edits: [{ part: name, text: `_${name}` }], safe: true }
      : { edits: [{ target: 'markup', match: '^(?:\\{%-?\\s*)?assign\\s[^]*$', text: '' }] },
  }),
  {
    wrong: '{% assign x = 1 %}',
    right: '{% assign x = 1 %}{{ x }}',
  },
)
