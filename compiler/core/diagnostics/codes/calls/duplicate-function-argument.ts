/** `duplicate-function-argument`: one argument twice in a `function`; the last value is the one that counts. */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const duplicateFunctionArgument = message(
  'duplicate-function-argument',
  'warning',
  'DuplicateFunctionArguments',
  (name: string, first: Span) => ({
    text: `The argument ${quoted(name)} is given twice; the last value counts.`,
    change: { edits: [{ span: first, reach: 'argument', text: '' }], safe: true },
    related: [{ span: first, message: 'it is given here first' }],
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% function r = 'double', n: 1, n: 2 %}{{ r }}`,
      'app/lib/double.liquid': '{% return n | times: 2 %}',
    },
    right: {
      'app/views/pages/index.liquid': `{% function r = 'double', n: 2 %}{{ r }}`,
      'app/lib/double.liquid': '{% return n | times: 2 %}',
    },
  },
)
