/** Settings in `app/user.yml`: properties that all users have. */
import type { TableSettings } from '../../core/model/settings.ts'
import { properties, propertyKeys } from './properties.ts'
import { settings, top, unread } from './setting.ts'

const keys = {
  name: unread('Ignored. Older sites set it, but the name is always `user`.'),
  ...propertyKeys,
} as const

export const userSchema = settings<typeof keys, TableSettings>({
  noun: 'user',
  description:
    '`app/user.yml`: the properties of every user, in addition to the name, email address and password. Modules do not have this file.',
  keys,
  read: (from, file) => ({
    kind: 'user_schema',
    name: 'user',
    nameSpan: top(file),
    properties: properties(from.node('properties') ?? from.node('custom_attributes'), 'user', from),
    metadata: from.node('metadata'),
  }),
})
