/** `missing-notification`: a form that sends a notification that does not exist. */
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { formSite } from '../../../../core/diagnostics/form-site.ts'
import { joinWithAnd, type NameList, quote } from '../../../../core/diagnostics/words.ts'

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
