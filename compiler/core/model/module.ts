/** What emitting gives: one module of TypeScript for each unit, and the site's own. */
import type { Printed } from './printed.ts'

/** The entries of our package that modules import: the runtime, and its filters by their names in the registry. */
export const RUNTIME_ENTRY = 'ingot/runtime'
export const FILTERS_ENTRY = 'ingot/runtime/filters'

export interface Module {
  /** Path of the module, mirroring the site: `app/views/pages/a.ts`. */
  readonly path: string
  /** The template that it was made of; null for the manifest. */
  readonly source: string | null
  readonly imports: readonly Import[]
  /** Names that other modules may import. */
  readonly exports: readonly string[]
  /** What follows the imports. */
  readonly body: Printed
}

export interface Import {
  /** One of the entries, `#own` for what the host of the library gives, or the path of another module. */
  readonly from: string
  readonly names: readonly string[]
  readonly types: readonly string[]
  /** For a filter: its name in the runtime's registry. */
  readonly filter?: string
  /** The host of the library gives it. */
  readonly own?: true
}
