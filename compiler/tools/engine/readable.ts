/** What templates may read of instances of a class. */
import { declareReadable } from '../../../runtime/index.ts'

// Of a class with a constructor of any arguments.
type ClassOf<Instance> = abstract new (...args: never[]) => Instance

/**
 * Lets templates read these fields, getters and methods of a class, and of what extends it; methods are called without arguments. Of a
 * class of which nothing is declared, templates see nothing.
 */
export function readable<Instance extends object>(
  type: ClassOf<Instance>,
  names: readonly (keyof Instance & string)[],
): void {
  declareReadable(type.prototype, names)
}
