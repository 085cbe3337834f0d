/** `shared-value`: an assignment into a hash or array that two variables share. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const sharedValue = message(
  'shared-value',
  'warning',
  'WS37',
  (name: string, other: string, set: Span) => ({
    text: `${quote(name)} and ${quote(other)} are the same value, so this assignment changes both.`,
    hint: `Make a copy first: \`assign ${name} = ${other} | deep_clone\`.`,
    change: {
      edits: [{ span: set, target: 'markup', match: `(=\\s*${other})\\b`, text: '$1 | deep_clone' }],
      safe: false,
    },
    related: [{ span: set, message: 'both variables get the value here' }],
  }),
  {
    wrong: `{% assign a = { "x": 1 } %}{% assign b = a %}{% assign b['x'] = 2 %}{{ a.x }}{{ b.x }}`,
    right: `{% assign a = { "x": 1 } %}{% assign b = a | deep_clone %}{% assign b['x'] = 2 %}{{ a.x }}{{ b.x }}`,
  },
)
