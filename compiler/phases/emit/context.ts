/** What emitting one unit needs to know of the site. */
import type { ServedAssets } from '../../core/model/asset.ts'
import type { Bound } from '../../core/model/bound.ts'
import type { Effects, Face } from '../../core/model/effects.ts'
import type { Facts } from '../../core/model/facts.ts'
import type { Operations } from '../../core/model/operation.ts'
import type { CodeLanguage } from '../../core/model/printed.ts'
import type { FilterSignature } from '../../core/model/signature.ts'
import type { Site } from '../../core/model/site.ts'
import type { Tag } from '../../language/tags/tag.ts'
import type { Signatures } from './signatures.ts'

export interface EmitContext {
  readonly site: Site
  readonly operations: Operations
  readonly tags: ReadonlyMap<string, Tag>
  readonly filters: ReadonlyMap<string, FilterSignature>
  readonly bounds: ReadonlyMap<string, Bound>
  readonly effects: ReadonlyMap<string, Effects>
  /** What the checker found out of the site's templates. */
  readonly facts: Facts
  /** The exported name of a unit's face. */
  readonly faceName: (file: string, face: Face) => string
  /** How the faces of templates are called; those of a template are told when it is written. */
  readonly signatures: Signatures
  /** The path of a template's module. */
  readonly modulePath: (file: string) => string
  /** The exported function of a stored operation, by its logical name. */
  readonly operationName: (name: string) => string
  /** All that emitted code depends on of a template's effects and name, as one text. */
  readonly described: (key: string) => string
  /** A loop somewhere goes on where another stopped. */
  readonly resumes: boolean
  /** Names that the runtime exports: no variable may be called so. */
  readonly runtimeNames: ReadonlySet<string>
  /** 1-based line of an offset in a file. */
  readonly line: (file: string, offset: number) => number
  readonly assets: ServedAssets
  /** What modules are printed as. */
  readonly printAs: CodeLanguage
  readonly source: (file: string, start: number, end: number) => string
}
