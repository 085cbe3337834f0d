/** Saves a form's resource and all nested resources with one statement. */
import {
  identifier,
  integer,
  join,
  parameter,
  sql,
  type Sql,
  type SqlStatement,
  toStatement,
} from '../../../runtime/data/sql/sql.ts'
import type { ValidationProblem } from '../../../runtime/data/forms/messages.ts'
import type { Values } from '../../../runtime/data/forms/model.ts'
import type { QueryHost } from '../../../runtime/data/query/host.ts'
import { QueryError } from '../../../runtime/data/query/model.ts'
import { objectText } from '../../../runtime/data/values/json-text.ts'
import { timeJson } from '../../../runtime/data/query/rows/property-json.ts'
import { joinedName, namesWithOtherSlug, derivedNameSql, slugOf } from '../../../runtime/data/query/writes/users.ts'
import { assignedColumns, columnNames } from '../../../runtime/data/query/writes/columns.ts'
import { relationOf } from '../../../runtime/data/query/rows/scope.ts'
import type { FormEntry } from '../../../runtime/page/site.ts'
import type { StoredFile } from '../files/model.ts'
import { DatabaseFailure } from '../graphql/database/statements.ts'
import { NAME_PARTS } from '../../../runtime/data/values/user-columns.ts'
import { NEVER_NULL, USER_COLUMNS } from './attributes.ts'
import type { Resource } from './load.ts'
import { hasNested, type OwnerRow, writeNested } from './nested.ts'
import { isShownAfterwards } from './shown.ts'
import { recheck, type UniqueCheck } from './unique.ts'
import { WriteStatement } from './writing.ts'

export interface SaveRequest {
  readonly query: QueryHost
  readonly form: FormEntry
  /** The table of a record. */
  readonly table: string | null
  /** The stored resource; null for a new one. */
  readonly stored: Resource | null
  /** Without virtual attributes. */
  readonly values: Values
  /** Stored files by the paths of their groups and properties. */
  readonly files: ReadonlyMap<string, StoredFile>
  /** Values of upload properties that were sent as addresses, by the paths of the properties. */
  readonly taken: ReadonlyMap<string, unknown>
  /** Hash of the sent password; null without one. */
  readonly passwordHash: string | null
  /** Key of the visitor's session, which survives a change of the password. */
  readonly presentSession: string | null
  /** Uniqueness checks to repeat. */
  readonly checks: readonly UniqueCheck[]
}

export type SaveResult =
  | {
      readonly kind: 'saved'
      readonly id: string
      /** The current `created_at` and `updated_at`, for resources that show them, where somebody looks. */
      readonly times: Readonly<Record<string, string>>
    }
  /** The resource was deleted in the meantime. */
  | { readonly kind: 'gone' }
  /** Values that cannot be stored, or that were taken in the meantime. */
  | { readonly kind: 'refused'; readonly problems: ReadonlyMap<string, ValidationProblem> }

/** In seconds. */
const TIMEOUT = 20

/**
 * Saves the resource.
 * @throws QueryError the database's error, unless it is about a value
 */
export async function save(saving: SaveRequest): Promise<SaveResult> {
  const { query, checks, stored, values } = saving
  const writing = new WriteStatement()
  const statement = plainInsert(saving, writing) ?? toStatement(statementOf(saving, writing))
  if (writing.problems.size > 0) return { kind: 'refused', problems: writing.problems }
  const how = { write: true, replica: false, timeout: TIMEOUT }
  // Concurrent changes of one owner's nested rows are serialized: the second must see the rows that the first has
  // created.
  const locks = stored !== null && hasNested(values)
  try {
    if (checks.length === 0 && !locks) return savedOf(await query.run(statement, how))
    return await query.transaction(async (inside) => {
      if (locks) await inside.run(lockOf(saving, stored.id), how)
      const takenPath = await recheck(inside, checks)
      if (takenPath !== null) return { kind: 'refused', problems: new Map([[takenPath, { key: 'taken' }]]) }
      return savedOf(await inside.run(statement, how))
    })
  } catch (error) {
    const problems = problemsOf(error)
    if (problems === null) throw error
    return { kind: 'refused', problems }
  }
}

/**
 * Soft-deletes the resource.
 * @throws QueryError the database's error
 */
export async function remove(query: QueryHost, { form }: Pick<SaveRequest, 'form'>, id: string): Promise<boolean> {
  const deleted = sql`update ${tableOf(form)} set deleted_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = ${parameter(id, 'bigint')} and deleted_at is null returning id::text`
  const rows = await query.run(toStatement(deleted), { write: true, replica: false, timeout: TIMEOUT })
  return rows.length > 0
}

function tableOf({ resource }: FormEntry): Sql {
  return resource === 'user' ? sql`ingot.users` : resource === 'profile' ? sql`ingot.profiles` : sql`ingot.records`
}

