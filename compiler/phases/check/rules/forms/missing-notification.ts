/** `missing-notification`: a form that sends a notification that does not exist. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { formSite } from '../../../../core/diagnostics/form-site.ts'
import { type NameList, joinWithAnd, quote } from '../../../../core/diagnostics/words.ts'
import { type CheckedSite, ofFrame } from '../../site/site-rule.ts'
import type { NamedReference } from '../../../../core/model/settings.ts'
import type { Site } from '../../../../core/model/site.ts'
import { namesInQueries } from '../../site/query-names.ts'
import { channelsOf } from '../../walk/notification-types.ts'
import { withAbsentModule } from '../../../../core/diagnostics/absent-modules.ts'

function listNotifications(knownNames: NameList): string {
  const names = joinWithAnd(knownNames)
  return names === '' ? 'The site has no notifications of this kind.' : `The existing names are ${names}.`
}

export const missingNotification = message(
  'missing-notification',
  'error',
  'WS45',
  (kind: 'email' | 'text message' | 'API call', name: string, knownNames: NameList) => ({
    text: `There is no ${kind} named ${quote(name)}.`,
    ...(suggestName(name, knownNames) ?? { hint: listNotifications(knownNames) }),
  }),
  {
    wrong: formSite(
      { head: 'resource: book\nemail_notifications: [welcom]' },
      { 'app/emails/welcome.liquid': '---\nto: a@example.com\nsubject: Hello\n---\nHello' },
    ),
    right: formSite(
      { head: 'resource: book\nemail_notifications: [welcome]' },
      { 'app/emails/welcome.liquid': '---\nto: a@example.com\nsubject: Hello\n---\nHello' },
    ),
  },
)

/** Reports notifications that forms send and that the site does not have. */
export const checkFormNotifications = ofFrame((site) =>
  site.units.flatMap(({ settings }) =>
    settings.kind !== 'form'
      ? []
      : channelsOf(site).flatMap((channel) =>
          settings[channel.key].flatMap((reference) => checkNotification(site, channel, reference)),
        ),
  ),
)

/** Reports notifications that mutations send and that the site does not have. */
export function checkQueriedNotifications({ site, operations, memo }: CheckedSite): readonly Diagnostic[] {
  if (site.openEntries) return []
  return namesInQueries(operations, memo).flatMap((reference) => {
    const channel = channelsOf(site).find((each) => each.channel === reference.kind)
    return channel === undefined ? [] : checkNotification(site, channel, reference)
  })
}

function checkNotification(
  { modules }: Site,
  { units, noun }: ReturnType<typeof channelsOf>[number],
  { name, span }: NamedReference,
): readonly Diagnostic[] {
  return units.has(name)
    ? []
    : [withAbsentModule(modules, name, missingNotification(span, noun, name, [...units.keys()]))]
}
