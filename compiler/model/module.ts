/** What emitting gives: one module of TypeScript for each unit, and the site's own. */
import type { Span } from '../source/span.ts'

export interface Module {
  /** Path of the module, mirroring the site: `app/views/pages/a.ts`. */
  readonly path: string
  /** The template that it was made of; null for the manifest. */
  readonly source: string | null
  readonly imports: readonly Import[]
  /** Names that other modules may import. */
  readonly exports: readonly string[]
  /** The text behind the imports, with type annotations. */
  readonly typed: string
  /** The same lines as JavaScript, without `export`. */
  readonly plain: string
  /** Number of lines of either text. */
  readonly lines: number
  /** Emitted places of the body (0-based line and column) → places in templates. */
  readonly marks: readonly { readonly line: number; readonly column: number; readonly span: Span }[]
}

export interface Import {
  /** `#runtime`, a filter's file below it, or the path of another module. */
  readonly from: string
  readonly names: readonly string[]
  readonly types: readonly string[]
  /** For a filter: its name in the runtime's registry. */
  readonly filter?: string
}
