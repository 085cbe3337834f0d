/**
 * Handles older names, which refer to fields of `context` unless they are set. A variable with the value `undefined` is not set, while nil
 * is a value.
 */
import { invoke, type Code, typed } from '../../../core/model/code.ts'
import { optional, type ValueType } from '../../../core/model/value-type.ts'
import { dependsOnFile, hasOldNamesEverywhere, oldVariableOf } from '../../../language/types/old-variables.ts'
import { valueOf } from '../value-types.ts'
import type { FaceInput } from './input.ts'

/** Returns the keys below `context` that an older name refers to in this face; null if the name is only a variable. */
export function oldKeys(input: FaceInput, name: string): readonly string[] | null {
  return readsOldNames(input) ? oldVariableOf(input.context.site, name) : null
}

/**
 * Returns whether the face reads older names. A face with a passed scope usually does not read them, but may share its variables with files
 * that do.
 */
export function readsOldNames({ context, face, isRunByHost }: FaceInput): boolean {
  return face === 'shared' || (face === 'render' && isRunByHost) || hasOldNamesEverywhere(context.site)
}

/** Returns the code of a value that is assigned to a name. Even nil hides the field of `context`, so unset values become nil. */
export function asAssigned(input: FaceInput, name: string, code: Code): Code {
  return oldKeys(input, name) === null ? code : unsetToNil(input, code)
}

/** Returns the value, with nil instead of `undefined`. */
export function unsetToNil({ imports }: FaceInput, code: Code): Code {
  const type = valueOf(code)
  const mayBeUnset = MAYBE_UNSET.has(type.kind)
  return mayBeUnset ? typed(invoke(imports.use('given'), code), optional(type)) : code
}

const MAYBE_UNSET: ReadonlySet<ValueType['kind']> = new Set(['unknown', 'nil', 'optional', 'variable'])

/** Like `asAssigned`, for a file that shares the variables and may read older names, even if this face does not. */
export function asShared(input: FaceInput, name: string, code: Code): Code {
  return oldVariableOf(input.context.site, name) === null ? code : unsetToNil(input, code)
}

/** Returns the variables that a face which reads no older names passes to a file that does. Unset variables become nil. */
export function asSetVariables(input: FaceInput, scope: Code): Code {
  return dependsOnFile(input.context.site) ? invoke(input.imports.use('withoutOldNames'), scope) : scope
}
