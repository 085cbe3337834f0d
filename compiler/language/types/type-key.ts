/** Converts types to keys for comparison. */
import type { ShapeOrigin, Type } from '../../core/model/type.ts'
import { spanKey } from '../../core/source/span.ts'

/** Returns the same key for equal types. */
export function typesKey(types: ReadonlyMap<string, Type>): string {
  return [...types].map(([name, type]) => `${name} ${typeKey(type)}`).join('\n')
}

/** Returns the same key for equal types. */
export function typeKey(type: Type): string {
  switch (type.kind) {
    case 'unknown':
      return type.likely === undefined ? 'unknown' : `unknown(${typeKey(type.likely)})`
    case 'string':
      return `string ${type.safe ?? ''} ${type.literal === undefined ? '' : JSON.stringify(type.literal)}`
    case 'list':
    case 'hash':
      return `${type.kind}(${typeKey(type.element)})`
    case 'union':
      return `(${type.members.map(typeKey).join('|')})`
    case 'record': {
      const fields = [...type.fields].map(([key, element]) => `${JSON.stringify(key)}:${typeKey(element)}`).join(',')
      const lacking = [...(type.lacking ?? [])]
        .map(([key, missing]) => `-${JSON.stringify(key)}${originKey(missing.origin)}`)
        .join(',')
      const possible = [...(type.possible ?? [])].map((key) => `?${JSON.stringify(key)}`).join(',')
      return `{${fields}${type.open ? ',...' : ''}${lacking}${possible}}${originKey(type.origin)}`
    }
    default:
      return type.kind
  }
}

function originKey(origin: ShapeOrigin | null): string {
  return origin === null ? '@' : `@${spanKey(origin)}`
}
