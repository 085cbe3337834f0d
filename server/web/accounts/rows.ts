/**
 * The database rows of sessions. A row is read together with its user and changed field by field, so that concurrent
 * requests do not overwrite each other's changes.
 */
import { prepared, type Sql, sql } from '../../../runtime/data/sql/sql.ts'
import { objectText } from '../../../runtime/data/values/json-text.ts'
import { entries, type HashValue, isHash, setKey } from '../../../runtime/page/values/hash.ts'
import { parseJson } from '../../../runtime/page/values/json.ts'
import type { CurrentUser, FlashKind } from '../site/session.ts'
import type { RunAccountStatement } from './run-statement.ts'

/** Flash messages. `form` holds the values of a refused form, which are also shown once. */
export type Flash = Partial<Record<FlashKind | 'form', string>>

/** A session row and its user. */
export interface SessionRow {
  readonly csrf: Buffer
  /** Null for a visitor who is not signed in, and for a deleted user. */
  readonly user: CurrentUser | null
  readonly fields: HashValue
  readonly flash: Flash
  /** Lifetime in minutes, counted from the last visit. */
  readonly minutes: number
  /** Minutes of the lifetime that have passed. A new row, which a visitor must soon return to, begins with most of them. */
  readonly age: number
}

/** The changes of a row that a request makes. */
export interface RowChange {
  /** JSON of the changed fields by name. */
  readonly set: Readonly<Record<string, string>>
  /** Names of the removed fields. */
  readonly removed: readonly string[]
  /** Messages that this request has shown. They are removed unless the row holds different messages now. */
  readonly shown: Flash | null
  readonly flash: Flash
}

interface NewRow {
  readonly userId: string | null
  readonly csrf: Buffer
  readonly minutes: number
  /** Minutes within which the visitor must return, otherwise the row is removed. */
  readonly trial: number
}

export interface SessionRows {
  /**
   * Returns the row with this key, or null when it has expired or never existed.
   * @throws SessionsAway
   */
  read(row: string): Promise<SessionRow | null>
  /**
   * Returns an existing user, or null when there is none.
   * @throws SessionsAway
   */
  user(id: string): Promise<CurrentUser | null>
  /**
   * Changes a row and restarts its lifetime. Returns false when the row no longer exists; it is not created again.
   * @throws SessionsAway
   */
  change(row: string, change: RowChange): Promise<boolean>
  /**
   * Creates a row and removes the rows that it replaces. Concurrent requests that create the same row share it.
   * @throws SessionsAway
   */
  create(row: string, newRow: NewRow, change: RowChange, replaced: readonly string[]): Promise<void>
  /**
   * Removes rows.
   * @throws SessionsAway
   */
  remove(rows: readonly string[]): Promise<void>
}

const USER_COLUMNS = sql`u.id::text, u.email, u.name, u.first_name, u.last_name, u.slug, u.external_id, u.language`

const SELECT_ROW = prepared<[row: string]>(
  (row) => sql`select encode(s.csrf, 'hex'), s.fields::text, s.flash, s.minutes,
    s.minutes - extract(epoch from s.expires_at - now())::float8 / 60, ${USER_COLUMNS}
    from ingot.sessions s left join ingot.users u on u.id = s.user_id and u.deleted_at is null
    where s.id = decode(${row}, 'hex') and s.expires_at > now()`,
)

const SELECT_USER = prepared<[id: string]>(
  (id) => sql`select ${USER_COLUMNS} from ingot.users u where u.id = ${id}::bigint and u.deleted_at is null`,
)

/** JSON of the set fields, the removed fields, the shown messages and the new messages. */
type ChangeValues = readonly [set: string, removed: string, shown: string | null, added: string]

function flashSql(shownMessages: Sql, newMessages: Sql): Sql {
  return sql`case when s.flash = ${shownMessages}::jsonb then '{}' else s.flash end || ${newMessages}::jsonb`
}

const RESTART_LIFETIME = sql`seen_at = now(), expires_at = now() + s.minutes * interval '1 minute'`

const UPDATE_ROW = prepared<readonly [row: string, ...ChangeValues]>(
  (row, set, removed, shownMessages, newMessages) => sql`update ingot.sessions s set
    fields = (s.fields - array(select jsonb_array_elements_text(${removed}::jsonb))) || (${set}::jsonb),
    flash = ${flashSql(shownMessages, newMessages)}, ${RESTART_LIFETIME}
    where s.id = decode(${row}, 'hex') and s.expires_at > now()
    returning 1`,
)

