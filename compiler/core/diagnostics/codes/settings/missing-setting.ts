/**
 * `missing-setting`: a required setting that is missing. Reported by `studio` (language/settings/config.ts), `property`
 * (language/settings/properties.ts), `Entries` (language/settings/setting.ts), `reportIssue` (language/settings/setting.ts) and
 * `settingProblem` (tools/custom-checks/findings.ts).
 */
import { suggestReplacement } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { withArticle, quote, capitalize } from '../../words.ts'

/** The hint for each kind of file and setting. */
const HINTS: Readonly<Record<string, string>> = {
  'form resource': 'Write `resource:` and the name of a table or `User`.',
  'email to': 'Write `to:` and an email address, such as `to: "{{ data.email }}"`.',
  'text message to': 'Write `to:` and a phone number, such as `to: "{{ data.phone }}"`.',
  'API call to': 'Write `to:` and a URL, such as `to: https://example.com/orders`.',
  'configuration studio.path':
    'Write `path:` and the path below which the studio is served, such as `path: /internal`.',
  'configuration studio.policy': 'Write `policy:` and the authorization policy that decides who may use the studio.',
}

export const missingSetting = message(
  'missing-setting',
  'error',
  'ValidFrontmatter',
  /** `instead`: the misspelled key with which the file sets it. */
  (key: string, kind: string, instead: string | null = null) => ({
    subject: { kind: 'setting', name: key, written: instead },
    text: `${capitalize(withArticle(kind))} needs the setting ${quote(key)}${instead === null ? '' : `, but this is ${quote(instead)}`}.`,
    ...(instead === null ? { hint: HINTS[`${kind} ${key}`] } : suggestReplacement(instead, key)),
  }),
  {
    wrong: {
      'app/schema/item.yml': `name: item
properties:
  - type: string
`,
    },
    right: {
      'app/schema/item.yml': `name: item
properties:
  - name: title
    type: string
`,
    },
    both: { 'app/views/pages/index.liquid': 'x' },
  },
)
