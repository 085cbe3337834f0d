/** `misplaced-validation`: a validation beside the key `validation`, where it has no effect. */
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { quoted } from '../../words.ts'

export const misplacedValidation = message(
  'misplaced-validation',
  'warning',
  'FormConfiguration',
  (field: string, name: string) => ({
    text: `The validation ${quoted(name)} of ${quoted(field)} has no effect here.`,
    hint: `Write \`validation: { ${name}: … }\`.`,
    change: {
      edits: [
        {
          reach: 'rest of line',
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
