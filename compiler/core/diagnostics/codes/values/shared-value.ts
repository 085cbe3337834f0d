/** `shared-value`: a write into a hash or an array by one of the two names that it has. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const sharedValue = message(
  'shared-value',
  'warning',
  'WS37',
  (name: string, other: string, set: Span) => ({
    text: `${quoted(name)} and ${quoted(other)} are one and the same value: this write changes both.`,
    hint: `Make a value of its own before: \`assign ${name} = ${other} | deep_clone\`.`,
    change: {
      edits: [{ span: set, reach: 'markup', match: `(=\\s*${other})\\b`, text: '$1 | deep_clone' }],
      safe: false,
    },
    related: [{ span: set, message: 'both names are given the value here' }],
  }),
  {
    wrong: `{% assign a = { "x": 1 } %}{% assign b = a %}{% assign b['x'] = 2 %}{{ a.x }}{{ b.x }}`,
    right: `{% assign a = { "x": 1 } %}{% assign b = a | deep_clone %}{% assign b['x'] = 2 %}{{ a.x }}{{ b.x }}`,
  },
)
