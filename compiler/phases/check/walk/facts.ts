/** The data that the check of a template exchanges with the checks of other templates. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Accessor, Expression, NameNode } from '../../../core/tree/ast.ts'
import type { FilterSignature, UnitParameter } from '../../../core/model/signature.ts'
import type { Operations } from '../../../core/model/operation.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Type } from '../../../core/model/type.ts'
import type { ChangedKeys } from '../../../language/types/changed-keys.ts'
import type { DocParam, Template, Unit } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import type { PartialCall, SiteNote, Tag } from '../../../language/tags/tag.ts'
import type { AnyPartial } from '../../analyze/any-partial.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'

/** A name that a template reads without setting it first. */
export interface TemplateInput {
  /** The place of the first read, marked (`markedSpan`). */
  readonly span: Span
  /** Whether some read needs a value that is not nil, and no read tests for nil. */
  readonly required: boolean
  /** Names that can be passed instead: the name is only read if none of them is passed. */
  readonly alternatives: readonly string[]
  /** The name is only read if all of these names are passed. */
  readonly onlyWith: readonly string[]
  /** Whether the name is required by an operation that fails without a value, such as a variable of a query. */
  readonly isNeeded: boolean
  /**
   * The part of the request that the name refers to if nothing sets it (`params`). Null for all other names, and for names that are only
   * tested.
   */
  readonly accessedPart: string | null
}

/** A `cache` whose key is the same for every visitor. */
export interface SharedCache {
  readonly span: Span
  /** The parts of `context` that the key of the `cache` depends on. */
  readonly keyParts: ReadonlySet<string>
}

/** Where a tag runs. */
export interface TagPlace {
  readonly span: Span
  readonly inLoop: boolean
  /** Whether an enclosing `cache` stores the result. */
  readonly isCached: boolean
  readonly inTransaction: boolean
}

/**
 * A call of a partial, with the properties that matter to the callee. `inLoop`: the loop encloses the call, or is part of it
 * (`for list as item`).
 */
export interface OutgoingCall extends TagPlace {
  readonly kind: PartialCall['kind']
  /** The possible files; null for every partial. */
  readonly targets: readonly string[] | null
  /** Whether the call may also run other files, because the name is computed, or a module is not installed. */
  readonly open: boolean
  /** If no file has the called name: the files with similar names. */
  readonly suggested: readonly string[]
  /** The types of the arguments. */
  readonly passedTypes: ReadonlyMap<string, Type>
  /** The types of the caller's variables that an included file reads. */
  readonly visible: ReadonlyMap<string, Type>
  /** Whether the call runs each time that the template runs. */
  readonly certain: boolean
  /** The innermost enclosing `cache` whose key is the same for every visitor. */
  readonly sharedCache: SharedCache | null
}

/** A query that a template runs. */
export interface OutgoingQuery extends TagPlace {
  /** The names of the possible stored queries. */
  readonly names: readonly string[]
  readonly inline: boolean
  /** Whether the template may also run other queries. */
  readonly open: boolean
  /** If no query has the name: the stored queries with similar names. */
  readonly suggested: readonly string[]
  /** Whether a variable may hold a record of another query's result with all of its fields. */
  readonly takesRecords: boolean
}

/** The results of the check of a template that other templates or checks of the whole site depend on. */
export interface UnitFacts {
  readonly inputs: ReadonlyMap<string, TemplateInput>
  /** The names that the template or its includes set in the frame. */
  readonly writes: ReadonlySet<string>
  /** Whether any name of the frame may be read or set, because the template includes an unknown file or reads a computed name. */
  readonly readsAll: boolean
  /** Whether the template reads values that tags add to the request: `context.exports`, `context.session`. */
  readonly readsRequest: boolean
  /** The type of the result of `function`. */
  readonly result: Type
  /** The template's first `return` with a value, ignoring included files, as a marked span. */
  readonly returned: Span | null
  /** The template's first `return` without a value, ignoring included files, as a marked span. */
  readonly emptyAt: Span | null
  /** The keys that the template writes to values that other templates may share. */
  readonly changedKeys: ChangedKeys
  /** Whether the template may also end a template that includes it. */
  readonly halts: boolean
  /** Whether the template uses counters or cycles, which an include shares with its caller. */
  readonly registers: boolean
  readonly calls: readonly OutgoingCall[]
  readonly queries: readonly OutgoingQuery[]
  readonly notes: readonly LocatedNote[]
  /** The parts of `context` that exist only in some requests (`params`, `location.href`), with the first read that is not a test. */
  readonly requestReads: ReadonlyMap<string, Span>
  /** The parts of `context` that are specific to a visitor (`current_user`), with their first read. */
  readonly visitorReads: ReadonlyMap<string, Span>
  /** The ports that the template calls, with their first use. */
  readonly ports: ReadonlyMap<string, Span>
}

