/** What checking one template gives to the templates around it, and what it is told of them. Data only. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Accessor, Expression, NameNode } from '../../../core/model/ast.ts'
import type { FilterSignature, UnitParameter } from '../../../core/model/signature.ts'
import type { Operations } from '../../../core/model/operation.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Type } from '../../../core/model/type.ts'
import type { ChangedKeys } from '../../../language/types/changed-keys.ts'
import type { DocParam, Template } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import type { PartialCall, SiteNote, Tag } from '../../../language/tags/tag.ts'
import type { AnyPartial } from '../infer/any-partial.ts'
import type { Piece } from '../piece.ts'

/** A name that a template reads and does not set before. */
export interface TemplateInput {
  /** Of the first read. */
  readonly span: Span
  /** Read where nil is of no use, and nowhere tested. */
  readonly required: boolean
  /** Names that can be passed in its place: it is read only where none of them is given. */
  readonly alternatives: readonly string[]
  /** It is read only where all of these names are given. */
  readonly onlyWith: readonly string[]
  /** Required by what fails without it: a variable of a query. */
  readonly needed: boolean
  /** The part of the request that it means where nobody sets it (`params`), unless it is only tested. */
  readonly part: string | null
}

/** A `cache` whose key is the same for every visitor. */
export interface SharedCache {
  readonly span: Span
  /** Parts of `context` that its key tells apart. */
  readonly keyParts: ReadonlySet<string>
}

/** A call of a partial, as the called file sees it. */
export interface OutgoingCall {
  readonly kind: PartialCall['kind']
  /** Files that the name can mean; null when it can mean every partial. */
  readonly targets: readonly string[] | null
  /** The name is computed and its values are not all known. */
  readonly open: boolean
  /** Files that a misspelled name was likely meant to be. */
  readonly suggested: readonly string[]
  readonly passed: ReadonlyMap<string, Type>
  /** Variables of the caller that an included file reads. */
  readonly visible: ReadonlyMap<string, Type>
  readonly span: Span
  /** Runs whenever the template does. */
  readonly certain: boolean
  /** Runs once for each iteration of a loop around it, or of its own (`for list as item`). */
  readonly inLoop: boolean
  /** It stands in a `cache`, which keeps the result. */
  readonly cached: boolean
  /** The `cache` around it whose key is the same for every visitor. */
  readonly sharedCache: SharedCache | null
  readonly inTransaction: boolean
}

/** A query that a template runs. */
export interface OutgoingQuery {
  /** Stored queries that it can be. */
  readonly names: readonly string[]
  readonly inline: boolean
  /** Others are possible. */
  readonly open: boolean
  /** Stored queries that a misspelled name was likely meant to be. */
  readonly suggested: readonly string[]
  readonly span: Span
  readonly inLoop: boolean
  /** It stands in a `cache`, which keeps the result. */
  readonly cached: boolean
  readonly inTransaction: boolean
}

/** Everything about a checked template that other templates, or the site as a whole, depend on. */
export interface UnitFacts {
  readonly inputs: ReadonlyMap<string, TemplateInput>
  /** Names that it, or what it includes, sets in the frame. */
  readonly writes: ReadonlySet<string>
  /** Any name of its frame may be read or set: it includes a file that is not known, or reads a computed name. */
  readonly readsAll: boolean
  /** Reads what tags put into the request: `context.exports`, `context.session`. */
  readonly readsRequest: boolean
  /** What `function` gets. */
  readonly result: Type
  /** The first of its own `return`s with a value. */
  readonly returned: Span | null
  /** The first of its own `return`s without a value. */
  readonly emptyAt: Span | null
  /** Keys that it writes into values which somebody else may hold. */
  readonly changedKeys: ChangedKeys
  /** May end whoever includes it. */
  readonly halts: boolean
  /** Uses counters or cycles, which an include shares. */
  readonly registers: boolean
  readonly calls: readonly OutgoingCall[]
  readonly queries: readonly OutgoingQuery[]
  readonly notes: readonly LocatedNote[]
  /** Parts of `context` that are not everywhere (`params`, `location.href`), with the first read of each that is no test. */
  readonly requestReads: ReadonlyMap<string, Span>
  /** Parts of `context` that are the visitor's own (`current_user`), with the first read of each. */
  readonly visitorReads: ReadonlyMap<string, Span>
  /** Ports that it reaches, with the first place. */
  readonly ports: ReadonlyMap<string, Span>
}

