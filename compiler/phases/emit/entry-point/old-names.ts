/**
 * Handles older names, which refer to fields of `context` unless they are set. A variable with the value `undefined` is not set, while nil
 * is a value.
 */
import { invoke, type Code, typed } from '../../../core/model/code.ts'
import { optional, type ValueType } from '../../../core/model/value-type.ts'
import { dependsOnFile, hasOldNamesEverywhere, oldVariableOf } from '../../../language/types/old-variables.ts'
import { valueOf } from '../value-types.ts'
import type { EntryPointInput } from './input.ts'

/** Returns the keys below `context` that an older name refers to in this entry point; null if the name is only a variable. */
export function oldKeys(input: EntryPointInput, name: string): readonly string[] | null {
  return readsOldNames(input) ? oldVariableOf(input.context.site, name) : null
}

/**
 * Returns whether the entry point reads older names. An entry point with a passed scope usually does not read them, but may share its variables with files
 * that do.
 */
export function readsOldNames({ context, entryPoint, isRunByHost }: EntryPointInput): boolean {
  return entryPoint === 'shared' || (entryPoint === 'render' && isRunByHost) || hasOldNamesEverywhere(context.site)
}

/** Returns the code of a value that is assigned to a name. Even nil hides the field of `context`, so unset values become nil. */
export function asAssigned(input: EntryPointInput, name: string, code: Code): Code {
  return oldKeys(input, name) === null ? code : unsetToNil(input, code)
}

/** Returns the value, with nil instead of `undefined`. */
export function unsetToNil({ imports }: EntryPointInput, code: Code): Code {
  const type = valueOf(code)
  const mayBeUnset = MAYBE_UNSET.has(type.kind)
  return mayBeUnset ? typed(invoke(imports.use('given'), code), optional(type)) : code
}

const MAYBE_UNSET: ReadonlySet<ValueType['kind']> = new Set(['unknown', 'nil', 'optional'])

/** Like `asAssigned`, for a file that shares the variables and may read older names, even if this entry point does not. */
export function asShared(input: EntryPointInput, name: string, code: Code): Code {
  return oldVariableOf(input.context.site, name) === null ? code : unsetToNil(input, code)
}

/** Returns the variables that an entry point which reads no older names passes to a file that does. Unset variables become nil. */
export function asSetVariables(input: EntryPointInput, scope: Code): Code {
  return dependsOnFile(input.context.site) ? invoke(input.imports.use('withoutOldNames'), scope) : scope
}
