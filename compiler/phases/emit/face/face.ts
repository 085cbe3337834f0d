/** One face of a unit, written by what its text tells of its variables, or by what a first writing does. */
import { NULL } from '../../../core/model/code.ts'
import type { Imports } from '../imports.ts'
import { MAX_PARAMETERS } from '../signatures.ts'
import { type EmittedFace, FaceEmitter, type FaceUses } from './emitter.ts'
import type { FaceInput } from './input.ts'
import { PredictedUses } from './predicted-uses.ts'
import { NO_USES } from './variable-uses.ts'

/** What `emitFace` finds out by itself. */
export type FaceRequest = Omit<FaceInput, 'uses' | 'imports'>

/**
 * Writes a face. `imports` gets what it needs of other modules. `before`: how it was written before with other values from its callers.
 */
export function emitFace(request: FaceRequest, imports: Imports, before?: FaceUses): EmittedFace {
  const own = imports.another()
  const written = writtenFace(request, own, before)
  // A writing into bytes has made its constants, and comes behind one into a text, which told of the paths.
  if (written.refused.size > 0 && request.bytes === undefined) {
    const refused = new Set([...(request.refused ?? []), ...written.refused])
    return { ...writtenFace({ ...request, refused }, imports, before), refused }
  }
  imports.add(own)
  return written
}

function writtenFace(request: FaceRequest, imports: Imports, before?: FaceUses): EmittedFace {
  const { parameters, bound, context } = request
  if (before !== undefined && !before.isPredicted) {
    const uses = parameters === null ? before.uses : before.uses.where(parameters)
    return new FaceEmitter({ ...request, imports, uses }).emit(uses)
  }
  if (before === undefined && request.bytes === undefined) {
    const predicted = new PredictedUses(bound, context.filters)
    const own = imports.another()
    const writing = new FaceEmitter({ ...request, imports: own, uses: predicted })
    const written = writing.emit(writing.uses, true)
    if (writing.parameterCount <= MAX_PARAMETERS && predicted.agreesWith(writing.uses)) {
      imports.add(own)
      return written
    }
  }
  // What the first writing tells of the variables, the second one makes use of.
  const aside = request.bytes === undefined ? {} : { bytes: () => NULL }
  const first = new FaceEmitter({ ...request, ...aside, imports: imports.another(), uses: NO_USES })
  first.emit(first.uses)
  const { uses } = first
  const tooMany = first.parameterCount > MAX_PARAMETERS
  return new FaceEmitter({ ...request, ...(tooMany ? { parameters: null } : {}), imports, uses }).emit(uses)
}
