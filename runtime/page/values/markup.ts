/** A hash that prints as markup, such as the object `form`. */
import { HASH_CLASS } from './boxed.ts'

/** Key of the method that returns the markup. A symbol, because templates cannot name it. */
export const MARKUP_OF: unique symbol = Symbol('markup')

export abstract class Markup {
  /** Returns the markup, already escaped. */
  abstract [MARKUP_OF](): string
}

Object.defineProperty(Markup.prototype, HASH_CLASS, { value: true })
