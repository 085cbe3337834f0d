/** Names of files, tables and texts: whether they belong to a module, or to an application, that is not here. */
import type { Diagnostic } from './diagnostic.ts'

const MODULE_NAME = /^modules\/([^/]+)\//

/** The application among the owners of names. */
export const APPLICATION = ''

/**
 * The owner of a name that has no file here: a module, or the application around a folder of modules alone. Null where files of the owner
 * are here. `modules`: as in `Site`.
 */
export function absentIn(modules: ReadonlySet<string>, name: string): string | null {
  const owner = MODULE_NAME.exec(name)?.[1] ?? APPLICATION
  return modules.has(owner) ? null : owner
}

/** Whether a name that begins with `prefix` may belong to a module or an application that is not here. */
export function mayBeAbsent(modules: ReadonlySet<string>, prefix: string): boolean {
  return absentIn(modules, prefix) !== null || (prefix.startsWith('modules/') && !MODULE_NAME.test(prefix))
}

/** The diagnostic of a name that does not exist, marked with its owner where that is not here. */
export function withAbsentModule(modules: ReadonlySet<string>, name: string, diagnostic: Diagnostic): Diagnostic {
  const module = absentIn(modules, name)
  return module === null ? diagnostic : { ...diagnostic, absent: { module, name } }
}
