/** `sms_send`: queues a text message, from a template or given directly. */
import type { EffectField } from '../model.ts'
import { effect } from '../sdl/effect.ts'
import { scheduledPayload, readTemplatedContent } from '../notification-arguments.ts'

export const sms_send: EffectField = {
  kind: 'effect',
  isSlow: false,
  name: 'sms_send',
  sdl: 'sms_send(data: HashObject, sms: SmsSendInput, template: NotificationTemplateInput): SmsSendPayload @public',
  types: effect,
  perform: async (args, effects) =>
    scheduledPayload(
      await effects.sms(
        readTemplatedContent(args, 'sms', (givenValues) => ({
          to: String(givenValues['to']),
          content: String(givenValues['content']),
        })),
      ),
    ),
}
