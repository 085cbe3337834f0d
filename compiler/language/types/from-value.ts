/** The type of a value that a host gives, for the checker. */
import { BOOLEAN, INTEGER, NIL, NUMBER, STRING, type Type, UNKNOWN } from '../../core/model/type.ts'
import { joinAll } from './relate.ts'

/** Depth to which values are looked into, and the most that is looked at of a list. */
const MOST_DEPTH = 6
const MOST_ITEMS = 100

/** The type of a value as it is now. Of what is no plain data nothing is known. */
export function typeOfValue(value: unknown, depth = 0): Type {
  switch (typeof value) {
    case 'string':
      return STRING
    case 'boolean':
      return BOOLEAN
    case 'bigint':
      return INTEGER
    case 'number':
      return Number.isSafeInteger(value) ? INTEGER : NUMBER
    case 'undefined':
      return NIL
    case 'object':
      return value === null ? NIL : depth >= MOST_DEPTH ? UNKNOWN : typeOfObject(value, depth)
    default:
      return UNKNOWN
  }
}

function typeOfObject(value: object, depth: number): Type {
  if (Array.isArray(value)) {
    if (value.length === 0 || value.length > MOST_ITEMS) return { kind: 'list', of: UNKNOWN }
    return { kind: 'list', of: joinAll(value.map((each) => typeOfValue(each, depth + 1))) }
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return UNKNOWN
  const fields = new Map(Object.entries(value).map(([name, each]) => [name, typeOfValue(each, depth + 1)]))
  return { kind: 'record', fields, open: false, origin: null }
}
