/** `missing-policy`: an authorization policy that a setting names but that does not exist. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

/** Returns the path where a policy with this name belongs. */
function pathOfPolicy(name: string): string {
  const [, module, below] = /^modules\/([^/]+)\/(.+)$/.exec(name) ?? []
  return module === undefined
    ? `app/authorization_policies/${name}.liquid`
    : `modules/${module}/public/authorization_policies/${below}.liquid`
}

export const missingPolicy = message(
  'missing-policy',
  'error',
  'ValidFrontmatter',
  (name: string, knownNames: Iterable<string>) => ({
    text: `There is no authorization policy named ${quote(name)}.`,
    ...(/^\S+ - /.test(name)
      ? {
          hint: 'Begin the first entry of the list with a dash too.',
          change: { edits: [{ match: '^', text: '- ' }] },
        }
      : (suggestName(name, knownNames) ?? { hint: `Create ${quote(pathOfPolicy(name))}, or remove the name.` })),
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