export interface LocatedNote {
  readonly note: SiteNote
  readonly span: Span
  readonly inTransaction: boolean
}

export interface CheckedUnit {
  readonly facts: UnitFacts
  readonly diagnostics: readonly Diagnostic[]
}

/** What a face promises to its callers. */
export interface FaceSignature {
  readonly parameters: readonly UnitParameter[]
  readonly result: Type
}

/** What is the same for every template of a site. */
export interface SiteEnvironment {
  readonly site: Site
  readonly operations: Operations
  readonly tags: ReadonlyMap<string, Tag>
  readonly filters: ReadonlyMap<string, FilterSignature>
  /** Paths of partials by file, for their names in messages. */
  readonly partialNames: readonly string[]
  readonly facts: (file: string) => UnitFacts | undefined
  /** Files that something includes, so that their names may be anybody's. */
  readonly isIncluded: (file: string) => boolean
  /** What a call of a computed name can do at most; null where that is not known. */
  readonly anyPartial: AnyPartial | null
  /** Names that some template reads. */
  readonly namesRead: ReadonlySet<string>
}

export type OldNames = 'always' | 'sometimes' | 'never'

/** What is known of one template from outside. */
export interface TemplateEnvironment extends SiteEnvironment {
  /** Others call the template, with names that it does not know. */
  readonly isPartial: boolean
  /**
   * Whether a name that nothing sets means a field of `context` here: always, in some of the calls that reach the template, or never.
   */
  readonly oldNames: OldNames
  /** Types of the names that all callers pass; null when not all callers are known. */
  readonly params: ReadonlyMap<string, Type> | null
  /** What names are where something is known of what callers give; null where nothing is, or all of it. */
  readonly likely: ReadonlyMap<string, Type> | null
  /** Names that nobody gives a partial, with the variables of its own that are meant. */
  readonly misspelt: ReadonlyMap<string, string>
  /** Names that the host gives to this kind of file. */
  readonly globals: ReadonlyMap<string, Type>
  /** A name that nothing sets is surely nil: no caller and no host can give it. */
  readonly closed: boolean
  /** Is told what the check sees on its way. */
  readonly observer?: Observer
}

/** Who asks for the types at the places of a template. Bodies of loops are gone through several times: what is told last holds. */
export interface Observer {
  /** A value is read. `names`: all that have a value here, with its types. */
  value(expression: Expression, type: Type, names: () => ReadonlyMap<string, Type>): void
  /** A part of a value is read. */
  part(accessor: Accessor, owner: Type, type: Type): void
  /** A variable, or a name of a loop, is given a value. */
  set(name: NameNode, type: Type): void
}

/** A template that is looked at, in a site that may have other texts than the one that was checked. */
export interface Look {
  readonly piece: Piece
  readonly site: Site
  readonly operations: Operations
  readonly observer: Observer | null
  /** What is known of other templates, by key, in the place of what was found of them before. */
  readonly facts?: ReadonlyMap<string, UnitFacts>
}

export function docParams(template: Template): readonly DocParam[] {
  return template.doc?.params ?? []
}

/** Whether a call that passes these names lacks one that its target reads. */
export function isMissing(
  name: string,
  { required, alternatives, onlyWith }: TemplateInput,
  passed: { has(name: string): boolean },
): boolean {
  return (
    required &&
    !passed.has(name) &&
    !alternatives.some((other) => passed.has(other)) &&
    onlyWith.every((other) => passed.has(other))
  )
}
