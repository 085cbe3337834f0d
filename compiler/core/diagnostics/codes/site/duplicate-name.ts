/**
 * `duplicate-name`: two files that declare the same unique name, such as that of a table or a form. Reported by `UnitNames`
 * (phases/link/link.ts).
 */
import type { Span } from '../../../source/span.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const duplicateName = message(
  'duplicate-name',
  'error',
  'DuplicateName',
  (kind: string, name: string, otherSpan: Span) => ({
    text: `There is already a ${kind} named ${quote(name)}.`,
    hint: 'Give one of the two files another name.',
    related: [{ span: otherSpan, message: 'the other file is here' }],
  }),
  {
    wrong: {
      'app/schema/b.yml': `name: item
properties:
  - name: title
`,
    },
    right: {
      'app/schema/b.yml': `name: other
properties:
  - name: title
`,
    },
    both: {
      'app/views/pages/index.liquid': 'x',
      'app/schema/a.yml': `name: item
properties:
  - name: title
`,
    },
  },
)
