/** Represents the values of the manifest in the compiler, and converts them to code. */
import {
  boolean,
  type Code,
  type Entry,
  getter,
  list,
  NULL,
  number,
  object,
  property,
  string,
} from '../../core/model/code.ts'

/** A value that is only known as code: a function of another module, or an instance of a class. */
export class CodeValue {
  readonly code: Code
  constructor(code: Code) {
    this.code = code
  }
}

/** A value that is computed on every read. */
export class GetterValue {
  readonly code: Code
  constructor(code: Code) {
    this.code = code
  }
}

/** The compiler's representation of a `T` of the running site: a function is a `CodeValue`, and a record is a map. */
export type Emittable<T> = unknown extends T
  ? unknown
  : T extends (...args: never) => unknown
    ? CodeValue
    : T extends readonly (infer Item)[]
      ? readonly Emittable<Item>[]
      : T extends object
        ? string extends keyof T
          ? ReadonlyMap<string, Emittable<T[keyof T]>> | { readonly [Key in keyof T]: Emittable<T[Key]> }
          : { readonly [Key in keyof T]: Emittable<T[Key]> }
        : T

/** Returns the code of a value. */
export function codeOf(value: unknown): Code {
  if (value === null || value === undefined) return NULL
  if (typeof value === 'string') return string(value)
  if (typeof value === 'number' || typeof value === 'bigint') return number(value)
  if (typeof value === 'boolean') return boolean(value)
  if (value instanceof CodeValue) return value.code
  if (Array.isArray(value)) return list(value.map(codeOf))
  const pairs = value instanceof Map ? [...value] : Object.entries(value)
  return object(pairs.map(([key, part]) => entryOf(key, part)))
}

function entryOf(key: string, value: unknown): Entry {
  return value instanceof GetterValue ? getter(key, value.code) : property(key, codeOf(value))
}
