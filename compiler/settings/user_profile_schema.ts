/** Profiles of users, which newer sites keep in tables. */
import type { TableSettings } from '../model/settings.ts'
import { properties, propertyKeys } from './properties.ts'
import { logicalName, settings, text, top } from './setting.ts'

const keys = { name: { schema: text }, ...propertyKeys } as const

export const userProfileSchema = settings<typeof keys, TableSettings>({
  noun: 'user profile',
  keys,
  read: (from, file) => ({
    kind: 'user_profile_schema',
    name: logicalName(from.value('name') ?? file.name, file),
    nameSpan: from.span('name') ?? top(file),
    properties: properties(from.node('properties') ?? from.node('custom_attributes'), 'user profile', from.report),
  }),
})
