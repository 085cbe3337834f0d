/**
 * The rows of sessions. They are read together with their user and changed field by field, so that concurrent requests
 * do not overwrite each other's changes.
 */
import { prepared, type Sql, sql } from '../../../runtime/data/sql/sql.ts'
import { objectText } from '../../../runtime/data/values/json-text.ts'
import type { HashValue } from '../../../runtime/page/values/hash.ts'
import { parseJson } from '../../../runtime/page/values/json.ts'
import type { CurrentUser, FlashKind } from '../site/session.ts'
import type { RunAccountStatement } from './database.ts'

/** Flash messages, and under `form` the values of a refused form, which are also shown once. */
export type Flash = Partial<Record<FlashKind | 'form', string>>

export interface SessionRow {
  readonly csrf: Buffer
  /** Null for a visitor who is not signed in, and for a deleted user. */
  readonly user: CurrentUser | null
  readonly fields: HashValue
  readonly flash: Flash
  /** Lifetime in minutes, counted from the last visit. */
  readonly minutes: number
  /** Minutes of its lifetime that have passed. */
  readonly age: number
}

/** What a request changes in a row. */
export interface RowChange {
  /** Fields with the JSON of their values. */
  readonly set: Readonly<Record<string, string>>
  readonly removed: readonly string[]
  /** Messages that were shown; removed unless the row holds others by now. */
  readonly shown: Flash | null
  readonly flash: Flash
}

export interface NewRow {
  readonly userId: string | null
  readonly csrf: Buffer
  readonly minutes: number
  /** Minutes within which the visitor must come back for the row to be kept. */
  readonly trial: number
}

export interface SessionRows {
  /**
   * The row with this key; null when it has expired or never existed.
   * @throws SessionsAway
   */
  read(row: string): Promise<SessionRow | null>
  /**
   * An existing user; null when there is none.
   * @throws SessionsAway
   */
  user(id: string): Promise<CurrentUser | null>
  /**
   * Changes a row and restarts its lifetime. Returns false for a row that no longer exists; it is not created again.
   * @throws SessionsAway
   */
  change(row: string, change: RowChange): Promise<boolean>
  /**
   * Creates a row and removes the rows that it replaces. Concurrent requests that create the same row share it.
   * @throws SessionsAway
   */
  make(row: string, start: NewRow, change: RowChange, instead: readonly string[]): Promise<void>
  /** @throws SessionsAway */
  remove(rows: readonly string[]): Promise<void>
}

const USER = sql`u.id::text, u.email, u.name, u.first_name, u.last_name, u.slug, u.external_id, u.language`

const READ = prepared<[row: string]>(
  (row) => sql`select encode(s.csrf, 'hex'), s.fields::text, s.flash, s.minutes,
    s.minutes - extract(epoch from s.expires_at - now())::float8 / 60, ${USER}
    from ingot.sessions s left join ingot.users u on u.id = s.user_id and u.deleted_at is null
    where s.id = decode(${row}, 'hex') and s.expires_at > now()`,
)

const READ_USER = prepared<[id: string]>(
  (id) => sql`select ${USER} from ingot.users u where u.id = ${id}::bigint and u.deleted_at is null`,
)

/** JSON of the set fields, the removed fields, the messages shown, and the new messages. */
type Changed = readonly [set: string, removed: string, shown: string | null, said: string]

function flashSql(shown: Sql, added: Sql): Sql {
  return sql`case when s.flash = ${shown}::jsonb then '{}' else s.flash end || ${added}::jsonb`
}

const SEEN = sql`seen_at = now(), expires_at = now() + s.minutes * interval '1 minute'`

const CHANGE = prepared<readonly [row: string, ...Changed]>(
  (row, set, removed, shown, added) => sql`update ingot.sessions s set
    fields = (s.fields - array(select jsonb_array_elements_text(${removed}::jsonb))) || (${set}::jsonb),
    flash = ${flashSql(shown, added)}, ${SEEN}
    where s.id = decode(${row}, 'hex') and s.expires_at > now()
    returning 1`,
)

type Made = readonly [user: string | null, csrf: string, minutes: number, instead: string, trial: number]

const MAKE = prepared<readonly [row: string, ...Changed, ...Made]>(
  (row, set, removed, shown, added, user, csrf, minutes, instead, trial) => sql`with gone as (
    delete from ingot.sessions where id in (select decode(jsonb_array_elements_text(${instead}::jsonb), 'hex'))
    )
    insert into ingot.sessions as s (id, fields, flash, user_id, csrf, minutes, expires_at)
    values (decode(${row}, 'hex'), (${set}::jsonb), ${added}::jsonb, ${user}::bigint, decode(${csrf}, 'hex'),
    ${minutes}::float8, now() + ${trial}::float8 * interval '1 minute')
    on conflict (id) do update set fields = case when s.expires_at > now()
    then s.fields - array(select jsonb_array_elements_text(${removed}::jsonb)) else '{}' end || excluded.fields,
    flash = ${flashSql(shown, added)}, ${SEEN}`,
)

const REMOVE = prepared<[rows: string]>(
  (rows) =>
    sql`delete from ingot.sessions where id in (select decode(jsonb_array_elements_text(${rows}::jsonb), 'hex'))`,
)

export function createSessionRows(ask: RunAccountStatement): SessionRows {
  return {
    async read(row) {
      const [result] = await ask(READ(row), 'read')
      if (result === undefined) return null
      const [csrf, fields, flash, minutes, age, ...user] = result
      return {
        csrf: Buffer.from(String(csrf), 'hex'),
        user: userOf(user),
        // As text, since the driver would make floats of long numbers, and integers of `3.0`.
        fields: parseJson(String(fields)) as HashValue,
        flash: flash as Flash,
        minutes: Number(minutes),
        age: Number(age),
      }
    },
    async user(id) {
      if (!/^\d{1,18}$/.test(id)) return null
      const [result] = await ask(READ_USER(id), 'read')
      return result === undefined ? null : userOf(result)
    },
    async change(row, change) {
      return (await ask(CHANGE(row, ...valuesOf(change)), 'write')).length > 0
    },
    async make(row, { userId, csrf, minutes, trial }, change, instead) {
      const made: Made = [userId, csrf.toString('hex'), minutes, JSON.stringify(instead), trial]
      await ask(MAKE(row, ...valuesOf(change), ...made), 'write')
    },
    async remove(rows) {
      if (rows.length > 0) await ask(REMOVE(JSON.stringify(rows)), 'write')
    },
  }
}

function valuesOf({ set, removed, shown, flash }: RowChange): Changed {
  return [
    objectText(Object.entries(set)),
    JSON.stringify(removed),
    shown === null ? null : JSON.stringify(shown),
    JSON.stringify(flash),
  ]
}

function userOf(columns: readonly unknown[]): CurrentUser | null {
  const [id, email, name, firstName, lastName, slug, externalId, language] = columns as readonly (string | null)[]
  if (typeof id !== 'string') return null
  return {
    id,
    email: email ?? '',
    name: name ?? null,
    first_name: firstName ?? null,
    last_name: lastName ?? null,
    slug: slug ?? '',
    external_id: externalId ?? null,
    language: language ?? null,
  }
}
