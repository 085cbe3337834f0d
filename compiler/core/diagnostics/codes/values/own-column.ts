/**
 * `own-column`: a table property with the name of a column that every record has. Reported by `property`
 * (language/settings/properties.ts).
 */
import { message } from '../../diagnostic.ts'

export const ownColumn = message(
  'own-column',
  'info',
  'ValidFrontmatter',
  (name: string) => ({
    text: `Every record already has the column \`${name}\`, so the type, default and options of this property are ignored.`,
    hint: 'Remove the property. Queries read the column as the field of the same name.',
  }),
  {
    wrong: {
      'app/schema/payout.yml': `name: payout
properties:
  - name: amount
    type: integer
  - name: external_id
`,
    },
    right: {
      'app/schema/payout.yml': `name: payout
properties:
  - name: amount
    type: integer
`,
    },
    both: { 'app/views/pages/index.liquid': 'x' },
  },
)