function lockOf({ form }: SaveRequest, id: string): SqlStatement {
  return toStatement(sql`select 1 from ${tableOf(form)} where id = ${parameter(id, 'bigint')} for update`)
}

function savedOf(rows: readonly (readonly unknown[])[]): SaveResult {
  const [id, created, updated] = rows[0] ?? []
  if (typeof id !== 'string') return { kind: 'gone' }
  const isTimed = typeof created === 'string' && typeof updated === 'string'
  return { kind: 'saved', id, times: isTimed ? { created_at: created, updated_at: updated } : {} }
}

/** Converts an error of the database to problems of the input; null for other errors. */
function problemsOf(error: unknown): ReadonlyMap<string, ValidationProblem> | null {
  if (!(error instanceof DatabaseFailure)) return null
  const { code, message } = error.answer
  if (code === 'DUPLICATE') return new Map([[/email|slug/.exec(message)?.[0] ?? 'base', { key: 'taken' }]])
  return code === 'VALUE' || code === 'TOO_LARGE' ? new Map([['base', { key: 'invalid' }]]) : null
}

/** The times that are shown; profiles do not show theirs. */
const TIMED: readonly Sql[] = ['created_at', 'updated_at'].map(identifier)

function shownOf(times: readonly Sql[]): Sql {
  return join([sql`id::text`, ...times.map(timeJson)])
}

function statementOf(saving: SaveRequest, writing: WriteStatement): Sql {
  const { form, stored } = saving
  const values = withFiles(saving)
  const owner: OwnerRow = {
    part: sql`root`,
    type: form.resource === 'user' ? 'User' : form.resource === 'profile' ? 'UserProfile' : 'Record',
    fresh: stored === null,
    path: '',
    viewer: saving.query.viewer,
  }
  const root =
    form.resource === 'user'
      ? userSql(saving, values, writing)
      : form.resource === 'profile'
        ? profileSql(saving, values, writing)
        : recordSql(saving, values, writing)
  const ends = stored !== null && saving.passwordHash !== null
  const columns = form.resource === 'profile' ? [] : TIMED
  const shown = shownOf(columns)
  if (root !== null) {
    if (!hasNested(values) && writing.parts.length === 0 && !ends) return sql`${root} returning ${shown}`
    writing.part('root', sql`${root} returning ${join([sql`id`, ...columns])}`)
  }
  if (ends) endSessions(writing, saving.presentSession)
  writeNested(writing, form.fields, values, owner, saving.files, saving.query)
  return sql`with ${join(writing.parts)} select ${shown} from root`
}

/** Ends the user's other sessions: somebody may know the old password. */
function endSessions(writing: WriteStatement, present: string | null): void {
  const key = parameter(present ?? '', 'text')
  writing.part(
    'ended',
    sql`delete from ingot.sessions s using root where s.user_id = root.id and s.id <> decode(${key}, 'hex') returning s.id`,
  )
}

/** The values of upload properties, replaced by the descriptions of the stored files. */
function withFiles({ values, files, taken }: SaveRequest): Values {
  return files.size + taken.size === 0 ? values : placed(values, new Map<string, unknown>([...files, ...taken]), '')
}

function placed(values: Values, files: ReadonlyMap<string, unknown>, path: string): Values {
  const properties = Object.fromEntries(
    Object.entries(values.properties).map(([name, value]) => [name, files.get(`${path}properties.${name}`) ?? value]),
  )
  const nested = Object.fromEntries(
    Object.entries(values.nested).map(([kind, group]) => [
      kind,
      Object.fromEntries(
        Object.entries(group).map(([name, each]) => [name, placed(each, files, `${path}${kind}.${name}.`)]),
      ),
    ]),
  )
  return { attributes: values.attributes, properties, nested }
}

/** The statements of new records with nothing but properties, by the number of their table, what they give, and whether a user owns them. */
const inserts = new Map<string, SqlStatement>()
const MAX_INSERTS = 1_000

/** The statement of a new record with nothing but properties, which most are; null for all others. */
function plainInsert(saving: SaveRequest, writing: WriteStatement): SqlStatement | null {
  const { query, form, stored, table, values } = saving
  const { catalog, viewer } = query
  if (form.resource !== 'record' || stored !== null || hasNested(values)) return null
  const number = catalog.tableId(table ?? '')
  const declared = catalog.properties(table ?? '')
  if (number === null || declared === null) return null
  const { properties } = withFiles(saving)
  if (writing.recordColumns(values.attributes, properties, declared, '').size > 0) return null
  const texts = objectText(writing.propertyTexts(properties, declared, true, ''))
  const times = isShownAfterwards(form) ? TIMED : []
  return insertInto(number, times, viewer !== null).with(viewer === null ? [texts] : [texts, viewer])
}

