/** The parts of the compiler that not every program needs. Each program passes its own list: see `all-features.ts` and `browser-features.ts`. */
import type { EmitFeatures } from '../phases/emit/templates.ts'
import type { AnalysisFeatures } from './analysis.ts'

export interface Features extends AnalysisFeatures, EmitFeatures {
  /** What is kept from one compilation to the next. Null if each compilation does all of the work. */
  readonly incremental: (NonNullable<AnalysisFeatures['incremental']> & NonNullable<EmitFeatures['incremental']>) | null
}
