/** Settings of user profiles. Newer sites use tables instead. */
import type { TableSettings } from '../../core/model/settings.ts'
import { properties, propertyKeys } from './properties.ts'
import { settings, tableName, top, fileName } from './setting.ts'

const keys = {
  name: fileName('The name of the profile.'),
  ...propertyKeys,
} as const

export const userProfileSchema = settings<typeof keys, TableSettings>({
  noun: 'user profile',
  description: 'A user profile with its own properties. Newer sites use a table with a property `user_id` instead.',
  keys,
  read: (from, file) => ({
    kind: 'user_profile_schema',
    name: tableName(from.value('name'), file),
    nameSpan: from.span('name') ?? top(file),
    properties: properties(from.node('properties') ?? from.node('custom_attributes'), 'user profile', from),
    metadata: from.node('metadata'),
  }),
})
