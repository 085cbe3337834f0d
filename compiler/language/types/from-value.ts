/** Computes the checker type of a value from the host. */
import { BOOLEAN, INTEGER, NIL, NUMBER, STRING, type Type, UNKNOWN } from '../../core/model/type.ts'
import { joinAll } from './relate.ts'

/** Maximum depth of values, and maximum number of list elements, to examine. */
const MAX_DEPTH = 6
const MAX_ITEMS = 100

/** Returns the current type of a value; unknown for anything that is not plain data. */
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
      return value === null ? NIL : depth >= MAX_DEPTH ? UNKNOWN : typeOfObject(value, depth)
    default:
      return UNKNOWN
  }
}

function typeOfObject(value: object, depth: number): Type {
  if (Array.isArray(value)) {
    if (value.length === 0 || value.length > MAX_ITEMS) return { kind: 'list', element: UNKNOWN }
    return { kind: 'list', element: joinAll(value.map((each) => typeOfValue(each, depth + 1))) }
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return UNKNOWN
  const fields = new Map(Object.entries(value).map(([name, each]) => [name, typeOfValue(each, depth + 1)]))
  return { kind: 'record', fields, open: false, origin: null }
}
