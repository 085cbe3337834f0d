/**
 * `misplaced-validation`: a validation outside of the key `validation`, where it has no effect. Reported by `readField`
 * (language/settings/form-fields.ts).
 */
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { quote } from '../../words.ts'

export const misplacedValidation = message(
  'misplaced-validation',
  'warning',
  'FormConfiguration',
  (field: string, name: string) => ({
    text: `The validation ${quote(name)} of ${quote(field)} has no effect here.`,
    hint: `Write \`validation: { ${name}: … }\`.`,
    change: {
      edits: [
        {
          target: 'rest of line',
          match: '^([\\w-]+\\s*:\\s*(?:\\{[^}]*\\}|[^,}\\s][^,}]*?))(\\s*[,}]|\\s*$)',
          text: 'validation: { $1 }$2',
        },
      ],
    },
  }),
  {
    wrong: formSite({ fields: '  properties:\n    title: { presence: true }' }),
    right: formSite({ fields: '  properties:\n    title: { validation: { presence: true } }' }),
  },
)
