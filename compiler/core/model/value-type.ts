/**
 * What TypeScript knows of a value in emitted code, so that nothing about it is asked again when the code runs. It is coarser than what
 * the checker infers, and says how JavaScript keeps the value: only what no write through another name can change is part of it. Data only.
 */

export type ValueType =
  | { readonly kind: 'unknown' }
  /** `null` or `undefined`. */
  | { readonly kind: 'nil' }
  | { readonly kind: 'boolean' }
  /** An Integer that is a JavaScript number. */
  | { readonly kind: 'count' }
  /** An Integer: a JavaScript number, or a bigint. */
  | { readonly kind: 'integer' }
  /** Any number: a JavaScript number, a bigint or a `Float`. */
  | { readonly kind: 'number' }
  /**
   * A JavaScript string. `markup`: it may hold characters that HTML escapes. `through`: it may as well where one of these variables does,
   * or is no text and no number.
   */
  | { readonly kind: 'text'; readonly markup: boolean; readonly through?: readonly string[] }
  /** An array. `of`: what TypeScript takes its items for, where TypeScript itself finds that out. */
  | { readonly kind: 'list'; readonly of?: ValueType }
  /** An object whose parts are read by a point. */
  | { readonly kind: 'fields' }
  /** One of which TypeScript knows these parts. What they hold may be changed under another name all the same. */
  | {
      readonly kind: 'record'
      readonly fields: ReadonlyMap<string, ValueType>
      /** It has other parts, too. */
      readonly open?: true
      /** Nothing can have been put into the place of the object itself. */
      readonly isThere?: true
    }
  /** A value of the type, or nil: null, or undefined. */
  | { readonly kind: 'optional'; readonly of: ValueType }
  /** What a variable is given somewhere, which is not known before all of its function is. */
  | { readonly kind: 'variable'; readonly name: string }

export const UNKNOWN_VALUE: ValueType = { kind: 'unknown' }
export const NIL_VALUE: ValueType = { kind: 'nil' }
export const BOOLEAN_VALUE: ValueType = { kind: 'boolean' }
export const COUNT_VALUE: ValueType = { kind: 'count' }
export const INTEGER_VALUE: ValueType = { kind: 'integer' }
export const NUMBER_VALUE: ValueType = { kind: 'number' }
export const TEXT_VALUE: ValueType = { kind: 'text', markup: true }
/** A text without any character that HTML escapes. */
export const PLAIN_VALUE: ValueType = { kind: 'text', markup: false }
export const LIST_VALUE: ValueType = { kind: 'list' }
export const FIELDS_VALUE: ValueType = { kind: 'fields' }
/** What TypeScript takes for an object that is read by any key. */
export const HASH_VALUE: ValueType = { kind: 'record', fields: new Map(), open: true }

/** From the narrowest to the widest. */
const NUMBERS: readonly ValueType['kind'][] = ['count', 'integer', 'number']

export function isNumberValue({ kind }: ValueType): boolean {
  return NUMBERS.includes(kind)
}

/** Whether the value is a text, a number or a boolean, which no write can change. */
export function isScalarValue(type: ValueType): boolean {
  return type.kind === 'boolean' || type.kind === 'text' || isNumberValue(type)
}

/** The type of a value that is of one type or of the other. */
export function joinValues(a: ValueType, b: ValueType): ValueType {
  if (a === b) return a
  if (a.kind === 'unknown' || b.kind === 'unknown' || a.kind === 'variable' || b.kind === 'variable')
    return UNKNOWN_VALUE
  if (a.kind === 'nil') return optional(b)
  if (b.kind === 'nil') return optional(a)
  if (a.kind === 'optional' || b.kind === 'optional') return optional(joinValues(inner(a), inner(b)))
  if (a.kind === 'text' && b.kind === 'text') return a.markup || b.markup ? TEXT_VALUE : textThrough(a, b)
  const [one, other] = [widened(a), widened(b)]
  if (one.kind === other.kind) return one
  const widest = Math.max(NUMBERS.indexOf(a.kind), NUMBERS.indexOf(b.kind))
  const number = isNumberValue(a) && isNumberValue(b) ? NUMBER_TYPES[widest] : undefined
  return number ?? UNKNOWN_VALUE
}

/** A text without markup, as far as the variables that go into it have none. */
export function textThrough(...parts: readonly ValueType[]): ValueType {
  const through = parts.flatMap((part) =>
    part.kind === 'variable' ? [part.name] : part.kind === 'text' ? (part.through ?? []) : [],
  )
  return through.length === 0 ? PLAIN_VALUE : { kind: 'text', markup: false, through: [...new Set(through)] }
}

const NUMBER_TYPES: readonly ValueType[] = [COUNT_VALUE, INTEGER_VALUE, NUMBER_VALUE]

/** The type of what is not nil. */
export function inner(type: ValueType): ValueType {
  return type.kind === 'optional' ? type.of : type
}

/** The type as it is written where TypeScript does not find it out by itself. */
export function widened(type: ValueType): ValueType {
  switch (type.kind) {
    case 'list':
      return LIST_VALUE
    case 'record':
      return FIELDS_VALUE
    case 'optional':
      return optional(widened(type.of))
    default:
      return type
  }
}

/** A value of the type, or nil. */
export function optional(type: ValueType): ValueType {
  switch (type.kind) {
    case 'variable':
      return UNKNOWN_VALUE
    case 'unknown':
    case 'nil':
    case 'optional':
      return type
    default:
      return { kind: 'optional', of: type }
  }
}

/** The type as a text that equal types share. */
export function valueTypeKey(type: ValueType): string {
  switch (type.kind) {
    case 'text':
      return type.markup ? 'text' : 'plain'
    case 'optional':
      return `${valueTypeKey(type.of)}?`
    case 'list':
      return type.of === undefined ? 'list' : `${valueTypeKey(type.of)}[]`
    case 'record':
      return `{${[...type.fields].map(([name, of]) => `${name} ${valueTypeKey(of)}`).join(', ')}${type.open ? ', …' : ''}}`
    default:
      return type.kind
  }
}
