/** Completes staged rows: fills in unchanged columns from the stored rows, and default values of new rows. */
import type { TransactionSql } from 'postgres'
import { identifier, integer, join, literal, type Sql, sql } from '../../../runtime/data/sql/sql.ts'
import { NAME_PARTS, USER_TEXTS } from '../../../runtime/data/values/user-columns.ts'
import { sendOnce } from '../../data/store/send.ts'
import { NO_TABLE } from './stage.ts'

/** Columns that keep their stored value when a row omits them. Columns that the merge keeps anyway are not listed. */
const KEPT_COLUMNS = {
  records: ['user_id', 'external_id', 'name', 'customizable_id', 'customizable_type', 'deleted_at'],
  users: [...USER_TEXTS.filter((column) => column !== 'slug'), 'encrypted_password', 'deleted_at'],
} as const

/** Completes the staged rows. Does nothing for rows in Ingot's own format, which are complete. */
export async function completeRows(client: TransactionSql): Promise<void> {
  const [any] = await sendOnce(
    client,
    sql`
      select 1 where exists (select from import_records where given is not null)
        or exists (select from import_users where given is not null)`,
  )
  if (any === undefined) return
  for (const statement of [...COMPLETE_EXISTING, ...COMPLETE_NEW]) await sendOnce(client, statement)
}

const COMPLETE_EXISTING = [
  completeExisting('records'),
  completeExisting('users'),
  sql`
    update import_profiles p set properties = o.properties || p.properties,
      undeclared = case when p.undeclared is null then null else coalesce(o.undeclared, '{}') || p.undeclared end
    from import_users s, ingot.profiles o
    where s.n = p.n and s."each" and o.user_id = s.target and o.profile_type = p.profile_type`,
]

function completeExisting(kind: 'records' | 'users'): Sql {
  const columns = KEPT_COLUMNS[kind].map((name) => {
    const column = identifier(name)
    return sql`${column} = case when ${literal(name)} = any(s.given) then s.${column} else r.${column} end`
  })
  return sql`
    update ${identifier(`import_${kind}`)} s set ${join(columns)},
      properties = case when 'properties' <> all(s.given) then r.properties
        when s."each" then r.properties || s.properties else s.properties end,
      undeclared = case when s."each" and s.undeclared is not null
        then coalesce(r.undeclared, '{}') || s.undeclared else s.undeclared end
    from ingot.${identifier(kind)} r where r.id = s.target and s.given is not null`
}

const FULL_NAME = join([sql`' '`, ...NAME_PARTS.map((part) => sql`nullif(s.${identifier(part)}, '')`)])

const COMPLETE_NEW = [
  sql`
    update import_records s set properties = t.defaults || s.properties
    from import_tables t where t.table_id = s.table_id and s.target is null and s.given is not null`,
  sql`
    update import_users s set properties = t.defaults || s.properties,
      name = coalesce(s.name, nullif(concat_ws(${FULL_NAME}), ''))
    from import_tables t where t.table_id = ${integer(NO_TABLE)} and s.target is null and s.given is not null`,
  sql`
    update import_profiles p set properties = t.defaults || p.properties
    from import_users s, import_tables t
    where s.n = p.n and s.given is not null and t.table_id = -1 and t.name = p.profile_type
      and not exists (select from ingot.profiles o where o.user_id = s.target and o.profile_type = p.profile_type)`,
]
