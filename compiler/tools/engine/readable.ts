/** Declares what templates may read of class instances. */
import { declareReadable } from '../../../runtime/index.ts'

// A class with any constructor.
type ClassOf<Instance> = abstract new (...args: never[]) => Instance

/**
 * Lets templates read these fields, getters and methods of a class and its subclasses. Methods are called without arguments. Members of
 * undeclared classes are not visible.
 */
export function readable<Instance extends object>(
  type: ClassOf<Instance>,
  names: readonly (keyof Instance & string)[],
): void {
  declareReadable(type.prototype, names)
}
