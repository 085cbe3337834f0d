/** Emits one entry point of a unit. It is emitted again until it uses its variables as was assumed. */
import type { Imports } from '../imports.ts'
import { MAX_PARAMETERS } from '../signatures.ts'
import { isSetByIncludes } from './callee.ts'
import { type EmittedEntryPoint, EntryPointEmitter } from './emitter.ts'
import type { EntryPointInput } from './input.ts'
import { type AssumedUses, predictedUses } from './variable-uses.ts'

/** The input of `emitEntryPoint`, without the parts that it determines itself. */
export type EntryPointRequest = Omit<EntryPointInput, 'uses' | 'imports'>

/** After this number of attempts, the types of variables are no longer assumed. Most functions need one attempt, few need more than two. */
const MAX_ATTEMPTS = 5

/**
 * Emits an entry point, and adds its imports to `imports`.
 * @param known the uses of the variables in another function from the same template
 */
export function emitEntryPoint(request: EntryPointRequest, imports: Imports, known?: AssumedUses): EmittedEntryPoint {
  let { parameters, refusedPaths = new Set<string>() } = request
  let uses = known ?? predictedUses(request.outline, request.context.filters)
  const isConstant = (name: string) => !isSetByIncludes(request, name)
  for (let attempt = 1; ; attempt++) {
    const ownImports = imports.createEmpty()
    const emitter = new EntryPointEmitter({ ...request, parameters, refusedPaths, imports: ownImports, uses })
    const emitted = emitter.emit()
    const hasTooMany = parameters !== null && emitter.parameterCount > MAX_PARAMETERS
    const isRefused = request.bytes === undefined && emitted.refusedPaths.size > 0
    if (hasTooMany) parameters = null
    else if (!emitted.uses.areAssumed(uses, isConstant) && attempt <= MAX_ATTEMPTS)
      uses = attempt < MAX_ATTEMPTS ? emitted.uses : emitted.uses.withoutTypes()
    else if (isRefused) refusedPaths = new Set([...refusedPaths, ...emitted.refusedPaths])
    else {
      imports.add(ownImports)
      return { ...emitted, refusedPaths }
    }
  }
}
