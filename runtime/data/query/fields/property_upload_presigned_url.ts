/** `property_upload_presigned_url`: the URL and the form fields for uploading the file of an upload property. */
import type { MutationField, Selected, ShapeHost, UploadRequest } from '../model.ts'
import { valueError } from '../model.ts'
import { plainArguments } from '../project.ts'
import { scalarResultType, wrapType } from '../result-type.ts'
import { upload } from '../sdl/upload.ts'
import { sql } from '../../sql/sql.ts'
import { isObject } from '../../values/json-data.ts'

export const property_upload_presigned_url: MutationField = {
  kind: 'mutation',
  name: 'property_upload_presigned_url',
  sdl: 'property_upload_presigned_url(include_content_type: Boolean = false, model_schema_name: String, presign_url: PresignUrl, property_name: String!, table: String, user: Boolean = false): PropertyUploadPresignedUrl! @public',
  types: upload,
  build: (call) => ({
    // Needs no statement: the host only signs the fields of the upload form.
    sql: sql`select 'true'::json as data`,
    shape: (_value, host, variables) => presignUpload(call, host, plainArguments(call.args, variables)),
    type: wrapType(call.type, {
      kind: 'object',
      fields: new Map(call.selection.map((field) => [field.responseKey, scalarResultType(field.type)])),
      range: call.range,
      table: null,
    }),
  }),
}

type Arguments = Readonly<Record<string, unknown>>

function presignUpload(call: Selected, host: ShapeHost, args: Arguments): Arguments {
  if (host.uploads === undefined) {
    throw valueError('This host does not store files.', call.range)
  }
  const { url, fields } = host.uploads.presign(uploadRequestOf(args))
  const values: Arguments = { __typename: 'PropertyUploadPresignedUrl', upload_url: url, upload_url_payload: fields }
  return Object.fromEntries(call.selection.map(({ responseKey, name }) => [responseKey, values[name] ?? null]))
}

function uploadRequestOf(args: Arguments): UploadRequest {
  const presignArguments = objectOrEmpty(args['presign_url'])
  const length = objectOrEmpty(presignArguments['content_length'])
  const type = objectOrEmpty(presignArguments['content_type'])
  const { acl } = presignArguments
  const start = textOf(type['starts_with'])
  const mediaType = textOf(type['value'])
  return {
    property: String(args['property_name']),
    table: args['user'] === true ? null : (textOf(args['table']) ?? textOf(args['model_schema_name']) ?? ''),
    acl: acl === 'public' || acl === 'private' ? acl : null,
    minimumSize: numberOf(length['gte']),
    maximumSize: numberOf(length['lte']),
    type: mediaType ?? (start === null ? null : `${start}*`),
  }
}

function objectOrEmpty(value: unknown): Arguments {
  return isObject(value) ? value : {}
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? value : null
}
