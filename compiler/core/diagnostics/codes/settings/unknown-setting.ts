/**
 * `unknown-setting`: a setting that this kind of file does not have. Reported by `readField` (language/settings/form-fields.ts), `Entries`
 * (language/settings/setting.ts), `reportIssue` (language/settings/setting.ts), `misspelledChecks` (pipeline/custom-names.ts) and `settingProblem`
 * (tools/custom-checks/findings.ts).
 */
import { suggestName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { withArticle, joinWithAnd, quote, capitalize } from '../../words.ts'

export const unknownSetting = message(
  'unknown-setting',
  'warning',
  'ValidFrontmatter',
  // `path`: the path of the mapping that contains the key.
  (key: string, kind: string, knownNames: Iterable<string>, path: string | null = null, platform?: string) => {
    const names = [...knownNames]
    return {
      subject: { kind: 'setting', name: key, of: path },
      text: `${capitalize(withArticle(kind))} has no setting ${quote(path === null ? key : `${path}.${key}`)}.`,
      ...(suggestName(key, names) ??
        (path === null || names.length === 0 ? {} : { hint: `The settings are ${joinWithAnd(names, 12)}.` })),
      platform,
    }
  },
  {
    wrong: `---
slugg: a
---
x`,
    right: `---
slug: a
---
x`,
  },
)
