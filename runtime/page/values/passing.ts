/** Objects that mean something while a render runs, and nothing later: `context`, `forloop`. No job is given them. */

const PASSING: unique symbol = Symbol('of the render that runs')

/** Marks one, for `Object.defineProperties`; neither templates nor copies see the mark. */
export const PASSING_MARK: PropertyDescriptorMap = { [PASSING]: { value: true } }

export function isPassing(value: object): boolean {
  return PASSING in value
}
