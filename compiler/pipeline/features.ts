/** The parts of the compiler that not every program needs. Each program passes its own list: see `all-features.ts` and `browser-features.ts`. */
import type { Report } from '../core/diagnostics/diagnostic.ts'
import type { Memo } from '../core/model/memo.ts'
import type { Operations } from '../core/model/operation.ts'
import type { Site } from '../core/model/site.ts'
import type { Steps } from '../core/model/steps.ts'
import type { SiteCascades } from '../core/diagnostics/cascades.ts'
import type { CheckFeatures } from '../phases/check/features.ts'

export interface Features extends CheckFeatures {
  readonly queries: CheckFeatures['queries'] & {
    readonly link: (site: Site, report: Report, memo: Memo) => Steps<Operations>
  }
  /** Finds what follows from other diagnostics of a whole site. Null in a compiler for libraries, which are never a whole site. */
  readonly siteCascades: SiteCascades | null
}
