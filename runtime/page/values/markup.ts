/** A hash that prints as markup, such as the object `form`. */
import { HASH_CLASS } from './boxed.ts'

/** The key of the method that returns the markup. It is a symbol, because templates cannot name symbols. */
export const MARKUP_OF: unique symbol = Symbol('markup')

export abstract class Markup {
  /** Returns the markup of an object, which is already escaped. */
  abstract [MARKUP_OF](): string
}

Object.defineProperty(Markup.prototype, HASH_CLASS, { value: true })
