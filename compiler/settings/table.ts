/** Tables: a name and properties. */
import type { TableSettings } from '../model/settings.ts'
import { properties, propertyKeys } from './properties.ts'
import { logicalName, settings, text, top } from './setting.ts'

const keys = { name: { schema: text }, ...propertyKeys } as const

export const table = settings<typeof keys, TableSettings>({
  noun: 'table',
  keys,
  read: (from, file) => ({
    kind: 'table',
    name: logicalName(from.value('name') ?? file.name, file),
    nameSpan: from.span('name') ?? top(file),
    properties: properties(from.node('properties') ?? from.node('custom_attributes'), 'table', from.report),
  }),
})
