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
import { readsSavedResource } from './reads-saved-resource.ts'
import { recheck, type UniqueCheck } from './unique.ts'
import { WriteStatement } from './write-statement.ts'

/** A resource to save. */
export interface SaveRequest {
  readonly query: QueryHost
  readonly form: FormEntry
  /** The table of a record; null for other resources. */
  readonly table: string | null
  /** The stored resource; null for a new one. */
  readonly storedResource: Resource | null
  /** The submitted values without virtual attributes. */
  readonly values: Values
  /** Stored files by the paths of their groups and properties. */
  readonly files: ReadonlyMap<string, StoredFile>
  /** Claimed uploads by the paths of their properties. */
  readonly claimed: ReadonlyMap<string, unknown>
  /** Hash of the submitted password; null without one. */
  readonly passwordHash: string | null
  /** Key of the visitor's session, which stays open when the password changes. */
  readonly presentSession: string | null
  /** Uniqueness checks to repeat before saving. */
  readonly checks: readonly UniqueCheck[]
}

export type SaveResult =
  | {
      readonly kind: 'saved'
      readonly id: string
      /** The current `created_at` and `updated_at`. Empty for profiles, and when nothing reads them. */
      readonly times: Readonly<Record<string, string>>
    }
  /** The resource was deleted since it was loaded. */
  | { readonly kind: 'gone' }
  /** Values cannot be stored, or another row has taken a unique value since the check. */
  | { readonly kind: 'refused'; readonly problems: ReadonlyMap<string, ValidationProblem> }

/** Timeout of the statement in seconds. */
const TIMEOUT = 20

/**
 * Saves the resource.
 * @throws QueryError with the database's error, unless it is about a value
 */
export async function save(request: SaveRequest): Promise<SaveResult> {
  const { query, checks, storedResource, values } = request
  const writeStatement = new WriteStatement()
  const statement = simpleInsert(request, writeStatement) ?? toStatement(buildStatement(request, writeStatement))
  if (writeStatement.problems.size > 0) return { kind: 'refused', problems: writeStatement.problems }
  const options = { write: true, replica: false, timeout: TIMEOUT }
  // Concurrent changes of one owner's nested rows run one after another, because the second change must see the rows
  // that the first one has created.
  const needsLock = storedResource !== null && hasNested(values)
  try {
    if (checks.length === 0 && !needsLock) return toSaveResult(await query.run(statement, options))
    return await query.transaction(async (transaction) => {
      if (needsLock) await transaction.run(lockStatement(request, storedResource.id), options)
      const takenPath = await recheck(transaction, checks)
      if (takenPath !== null) return { kind: 'refused', problems: new Map([[takenPath, { key: 'taken' }]]) }
      return toSaveResult(await transaction.run(statement, options))
    })
  } catch (error) {
    const problems = toProblems(error)
    if (problems === null) throw error
    return { kind: 'refused', problems }
  }
}

/**
 * Soft-deletes the resource. Returns whether it existed.
 * @throws QueryError with the database's error
 */
export async function softDelete(query: QueryHost, { form }: Pick<SaveRequest, 'form'>, id: string): Promise<boolean> {
  const deleted = sql`update ${tableName(form)} set deleted_at = clock_timestamp(), updated_at = clock_timestamp()
    where id = ${parameter(id, 'bigint')} and deleted_at is null returning id::text`
  const rows = await query.run(toStatement(deleted), { write: true, replica: false, timeout: TIMEOUT })
  return rows.length > 0
}

function tableName({ resource }: FormEntry): Sql {
  return resource === 'user' ? sql`ingot.users` : resource === 'profile' ? sql`ingot.profiles` : sql`ingot.records`
}

function lockStatement({ form }: SaveRequest, id: string): SqlStatement {
  return toStatement(sql`select 1 from ${tableName(form)} where id = ${parameter(id, 'bigint')} for update`)
}

function toSaveResult(rows: readonly (readonly unknown[])[]): SaveResult {
  const [id, created, updated] = rows[0] ?? []
  if (typeof id !== 'string') return { kind: 'gone' }
  const isTimed = typeof created === 'string' && typeof updated === 'string'
  return { kind: 'saved', id, times: isTimed ? { created_at: created, updated_at: updated } : {} }
}

/** Converts a database error to problems of the input. Returns null for other errors. */
function toProblems(error: unknown): ReadonlyMap<string, ValidationProblem> | null {
  if (!(error instanceof DatabaseFailure)) return null
  const { code, message } = error.answer
  if (code === 'DUPLICATE') return new Map([[/email|slug/.exec(message)?.[0] ?? 'base', { key: 'taken' }]])
  return code === 'VALUE' || code === 'TOO_LARGE' ? new Map([['base', { key: 'invalid' }]]) : null
}

/** Columns that the statement returns. Profiles have no time columns here. */
const TIME_COLUMNS: readonly Sql[] = ['created_at', 'updated_at'].map(identifier)

