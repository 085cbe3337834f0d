/** Reads the input of a request to the REST API: its parameters, its form and its table. */
import { isUtf8 } from 'node:buffer'
import type { Catalog } from '../../../runtime/data/query/model.ts'
import type { CompiledSite, FormEntry } from '../../../runtime/page/site.ts'
import { isBlank } from '../../../runtime/page/values/truth.ts'
import { findForm, findTable, findFormByNumber } from '../forms/find-form.ts'
import { mediaTypeIn } from '../http/formats.ts'
import type { Request } from '../http/message.ts'
import { BadRequest, bodyParams, type Params, queryParams } from '../http/params.ts'

/**
 * Returns the parameters of the query and the body. Parameters of the body take precedence.
 * @throws BadRequest when the body cannot be read
 */
export function readParams(request: Request): Params {
  const { body } = request
  if (body !== null && body.length > 0) requireReadable(request.contentType, body)
  return { ...queryParams(request), ...bodyParams(request) }
}

// Rejects invalid UTF-8, because the stored text would differ from the sent text.
function requireReadable(type: string, body: Uint8Array): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1]?.toLowerCase()
  const isSupported = charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii'
  if (!isSupported) throw new BadRequest('the body must be UTF-8')
  if (isText(type) && !isUtf8(body)) throw new BadRequest('the body is not valid UTF-8')
}

/** Returns whether the body of a content type is read as text. */
function isText(type: string): boolean {
  const mediaType = mediaTypeIn(type)
  return (
    mediaType === 'application/json' || mediaType.endsWith('+json') || mediaType === 'application/x-www-form-urlencoded'
  )
}

/** Returns whether a browser form sent the request, based on the content types that HTML forms can send. */
export function isBrowserForm(request: Request): boolean {
  const mediaType = mediaTypeIn(request.contentType)
  return mediaType === 'application/x-www-form-urlencoded' || mediaType === 'multipart/form-data'
}

/**
 * Finds the form of a request by `form_name`, or else by `form_id`, which is its number or name. The form is null when
 * it does not exist.
 * @returns a problem when the request has neither parameter
 */
export function findRequestedForm(
  forms: CompiledSite['forms'],
  params: Params,
): { readonly form: FormEntry | null } | { readonly problem: string } {
  const isNamed = !isBlank(params.form_name) || params.form_name === false
  const nameOrNumber = isNamed ? params.form_name : params.form_id
  if (nameOrNumber === undefined || nameOrNumber === null || nameOrNumber === '')
    return { problem: 'form_name: is missing' }
  if (!isNamed && typeof nameOrNumber === 'number') return { form: findFormByNumber(forms, String(nameOrNumber)) }
  if (typeof nameOrNumber !== 'string') return { problem: 'form_name: expected a text' }
  return { form: findForm(forms, nameOrNumber) ?? (isNamed ? null : findFormByNumber(forms, nameOrNumber)) }
}

/** Parameters that may contain the table of a record. */
const TABLE_PARAMETERS = [
  'parent_resource_id',
  'parent_object_id',
  'parent_resource_class',
  'parent_object_class',
] as const

const FORM_TABLE = 'form.model_schema_name'
const TABLE_PATHS = [...TABLE_PARAMETERS, FORM_TABLE] as const

/**
 * Returns the table of the record to create. All tables in the request must match each other and the form's table.
 * @param isApiClient API clients must send the table both outside and inside the form, as the tag `form` does for pages
 */
export function findRequestedTable(
  catalog: Catalog,
  form: FormEntry,
  params: Params,
  raw: unknown,
  isApiClient: boolean,
): { readonly table: string } | { readonly problem: string } {
  let table = form.table
  const formTable =
    typeof raw === 'object' && raw !== null && 'model_schema_name' in raw ? raw.model_schema_name : undefined
  for (const path of TABLE_PATHS) {
    const value = path === FORM_TABLE ? formTable : params[path]
    const required = isApiClient && (path === 'parent_resource_id' || path === FORM_TABLE)
    if (value === undefined || value === null || value === '') {
      if (required) return { problem: `${path}: is missing` }
      continue
    }
    // A generic class name of the tag `form` does not name a table.
    if (path.endsWith('_class') && typeof value === 'string' && GENERIC_CLASSES.has(value)) continue
    if (typeof value !== 'string' && typeof value !== 'number') return { problem: `${path}: expected a text` }
    const name = findTable(catalog, value)
    if (name === null) return { problem: `${path}: there is no such table` }
    if (table !== null && name !== table) return { problem: `${path}: expected the table ${table}` }
    table = name
  }
  return table === null ? { problem: 'parent_resource_id: is missing' } : { table }
}

const GENERIC_CLASSES: ReadonlySet<string> = new Set([
  'CustomModelType',
  'Customization',
  'Model',
  'Record',
  'CustomizationType',
])
