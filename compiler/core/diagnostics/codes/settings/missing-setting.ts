/** `missing-setting`: a key that files of this kind need. */
import { meant } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { a, quoted, upper } from '../../words.ts'

/** What the setting of a kind may be. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'form resource': 'Write `resource:` and the name of a table, or `User`.',
  'email to': 'Write `to:` and an address, as `to: "{{ data.email }}"`.',
  'text message to': 'Write `to:` and a number, as `to: "{{ data.phone }}"`.',
  'API call to': 'Write `to:` and an address, as `to: https://example.com/orders`.',
}

export const missingSetting = message(
  'missing-setting',
  'error',
  'ValidFrontmatter',
  /** `instead`: the misspelled name under which the file gives it. */
  (key: string, kind: string, instead: string | null = null) => ({
    text: `${upper(a(kind))} needs the setting ${quoted(key)}${instead === null ? '' : `, and this is ${quoted(instead)}`}.`,
    ...(instead === null ? { hint: EXAMPLES[`${kind} ${key}`] } : meant(instead, key)),
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': 'x',
      'app/schema/item.yml': `name: item
properties:
  - type: string
`,
    },
    right: {
      'app/views/pages/index.liquid': 'x',
      'app/schema/item.yml': `name: item
properties:
  - name: title
    type: string
`,
    },
  },
)
