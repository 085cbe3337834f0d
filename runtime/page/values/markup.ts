/** A hash that prints as markup: the object `form`. */
import { HASH_CLASS } from './boxed.ts'

/** Key of the method that returns the markup. A symbol, because templates cannot name it. */
export const PRINTED: unique symbol = Symbol('markup')

export abstract class Markup {
  /** The markup, already escaped. */
  abstract [PRINTED](): string
}

Object.defineProperty(Markup.prototype, HASH_CLASS, { value: true })
