/** The information for emitting one unit. */
import type { ServedAssets } from '../../core/model/asset.ts'
import type { Outline } from '../../core/model/outline.ts'
import type { Effects, EntryPoint } from '../../core/model/effects.ts'
import type { Facts } from '../../core/model/facts.ts'
import type { Operations } from '../../core/model/operation.ts'
import type { CodeLanguage } from '../../core/model/printed.ts'
import type { FilterSignature } from '../../core/model/signature.ts'
import type { Site } from '../../core/model/site.ts'
import type { Tag } from '../../language/tags/tag.ts'
import type { Signatures } from './signatures.ts'

export interface SiteContext {
  readonly site: Site
  readonly operations: Operations
  readonly tags: ReadonlyMap<string, Tag>
  readonly filters: ReadonlyMap<string, FilterSignature>
  readonly outlines: ReadonlyMap<string, Outline>
  readonly effects: ReadonlyMap<string, Effects>
  /** The results of the checker for the templates of the site. */
  readonly facts: Facts
  /** Returns the exported name of an entry point of a unit. */
  readonly entryPointName: (file: string, entryPoint: EntryPoint) => string
  /** Returns the path of the module of a template. */
  readonly modulePath: (file: string) => string
  /** Returns the name of the exported function of a stored operation. `name`: its logical name. */
  readonly operationName: (name: string) => string
  /** Returns a stamp of the effects and the name of a template that emitted code depends on. */
  readonly effectsKey: (key: string) => string
  /** Whether any loop of the site continues where another loop stopped (`offset: continue`). */
  readonly resumes: boolean
  /** The exported names of the runtime, which no variable may have. */
  readonly runtimeNames: ReadonlySet<string>
  /** Returns the 1-based line of an offset in a file. */
  readonly line: (file: string, offset: number) => number
  readonly assets: ServedAssets
  /** The language in which modules are printed. */
  readonly printAs: CodeLanguage
  readonly source: (file: string, start: number, end: number) => string
}

export interface EmitContext extends SiteContext {
  /** The signatures of the entry points. Those of a template are added when it is emitted. */
  readonly signatures: Signatures
}
