/** Writes users, for `user_create`, `user_update`, `user_delete`, and their profiles. */
import { slugify } from '../../../page/filters/text/slugify.ts'
import type { PropertyDef } from '../../../page/compiled.ts'
import {
  type Build,
  type InputFields,
  type JsonExpression,
  Leaf,
  type SourceRange,
  type Selected,
  type Source,
} from '../model.ts'
import { fieldsOf, flagOf, itemsOf, leafOf, knownTextOf } from '../rows/input.ts'
import { reportProfileType } from '../rows/tables.ts'
import { idText, plainText } from '../rows/comparison-values.ts'
import {
  assignedColumns,
  type ColumnKind,
  columnNames,
  type ColumnsSql,
  columnsSql,
  columnText,
  idParameter,
  textForError,
} from './columns.ts'
import { type AccountLink, linkParts, linksAfter, linksOf } from './account-links.ts'
import { type PropertyChange, changesOf, propertiesSql, remarkUndeclared, undeclaredSql } from './properties.ts'
import { countStatement, errorStatement, writtenRowJson, changeStatement, changeStatementOrError } from './result.ts'
import { rangeOfInput, refuseForm } from './table.ts'
import { NAME_PARTS, USER_COLUMN_KINDS } from '../../values/user-columns.ts'
import { columnKey } from '../row-access.ts'
import { profilesOwner, USERS_OWNER } from '../upload-host.ts'
import { keyValueOfArgument, newIdValue, addWriteAccess } from './write-access.ts'
import { defaultTexts } from './stored-values.ts'
import { identifier, join, emptySql, sql, type Sql } from '../../sql/sql.ts'
import { isObject } from '../../values/json-data.ts'

const COLUMNS: Readonly<Record<string, ColumnKind>> = {
  ...USER_COLUMN_KINDS,
  deleted_at: 'time',
  password: 'password',
}
const NEW_COLUMNS: Readonly<Record<string, ColumnKind>> = { ...COLUMNS, password: 'first password' }

const NULL_LEAF = new Leaf(null, { kind: 'constant', value: null }, null)

/**
 * Returns the parts that end the other sessions of a user whose password changes. Signed tokens need no change: they become invalid,
 * because their keys contain the hash of the password.
 */
function sessionEndParts(input: UserInput, build: Build): readonly Sql[] {
  if (!input.columns.has('encrypted_password')) return []
  const present = build.bind(NULL_LEAF, 'text', (_value, { accounts }) => accounts.presentSession)
  return [
    sql`ended as (delete from ingot.sessions s using changed c where s.user_id = c.id
    and s.id is distinct from decode(${present}, 'hex'))`,
  ]
}

/** A user in an argument of a mutation. */
interface UserInput {
  readonly fields: InputFields
  readonly columns: ColumnsSql
  readonly changes: readonly PropertyChange[]
  readonly profiles: readonly ProfileInput[]
  readonly links: readonly AccountLink[]
}

interface ProfileInput {
  readonly type: string
  readonly properties: ReadonlyMap<string, PropertyDef>
  readonly changes: readonly PropertyChange[]
  readonly columns: ColumnsSql
}

/**
 * Reads the argument `user`.
 * @param kinds the kinds of the user's columns
 */
export function userInput(call: Selected, build: Build, kinds = COLUMNS): UserInput {
  const fields = fieldsOf(call.args['user']) ?? {}
  const changes = changesOf(fields, build)
  remarkUndeclared(changes, build.catalog.userProperties, 'Users have no', 'users', null, build)
  const columns = new Map(columnsSql(fields, kinds, build))
  const password = columns.get('password')
  columns.delete('password')
  if (password !== undefined) columns.set('encrypted_password', password)
  const links = linksOf(fields['authentications'], build)
  return { fields, columns, changes, profiles: mergeProfiles(profilesOf(fields, build)), links }
}

