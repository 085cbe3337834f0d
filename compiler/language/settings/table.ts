/** Tables: a name and properties. */
import type { TableSettings } from '../../core/model/settings.ts'
import { properties, propertyKeys } from './properties.ts'
import { settings, tableName, text, top } from './setting.ts'

const keys = {
  name: { schema: text, says: 'What queries and forms call the table.', otherwise: 'the path of the file' },
  ...propertyKeys,
} as const

export const table = settings<typeof keys, TableSettings>({
  noun: 'table',
  says: 'A table of records, and the properties that they have. Besides its properties, each record has an id and the times at which it was created, changed and deleted.',
  keys,
  read: (from, file) => ({
    kind: 'table',
    name: tableName(from.value('name'), file),
    nameSpan: from.span('name') ?? top(file),
    properties: properties(from.node('properties') ?? from.node('custom_attributes'), 'table', from),
    metadata: from.node('metadata'),
  }),
})
