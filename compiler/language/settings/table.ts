/** Settings of tables. */
import type { TableSettings } from '../../core/model/settings.ts'
import { properties, propertyKeys } from './properties.ts'
import { settings, tableName, text, top } from './setting.ts'

const keys = {
  name: { schema: text, description: 'The name of the table in queries and forms.', otherwise: 'the path of the file' },
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
