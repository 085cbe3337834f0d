/**
 * `file_content_type`: the accepted types of files. Checks the type that the sender claims; the storage checks the
 * content against `allowedTypes`.
 */
import type { FieldDef } from '../../../page/site.ts'
import { isHash } from '../../../page/values/hash.ts'
import { str } from '../../../page/values/text.ts'
import { isBlank } from '../../../page/values/truth.ts'
import { isSentFile } from '../sent-file.ts'
import { listOption } from './options.ts'
import { NO_PROBLEMS, type Validator, problemOf } from './validator.ts'

export const file_content_type: Validator = {
  description: 'The file must have one of the allowed types, judged by its content.',
  options: {
    allow: { takes: 'list', description: 'Media types such as `application/pdf` or `image/*`.' },
  },
  check(value, check) {
    const allowed = listOption(check, 'allow')
    if (allowed === null || isBlank(value)) return NO_PROBLEMS
    const type = claimedType(value)
    return type === null || allowed.some((one) => includesType(str(one), type)) ? NO_PROBLEMS : problemOf('invalid')
  },
}

/**
 * Returns the types that all `file_content_type` rules of a field allow (`image/png`, `image/*`). Null when the field has no such rule, or
 * the types are computed.
 */
export function allowedTypes(field: FieldDef): readonly string[] | null {
  const rule = field.validations.find(({ kind }) => kind === 'file_content_type')
  const allow = rule?.options['allow']
  if (allow?.kind === 'list') {
    const items = allow.items.flatMap((item) => (item.kind === 'plain' ? [str(item.value)] : []))
    return items.length === allow.items.length ? items : null
  }
  if (allow?.kind !== 'plain') return null
  return Array.isArray(allow.value) ? allow.value.map(str) : typeof allow.value === 'string' ? [allow.value] : null
}

function includesType(allowed: string, type: string): boolean {
  const allowedType = allowed.trim().toLowerCase()
  if (allowedType === type || allowedType === '*/*') return true
  return allowedType.endsWith('/*') && type.startsWith(allowedType.slice(0, -1))
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)[;,]/i

/** Returns the media type that the sender claims. Null for plain base64, a URL, and a stored file without a type. */
function claimedType(value: unknown): string | null {
  if (isSentFile(value)) return withoutParameters(value.contentType)
  if (typeof value === 'string') return DATA_URL.exec(value.slice(0, 200))?.[1]?.toLowerCase() ?? null
  return isHash(value) && typeof value['content_type'] === 'string' ? withoutParameters(value['content_type']) : null
}

/** Returns the media type without parameters, such as `text/plain` for `text/plain; charset=utf-8`. */
function withoutParameters(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase()
}
