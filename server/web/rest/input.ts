/** Reads a request to the REST API: its parameters, its form, and its table. */
import { isUtf8 } from 'node:buffer'
import type { Catalog } from '../../../runtime/data/query/model.ts'
import type { CompiledSite, FormEntry } from '../../../runtime/page/site.ts'
import { isBlank } from '../../../runtime/page/values/truth.ts'
import { findForm, findTable, formByNumber } from '../forms/find.ts'
import { mediaTypeIn } from '../http/formats.ts'
import type { Request } from '../http/message.ts'
import { BadRequest, bodyParams, type Params, queryParams } from '../http/params.ts'

/**
 * Parameters of the query and the body; those of the body win.
 * @throws BadRequest when the body cannot be read
 */
export function readParams(request: Request): Params {
  const { body } = request
  if (body !== null && body.length > 0) requireReadable(request.contentType, body)
  return { ...queryParams(request), ...bodyParams(request) }
}

// Invalid UTF-8 is refused, because it would be stored differently from what was sent.
function requireReadable(type: string, body: Uint8Array): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1]?.toLowerCase()
  const known = charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii'
  if (!known) throw new BadRequest('the body must be UTF-8')
  if (isText(type) && !isUtf8(body)) throw new BadRequest('the body is not valid UTF-8')
}

/** Content types that are read as a whole as text. */
function isText(type: string): boolean {
  const media = mediaTypeIn(type)
  return media === 'application/json' || media.endsWith('+json') || media === 'application/x-www-form-urlencoded'
}

/** Whether a browser's form was sent, by the content types that HTML can send. */
export function isBrowserForm(request: Request): boolean {
  const media = mediaTypeIn(request.contentType)
  return media === 'application/x-www-form-urlencoded' || media === 'multipart/form-data'
}

/**
 * The form that a request names by `form_name`, or else by `form_id`, which is its number or its name. Null when there
 * is no such form.
 * @returns a problem when the request names no form
 */
export function formOf(
  forms: CompiledSite['forms'],
  params: Params,
): { readonly form: FormEntry | null } | { readonly problem: string } {
  const isNamed = !isBlank(params.form_name) || params.form_name === false
  const given = isNamed ? params.form_name : params.form_id
  if (given === undefined || given === null || given === '') return { problem: 'form_name: is missing' }
  if (!isNamed && typeof given === 'number') return { form: formByNumber(forms, String(given)) }
  if (typeof given !== 'string') return { problem: 'form_name: expected a text' }
  return { form: findForm(forms, given) ?? (isNamed ? null : formByNumber(forms, given)) }
}

/** Parameters in which a request may name the table of a record. */
const TABLES = ['parent_resource_id', 'parent_object_id', 'parent_resource_class', 'parent_object_class'] as const

const IN_FORM = 'form.model_schema_name'
const NAMED = [...TABLES, IN_FORM] as const

/**
 * The table of the record to create. All names in the request must agree with each other and with the form's table.
 * @param program clients with a token must name it both beside the form and inside; pages do so by the tag `form`
 */
export function tableOf(
  catalog: Catalog,
  form: FormEntry,
  params: Params,
  raw: unknown,
  program: boolean,
): { readonly table: string } | { readonly problem: string } {
  let table = form.table
  const inForm =
    typeof raw === 'object' && raw !== null && 'model_schema_name' in raw ? raw.model_schema_name : undefined
  for (const path of NAMED) {
    const value = path === IN_FORM ? inForm : params[path]
    const required = program && (path === 'parent_resource_id' || path === IN_FORM)
    if (value === undefined || value === null || value === '') {
      if (required) return { problem: `${path}: is missing` }
      continue
    }
    // A generic class name of the tag `form`, which names no table.
    if (path.endsWith('_class') && typeof value === 'string' && GENERIC.has(value)) continue
    if (typeof value !== 'string' && typeof value !== 'number') return { problem: `${path}: expected a text` }
    const found = findTable(catalog, value)
    if (found === null) return { problem: `${path}: there is no such table` }
    if (table !== null && found !== table) return { problem: `${path}: expected the table ${table}` }
    table = found
  }
  return table === null ? { problem: 'parent_resource_id: is missing' } : { table }
}

const GENERIC: ReadonlySet<string> = new Set([
  'CustomModelType',
  'Customization',
  'Model',
  'Record',
  'CustomizationType',
])
