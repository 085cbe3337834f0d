/** `admin_instance_metrics`: counts of living rows. */
import type { Build, Json, Selected } from '../model.ts'
import { scalarType } from '../result-type.ts'
import { READS } from '../touched.ts'
import { plainRow } from './plain.ts'
import { relation, type Scope } from './scope.ts'
import { sql, type Sql } from '../../sql/sql.ts'

const OTHERS: Readonly<Record<string, Sql>> = {
  activities_total: sql`ingot.activities`,
  addresses_total: sql`ingot.addresses`,
  attachments_total: sql`ingot.attachments where kind = 'attachment'`,
  images_total: sql`ingot.attachments where kind = 'image'`,
}
const ROWS: Readonly<Record<string, Scope['rows']>> = {
  records_total: 'records',
  user_profiles_total: 'profiles',
  users_total: 'users',
}

export function metricsJson(call: Selected, build: Build): Json {
  return plainRow(call, (field) => {
    const type = scalarType(field.type)
    const rows = ROWS[field.name]
    if (rows !== undefined) {
      const alias = build.alias('c')
      build.touch({ ...READS, alias, rows, tables: null, at: field.at })
      return {
        sql: sql`(select count(*) from ${relation(rows)} ${alias} where ${alias}.deleted_at is null)`,
        shape: null,
        type,
      }
    }
    const from = OTHERS[field.name]
    // Records have taken the place of transactables.
    return { sql: from === undefined ? sql`0` : sql`(select count(*) from ${from})`, shape: null, type }
  })
}
