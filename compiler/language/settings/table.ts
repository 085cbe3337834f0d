/** Settings of tables. */
import type { TableSettings } from '../../core/model/settings.ts'
import { properties, propertyKeys } from './properties.ts'
import { settings, tableName, top, fileName } from './setting.ts'

const keys = {
  name: fileName('The name of the table in queries and forms.'),
  ...propertyKeys,
} as const

export const table = settings<typeof keys, TableSettings>({
  noun: 'table',
  description:
    'A table of records and its properties. Each record also has an id and the times of its creation, last change and deletion.',
  keys,
  read: (from, file) => ({
    kind: 'table',
    name: tableName(from.value('name'), file),
    nameSpan: from.span('name') ?? top(file),
    properties: properties(from.node('properties') ?? from.node('custom_attributes'), 'table', from),
    metadata: from.node('metadata'),
  }),
})
