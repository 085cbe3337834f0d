/** Taking files out of rows: their upload properties become null. */
import type { PropertyDef } from '../../../page/compiled.ts'
import type { Build, Json, Selected } from '../model.ts'
import { flagOf, leafOf, textOf } from '../rows/input.ts'
import { constantJson, objectJson } from '../rows/json.ts'
import { scalarType, wrapped } from '../result-type.ts'
import { arrayText, plainText } from '../rows/values.ts'
import { textSql } from '../build.ts'
import { idParameter, shownText } from './columns.ts'
import { writtenOr } from './result.ts'
import { allTables } from './table.ts'

const OWNERS = { Record: 'records', User: 'users', UserProfile: 'profiles' } as const
const TYPES: ReadonlySet<PropertyDef['type']> = new Set(['upload', 'file', 'photo'])

/** Empties one upload property of a row, or all; shows what they held. */
export function deleteUploads(call: Selected, build: Build): Json {
  const type = textOf(call.args['upload_object_type'])
  const owner = type !== null && Object.hasOwn(OWNERS, type) ? (type as keyof typeof OWNERS) : 'Record'
  const name = leafOf(call.args['attribute_name'])
  if (name === null && flagOf(call.args['delete_all_properties']) !== true) {
    const message = '`upload_delete` needs `attribute_name`, or `delete_all_properties: true`.'
    build.problem({ code: 'invalid', message, at: call.at, hint: null })
  }
  const id = idParameter(call.args['upload_object_id'], build)
  const wanted = name === null ? '' : ` and e.key = ${build.bind(name, 'text', plainText)}`
  const held =
    `(select jsonb_object_agg(e.key, e.value) from jsonb_each(r.properties) e ` +
    `where e.key = any(${uploadsSql(owner, build)})${wanted} and e.value <> 'null')`
  const found = `found as materialized (select r.id, ${held} as held from ingot.${OWNERS[owner]} r where r.id = ${id} for update)`
  const emptied = `(select coalesce(jsonb_object_agg(k, null::jsonb), '{}') from jsonb_object_keys(f.held) k)`
  const written =
    `written as (update ingot.${OWNERS[owner]} r set properties = r.properties || ${emptied}, updated_at = clock_timestamp() ` +
    'from found f where r.id = f.id and f.held is not null returning r.id)'
  const alias = build.alias('f')
  const row = objectJson(
    call.selection.map((field) => ({ key: field.key, json: partJson(field, alias, owner) })),
    call.at,
  )
  const why = `json_build_object('id', ${shownText(call.args['upload_object_id'], build)})`
  return writtenOr(
    `${found}, ${written}, changed as (select * from found)`,
    alias,
    { ...row, type: wrapped(call.type, row.type) },
    why,
    (of) => `Can't find ${owner} with id=${of['id'] as string}`,
    call,
  )
}

function partJson(field: Selected, alias: string, owner: string): Json {
  const type = scalarType(field.type)
  switch (field.name) {
    case '__typename':
      return constantJson('ObjectUpload', type)
    case 'upload_object_id':
      return { sql: `${alias}.id::text`, shape: null, type }
    case 'upload_object_type':
      return constantJson(owner, type)
    case 'uploads':
      return { sql: `coalesce(${alias}.held, '{}'::jsonb)`, shape: null, type }
    case 'errors':
      return { sql: "'[]'::json", shape: null, type }
    // `job_id`: it is done at once.
    default:
      return { sql: 'null::text', shape: null, type }
  }
}

/** Names of the upload properties that the row can have. */
function uploadsSql(owner: keyof typeof OWNERS, build: Build): string {
  const { catalog } = build
  const names = (properties: Iterable<PropertyDef>): string =>
    `${textSql(arrayText([...properties].filter(({ type }) => TYPES.has(type)).map((property) => property.name)))}::text[]`
  if (owner === 'User') return names(catalog.userProperties.values())
  const cases =
    owner === 'Record'
      ? allTables(build).map(({ id, properties }) => `when r.table_id = ${id} then ${names(properties.values())}`)
      : catalog.data.profiles.map(
          (profile) => `when r.profile_type = ${build.declared(profile.name)} then ${names(profile.properties)}`,
        )
  return cases.length === 0 ? "'{}'::text[]" : `(case ${cases.join(' ')} else '{}'::text[] end)`
}