function profilesOf(fields: InputFields, build: Build): readonly ProfileInput[] {
  return itemsOf(fields['profiles']).flatMap((profile) => {
    // A profile without a name is the default profile.
    const type = leafOf(profile['name']) === null ? 'default' : knownTextOf(profile['name'])
    const properties = type === null ? null : profileNamed(type, rangeOfInput(profile['name']), build)
    if (type === null || properties === null) return []
    const values = fieldsOf(profile['values']) ?? {}
    const changes = changesOf(values, build)
    remarkUndeclared(changes, properties, `Profile \`${type}\` has no`, 'profile', type, build)
    return [{ type, properties, changes, columns: columnsSql(values, { deleted_at: 'time' }, build) }]
  })
}

/** Merges profiles of the same type, which are one row. */
function mergeProfiles(profiles: readonly ProfileInput[]): readonly ProfileInput[] {
  const byType = new Map<string, ProfileInput>()
  for (const profile of profiles) {
    const earlierProfile = byType.get(profile.type)
    byType.set(profile.type, {
      ...profile,
      changes: [...(earlierProfile?.changes ?? []), ...profile.changes],
      columns: new Map([...(earlierProfile?.columns ?? []), ...profile.columns]),
    })
  }
  return [...byType.values()]
}

/** Returns the declared properties of a profile type; null after it has reported a problem. */
function profileNamed(type: string, range: SourceRange | null, build: Build): ReadonlyMap<string, PropertyDef> | null {
  const properties = build.catalog.profileProperties(type)
  if (properties !== null) return properties
  reportProfileType(type, range, build)
  return null
}

/** Inserts one user. When a generated slug is taken, the id is appended to it. */
export function createUser(call: Selected, build: Build): JsonExpression {
  const input = userInput(call, build, NEW_COLUMNS)
  const { fields, changes } = input
  const columns = new Map(input.columns)
  const alias = build.newAlias('u')
  addWriteAccess(
    { alias, rows: 'users', action: 'insert', fixedValues: newIdValue(call.args['id'], build), range: call.range },
    build,
  )
  const row = writtenRowJson('users', alias, null, call, build, relationsAfterChange(input))
  if (leafOf(fields['email']) === null) {
    const message = 'A new user needs an `email`.'
    // The whole user may be a variable, which may contain the e-mail address.
    if (Object.keys(fields).length === 0) return errorStatement(message, call, row)
    build.reportProblem({
      code: 'value',
      message,
      range: call.range,
      hint: null,
      mistake: { kind: 'missing input', name: 'email', field: call.name },
    })
  }
  const givenId = leafOf(call.args['id']) === null ? undefined : columnsSql(call.args, { id: 'id' }, build).get('id')
  const id = givenId === undefined ? sql`nextval('ingot.user_ids')` : sql`ingot.reserved_user(${givenId})`
  const properties = build.catalog.userProperties
  const defaults = defaultTexts(properties.values())
  columns.set(
    'properties',
    propertiesSql(changes, { owner: USERS_OWNER, properties, storedPart: null, defaults }, build).sql,
  )
  const undeclaredChanges = undeclaredSql(changes, properties, null, build)
  if (undeclaredChanges !== null) columns.set('undeclared', undeclaredChanges)
  if (leafOf(fields['name']) === null) columns.set('name', build.bind(nameSources(fields), 'text', joinedName))
  const takesAny = leafOf(fields['slug']) === null
  if (takesAny) columns.set('slug', build.bind(nameSources(fields), 'text', slugOf))
  const values = join([...columns].map(([name, value]) => sql`${value} as ${identifier(name)}`))
  const newUserRow = sql`drawn as materialized (select ${id} as id, ${values})`
  const insertInto = sql`insert into ingot.users as r (id, ${columnNames(columns)})`
  const plainInsert = sql`${insertInto} select id, ${columnNames(columns)} from drawn`
  const inserted = takesAny
    ? sql`first as (${plainInsert} on conflict (slug) where deleted_at is null do nothing returning r.*),
      second as (${insertInto} select id, ${namesWithOtherSlug(columns)} from drawn where not exists (select from first) returning r.*),
      changed as (select * from first union all select * from second)`
    : sql`changed as (${plainInsert} returning r.*)`
  const statement = join([newUserRow, inserted, ...profileParts(input.profiles, build), ...linkParts(input.links)])
  return changeStatement(statement, alias, row)
}

