/**
 * The static types of values in emitted code, so that the code does not check them again at run time. They are coarser than the types
 * of the checker, and describe the JavaScript representation. They only contain what no write through another variable can change. Only
 * data.
 */

export type ValueType =
  | { readonly kind: 'unknown' }
  /** `null` or `undefined`. */
  | { readonly kind: 'nil' }
  | { readonly kind: 'boolean' }
  /** An Integer that is a JavaScript number. */
  | { readonly kind: 'count' }
  /** An Integer: a JavaScript number or a bigint. */
  | { readonly kind: 'integer' }
  /** Any number: a JavaScript number, a bigint or a `Float`. */
  | { readonly kind: 'number' }
  /** A JavaScript string. `markup`: it may contain characters that HTML escapes. */
  | { readonly kind: 'text'; readonly markup: boolean }
  /** An array. `of`: the TypeScript type of its items, if TypeScript infers it. */
  | { readonly kind: 'list'; readonly element?: ValueType }
  /** An object whose fields are read as properties. */
  | { readonly kind: 'fields' }
  /** An object with these known fields. Their values may still be changed through another variable. */
  | {
      readonly kind: 'record'
      readonly fields: ReadonlyMap<string, ValueType>
      /** Whether the object may have other fields too. */
      readonly open?: true
      /** Whether the object itself cannot have been replaced. */
      readonly isNeverReplaced?: true
    }
  /** A value of the type, or nil (null or undefined). */
  | { readonly kind: 'optional'; readonly inner: ValueType }

export const UNKNOWN_VALUE: ValueType = { kind: 'unknown' }
export const NIL_VALUE: ValueType = { kind: 'nil' }
export const BOOLEAN_VALUE: ValueType = { kind: 'boolean' }
export const COUNT_VALUE: ValueType = { kind: 'count' }
export const INTEGER_VALUE: ValueType = { kind: 'integer' }
export const NUMBER_VALUE: ValueType = { kind: 'number' }
export const TEXT_VALUE: ValueType = { kind: 'text', markup: true }
/** A text without characters that HTML escapes. */
export const PLAIN_VALUE: ValueType = { kind: 'text', markup: false }
export const LIST_VALUE: ValueType = { kind: 'list' }
export const FIELDS_VALUE: ValueType = { kind: 'fields' }
/** The TypeScript type of an object that is read with any key. */
export const HASH_VALUE: ValueType = { kind: 'record', fields: new Map(), open: true }

/** The kinds of numbers, from the narrowest to the widest. */
const NUMBERS: readonly ValueType['kind'][] = ['count', 'integer', 'number']

export function isNumberValue({ kind }: ValueType): boolean {
  return NUMBERS.includes(kind)
}

/** Returns whether the value is a text, a number or a boolean, which no write can change. */
export function isScalarValue(type: ValueType): boolean {
  return type.kind === 'boolean' || type.kind === 'text' || isNumberValue(type)
}

/** Returns the type of a value that has one of the two types. */
export function joinValues(a: ValueType, b: ValueType): ValueType {
  if (a === b) return a
  if (a.kind === 'unknown' || b.kind === 'unknown') return UNKNOWN_VALUE
  if (a.kind === 'nil') return optional(b)
  if (b.kind === 'nil') return optional(a)
  if (a.kind === 'optional' || b.kind === 'optional') return optional(joinValues(withoutNil(a), withoutNil(b)))
  if (a.kind === 'text' && b.kind === 'text') return a.markup || b.markup ? TEXT_VALUE : PLAIN_VALUE
  const [one, other] = [declaredType(a), declaredType(b)]
  if (one.kind === other.kind) return one
  const widest = Math.max(NUMBERS.indexOf(a.kind), NUMBERS.indexOf(b.kind))
  const number = isNumberValue(a) && isNumberValue(b) ? NUMBER_TYPES[widest] : undefined
  return number ?? UNKNOWN_VALUE
}

const NUMBER_TYPES: readonly ValueType[] = [COUNT_VALUE, INTEGER_VALUE, NUMBER_VALUE]

/** Returns the type without nil. */
export function withoutNil(type: ValueType): ValueType {
  return type.kind === 'optional' ? type.inner : type
}

/** Returns the type as it must be declared if TypeScript does not infer it. */
export function declaredType(type: ValueType): ValueType {
  switch (type.kind) {
    case 'list':
      return LIST_VALUE
    case 'record':
      return FIELDS_VALUE
    case 'optional':
      return optional(declaredType(type.inner))
    default:
      return type
  }
}

/** Returns the type of a value that may be nil. */
export function optional(type: ValueType): ValueType {
  switch (type.kind) {
    case 'unknown':
    case 'nil':
    case 'optional':
      return type
    default:
      return { kind: 'optional', inner: type }
  }
}

/** Returns a key that equal types share. */
export function valueTypeKey(type: ValueType): string {
  switch (type.kind) {
    case 'text':
      return type.markup ? 'text' : 'plain'
    case 'optional':
      return `${valueTypeKey(type.inner)}?`
    case 'list':
      return type.element === undefined ? 'list' : `${valueTypeKey(type.element)}[]`
    case 'record':
      return `{${[...type.fields].map(([name, element]) => `${name} ${valueTypeKey(element)}`).join(', ')}${type.open ? ', …' : ''}}`
    default:
      return type.kind
  }
}
