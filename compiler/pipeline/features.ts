/** The parts of the compiler that not every program needs. Each program passes its own list: see `all-features.ts` and `browser-features.ts`. */
import type { SiteCascades } from '../core/diagnostics/cascades.ts'
import type { CheckFeatures, IncrementalCheck } from '../phases/check/features.ts'
import type { EmitFeatures } from '../phases/emit/templates.ts'
import type { PrepareFeatures } from '../phases/prepare/update.ts'

export interface Features extends PrepareFeatures, CheckFeatures, EmitFeatures {
  readonly queries: PrepareFeatures['queries'] & CheckFeatures['queries']
  /** Finds what follows from other diagnostics of a whole site. Null in a compiler for libraries, which are never a whole site. */
  readonly siteCascades: SiteCascades | null
  /** What is kept from one compilation to the next. Null if each compilation does all of the work. */
  readonly incremental:
    | (NonNullable<PrepareFeatures['incremental']> & IncrementalCheck & NonNullable<EmitFeatures['incremental']>)
    | null
}
