/** Finds notifications and policies that the site does not use. */
import type { FormSettings, NamedReference } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import { channelsOf, type SentNames } from '../walk/notification-types.ts'

/** Codes of diagnostics about a reference to a file that does not exist. */
export const REFERENCES: ReadonlySet<string> = new Set([
  'missing-dynamic-partial',
  'missing-form',
  'missing-layout',
  'missing-notification',
  'missing-partial',
  'missing-policy',
  'missing-query',
])

/**
 * Returns the files of notifications that no form or mutation of the site sends, and of policies that no page or form names.
 * A mutation with a computed name may send any notification of its kind.
 */
export function unusedTemplates(site: Site, sentNames: SentNames): ReadonlySet<string> {
  const namesInForms = (key: NameListKey): ReadonlySet<string> =>
    new Set([...site.forms.values()].flatMap(({ settings }) => namesOf(settings[key])))
  const namesInConfig = site.config.studio === null ? [] : [site.config.studio.policy.name]
  const namesInPages = site.pages.flatMap(({ settings }) => namesOf(settings.authorizationPolicies))
  const kinds = [
    ...channelsOf(site).map(({ channel, units, key }) => ({
      ...{ units, named: namesInForms(key), otherNames: sentNames.get(channel) },
    })),
    {
      units: site.policies,
      named: namesInForms('authorizationPolicies'),
      otherNames: new Set([...namesInPages, ...namesInConfig]),
    },
  ]
  const used = new Set<string>()
  const unused = new Set<string>()
  for (const { units, named, otherNames } of kinds)
    for (const [name, { file }] of units)
      (otherNames === null || named.has(name) || otherNames?.has(name) === true ? used : unused).add(file.path)
  // A file may have several names, and only one of them may be used.
  return new Set([...unused].filter((file) => !used.has(file)))
}

/** The keys of form settings that are lists of names. */
type NameListKey = keyof FormSettings & ('authorizationPolicies' | `${string}Notifications`)

function namesOf(references: readonly NamedReference[]): readonly string[] {
  return references.map(({ name }) => name)
}