/** Returns the columns of `drawn`, with the id appended to the slug. */
export function namesWithOtherSlug(columns: ColumnsSql): Sql {
  return join([...columns.keys()].map((name) => (name === 'slug' ? sql`slug || '-' || id` : identifier(name))))
}

/** Combines the names and the e-mail address, from which other columns are generated. */
function nameSources(fields: InputFields): Leaf {
  const sources: [string, Source][] = []
  for (const name of ['name', ...NAME_PARTS, 'email']) {
    const leaf = leafOf(fields[name])
    if (leaf !== null) sources.push([name, leaf.source])
  }
  return new Leaf(null, { kind: 'object', fields: sources }, null, false)
}

/** Returns the full name, composed of its parts; null when there are no parts. */
export function joinedName(value: unknown): string | null {
  const fields = isObject(value) ? value : {}
  const parts = NAME_PARTS.map((part) => fields[part]).filter((part) => typeof part === 'string' && part !== '')
  const name = parts.join(' ')
  return name === '' ? null : columnText('name', 'text', name, null)
}

const MAX_SLUG = 80

/** Returns the slug of a user. It is derived from the name, or otherwise from the part of the e-mail address before the `@`. */
export function slugOf(value: unknown): string {
  const fields = isObject(value) ? value : {}
  const fullName = typeof fields['name'] === 'string' && fields['name'] !== '' ? fields['name'] : joinedName(value)
  const address = typeof fields['email'] === 'string' ? fields['email'].trim().replace(/@.*$/s, '') : ''
  return slugFromText(fullName ?? '') || slugFromText(address) || 'user'
}

function slugFromText(text: string): string {
  return slugify(text.replaceAll('\0', '').slice(0, 4 * MAX_SLUG))
    .slice(0, MAX_SLUG)
    .replace(/-$/, '')
}

/** Returns the parts of the statement that write the profiles of the users in `changed`. */
function profileParts(profiles: readonly ProfileInput[], build: Build): readonly Sql[] {
  return profiles.map(({ type, properties, changes, columns }, index) => {
    const defaults = defaultTexts(properties.values())
    const owner = profilesOwner(type)
    // Reads the profile as it was before the statement.
    const conflictingProperties = sql`(select o.properties from ingot.profiles o where o.user_id = changed.id and o.profile_type = ${build.nameLiteral(type)})`
    const insertedProperties = propertiesSql(
      changes,
      { owner, properties, storedPart: null, conflictingProperties, defaults },
      build,
    ).sql
    const updatedProperties = propertiesSql(changes, { owner, properties, storedPart: sql`p.properties` }, build).sql
    const deleted = columns.get('deleted_at') ?? sql`null`
    const undeclaredChanges = undeclaredSql(changes, properties, null, build) ?? sql`null`
    const updatedUndeclared = undeclaredSql(changes, properties, sql`p.undeclared`, build)
    return sql`${profilePart(index)} as (insert into ingot.profiles as p (user_id, profile_type, properties, undeclared, deleted_at)
      select id, ${build.nameLiteral(type)}, ${insertedProperties}, ${undeclaredChanges}, ${deleted} from changed
      on conflict (user_id, profile_type) do update set properties = ${updatedProperties}, updated_at = clock_timestamp(),
      ${updatedUndeclared === null ? emptySql : sql`undeclared = ${updatedUndeclared}, `}deleted_at = ${columns.has('deleted_at') ? deleted : sql`p.deleted_at`} returning p.*)`
  })
}

function profilePart(index: number): Sql {
  return identifier(`profile${index}`)
}