function returnedColumns(times: readonly Sql[]): Sql {
  return join([sql`id::text`, ...times.map(timeJson)])
}

function buildStatement(request: SaveRequest, writeStatement: WriteStatement): Sql {
  const { form, storedResource } = request
  const values = withFiles(request)
  const owner: OwnerRow = {
    part: sql`root`,
    type: form.resource === 'user' ? 'User' : form.resource === 'profile' ? 'UserProfile' : 'Record',
    isNew: storedResource === null,
    path: '',
    viewer: request.query.viewer,
  }
  const root =
    form.resource === 'user'
      ? userSql(request, values, writeStatement)
      : form.resource === 'profile'
        ? profileSql(request, values, writeStatement)
        : recordSql(request, values, writeStatement)
  const endsSessions = storedResource !== null && request.passwordHash !== null
  const timeColumns = form.resource === 'profile' ? [] : TIME_COLUMNS
  const returned = returnedColumns(timeColumns)
  if (root !== null) {
    if (!hasNested(values) && writeStatement.parts.length === 0 && !endsSessions)
      return sql`${root} returning ${returned}`
    writeStatement.part('root', sql`${root} returning ${join([sql`id`, ...timeColumns])}`)
  }
  if (endsSessions) endSessions(writeStatement, request.presentSession)
  writeNested(writeStatement, form.fields, values, owner, request.files, request.query)
  return sql`with ${join(writeStatement.parts)} select ${returned} from root`
}

/** Ends the user's other sessions when the password changes, because another person may know the old password. */
function endSessions(writeStatement: WriteStatement, currentSession: string | null): void {
  const key = parameter(currentSession ?? '', 'text')
  writeStatement.part(
    'ended',
    sql`delete from ingot.sessions s using root where s.user_id = root.id and s.id <> decode(${key}, 'hex') returning s.id`,
  )
}

/** Replaces the values of upload properties with the descriptions of the stored files. */
function withFiles({ values, files, claimed }: SaveRequest): Values {
  return files.size + claimed.size === 0
    ? values
    : replaceFiles(values, new Map<string, unknown>([...files, ...claimed]), '')
}

function replaceFiles(values: Values, files: ReadonlyMap<string, unknown>, path: string): Values {
  const properties = Object.fromEntries(
    Object.entries(values.properties).map(([name, value]) => [name, files.get(`${path}properties.${name}`) ?? value]),
  )
  const nested = Object.fromEntries(
    Object.entries(values.nested).map(([kind, group]) => [
      kind,
      Object.fromEntries(
        Object.entries(group).map(([name, each]) => [name, replaceFiles(each, files, `${path}${kind}.${name}.`)]),
      ),
    ]),
  )
  return { attributes: values.attributes, properties, nested }
}

/**
 * Cached insert statements for new records that only have properties. The key contains the table id, the returned
 * columns, and whether the record has an owner.
 */
const INSERT_STATEMENTS = new Map<string, SqlStatement>()
const MAX_INSERTS = 1_000

/**
 * Returns the cached statement for a new record that only has properties, which is the most frequent case. Returns null
 * for all other requests.
 */
function simpleInsert(request: SaveRequest, writeStatement: WriteStatement): SqlStatement | null {
  const { query, form, storedResource, table, values } = request
  const { catalog, viewer } = query
  if (form.resource !== 'record' || storedResource !== null || hasNested(values)) return null
  const tableId = catalog.tableId(table ?? '')
  const declaredProperties = catalog.properties(table ?? '')
  if (tableId === null || declaredProperties === null) return null
  const { properties } = withFiles(request)
  if (writeStatement.recordColumns(values.attributes, properties, declaredProperties, '').size > 0) return null
  const propertiesJson = objectText(writeStatement.propertyTexts(properties, declaredProperties, true, ''))
  const times = readsSavedResource(form) ? TIME_COLUMNS : []
  return insertStatement(tableId, times, viewer !== null).withValues(
    viewer === null ? [propertiesJson] : [propertiesJson, viewer],
  )
}

/** Returns the insert statement of a table. Its parameters are the properties and, if `isOwned`, the owner. */
function insertStatement(tableId: number, times: readonly Sql[], isOwned: boolean): SqlStatement {
  const key = `${tableId} ${times.length} ${isOwned}`
  let statement = INSERT_STATEMENTS.get(key)
  if (statement === undefined) {
    if (INSERT_STATEMENTS.size >= MAX_INSERTS) INSERT_STATEMENTS.clear()
    const properties = sql`${parameter('', 'text')}::jsonb`
    const columns = new Map([
      ['properties', properties],
      ['table_id', integer(tableId)],
    ])
    if (isOwned) columns.set('user_id', parameter('', 'bigint'))
    statement = toStatement(sql`${insertSql(columns)} returning ${returnedColumns(times)}`)
    INSERT_STATEMENTS.set(key, statement)
  }
  return statement
}

function insertSql(columns: ReadonlyMap<string, Sql>): Sql {
  return sql`insert into ingot.records as r (${columnNames(columns)}) values (${join(columns.values())})`
}

