/** `app/user.yml`: properties that all users have. */
import type { TableSettings } from '../model/settings.ts'
import { properties, propertyKeys } from './properties.ts'
import { anything, settings, top } from './setting.ts'

const keys = { name: { schema: anything }, ...propertyKeys } as const

export const userSchema = settings<typeof keys, TableSettings>({
  noun: 'user',
  keys,
  read: (from, file) => ({
    kind: 'user_schema',
    name: 'user',
    nameSpan: top(file),
    properties: properties(from.node('properties') ?? from.node('custom_attributes'), 'user', from.report),
  }),
})