type NewRowValues = readonly [user: string | null, csrf: string, minutes: number, replaced: string, trial: number]

const UPSERT_ROW = prepared<readonly [row: string, ...ChangeValues, ...NewRowValues]>(
  (row, set, removed, shownMessages, newMessages, user, csrf, minutes, replaced, trialMinutes) => sql`with gone as (
    delete from ingot.sessions where id in (select decode(jsonb_array_elements_text(${replaced}::jsonb), 'hex'))
    )
    insert into ingot.sessions as s (id, fields, flash, user_id, csrf, minutes, expires_at)
    values (decode(${row}, 'hex'), (${set}::jsonb), ${newMessages}::jsonb, ${user}::bigint, decode(${csrf}, 'hex'),
    ${minutes}::float8, now() + ${trialMinutes}::float8 * interval '1 minute')
    on conflict (id) do update set fields = case when s.expires_at > now()
    then s.fields - array(select jsonb_array_elements_text(${removed}::jsonb)) else '{}' end || excluded.fields,
    flash = ${flashSql(shownMessages, newMessages)}, ${RESTART_LIFETIME}`,
)

const DELETE_ROWS = prepared<[rows: string]>(
  (rows) =>
    sql`delete from ingot.sessions where id in (select decode(jsonb_array_elements_text(${rows}::jsonb), 'hex'))`,
)

export function createSessionRows(runStatement: RunAccountStatement): SessionRows {
  return {
    async read(row) {
      const [result] = await runStatement(SELECT_ROW(row), 'read')
      if (result === undefined) return null
      const [csrf, fields, flash, minutes, age, ...user] = result
      return {
        csrf: Buffer.from(String(csrf), 'hex'),
        user: parseUser(user),
        // Read as text, because the database client would round long numbers and convert `3.0` to an integer.
        fields: parseFields(String(fields)),
        flash: parseFlash(flash),
        minutes: Number(minutes),
        age: Number(age),
      }
    },
    async user(id) {
      if (!/^\d{1,18}$/.test(id)) return null
      const [result] = await runStatement(SELECT_USER(id), 'read')
      return result === undefined ? null : parseUser(result)
    },
    async change(row, change) {
      return (await runStatement(UPDATE_ROW(row, ...changeValues(change)), 'write')).length > 0
    },
    async create(row, { userId, csrf, minutes, trial }, change, replaced) {
      const newRow: NewRowValues = [userId, csrf.toString('hex'), minutes, JSON.stringify(replaced), trial]
      await runStatement(UPSERT_ROW(row, ...changeValues(change), ...newRow), 'write')
    },
    async remove(rows) {
      if (rows.length > 0) await runStatement(DELETE_ROWS(JSON.stringify(rows)), 'write')
    },
  }
}

function changeValues({ set, removed, shown, flash }: RowChange): ChangeValues {
  return [
    objectText(Object.entries(set).map(([name, json]) => [name, withOrder(json)])),
    JSON.stringify(removed),
    shown === null ? null : JSON.stringify(shown),
    JSON.stringify(flash),
  ]
}

function parseUser(columns: readonly unknown[]): CurrentUser | null {
  const [id, email, name, firstName, lastName, slug, externalId, language] = columns.map(textOrNull)
  if (id === null || id === undefined) return null
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

function textOrNull(column: unknown): string | null {
  return typeof column === 'string' ? column : null
}

/** The key of a field that is stored as a text. */
const ORDERED = 'ingot:json'

/** Returns the JSON of a field to store. Hashes are stored as a text, because `jsonb` sorts their keys. */
function withOrder(json: string): string {
  return json.includes('{') ? JSON.stringify({ [ORDERED]: json }) : json
}

function parseFields(json: string): HashValue {
  const fields = parseJson(json)
  if (!isHash(fields)) return {}
  for (const [name, value] of entries(fields)) {
    const text = isHash(value) && Object.hasOwn(value, ORDERED) ? value[ORDERED] : null
    if (typeof text === 'string') setKey(fields, name, parseJson(text))
  }
  return fields
}

/** Also keeps messages of unknown kinds: the messages of a row are removed only if all of them equal those that were shown. */
function parseFlash(column: unknown): Flash {
  return isFlash(column) ? column : {}
}

function isFlash(value: unknown): value is Flash {
  return isHash(value) && Object.values(value).every((text) => typeof text === 'string')
}
