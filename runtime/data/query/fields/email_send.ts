/** `email_send`: queues a mail, from a template or given directly. */
import type { PlainEmail } from '../../jobs.ts'
import type { EffectField } from '../model.ts'
import { effect } from '../sdl/effect.ts'
import { scheduledPayload, readTemplatedContent, textsOf } from '../notification-arguments.ts'

export const email_send: EffectField = {
  kind: 'effect',
  slow: false,
  name: 'email_send',
  sdl: 'email_send(data: HashObject, email: NotificationEmailInput, template: NotificationTemplateInput): NotificationSendEmailPayload @public',
  types: effect,
  perform: async (args, effects) => scheduledPayload(await effects.email(readTemplatedContent(args, 'email', mailOf))),
}

function mailOf(given: Readonly<Record<string, unknown>>): PlainEmail {
  return {
    to: textsOf(given['to']),
    from: String(given['from']),
    subject: String(given['subject']),
    content: String(given['content']),
    cc: textsOf(given['cc']),
    bcc: textsOf(given['bcc']),
    replyTo: textsOf(given['reply_to']),
  }
}