function recordSql({ query, storedResource, table }: SaveRequest, values: Values, writeStatement: WriteStatement): Sql {
  const { catalog, viewer } = query
  const name = storedResource?.table ?? table ?? ''
  const tableId = catalog.tableId(name)
  const declaredProperties = catalog.properties(name)
  if (tableId === null || declaredProperties === null) {
    throw new QueryError([
      {
        code: 'unknown-table',
        message: `There is no table \`${name}\`.`,
        range: null,
        hint: null,
        mistake: { kind: 'unknown table', name },
      },
    ])
  }
  const columns = writeStatement.recordColumns(values.attributes, values.properties, declaredProperties, '')
  const properties = writeStatement.properties(values.properties, declaredProperties, storedResource === null, '')
  if (storedResource === null) {
    columns.set('table_id', integer(tableId))
    // The signed-in user becomes the owner, unless the form accepts `user_id`.
    if (!columns.has('user_id') && viewer !== null) columns.set('user_id', parameter(viewer, 'bigint'))
    if (properties !== null) columns.set('properties', properties)
    return insertSql(columns)
  }
  return updateSql('records', columns, properties, storedResource.id)
}

function profileSql({ query, form, storedResource }: SaveRequest, values: Values, writeStatement: WriteStatement): Sql {
  const declaredProperties = query.catalog.profileProperties(form.table ?? 'default') ?? new Map()
  const properties = writeStatement.properties(values.properties, declaredProperties, false, '')
  // Profiles are created together with their users or by a user form, so they are only updated here.
  return updateSql('profiles', new Map(), properties, storedResource?.id ?? null)
}

function updateSql(
  table: 'records' | 'users' | 'profiles',
  columns: ReadonlyMap<string, Sql>,
  properties: Sql | null,
  id: string | null,
): Sql {
  const assignments = [
    ...(columns.size === 0 ? [] : [assignedColumns(columns)]),
    ...(properties === null ? [] : [sql`properties = r.properties || ${properties}`]),
    ...(columns.has('updated_at') ? [] : [sql`updated_at = clock_timestamp()`]),
  ]
  const condition = sql`r.id = ${parameter(id, 'bigint')} and r.deleted_at is null`
  return sql`update ${relationOf(table)} as r set ${join(assignments)} where ${condition}`
}

/** Columns returned for a new user. */
const NEW_USER_COLUMNS = sql`r.id, r.created_at, r.updated_at`

/** Builds the statement of a user. Returns null when it has added the part `root`, which returns the row. */
function userSql(
  { query, storedResource, passwordHash }: SaveRequest,
  values: Values,
  writeStatement: WriteStatement,
): Sql | null {
  const { attributes } = values
  const declaredProperties = query.catalog.userProperties
  const columns = writeStatement.columns(attributes, USER_COLUMNS, NEVER_NULL, '')
  if (passwordHash !== null) columns.set('encrypted_password', parameter(passwordHash, 'text'))
  const properties = writeStatement.properties(values.properties, declaredProperties, storedResource === null, '')
  if (storedResource !== null) {
    if (!columns.has('name') && NAME_PARTS.some((part) => columns.has(part)))
      columns.set('name', derivedNameSql(columns))
    return updateSql('users', columns, properties, storedResource.id)
  }
  if (properties !== null) columns.set('properties', properties)
  if (!columns.has('email')) writeStatement.problems.set('email', { key: 'blank' })
  const nameFields = Object.fromEntries(
    ['name', ...NAME_PARTS, 'email'].map((name) => [
      name,
      typeof attributes[name] === 'string' ? attributes[name] : null,
    ]),
  )
  if (!isNonEmptyText(attributes['name']))
    columns.set('name', parameter(joinedName(nameFields)?.replaceAll('\0', '') ?? null, 'text'))
  if (columns.has('slug')) {
    return sql`insert into ingot.users (${columnNames(columns)}) values (${join(columns.values())})`
  }
  columns.set('slug', parameter(slugOf(nameFields), 'text'))
  const newValues = join([...columns].map(([name, value]) => sql`${value} as ${identifier(name)}`))
  writeStatement.part('drawn', sql`select nextval('ingot.user_ids') as id, ${newValues}`)
  const insertInto = sql`insert into ingot.users as r (id, ${columnNames(columns)}) select id`
  writeStatement.part(
    'first',
    sql`${insertInto}, ${columnNames(columns)} from drawn on conflict (slug) where deleted_at is null do nothing returning ${NEW_USER_COLUMNS}`,
  )
  // When the slug is taken, the second insert appends the id to it.
  writeStatement.part(
    'second',
    sql`${insertInto}, ${namesWithOtherSlug(columns)} from drawn where not exists (select from first) returning ${NEW_USER_COLUMNS}`,
  )
  writeStatement.part('root', sql`select * from first union all select * from second`)
  return null
}

function isNonEmptyText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
