/** The types of `form` and `data` in notifications, from the forms that send them. */
import type { Site } from '../../../core/model/site.ts'
import { INTEGER, NIL, STRING, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { join } from '../../../language/types/relate.ts'

/** The names of the notifications that mutations send, by channel; null for a channel with a computed name. */
export type SentNames = ReadonlyMap<'email' | 'sms' | 'api_call', ReadonlySet<string> | null>

/** Returns the notifications of a site by channel: their files by name, and the setting with which forms send them. */
export function channelsOf({ emails, smses, apiCalls }: Site) {
  return [
    { channel: 'email', noun: 'email', units: emails, key: 'emailNotifications' },
    { channel: 'sms', noun: 'text message', units: smses, key: 'smsNotifications' },
    { channel: 'api_call', noun: 'API call', units: apiCalls, key: 'apiCallNotifications' },
  ] as const
}

/** The type of `response` in the callback of an API call. */
export const RESPONSE: Type = {
  kind: 'record',
  fields: new Map<string, Type>([
    ['status', INTEGER],
    ['headers', { kind: 'hash', element: join(STRING, NIL) }],
    ['body', STRING],
  ]),
  open: false,
  origin: null,
}

/** Returns the types by file. Leaves out notifications that a mutation or an unreadable form may send, because their data are unknown. */
export function notificationTypes(site: Site, sentNames: SentNames): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>()
  for (const { channel, units, key } of channelsOf(site)) {
    const names = sentNames.get(channel)
    if (names === null) continue
    for (const [name, { file }] of units) {
      if (names?.has(name) === true) continue
      let type: Type = { kind: 'never' }
      for (const form of site.forms.values()) {
        const linkedForm = site.formSchemas.get(form.file.path)
        if (form.settings[key].some((each) => each.name === name)) type = join(type, linkedForm?.type ?? UNKNOWN)
      }
      if (type.kind !== 'never' && type.kind !== 'unknown') types.set(file.path, type)
    }
  }
  return types
}
