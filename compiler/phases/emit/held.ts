/** Values of the running site as the compiler holds them, and the one way from such a value to its code. */
import { boolean, type Code, type Entry, getter, NULL, number, property, string } from '../../core/model/code.ts'

/** A value that is known by its code alone: a function of another module, an instance of a class. */
export class Emitted {
  readonly code: Code
  constructor(code: Code) {
    this.code = code
  }
}

/** A value that is worked out whenever it is read. */
export class Computed {
  readonly code: Code
  constructor(code: Code) {
    this.code = code
  }
}

/** What the compiler holds for a `T` of the running site: functions are `Emitted`, and what is kept by name is a map. */
export type Held<T> = unknown extends T
  ? unknown
  : T extends (...args: never) => unknown
    ? Emitted
    : T extends readonly (infer Item)[]
      ? readonly Held<Item>[]
      : T extends object
        ? string extends keyof T
          ? ReadonlyMap<string, Held<T[keyof T]>> | { readonly [Key in keyof T]: Held<T[Key]> }
          : { readonly [Key in keyof T]: Held<T[Key]> }
        : T

/** The code of a value. `lines`: in how many storeys of objects and lists each part stands on lines of its own. */
export function codeOf(value: unknown, lines = 0): Code {
  if (value === null || value === undefined) return NULL
  if (typeof value === 'string') return string(value)
  if (typeof value === 'number' || typeof value === 'bigint') return number(value)
  if (typeof value === 'boolean') return boolean(value)
  if (value instanceof Emitted) return value.code
  const apart = lines > 0 ? { lines: true as const } : {}
  if (Array.isArray(value)) return { kind: 'list', items: value.map((item) => codeOf(item, lines - 1)), ...apart }
  const pairs = value instanceof Map ? [...value] : Object.entries(value)
  return { kind: 'object', entries: pairs.map(([key, part]) => entryOf(key, part, lines - 1)), ...apart }
}

function entryOf(key: string, value: unknown, lines: number): Entry {
  return value instanceof Computed ? getter(key, value.code) : property(key, codeOf(value, lines))
}
