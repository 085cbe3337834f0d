/**
 * `setting-value`: a setting with an invalid value. The default is used instead. Reported by `checkRequestHeaders`
 * (language/settings/api_call.ts), `checkAddress` (language/settings/email.ts), `reportAsyncValue` (language/settings/form.ts),
 * `lintConfig` (language/settings/lint_config.ts), `migration` (language/settings/migration.ts), `routeOfPage`
 * (language/settings/page.ts), `checkDefault` (language/settings/plain-values.ts), `checkPayload` (language/settings/plain-values.ts),
 * `reportIssue` (language/settings/setting.ts), `addKeys` (language/settings/translations.ts) and `settingProblem`
 * (tools/custom-checks/findings.ts).
 */
import { type Fix, message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const settingValue = message(
  'setting-value',
  'warning',
  'ValidFrontmatter',
  (key: string, expected: string, found: string, fix?: Fix) => ({
    subject: { kind: 'setting', name: key, written: found },
    text: `The setting ${quote(key)} takes ${expected}, but ${found === '' ? 'it has no value' : `this is ${quote(found)}`}.`,
    ...fix,
  }),
  {
    wrong: `---
redirect_to: /
redirect_code: 200
---
`,
    right: `---
redirect_to: /
redirect_code: 301
---
`,
  },
)
