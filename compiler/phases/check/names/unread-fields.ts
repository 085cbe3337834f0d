/** Fields that a query selects and that no template can read: what its result comes to is followed over calls, and every name there counts. */
import { unreadFields } from '../../../core/diagnostics/codes/queries/unread-fields.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { derived } from '../../../core/model/derived.ts'
import type { Operation, Operations } from '../../../core/model/operation.ts'
import type { Site } from '../../../core/model/site.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import type { Type } from '../../../core/model/type.ts'
import type { SourceFile } from '../../../core/source/file.ts'
import { members } from '../../../language/types/relate.ts'
import type { Piece } from '../piece.ts'
import type { UnitFacts } from '../rules/facts.ts'

export interface FieldRules {
  readonly site: Site
  readonly operations: Operations
  readonly pieces: readonly Piece[]
  readonly factsOf: (key: string) => UnitFacts | undefined
}

/** What reads a value as a whole, or under a name that is computed, or keeps it for others. */
const WHOLE =
  /\|\s*(?:json|to_json|to_csv|inspect|hash_(?:keys|values|merge|each|fetch|to_array|diff)|querify|to_querify|compact|deep_clone|array_\w+|map|pretty_json|as_json|type_of)\b|\bargs:|\b(?:hash_)?dig\s*:\s*[^'"\s]|\b(?:hash_)?dig\s*:[^|%\n]*,\s*[^'"\s]|\binclude_form\s+\S+\s*,[^%\n]*:\s*[A-Za-z_]\w*(?![\w.[])|\{%-?\s*(?:export|session|log|print|background|theme_render_rc|redirect_to)\b|^\s*(?:export|session|log|print|background|theme_render_rc)\s|\[\s*[a-z_][\w.]*\s*\]/m

/** A value that is printed as it is. */
const PRINTED = /\{\{-?\s*([\w.]+)\s*-?\}\}/g
/** A variable that is given a whole result. */
const RESULTS = /\b(?:graphql|function)\s+(\w+)\b|\bfor\s+\w+\s+in\s+(\w+)\b(?![.[])/g

const NAMES = /\.\s*([A-Za-z_]\w*)|['"]([^'"\n]{1,80})['"]/g

/** Fields that the language gives every result. */
const GIVEN: ReadonlySet<string> = new Set(['errors', '__typename'])

export function* checkUnreadFields({ site, operations, pieces, factsOf }: FieldRules): Steps<readonly Diagnostic[]> {
  const flow = yield* flowOf(pieces, factsOf)
  const namesIn = (path: string): ReadonlySet<string> | null => {
    const unit = site.byFile.get(path)
    return unit === undefined ? new Set() : namesOf(unit.file)
  }
  const unreadOf = (operation: Operation, runners: ReadonlySet<string>): readonly Diagnostic[] => {
    const file = site.byFile.get(operation.span.file)?.file
    if (file === undefined || file.module !== null) return []
    if (operation.analysis.kind !== 'query' || operation.analysis.problems.length > 0) return []
    const read = new Set<string>()
    for (const each of flow.reachedFrom(runners) ?? [null]) {
      const own = each === null ? null : namesIn(each)
      if (own === null) return []
      for (const word of own) read.add(word)
    }
    const unread = unreadIn(operation.result, read, '')
    const [first] = unread
    return first === undefined ? [] : [unreadFields(placeOf(operation, first), unread)]
  }
  const diagnostics: Diagnostic[] = []
  yield* forEachInSteps(operations.stored, ([name, operation]) => {
    const runners = flow.runners.get(name)
    if (runners !== undefined && !flow.unsure.has(name)) diagnostics.push(...unreadOf(operation, runners))
  })
  yield* forEachInSteps(operations.inline.values(), (operation) =>
    diagnostics.push(...unreadOf(operation, new Set([operation.span.file]))),
  )
  return diagnostics
}

/** Names under which a text reads parts of values; null where it may read any. */
const namesOf = derived(({ text }: SourceFile): ReadonlySet<string> | null => {
  if (WHOLE.test(text)) return null
  const found = new Set<string>()
  const results = new Set([...text.matchAll(RESULTS)].map(([, result, list]) => result ?? list))
  for (const [, whole = ''] of text.matchAll(PRINTED)) {
    if (!whole.includes('.') && results.has(whole)) return null
    found.add(`${whole.slice(whole.lastIndexOf('.') + 1)} printed`)
  }
  for (const [, key, quoted] of text.matchAll(NAMES))
    for (const word of (key ?? quoted ?? '').match(/\w+/g) ?? []) found.add(word)
  return found
})

/** Paths of the outermost fields of which no name is read. */
function unreadIn(type: Type, read: ReadonlySet<string>, path: string): readonly string[] {
  return members(type).flatMap((member) => {
    if (member.kind === 'list') return unreadIn(member.of, read, path)
    // What a table declares is no selection.
    if (member.kind !== 'record' || member.origin?.of === 'table') return []
    return [...member.fields].flatMap(([key, field]) => {
      if (GIVEN.has(key)) return []
      const whole = path === '' ? key : `${path}.${key}`
      // All of what is printed as it is is read.
      if (read.has(`${key} printed`)) return []
      return read.has(key) ? unreadIn(field, read, whole) : [whole]
    })
  })
}

/** Where a field is selected: its name, or the one that it is given, behind those of the fields around it. */
function placeOf({ document, span }: Operation, path: string): Operation['span'] {
  let at = Math.max(0, document.indexOf('{'))
  let end = at
  for (const key of path.split('.')) {
    const found = new RegExp(`(?<![\\w$"])${key}(?!\\w|")`).exec(document.slice(end))
    if (found === null) break
    at = end + found.index
    end = at + key.length
  }
  return { ...span, start: span.start + at, end: span.start + end }
}

function addTo(sets: Map<string, Set<string> | null> | Map<string, Set<string>>, key: string, item: string): void {
  const known = sets.get(key)
  if (known == null) sets.set(key, new Set([item]))
  else known.add(item)
}

interface ResultFlow {
  /** Files that run a query, by its name. */
  readonly runners: ReadonlyMap<string, ReadonlySet<string>>
  /** Queries that a computed name may mean. */
  readonly unsure: ReadonlySet<string>
  /** Files that a value of these may come to; null where some are not known. */
  reachedFrom(files: ReadonlySet<string>): ReadonlySet<string> | null
}

function* flowOf(pieces: readonly Piece[], factsOf: (key: string) => UnitFacts | undefined): Steps<ResultFlow> {
  const runners = new Map<string, Set<string>>()
  const unsure = new Set<string>()
  const below = new Map<string, Set<string> | null>()
  const above = new Map<string, Set<string>>()
  yield* forEachInSteps(pieces, ({ key, unit }) => {
    const { path } = unit.file
    const facts = factsOf(key)
    if (facts === undefined) return
    for (const { names, open } of facts.queries)
      for (const name of names) {
        addTo(runners, name, path)
        if (open || names.length > 1) unsure.add(name)
      }
    for (const { targets, open, kind } of facts.calls) {
      if (targets === null || open) below.set(path, null)
      else if (below.get(path) !== null) for (const target of targets) addTo(below, path, target)
      if (kind === 'function' || kind === 'include') for (const target of targets ?? []) addTo(above, target, path)
    }
  })
  return { runners, unsure, reachedFrom }

  function reachedFrom(files: ReadonlySet<string>): ReadonlySet<string> | null {
    const callers = new Set(files)
    for (const file of callers) for (const caller of above.get(file) ?? []) callers.add(caller)
    const found = new Set(callers)
    for (const file of found) {
      const targets = below.get(file)
      if (targets === null) return null
      for (const target of targets ?? []) found.add(target)
    }
    return found
  }
}