/**
 * Returns the relations of profiles and links after the statement. A statement sees the database as it was before it, so the rows that it
 * writes are read from its own parts.
 */
function relationsAfterChange({ profiles, links }: UserInput): {
  readonly profiles?: Sql
  readonly authentications?: Sql
} {
  const writtenProfiles = join(
    profiles.map((_, index) => sql`select * from ${profilePart(index)}`),
    ' union all ',
  )
  const allProfiles = sql`(${writtenProfiles} union all select * from ingot.profiles o where o.id not in (select id from (${writtenProfiles}) f))`
  return {
    ...(profiles.length > 0 && { profiles: allProfiles }),
    ...(links.length > 0 && { authentications: linksAfter(links) }),
  }
}

/** Returns the `set` list of an update: the given columns, and the generated name when parts of the name change. */
export function assignments(input: UserInput, build: Build): Sql {
  const columns = new Map(input.columns)
  const isNamed = columns.has('name')
  if (!isNamed && NAME_PARTS.some((part) => columns.has(part))) {
    columns.set('name', derivedNameSql(columns))
  }
  const { changes } = input
  if (changes.length > 0) {
    const propertiesContext = {
      owner: USERS_OWNER,
      properties: build.catalog.userProperties,
      storedPart: sql`r.properties`,
    }
    columns.set('properties', propertiesSql(changes, propertiesContext, build).sql)
    const undeclaredChanges = undeclaredSql(changes, propertiesContext.properties, sql`r.undeclared`, build)
    if (undeclaredChanges !== null) columns.set('undeclared', undeclaredChanges)
  }
  columns.set('updated_at', sql`clock_timestamp()`)
  return assignedColumns(columns)
}

/** Returns the name of a user whose name parts change. It is updated only if it was generated from the parts. */
export function derivedNameSql(columns: ColumnsSql): Sql {
  const nameBefore = joinedSql((part) => sql`r.${identifier(part)}`)
  const nameAfter = joinedSql((part) => columns.get(part) ?? sql`r.${identifier(part)}`)
  return sql`case when r.name is null or r.name = ${nameBefore} then ${nameAfter} else r.name end`
}

function joinedSql(part: (name: string) => Sql): Sql {
  return sql`nullif(concat_ws(' ', ${join(NAME_PARTS.map((name) => sql`nullif(${part(name)}, '')`))}), '')`
}

/** The key value that finds the row of the signed-in user. */
const OWN_ID_VALUE = { key: columnKey('id'), value: { kind: 'viewer' }, isList: false, optional: false } as const

/** Changes the user with the argument `id`, or the signed-in user. */
export function updateUser(call: Selected, build: Build): JsonExpression {
  const input = userInput(call, build)
  const isOwn = leafOf(call.args['id']) === null
  const id = isOwn ? sql`${build.currentUserId()}::bigint` : idParameter(call.args['id'], build)
  const alias = build.newAlias('u')
  const changedRows = sql`changed as (update ingot.users as r set ${assignments(input, build)} where r.id = ${id} returning r.*)`
  const statement = join([changedRows, ...partsAfterChange(input, build)])
  const missingUserJson = sql`json_build_object('id', ${isOwn ? sql`${id}::text` : textForError(call.args['id'], build)})`
  const userCondition = isOwn ? [OWN_ID_VALUE] : keyValueOfArgument('id', call.args['id'], build)
  addWriteAccess({ alias, rows: 'users', action: 'update', fixedValues: userCondition, range: call.range }, build)
  const row = writtenRowJson('users', alias, null, call, build, relationsAfterChange(input))
  return changeStatementOrError(statement, alias, row, missingUserJson, missingUser, call)
}

function missingUser({ id }: Readonly<Record<string, unknown>>): string {
  return id === null ? 'No user is signed in: pass the `id` of a user.' : `Can't find User with id=${String(id)}`
}

