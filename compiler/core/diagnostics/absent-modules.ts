/** Checks whether the name of a file, table or translation belongs to a module, or to an application, that is not installed. */
import type { Diagnostic } from './diagnostic.ts'

const MODULE_NAME = /^modules\/([^/]+)\//

/** The owner of all names that do not belong to a module. */
export const APPLICATION = ''

/**
 * Returns the owner of a name if it is not installed: a module, or the application for a folder that contains only modules. Otherwise
 * null. `modules`: as in `Site`.
 */
export function absentOwner(modules: ReadonlySet<string>, name: string): string | null {
  const owner = MODULE_NAME.exec(name)?.[1] ?? APPLICATION
  return modules.has(owner) ? null : owner
}

/** Returns whether a name that begins with `prefix` may belong to a module or application that is not installed. */
export function mayBeAbsent(modules: ReadonlySet<string>, prefix: string): boolean {
  return absentOwner(modules, prefix) !== null || (prefix.startsWith('modules/') && !MODULE_NAME.test(prefix))
}

/** Returns the diagnostic of a missing name, marked with the owner of the name if the owner is not installed. */
export function withAbsentModule(modules: ReadonlySet<string>, name: string, diagnostic: Diagnostic): Diagnostic {
  const module = absentOwner(modules, name)
  return module === null ? diagnostic : { ...diagnostic, absent: { module, name } }
}
