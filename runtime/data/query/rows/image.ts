/** `custom_image`: an image of a record that was stored by a form. */
import type { Build, JsonExpression, Selected } from '../model.ts'
import { plainArguments } from '../project.ts'
import { leafOf } from './input.ts'
import { jsonObject, jsonRow } from './json.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import type { RowScope } from './scope.ts'
import { plainText } from './comparison-values.ts'
import { sql } from '../../sql/sql.ts'
import { isObject } from '../../values/json-data.ts'

type Fields = Readonly<Record<string, unknown>>

/** Returns the JSON of an image; null when there is no image of this name. */
export function imageJson(call: Selected, scope: RowScope, build: Build): JsonExpression {
  const name = leafOf(call.args['name'])
  const imageName = name === null ? sql`null` : build.bind(name, 'text', plainText)
  const row = jsonObject([
    { key: 'id', value: sql`i.id::text` },
    { key: 'name', value: sql`i.name` },
    { key: 'file', value: sql`i.file` },
  ])
  const owned = sql`i.kind = 'image' and i.owner_type = 'Record' and i.owner_id = ${scope.alias}.id and i.name = ${imageName}`
  const fields = new Map(call.selection.map((field) => [field.responseKey, scalarResultType(field.type)]))
  return {
    sql: jsonRow(row, sql`from ingot.attachments i where ${owned}`),
    shape: (value, host, variables) => {
      if (!isObject(value)) return null
      const file = isObject(value['file']) ? value['file'] : {}
      const part = ({ name: field, args }: Selected): unknown => {
        if (field === '__typename') return 'ListingImage'
        if (field === 'url') return host.fileUrl(fileVersion(file, plainArguments(args, variables)['version']), null)
        if (field === 'filename') return file['file_name'] ?? null
        return (field === 'file_name' ? file[field] : value[field]) ?? null
      }
      return Object.fromEntries(call.selection.map((field) => [field.responseKey, part(field)]))
    },
    type: wrapType(call.type, { kind: 'object', fields, range: call.range, table: null }),
  }
}

/** Returns the file of the requested version, or the original when this version does not exist. */
export function fileVersion(file: Fields, version: unknown): Fields {
  const versions = isObject(file['versions']) ? file['versions'] : {}
  const path = typeof version === 'string' && Object.hasOwn(versions, version) ? versions[version] : file['path']
  return { path }
}
