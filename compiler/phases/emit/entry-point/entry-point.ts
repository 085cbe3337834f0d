/** Emits one entry point of a unit, with predicted variable uses or with those from a first pass. */
import { NULL } from '../../../core/model/code.ts'
import type { Imports } from '../imports.ts'
import { MAX_PARAMETERS } from '../signatures.ts'
import { isSetByIncludes } from './callee.ts'
import { type EmittedEntryPoint, EntryPointEmitter, type EntryPointUses } from './emitter.ts'
import type { EntryPointInput } from './input.ts'
import { PredictedUses } from './predicted-uses.ts'
import { NO_USES } from './variable-uses.ts'

/** The input of `emitEntryPoint`, without the parts that it determines itself. */
export type EntryPointRequest = Omit<EntryPointInput, 'uses' | 'imports'>

/** Emits an entry point, and adds its imports to `imports`. `previous`: the uses from an earlier pass with other types from callers. */
export function emitEntryPoint(
  request: EntryPointRequest,
  imports: Imports,
  previous?: EntryPointUses,
): EmittedEntryPoint {
  const ownImports = imports.createEmpty()
  const emitted = writeEntryPoint(request, ownImports, previous)
  // An entry point that prints bytes has already added its constants. It is emitted after the text version, which has found these paths.
  if (emitted.refusedPaths.size > 0 && request.bytes === undefined) {
    const refusedPaths = new Set([...(request.refusedPaths ?? []), ...emitted.refusedPaths])
    return { ...writeEntryPoint({ ...request, refusedPaths }, imports, previous), refusedPaths }
  }
  imports.add(ownImports)
  return emitted
}

function writeEntryPoint(request: EntryPointRequest, imports: Imports, previous?: EntryPointUses): EmittedEntryPoint {
  const { parameters, outline, context } = request
  if (previous !== undefined && !previous.isPredicted) {
    const uses = parameters === null ? previous.uses : previous.uses.withParameters(parameters)
    return new EntryPointEmitter({ ...request, imports, uses }).emit(uses)
  }
  if (previous === undefined && request.bytes === undefined) {
    const predicted = new PredictedUses(outline, context.filters)
    const ownImports = imports.createEmpty()
    const emitter = new EntryPointEmitter({ ...request, imports: ownImports, uses: predicted })
    const emitted = emitter.emit(emitter.uses, true)
    const isConstant = (name: string) => !isSetByIncludes(request, name)
    if (emitter.parameterCount <= MAX_PARAMETERS && predicted.agreesWith(emitter.uses, isConstant)) {
      imports.add(ownImports)
      return emitted
    }
  }
  // The second pass receives the uses of variables that the first pass recorded.
  const placeholders = request.bytes === undefined ? {} : { bytes: () => NULL }
  const firstPass = new EntryPointEmitter({
    ...request,
    ...placeholders,
    imports: imports.createEmpty(),
    uses: NO_USES,
  })
  firstPass.emit(firstPass.uses)
  const { uses } = firstPass
  const hasTooMany = firstPass.parameterCount > MAX_PARAMETERS
  return new EntryPointEmitter({ ...request, ...(hasTooMany ? { parameters: null } : {}), imports, uses }).emit(uses)
}
