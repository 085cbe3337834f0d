/** `missing-policy`: an authorization policy that a setting names but that does not exist. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { NamedReference } from '../../../../core/model/settings.ts'
import { ofFrame } from '../../site/site-rule.ts'
import { withAbsentModule } from '../../../../core/diagnostics/absent-modules.ts'

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
    wrong: {},
    right: { 'app/authorization_policies/member.liquid': 'true' },
    both: {
      'app/views/pages/index.liquid': `---
authorization_policies:
  - member
---
x`,
    },
  },
)

/** Reports policies that pages, forms and the studio name and that the site does not have. */
export const checkPolicyNames = ofFrame((site) => {
  const references = site.units.flatMap(({ settings }): readonly NamedReference[] => {
    if (settings.kind === 'page' || settings.kind === 'form') return settings.authorizationPolicies
    return settings.kind === 'config' && settings.studio !== null ? [settings.studio.policy] : []
  })
  return references.flatMap(({ name, span }) =>
    site.policies.has(name)
      ? []
      : [withAbsentModule(site.modules, name, missingPolicy(span, name, site.policies.keys()))],
  )
})
