/** `missing-policy`: an authorization policy that a setting names but that does not exist. */
import { suggestName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quote } from '../../words.ts'

export const missingPolicy = message(
  'missing-policy',
  'error',
  'ValidFrontmatter',
  (name: string, known: Iterable<string>) => ({
    text: `There is no authorization policy named ${quote(name)}.`,
    ...(/^\S+ - /.test(name)
      ? {
          hint: 'Begin the first entry of the list with a dash too.',
          change: { edits: [{ match: '^', text: '- ' }] },
        }
      : suggestName(name, known)),
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `---
authorization_policies:
  - member
---
x`,
    },
    right: {
      'app/views/pages/index.liquid': `---
authorization_policies:
  - member
---
x`,
      'app/authorization_policies/member.liquid': 'true',
    },
  },
)
