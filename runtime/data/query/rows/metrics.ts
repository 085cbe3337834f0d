/** `admin_instance_metrics`: counts of the rows that are not deleted. */
import type { Build, JsonExpression, Selected } from '../model.ts'
import { scalarResultType } from '../result-type.ts'
import { READ_ACCESS } from '../row-access.ts'
import { plainRow } from './plain-collection.ts'
import { relationOf, type RowScope } from './scope.ts'
import { sql, type Sql } from '../../sql/sql.ts'

const OTHERS: Readonly<Record<string, Sql>> = {
  activities_total: sql`ingot.activities`,
  addresses_total: sql`ingot.addresses`,
  attachments_total: sql`ingot.attachments where kind = 'attachment'`,
  images_total: sql`ingot.attachments where kind = 'image'`,
}
const ROWS: Readonly<Record<string, RowScope['rows']>> = {
  records_total: 'records',
  user_profiles_total: 'profiles',
  users_total: 'users',
}

export function metricsJson(call: Selected, build: Build): JsonExpression {
  return plainRow(call, (field) => {
    const type = scalarResultType(field.type)
    const rows = ROWS[field.name]
    if (rows !== undefined) {
      const alias = build.newAlias('c')
      build.addRowAccess({ ...READ_ACCESS, alias, rows, tables: null, range: field.range })
      return {
        sql: sql`(select count(*) from ${relationOf(rows)} ${alias} where ${alias}.deleted_at is null)`,
        shape: null,
        type,
      }
    }
    const from = OTHERS[field.name]
    // Ingot has no transactables, which records replaced, so their count is 0.
    return { sql: from === undefined ? sql`0` : sql`(select count(*) from ${from})`, shape: null, type }
  })
}
