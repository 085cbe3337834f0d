/** Names below `modules/`: whether they are of a module that the site does not have. */
import type { Diagnostic } from './diagnostic.ts'

const WHOLE = /^modules\/([^/]+)\//

/** The module that a name belongs to where it is none of those that the site has (`modules`); null for every other name. */
export function absentIn(modules: ReadonlySet<string>, name: string): string | null {
  const module = WHOLE.exec(name)?.[1]
  return module === undefined || modules.has(module) ? null : module
}

/** Whether a name that begins with `prefix` may be one of a module that the site does not have. */
export function mayBeAbsent(modules: ReadonlySet<string>, prefix: string): boolean {
  return absentIn(modules, prefix) !== null || (prefix.startsWith('modules/') && !WHOLE.test(prefix))
}

/** `found` says that there is nothing of the name: where it is one of a module that the site does not have, that is why. */
export function ofModule(modules: ReadonlySet<string>, name: string, found: Diagnostic): Diagnostic {
  const module = absentIn(modules, name)
  return module === null ? found : { ...found, absent: { module, name } }
}