/** Its values are the properties, and the owner where there is one. */
function insertInto(number: number, times: readonly Sql[], isOwned: boolean): SqlStatement {
  const key = `${number} ${times.length} ${isOwned}`
  let known = inserts.get(key)
  if (known === undefined) {
    if (inserts.size >= MAX_INSERTS) inserts.clear()
    const properties = sql`${parameter('', 'text')}::jsonb`
    const columns = new Map([
      ['properties', properties],
      ['table_id', integer(number)],
    ])
    if (isOwned) columns.set('user_id', parameter('', 'bigint'))
    known = toStatement(sql`${insertSql(columns)} returning ${shownOf(times)}`)
    inserts.set(key, known)
  }
  return known
}

function insertSql(columns: ReadonlyMap<string, Sql>): Sql {
  return sql`insert into ingot.records as r (${columnNames(columns)}) values (${join(columns.values())})`
}

function recordSql({ query, stored, table }: SaveRequest, values: Values, writing: WriteStatement): Sql {
  const { catalog, viewer } = query
  const name = stored?.table ?? table ?? ''
  const number = catalog.tableId(name)
  const declared = catalog.properties(name)
  if (number === null || declared === null) {
    throw new QueryError([{ code: 'unknown-table', message: `There is no table \`${name}\`.`, at: null, hint: null }])
  }
  const columns = writing.recordColumns(values.attributes, values.properties, declared, '')
  const properties = writing.properties(values.properties, declared, stored === null, '')
  if (stored === null) {
    columns.set('table_id', integer(number))
    // The signed-in user becomes the owner, unless the form lets users set `user_id`.
    if (!columns.has('user_id') && viewer !== null) columns.set('user_id', parameter(viewer, 'bigint'))
    if (properties !== null) columns.set('properties', properties)
    return insertSql(columns)
  }
  return updateSql('records', columns, properties, stored.id)
}

function profileSql({ query, form, stored }: SaveRequest, values: Values, writing: WriteStatement): Sql {
  const declared = query.catalog.profileProperties(form.table ?? 'default') ?? new Map()
  const properties = writing.properties(values.properties, declared, false, '')
  // Profiles are created with their users or by a user form.
  return updateSql('profiles', new Map(), properties, stored?.id ?? null)
}

function updateSql(
  table: 'records' | 'users' | 'profiles',
  columns: ReadonlyMap<string, Sql>,
  properties: Sql | null,
  id: string | null,
): Sql {
  const assigned = [
    ...(columns.size === 0 ? [] : [assignedColumns(columns)]),
    ...(properties === null ? [] : [sql`properties = r.properties || ${properties}`]),
    ...(columns.has('updated_at') ? [] : [sql`updated_at = clock_timestamp()`]),
  ]
  const where = sql`r.id = ${parameter(id, 'bigint')} and r.deleted_at is null`
  return sql`update ${relationOf(table)} as r set ${join(assigned)} where ${where}`
}

/** Columns returned for a new user. */
const NEW_ROW = sql`r.id, r.created_at, r.updated_at`

/** Null when the part `root` already returns the row. */
function userSql({ query, stored, passwordHash }: SaveRequest, values: Values, writing: WriteStatement): Sql | null {
  const { attributes } = values
  const declared = query.catalog.userProperties
  const columns = writing.columns(attributes, USER_COLUMNS, NEVER_NULL, '')
  if (passwordHash !== null) columns.set('encrypted_password', parameter(passwordHash, 'text'))
  const properties = writing.properties(values.properties, declared, stored === null, '')
  if (stored !== null) {
    if (!columns.has('name') && NAME_PARTS.some((part) => columns.has(part)))
      columns.set('name', derivedNameSql(columns))
    return updateSql('users', columns, properties, stored.id)
  }
  if (properties !== null) columns.set('properties', properties)
  if (!columns.has('email')) writing.problems.set('email', { key: 'blank' })
  const named = Object.fromEntries(
    ['name', ...NAME_PARTS, 'email'].map((name) => [
      name,
      typeof attributes[name] === 'string' ? attributes[name] : null,
    ]),
  )
  if (!isText(attributes['name']))
    columns.set('name', parameter(joinedName(named)?.replaceAll('\0', '') ?? null, 'text'))
  if (columns.has('slug')) {
    return sql`insert into ingot.users (${columnNames(columns)}) values (${join(columns.values())})`
  }
  columns.set('slug', parameter(slugOf(named), 'text'))
  const drawn = join([...columns].map(([name, value]) => sql`${value} as ${identifier(name)}`))
  writing.part('drawn', sql`select nextval('ingot.user_ids') as id, ${drawn}`)
  const into = sql`insert into ingot.users as r (id, ${columnNames(columns)}) select id`
  writing.part(
    'first',
    sql`${into}, ${columnNames(columns)} from drawn on conflict (slug) where deleted_at is null do nothing returning ${NEW_ROW}`,
  )
  // A slug that is taken gets the id appended.
  writing.part(
    'second',
    sql`${into}, ${namesWithOtherSlug(columns)} from drawn where not exists (select from first) returning ${NEW_ROW}`,
  )
  writing.part('root', sql`select * from first union all select * from second`)
  return null
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
