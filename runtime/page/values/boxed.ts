/**
 * Base of the runtime's value classes (`Float`, `Safe`, `Range`, `Moment`), which are not hashes. Their field names
 * begin with `$`, which no Liquid name can, so templates cannot read them.
 */
export abstract class Boxed {}

/**
 * Marks the prototypes of runtime classes whose instances are hashes. Of all other objects, only plain objects are hashes. `host-values.ts`
 * converts instances of a host's classes.
 */
export const HASH_CLASS: unique symbol = Symbol('hash')

/** Checks whether the object is an instance of a runtime class that is a hash. */
export function isHashClass(value: object): boolean {
  return HASH_CLASS in value
}

/** A text with additional properties. Wherever text is expected, its `$text` is used. */
export abstract class BoxedText extends Boxed {
  abstract readonly $text: string
}

/** Checks whether a value is text, with or without additional properties. */
export function isText(value: unknown): value is string | BoxedText {
  return typeof value === 'string' || value instanceof BoxedText
}
