/** `app/user.yml`: properties that all users have. */
import type { TableSettings } from '../../core/model/settings.ts'
import { properties, propertyKeys } from './properties.ts'
import { anything, settings, top } from './setting.ts'

const keys = {
  name: { schema: anything, says: 'What older sites write here; users are always called `user`.', unread: true },
  ...propertyKeys,
} as const

export const userSchema = settings<typeof keys, TableSettings>({
  noun: 'user',
  says: '`app/user.yml`: properties that every user has, besides a name, an e-mail address and a password. Modules have none.',
  keys,
  read: (from, file) => ({
    kind: 'user_schema',
    name: 'user',
    nameSpan: top(file),
    properties: properties(from.node('properties') ?? from.node('custom_attributes'), 'user', from),
    metadata: from.node('metadata'),
  }),
})
