/** Notifications and policies that nothing of the site uses. */
import type { Memo } from '../../../core/model/memo.ts'
import type { Operations } from '../../../core/model/operation.ts'
import type { FormSettings, NamedReference } from '../../../core/model/settings.ts'
import type { Site } from '../../../core/model/site.ts'
import { sentByQueries } from './query-names.ts'

/** Codes that say that a file, which is named, does not exist. */
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
 * Files of notifications that no form and no mutation of the site sends, and of policies that no page and no form names.
 * A mutation that computes a name may send any notification of its kind.
 */
export function unusedTemplates(site: Site, operations: Operations, memo: Memo): ReadonlySet<string> {
  const sent = sentByQueries(operations, memo)
  const ofForms = (key: ListOfNames): ReadonlySet<string> =>
    new Set([...site.forms.values()].flatMap(({ settings }) => namesOf(settings[key])))
  const ofPages = site.pages.flatMap(({ settings }) => namesOf(settings.authorizationPolicies))
  const kinds = [
    { units: site.emails, named: ofForms('emailNotifications'), others: sent.get('email') },
    { units: site.smses, named: ofForms('smsNotifications'), others: sent.get('sms') },
    { units: site.apiCalls, named: ofForms('apiCallNotifications'), others: sent.get('api_call') },
    { units: site.policies, named: ofForms('authorizationPolicies'), others: new Set(ofPages) },
  ]
  const used = new Set<string>()
  const unused = new Set<string>()
  for (const { units, named, others } of kinds)
    for (const [name, { file }] of units)
      (others === null || named.has(name) || others?.has(name) === true ? used : unused).add(file.path)
  // A file may have several names, of which one is used.
  return new Set([...unused].filter((file) => !used.has(file)))
}

/** The settings of a form that are lists of names. */
type ListOfNames = keyof FormSettings & ('authorizationPolicies' | `${string}Notifications`)

function namesOf(references: readonly NamedReference[]): readonly string[] {
  return references.map(({ name }) => name)
}
