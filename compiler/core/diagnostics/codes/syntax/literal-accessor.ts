/** `literal-accessor`: a property read from a literal, which the platform drops silently. */
import { message } from '../../diagnostic.ts'

export const literalAccessor = message(
  'literal-accessor',
  'error',
  'LiquidHTMLSyntaxError',
  () => ({
    text: 'A property cannot be read from a literal.',
    hint: 'Assign the literal to a variable first.',
    change: {
      edits: [
        {
          reach: 'markup',
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
