/** Inserts the nested `records` of a record: new records that belong to the record, at any depth. They are parts of the same statement. */
import type { Build, InputFields } from '../model.ts'
import { fieldsOf, itemsOf, leafOf } from '../rows/input.ts'
import { columnNames } from './columns.ts'
import { changesOf, propertiesSql, undeclaredSql } from './properties.ts'
import { separateColumns, RECORD_COLUMNS, recordColumns, remarkChanges } from './record-input.ts'
import { tableOf } from './table.ts'
import { columnKey } from '../row-access.ts'
import { recordsOwner } from '../upload-host.ts'
import { defaultValues, isWholeVariable, newIdValue, addWriteAccess, writtenValues } from './write-access.ts'
import { defaultTexts } from './stored-values.ts'
import { integer, join, emptySql, sql, type Sql } from '../../sql/sql.ts'

/** The value of `customizable_type` for rows whose owner is a record. */
const OWNER = sql`'Customization'`

/**
 * Returns the parts of the statement that insert the nested records.
 * @param owner the part that inserts the owning record, and the alias of its rows
 */
export function nestedRecordParts(
  fields: InputFields,
  owner: { readonly name: Sql; readonly alias: Sql },
  build: Build,
  previousInsert: { part: Sql | null } = { part: null },
): readonly Sql[] {
  return itemsOf(fields['records']).flatMap((item) => {
    const values = fieldsOf(item['values']) ?? {}
    const table = tableOf([item['table'], values['table']], build)
    if (table === 'absent') {
      const message = 'A nested record requires the name of its table.'
      build.reportProblem({
        code: 'unknown-table',
        message,
        range: leafOf(values['id'])?.range ?? null,
        hint: null,
        mistake: { kind: 'missing input', name: 'table' },
      })
    }
    if (typeof table !== 'object') return []
    const { fields: recordFields, changes } = separateColumns(values, changesOf(values, build), table)
    remarkChanges(changes, table, build)
    const columns = new Map(recordColumns(recordFields, build))
    const id = columns.get('id')
    if (id === undefined || leafOf(recordFields['id']) === null) columns.delete('id')
    else columns.set('id', sql`ingot.reserved(${id})`)
    const propertiesContext = {
      owner: recordsOwner(table.id),
      properties: table.properties,
      storedPart: null,
      defaults: defaultTexts(table.properties.values()),
    }
    columns.set('table_id', integer(table.id))
    columns.set('properties', propertiesSql(changes, propertiesContext, build).sql)
    const undeclaredChanges = undeclaredSql(changes, table.properties, null, build)
    if (undeclaredChanges !== null) columns.set('undeclared', undeclaredChanges)
    columns.set('customizable_type', OWNER)
    columns.set('customizable_id', sql`${owner.name}.id`)
    const name = build.newAlias('below')
    const writtenKeyValues = writtenValues(recordFields, RECORD_COLUMNS, changes, build)
    const tie = { key: columnKey('customizable_id'), to: owner.alias, toKey: columnKey('id'), as: 'shown' } as const
    addWriteAccess(
      {
        alias: name,
        rows: 'records',
        tables: [table.name],
        action: 'insert',
        fixedValues: newIdValue(recordFields['id'], build),
        relations: [tie],
        writtenKeyValues: [...writtenKeyValues, ...defaultValues(table, writtenKeyValues)],
        hasUnknownValues: isWholeVariable(recordFields),
        range: leafOf(item['table'])?.range ?? leafOf(values['table'])?.range ?? null,
      },
      build,
    )
    // PostgreSQL runs the parts of a statement in any order. This dependency makes ids follow the order of the document.
    const dependency =
      previousInsert.part === null ? emptySql : sql` where (select count(*) from ${previousInsert.part}) >= 0`
    previousInsert.part = name
    const inserted = sql`${name} as (insert into ingot.records as r (${columnNames(columns)})
      select ${join(columns.values())} from ${owner.name}${dependency} returning r.id)`
    return [inserted, ...nestedRecordParts(values, { name, alias: name }, build, previousInsert)]
  })
}
