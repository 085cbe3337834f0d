/** The result of emitting: one TypeScript module per template, and the manifest module of the site. */
import type { Printed } from './printed.ts'

/** The package entries that emitted modules import: the runtime, and the filters by registry name. */
export const RUNTIME_ENTRY = 'ingot/runtime'
export const FILTERS_ENTRY = 'ingot/runtime/filters'

export interface Module {
  /** The path of the module, which mirrors the site: `app/views/pages/a.ts`. */
  readonly path: string
  /** The template of the module; null for the manifest. */
  readonly source: string | null
  readonly imports: readonly Import[]
  /** The names that other modules may import. */
  readonly exports: readonly string[]
  /** The code after the imports. */
  readonly body: Printed
}

export interface Import {
  /** One of the entries, `#own` for values of the library host, or the path of another module. */
  readonly from: string
  readonly names: readonly string[]
  readonly types: readonly string[]
  /** For an imported filter: its name in the registry of the runtime. */
  readonly filter?: string
  /** Set if the library host provides the imported value. */
  readonly own?: true
}
