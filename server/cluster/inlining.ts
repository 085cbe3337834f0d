/** How much V8 may inline into one function of a site. */
import { setFlagsFromString } from 'node:v8'

/** Bytecodes. Of what V8 allows by itself, 920, a page's function that calls a few partials has none left for its loops. */
const BUDGET = 4500

/** Gives V8 room for the many small functions that sites and the runtime consist of. For the whole process, and all that is optimized from now on. */
export function raiseInliningBudget(): void {
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${BUDGET}`)
}
