/** Removes files from rows by setting upload properties to null. */
import type { PropertyDef } from '../../../page/compiled.ts'
import type { Build, JsonExpression, Selected } from '../model.ts'
import { flagOf, leafOf, knownTextOf } from '../rows/input.ts'
import { constantJson, objectJson, jsonFromAtom } from '../rows/json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { relationOf } from '../rows/scope.ts'
import { plainText } from '../rows/comparison-values.ts'
import { arrayText } from '../../sql/quote.ts'
import { idParameter, textForError } from './columns.ts'
import { changeStatementOrError } from './result.ts'
import { allTables } from './table.ts'
import { keyValueOfArgument, addWriteAccess } from './write-access.ts'
import { integer, join, literal, emptySql, sql, type Sql } from '../../sql/sql.ts'
import { isUpload } from './uploads.ts'

const OWNERS = { Record: 'records', User: 'users', UserProfile: 'profiles' } as const
function isOwner(type: string): type is keyof typeof OWNERS {
  return Object.hasOwn(OWNERS, type)
}

/** Clears one or all upload properties of a row, and returns their previous values. */
export function deleteUploads(call: Selected, build: Build): JsonExpression {
  const type = knownTextOf(call.args['upload_object_type'])
  const owner = type !== null && isOwner(type) ? type : 'Record'
  const name = leafOf(call.args['attribute_name'])
  if (name === null && flagOf(call.args['delete_all_properties']) !== true) {
    const message = '`upload_delete` needs `attribute_name`, or `delete_all_properties: true`.'
    build.reportProblem({
      code: 'invalid',
      message,
      range: call.range,
      hint: null,
      mistake: { kind: 'missing input', name: 'attribute_name', field: call.name },
    })
  }
  const id = idParameter(call.args['upload_object_id'], build)
  const nameCondition = name === null ? emptySql : sql` and e.key = ${build.bind(name, 'text', plainText)}`
  const heldUploads = sql`(select jsonb_object_agg(e.key, e.value) from jsonb_each(r.properties) e
    where e.key = any(${uploadsSql(owner, build)})${nameCondition} and e.value <> 'null')`
  const matchingRow = sql`found as materialized (select r.id, ${heldUploads} as held from ${relationOf(OWNERS[owner])} r where r.id = ${id} for update)`
  const emptied = sql`(select coalesce(jsonb_object_agg(k, null::jsonb), '{}') from jsonb_object_keys(f.held) k)`
  const updatedRow = sql`written as (update ${relationOf(OWNERS[owner])} r set properties = r.properties || ${emptied}, updated_at = clock_timestamp()
    from found f where r.id = f.id and f.held is not null returning r.id)`
  const alias = build.newAlias('f')
  const at = { fixedValues: keyValueOfArgument('id', call.args['upload_object_id'], build), at: call.range }
  addWriteAccess({ alias, rows: OWNERS[owner], action: 'lock', ...at }, build)
  const row = objectJson(
    call.selection.map((field) => ({ key: field.responseKey, json: partJson(field, alias, owner) })),
    call.range,
  )
  const missingOwner = sql`json_build_object('id', ${textForError(call.args['upload_object_id'], build)})`
  return changeStatementOrError(
    sql`${matchingRow}, ${updatedRow}, changed as (select * from found)`,
    alias,
    { ...row, type: wrapType(call.type, row.type) },
    missingOwner,
    (args) => `Can't find ${owner} with id=${String(args['id'])}`,
    call,
  )
}

function partJson(field: Selected, alias: Sql, owner: string): JsonExpression {
  const type = scalarResultType(field.type)
  switch (field.name) {
    case '__typename':
      return constantJson('ObjectUpload', type)
    case 'upload_object_id':
      return { sql: sql`${alias}.id::text`, shape: null, type }
    case 'upload_object_type':
      return constantJson(owner, type)
    case 'uploads':
      return { sql: sql`coalesce(${alias}.held, '{}'::jsonb)`, shape: null, type }
    case 'errors':
      return { sql: jsonFromAtom(sql`'[]'`), shape: null, type }
    // The field `job_id`: null, because no job is needed.
    default:
      return { sql: sql`null::text`, shape: null, type }
  }
}

/** Returns the names of the upload properties that the row may have. */
function uploadsSql(owner: keyof typeof OWNERS, build: Build): Sql {
  const { catalog } = build
  const names = (properties: Iterable<PropertyDef>): Sql =>
    sql`${literal(arrayText([...properties].filter(isUpload).map((property) => property.name)))}::text[]`
  if (owner === 'User') return names(catalog.userProperties.values())
  const cases =
    owner === 'Record'
      ? allTables(build).map(
          ({ id, properties }) => sql`when r.table_id = ${integer(id)} then ${names(properties.values())}`,
        )
      : catalog.data.profiles.map(
          (profile) => sql`when r.profile_type = ${build.nameLiteral(profile.name)} then ${names(profile.properties)}`,
        )
  return cases.length === 0 ? sql`'{}'::text[]` : sql`(case ${join(cases, ' ')} else '{}'::text[] end)`
}
