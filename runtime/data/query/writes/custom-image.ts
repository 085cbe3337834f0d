/** Images of old sites, which are stored separately from the row in `ingot.attachments`, under the name of a property. */
import type { PropertyDef } from '../../../page/compiled.ts'
import {
  type Build,
  type Catalog,
  type JsonExpression,
  type ParameterHost,
  valueError,
  type Selected,
} from '../model.ts'
import { plainArguments } from '../project.ts'
import { fileVersion } from '../rows/image.ts'
import { fieldsOf, leafOf, asOneLeaf } from '../rows/input.ts'
import { jsonObject } from '../rows/json.ts'
import { timeJson } from '../rows/property-json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { relationOf, type RowScope } from '../rows/scope.ts'
import { plainText } from '../rows/comparison-values.ts'
import { idParameter, textForError } from './columns.ts'
import { changeStatementOrError } from './result.ts'
import { rangeOfInput, refuseForm } from './table.ts'
import { keyValueOfArgument, addWriteAccess } from './write-access.ts'
import { storeUpload } from './uploads.ts'
import { literal, sql } from '../../sql/sql.ts'
import { isObject } from '../../values/json-data.ts'

type Fields = Readonly<Record<string, unknown>>

/** The kinds of rows that own images, by `owner_type`. */
const OWNERS: Readonly<Record<string, { readonly type: string; readonly rows: RowScope['rows'] }>> = {
  Customization: { type: 'Record', rows: 'records' },
  Model: { type: 'Record', rows: 'records' },
  Record: { type: 'Record', rows: 'records' },
  User: { type: 'User', rows: 'users' },
  UserProfile: { type: 'UserProfile', rows: 'profiles' },
}
const RECORD = { type: 'Record', rows: 'records' } as const

/** Fetches an image, and stores it as the image of the row under this name. It replaces an earlier image. */
export function createCustomImage(call: Selected, build: Build): JsonExpression {
  refuseForm(call, build)
  const imageInput = call.args['custom_image'] ?? null
  const input = fieldsOf(imageInput) ?? {}
  const { type, rows } = ownerOf(leafOf(input['owner_type'])?.value, call, build)
  if (leafOf(input['direct_url']) === null && leafOf(input['raw_remote_image_url']) === null) {
    const message = '`custom_image_create` needs `direct_url`, the address of the image.'
    build.reportProblem({
      code: 'invalid',
      message,
      range: call.range,
      hint: null,
      mistake: { kind: 'missing input', name: 'direct_url', field: call.name },
    })
  }
  const id = idParameter(input['owner_id'], build)
  const name = leafOf(input['custom_attribute_name'])
  build.markDeferred()
  const file = build.bind(asOneLeaf(imageInput), 'jsonb', (value, host) =>
    storeImage(isObject(value) ? value : {}, rows, build.catalog, host).then((kept) => JSON.stringify(kept)),
  )
  const alias = build.newAlias('i')
  addWriteAccess(
    { alias, rows, action: 'lock', fixedValues: keyValueOfArgument('id', input['owner_id'], build), range: call.range },
    build,
  )
  const owner = sql`owner as (select r.id from ${relationOf(rows)} r where r.id = ${id} and r.deleted_at is null)`
  const changedRows = sql`changed as (
    insert into ingot.attachments as a (kind, owner_type, owner_id, name, file)
    select 'image', ${literal(type)}, o.id, ${name === null ? literal('') : build.bind(name, 'text', plainText)}, ${file} from owner o
    on conflict (kind, owner_type, owner_id, name) do update set file = excluded.file, updated_at = clock_timestamp()
    returning a.*)`
  const fields = new Map(call.selection.map((field) => [field.responseKey, scalarResultType(field.type)]))
  const row: JsonExpression = {
    sql: jsonObject([
      { key: 'id', value: sql`${alias}.id::text` },
      { key: 'name', value: sql`${alias}.name` },
      { key: 'file', value: sql`${alias}.file` },
      { key: 'created_at', value: timeJson(sql`${alias}.created_at`) },
      { key: 'updated_at', value: timeJson(sql`${alias}.updated_at`) },
    ]),
    shape: (value, host, variables) => {
      const image = isObject(value) ? value : {}
      const file = isObject(image['file']) ? image['file'] : {}
      return Object.fromEntries(
        call.selection.map(({ responseKey, name: field, args }) => [
          responseKey,
          field === '__typename'
            ? 'CustomImage'
            : field === 'url' || field === 'file_url'
              ? host.fileUrl(fileVersion(file, plainArguments(args, variables)['version']), null)
              : (image[field] ?? null),
        ]),
      )
    },
    type: wrapType(call.type, { kind: 'object', fields, range: call.range, table: null }),
  }
  const missingOwner = sql`json_build_object('id', ${textForError(input['owner_id'], build)})`
  const missing = (args: Fields): string => `Can't find ${type} with id=${String(args['id'])}`
  return changeStatementOrError(sql`${owner}, ${changedRows}`, alias, row, missingOwner, missing, call)
}

function ownerOf(imageInput: unknown, call: Selected, build: Build): (typeof OWNERS)[string] {
  if (typeof imageInput === 'string' && Object.hasOwn(OWNERS, imageInput)) return OWNERS[imageInput] ?? RECORD
  if (imageInput !== null && imageInput !== undefined) {
    const message = `There is no \`owner_type\` \`${String(imageInput)}\`: there are ${Object.keys(OWNERS).join(', ')}.`
    const range = rangeOfInput(fieldsOf(call.args['custom_image'])?.['owner_type'])
    build.reportProblem({
      code: 'value',
      message,
      range,
      hint: null,
      mistake: { kind: 'refused value', name: String(imageInput) },
    })
  }
  return RECORD
}

/**
 * Fetches and stores the image.
 * @throws QueryError when it cannot be stored
 */
function storeImage(
  imageInput: Fields,
  rows: RowScope['rows'],
  catalog: Catalog,
  host: ParameterHost,
): Promise<Fields> {
  const name = String(imageInput['custom_attribute_name'] ?? '')
  const url = imageInput['direct_url'] ?? imageInput['raw_remote_image_url'] ?? null
  if (name.trim() === '') throw valueError('An image needs the name of its property.')
  return storeUpload(photoProperty(name, rows, catalog), { type: 'image', remote_url: url, acl: 'public' }, host)
}

/**
 * Returns the property of a name from the first declaration that has it. Other declarations are ignored, because the table of a record is
 * not known before the image is stored.
 */
function photoProperty(name: string, rows: RowScope['rows'], { data }: Catalog): PropertyDef {
  const groups = { records: data.tables, users: [{ properties: data.user }], profiles: data.profiles }[rows]
  const declaredProperty = groups
    .flatMap(({ properties }) => properties)
    .find((one) => one.name === name && one.type === 'photo')
  return declaredProperty ?? { name, type: 'photo', default: null, belongsTo: null, options: null }
}
