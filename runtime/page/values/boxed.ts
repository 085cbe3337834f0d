/**
 * Base of the runtime's value classes (`Float`, `Safe`, `Range`, `Moment`): any other object that is no array is a
 * hash. Their fields begin with `$`, which no Liquid name can, so templates cannot read them.
 */
export abstract class Boxed {}

/**
 * Marks the prototypes of the runtime's classes whose instances are hashes. Of all other classes only plain objects are: what a host hands
 * over is looked at by `host.ts`.
 */
export const HASH_CLASS: unique symbol = Symbol('hash')

/** Whether the object is of a class of the runtime whose instances are hashes. */
export function isHashClass(v: object): boolean {
  return HASH_CLASS in v
}

/** A text with additional properties: wherever text is expected, its `$text` is used. */
export abstract class BoxedText extends Boxed {
  abstract readonly $text: string
}

/** Whether a value is text, with or without additional properties. */
export function isText(v: unknown): v is string | BoxedText {
  return typeof v === 'string' || v instanceof BoxedText
}
