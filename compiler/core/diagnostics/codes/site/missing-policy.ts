/** `missing-policy`: an authorization policy that settings name and that does not exist. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { quoted } from '../../words.ts'

export const missingPolicy = message(
  'missing-policy',
  'error',
  'ValidFrontmatter',
  (name: string, known: Iterable<string>) => ({
    text: `There is no authorization policy named ${quoted(name)}.`,
    ...(/^\S+ - /.test(name)
      ? {
          hint: 'The first entry of a list begins with a dash as well.',
          change: { edits: [{ match: '^', text: '- ' }] },
        }
      : meantName(name, known)),
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