export interface LocatedNote {
  readonly note: SiteNote
  readonly span: Span
  readonly inTransaction: boolean
}

export interface CheckedUnit {
  readonly facts: UnitFacts
  /** Places in other files may be marked: `withOffsets` returns them as they are now. */
  readonly diagnostics: readonly Diagnostic[]
}

/** What callers see of a partial. */
export interface PartialSignature {
  readonly parameters: readonly UnitParameter[]
  readonly result: Type
}

/** The parts of a site that the check of a template can read. */
export interface ReadableSite
  extends Pick<
    Site,
    'dialect' | 'config' | 'modules' | 'globals' | 'globalsAreAll' | 'partials' | 'assets' | 'translations'
  > {
  /** Translation files that could not be parsed. */
  readonly unreadTranslations: readonly Unit[]
  readonly userProperties: Site['data']['user']
}

export type ReadableOperations = Pick<Operations, 'storedOperations' | 'bareNames' | 'inline'>

export type OldNames = 'always' | 'sometimes' | 'never'

/** The inputs of the check of one template. */
export interface TemplateEnvironment {
  readonly site: ReadableSite
  readonly operations: ReadableOperations
  readonly tags: ReadonlyMap<string, Tag>
  readonly filters: ReadonlyMap<string, FilterSignature>
  /** Returns the facts of a file; undefined if it has not been checked. */
  facts(file: string): UnitFacts | undefined
  /** Returns whether the template of another file prints. */
  prints(file: string): boolean
  /** Returns the text of another file. */
  textOf(unit: Unit): string
  /** Returns whether some template includes the file, so that its names may be variables of other templates. */
  isIncluded(file: string): boolean
  /** Returns whether some template reads the name. */
  isRead(name: string): boolean
  /** The union of the effects of all partials, for calls of computed names; null if they are not known. */
  readonly anyPartial: AnyPartial | null
  /** The keys that some partial changes in values that it receives; null if they are not known. */
  readonly anyKeys: ChangedKeys
  /** Whether other templates call this template and pass it names that it does not define itself. */
  readonly isPartial: boolean
  /** Whether an unset name refers to a field of `context`: in all calls of the template, in some, or never. */
  readonly oldNames: OldNames
  /** The types of the names that callers pass; null if not all callers are known. */
  readonly params: ReadonlyMap<string, Type> | null
  /** The likely types of names, from the known callers; null if no caller is known, or if all callers are known. */
  readonly likely: ReadonlyMap<string, Type> | null
  /** Names that no caller passes and that are misspellings of the template's own variables, with these variables. */
  readonly misspelt: ReadonlyMap<string, string>
  /** The types of the names that the host provides to this kind of file. */
  readonly globals: ReadonlyMap<string, Type>
  /** Whether an unset name is certainly nil, because no caller and no host can pass it. */
  readonly closed: boolean
  /** Receives the types that the check infers. */
  readonly observer?: Observer
}

/** Receives the inferred types at each place. The bodies of loops are checked several times: the last report of a place counts. */
export interface Observer {
  /** Called when a value is read. `names` returns the types of all names that have a value here. */
  value(expression: Expression, type: Type, names: () => ReadonlyMap<string, Type>): void
  /** Called when a part of a value is read. */
  visitAccessor(accessor: Accessor, owner: Type, type: Type): void
  /** Called when a variable or a loop variable is set. */
  set(name: NameNode, type: Type): void
}

/** The input for checking one template again, in a site whose texts may differ from the checked site. */
export interface RecheckRequest {
  readonly siteTemplate: SiteTemplate
  readonly site: Site
  readonly operations: Operations
  readonly observer: Observer | null
  /** Facts of other templates by key, which replace their earlier facts. */
  readonly facts?: ReadonlyMap<string, UnitFacts>
}

export function docParams(template: Template): readonly DocParam[] {
  return template.doc?.params ?? []
}

/** Returns whether a call that passes these names lacks a name that the callee requires. */
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
