/**
 * Marks objects that are only meaningful while a render runs, such as `context` and `forloop`. They cannot be passed to
 * jobs.
 */

const PASSING: unique symbol = Symbol('of the render that runs')

/** The mark, for `Object.defineProperties`; invisible to templates and copies. */
export const PASSING_MARK: PropertyDescriptorMap = { [PASSING]: { value: true } }

export function isPassing(value: object): boolean {
  return PASSING in value
}
