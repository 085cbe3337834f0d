/** Names that stand for parts of `context` where nothing sets them: a variable that is `undefined` is not set, nil is a value. */
import { invoke, type Code, typed } from '../../../core/model/code.ts'
import { optional, type ValueType } from '../../../core/model/value-type.ts'
import { dependsOnFile, hasOldNamesEverywhere, oldVariableOf } from '../../../language/types/old-variables.ts'
import { valueOf } from '../value-types.ts'
import type { FaceInput } from './input.ts'

/** The keys below `context` that the name stands for in this face; null for a name that is a variable and nothing else. */
export function oldKeys(input: FaceInput, name: string): readonly string[] | null {
  return readsOldNames(input) ? oldVariableOf(input.context.site, name) : null
}

/** Whether the face itself reads such names. One that is called with a scope of its own may only share variables with files that do. */
export function readsOldNames({ context, face, ownScope }: FaceInput): boolean {
  return face === 'shared' || (face === 'render' && ownScope) || hasOldNamesEverywhere(context.site)
}

/** The code of a value that is given to a name: also nil then hides what the name stands for. */
export function asGiven(input: FaceInput, name: string, code: Code): Code {
  return oldKeys(input, name) === null ? code : neverUnset(input, code)
}

/** The value, and nil for what is not set. */
export function neverUnset({ imports }: FaceInput, code: Code): Code {
  const type = valueOf(code)
  const mayBeUnset = MAYBE_UNSET.has(type.kind)
  return mayBeUnset ? typed(invoke(imports.use('given'), code), optional(type)) : code
}

const MAYBE_UNSET: ReadonlySet<ValueType['kind']> = new Set(['unknown', 'nil', 'optional', 'variable'])

/** `asGiven` for a file that shares the variables of this one, and so may read such names where this one does not. */
export function asShared(input: FaceInput, name: string, code: Code): Code {
  return oldVariableOf(input.context.site, name) === null ? code : neverUnset(input, code)
}

/** Variables for a file that reads such names, from a place that has none: what is not set there is nil. */
export function asSet(input: FaceInput, scope: Code): Code {
  return dependsOnFile(input.context.site) ? invoke(input.imports.use('withoutOldNames'), scope) : scope
}
