/** `missing-notification`: a form sends a notification that does not exist. */
import { meantName } from '../../change.ts'
import { message } from '../../diagnostic.ts'
import { formSite } from '../../form-site.ts'
import { listed, type NameList, quoted } from '../../words.ts'

function all(known: NameList): string {
  const names = listed(known)
  return names === '' ? 'The site has none of them.' : `There are ${names}.`
}

export const missingNotification = message(
  'missing-notification',
  'error',
  'WS45',
  (kind: 'email' | 'text message' | 'API call', name: string, known: NameList) => ({
    text: `There is no ${kind} named ${quoted(name)}.`,
    ...(meantName(name, known) ?? { hint: all(known) }),
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
