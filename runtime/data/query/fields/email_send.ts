/** `email_send`: queues a mail, from a template or given directly. */
import type { PlainEmail } from '../../jobs.ts'
import type { EffectField } from '../model.ts'
import { effect } from '../sdl/effect.ts'
import { scheduledPayload, readTemplatedContent, textsOf } from '../notification-arguments.ts'

export const email_send: EffectField = {
  kind: 'effect',
  isSlow: false,
  name: 'email_send',
  sdl: 'email_send(data: HashObject, email: NotificationEmailInput, template: NotificationTemplateInput): NotificationSendEmailPayload @public',
  types: effect,
  perform: async (args, effects) =>
    scheduledPayload(await effects.email(readTemplatedContent(args, 'email', readEmail))),
}

function readEmail(emailArguments: Readonly<Record<string, unknown>>): PlainEmail {
  return {
    to: textsOf(emailArguments['to']),
    from: String(emailArguments['from']),
    subject: String(emailArguments['subject']),
    content: String(emailArguments['content']),
    cc: textsOf(emailArguments['cc']),
    bcc: textsOf(emailArguments['bcc']),
    replyTo: textsOf(emailArguments['reply_to']),
  }
}
