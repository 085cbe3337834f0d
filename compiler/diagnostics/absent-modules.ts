/** Names below `modules/`: whether they are of a module that the site does not have. */
import type { Diagnostic } from './diagnostic.ts'

const MODULE_NAME = /^modules\/([^/]+)\//

/** The module that a name belongs to where it is none of those that the site has (`modules`); null for every other name. */
export function absentIn(modules: ReadonlySet<string>, name: string): string | null {
  const module = MODULE_NAME.exec(name)?.[1]
  return module === undefined || modules.has(module) ? null : module
}

/** Whether a name that begins with `prefix` may be one of a module that the site does not have. */
export function mayBeAbsent(modules: ReadonlySet<string>, prefix: string): boolean {
  return absentIn(modules, prefix) !== null || (prefix.startsWith('modules/') && !MODULE_NAME.test(prefix))
}

/** The diagnostic of a name that does not exist, marked with the module where that is not installed. */
export function withAbsentModule(modules: ReadonlySet<string>, name: string, diagnostic: Diagnostic): Diagnostic {
  const module = absentIn(modules, name)
  return module === null ? diagnostic : { ...diagnostic, absent: { module, name } }
}
