/** A hash that prints as markup of its own: the object `form`. */

/** What the markup is made by. No template can name it. */
export const PRINTED: unique symbol = Symbol('markup')

export abstract class Markup {
  /** HTML, escaped already. */
  abstract [PRINTED](): string
}