/** Soft-deletes one user. */
export function deleteUser(call: Selected, build: Build): JsonExpression {
  const id = idParameter(call.args['id'], build)
  const alias = build.newAlias('u')
  const changedRows = sql`changed as (update ingot.users as r set deleted_at = clock_timestamp(), updated_at = clock_timestamp()
    where r.id = ${id} and r.deleted_at is null returning r.*)`
  addWriteAccess(
    {
      alias,
      rows: 'users',
      action: 'update',
      fixedValues: keyValueOfArgument('id', call.args['id'], build),
      range: call.range,
    },
    build,
  )
  const missingUserJson = sql`json_build_object('id', ${textForError(call.args['id'], build)})`
  return changeStatementOrError(
    changedRows,
    alias,
    writtenRowJson('users', alias, null, call, build),
    missingUserJson,
    missingUser,
    call,
  )
}

/** Returns the parts of an update after `changed`, which write profiles and links and end sessions. */
export function partsAfterChange(input: UserInput, build: Build): readonly Sql[] {
  return [...profileParts(input.profiles, build), ...linkParts(input.links), ...sessionEndParts(input, build)]
}

/** Soft-deletes one profile of a user. */
export function deleteProfile(call: Selected, build: Build): JsonExpression {
  refuseForm(call, build)
  const type = knownTextOf(call.args['profile_type'])
  if (type !== null) profileNamed(type, rangeOfInput(call.args['profile_type']), build)
  const id = idParameter(call.args['user_id'], build)
  const alias = build.newAlias('p')
  const changedRows = sql`changed as (update ingot.profiles as r set deleted_at = clock_timestamp(), updated_at = clock_timestamp()
    where r.user_id = ${id} and r.profile_type = ${build.nameLiteral(type ?? '')} and r.deleted_at is null returning r.*)`
  const userCondition = keyValueOfArgument('user_id', call.args['user_id'], build)
  addWriteAccess({ alias, rows: 'profiles', action: 'update', fixedValues: userCondition, range: call.range }, build)
  const missingUserJson = sql`json_build_object('id', ${textForError(call.args['user_id'], build)})`
  const missing = (args: Readonly<Record<string, unknown>>): string =>
    `Can't find Profile ${type} of user with id=${String(args['id'])}`
  return changeStatementOrError(
    changedRows,
    alias,
    writtenRowJson('profiles', alias, type === null ? null : [type], call, build),
    missingUserJson,
    missing,
    call,
  )
}

/** Soft-deletes the profiles of a user, of a type, or of both. */
export function deleteProfiles(call: Selected, build: Build): JsonExpression {
  const { user_profile_type_name: typeArgument, user_id: owner } = call.args
  const [type, user] = [leafOf(typeArgument), leafOf(owner)]
  const conditions = [sql`r.deleted_at is null`]
  if (type !== null) {
    const knownType = knownTextOf(typeArgument)
    if (knownType !== null) profileNamed(knownType, type.range, build)
    conditions.push(sql`r.profile_type = ${build.bind(type, 'text', plainText)}`)
  }
  if (user !== null) conditions.push(sql`r.user_id = ${build.bind(user, 'bigint', idText)}`)
  if (type === null && user === null && flagOf(call.args['all_user_profile_types']) !== true) {
    const message = `\`${call.name}\` needs \`user_profile_type_name\` or \`user_id\`, or \`all_user_profile_types: true\`.`
    build.reportProblem({
      code: 'invalid',
      message,
      range: call.range,
      hint: null,
      mistake: { kind: 'missing input', name: 'user_profile_type_name', field: call.name },
    })
  }
  addWriteAccess(
    {
      alias: sql`r`,
      rows: 'profiles',
      action: 'update',
      fixedValues: keyValueOfArgument('user_id', owner, build),
      range: call.range,
    },
    build,
  )
  const changedRows = sql`changed as (update ingot.profiles as r set deleted_at = clock_timestamp(), updated_at = clock_timestamp()
    where ${join(conditions, ' and ')} returning r.id)`
  return countStatement(changedRows, call)
}
