/** `own-column`: a property of a table that bears the name of a column that every record has. */
import { message } from '../../diagnostic.ts'

export const ownColumn = message(
  'own-column',
  'info',
  'ValidFrontmatter',
  (name: string) => ({
    text: `Property \`${name}\` is the column \`${name}\` that every record has: its type, its default and its options count for nothing.`,
    hint: 'It can be left out of the file; queries read the column as the field of the same name.',
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': 'x',
      'app/schema/payout.yml': `name: payout
properties:
  - name: amount
    type: integer
  - name: external_id
`,
    },
    right: {
      'app/views/pages/index.liquid': 'x',
      'app/schema/payout.yml': `name: payout
properties:
  - name: amount
    type: integer
`,
    },
  },
)
