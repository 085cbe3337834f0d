/** Where the library runs: in Node or in a browser. */
import type { Features } from '../../pipeline/features.ts'

export interface LibraryHost {
  readonly features: Features
  /** Names of filters that the library lacks here. */
  readonly missingFilters: readonly string[]
}
