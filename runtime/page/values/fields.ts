/** Values that are read by name. */

/** The named parts of a value. Missing parts are undefined. */
export interface Fields {
  readonly [name: string]: unknown
}

/** Checks whether a value is an object, which can have named parts. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

/** Checks whether a value is a plain object. An object that inherits from one is not, although it has the same `constructor`. */
export function isPlainFields(value: unknown): value is Fields {
  return isFields(value) && Object.getPrototypeOf(value) === Object.prototype
}
