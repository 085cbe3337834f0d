/** How derived values are stored for later processes. */

/** How a value is stored for later processes. Both directions must not change anything else. */
export interface Codec<Value> {
  /**
   * Returns the value as plain data: objects, lists, maps and sets, without functions and classes. The keys of maps and the items of sets are
   * not objects.
   */
  encode(value: Value): unknown
  decode(data: unknown): Value
}

/** Returns the codec of values that are plain data. */
export function plain<Value>(): Codec<Value> {
  // The data were encoded from a value of this type, by the same version of the compiler.
  return { encode: (value) => value, decode: (data) => data as Value }
}
