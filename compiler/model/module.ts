/** What emitting gives: one module of TypeScript for each unit, and the site's own. */
import type { Statement } from './code.ts'

export interface Module {
  /** Path of the module, mirroring the site: `app/views/pages/a.ts`. */
  readonly path: string
  /** The template that it was made of; null for the manifest. */
  readonly source: string | null
  readonly imports: readonly Import[]
  /** Names that other modules may import. */
  readonly exports: readonly string[]
  /** What follows the imports. */
  readonly body: readonly Statement[]
}

export interface Import {
  /** `#runtime`, a filter's file below it, or the path of another module. */
  readonly from: string
  readonly names: readonly string[]
  readonly types: readonly string[]
  /** For a filter: its name in the runtime's registry. */
  readonly filter?: string
}
