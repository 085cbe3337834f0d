/**
 * `literal-accessor`: a property that is read from a literal. The platform ignores it silently. Reported by `noteDiagnostic`
 * (phases/parse/notes.ts).
 */
import { message } from '../../diagnostic.ts'

export const literalAccessor = message(
  'literal-accessor',
  'error',
  'LiquidHTMLSyntaxError',
  () => ({
    text: 'A property cannot be read directly from a literal.',
    hint: 'Assign the literal to a variable first.',
    change: {
      edits: [
        {
          target: 'markup',
          match: '^(\\{\\{-?)\\s*(\\[[^\\]]*\\]|\\{[^}]*\\})([.[])',
          text: '{% assign value = $2 %}$1 value$3',
        },
      ],
      safe: false,
    },
  }),
  {
    wrong: '{{ ["a"].first }}',
    right: '{% assign list = ["a"] %}{{ list.first }}',
  },
)
