/**
 * Marks objects that are only meaningful while a render runs, such as `context` and `forloop`. They cannot be passed to
 * jobs.
 */

const RENDER_ONLY: unique symbol = Symbol('of the render that runs')

/** The mark, for `Object.defineProperties`. Templates and copies do not see it. */
export const RENDER_ONLY_MARK: PropertyDescriptorMap = { [RENDER_ONLY]: { value: true } }

export function isRenderOnly(value: object): boolean {
  return RENDER_ONLY in value
}
