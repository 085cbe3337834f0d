/** Caches whose key is the same for every visitor, and what belongs to one visitor read inside of them. */
import { cachedVisitor } from '../../../core/diagnostics/codes/values/cached-visitor.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Accessor, Expression, Lookup } from '../../../core/model/ast.ts'
import { derived } from '../../../core/model/derived.ts'
import { isBlock } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import { literalTexts } from '../../../language/types/relate.ts'
import { belowContext, nameOf } from './below-context.ts'
import type { OutgoingCall, UnitFacts } from './facts.ts'
import type { Walk } from './walk.ts'
import type { Piece } from '../piece.ts'

/** Fields of `context` that differ from request to request, each with the fields that tell these requests apart in a key. */
const REQUEST: Readonly<Record<string, readonly string[]>> = {
  params: ['params', 'location'],
  language: ['language', 'params', 'location'],
}

/** Fields of `context` that belong to one visitor. CSRF tokens are left out: they are filled in for each visitor. */
const VISITOR: ReadonlySet<string> = new Set(['current_user', 'session', 'flash', 'cookies'])

/** Fields of `context` that two visitors of one page may share. */
const SHARED: ReadonlySet<string> = new Set(
  'language location page layout params constants environment device is_xhr instance version'.split(' '),
)

/** Runs the body of a `cache` tag at `span`, and reports what it reads of the visitor where the key says nothing of them. */
export function inCache(walk: Walk, span: Span, key: Expression, run: () => void): void {
  if (!walk.platform || !isShared(walk, key) || isBlank(key)) {
    run()
    return
  }
  const inKey = new Set<string>()
  partsOfKey(walk, key, inKey)
  const keyParts = Object.keys(REQUEST).filter((part) => REQUEST[part]?.some((each) => inKey.has(each)))
  // Without further languages there is one for all.
  if (walk.env.site.translations.size < 2) keyParts.push('language')
  const reads = walk.flow.cachedForAll({ span, keyParts: new Set(keyParts) }, run)
  for (const [part, at] of reads) walk.report(cachedVisitor(at, part, span, null))
}

/** Collects the parts of `context` that stand in a key. */
function partsOfKey(walk: Walk, key: Expression, into: Set<string>): void {
  switch (key.kind) {
    case 'interpolation':
      for (const part of key.parts) if (typeof part !== 'string') partsOfKey(walk, part, into)
      return
    case 'filtered':
      partsOfKey(walk, key.input, into)
      for (const { positional, named } of key.filters)
        for (const each of [...positional, ...named.map(({ value }) => value)]) partsOfKey(walk, each, into)
      return
    case 'lookup': {
      const { name, path } = key
      if (name === null) return
      const [field] = belowContext(walk, name, path) ?? []
      const part = field === undefined ? null : nameOf(field)
      if (part !== null) into.add(part)
    }
  }
}

/** Notes a read below `context`, or by an old name of a part of it. */
export function noteVisitor(walk: Walk, name: string, field: Accessor | undefined): void {
  const part = partOf(walk, name, field)
  if (part !== null && field !== undefined) walk.readVisitor(part, field.span)
}

/** The part of `context` that a value was made of, where that is the visitor's own. */
export function visitorPart(walk: Walk, source: Expression): string | null {
  if (source.kind === 'filtered') {
    const args = source.filters.flatMap(({ positional, named }) => [...positional, ...named.map(({ value }) => value)])
    for (const each of [source.input, ...args]) {
      const part = visitorPart(walk, each)
      if (part !== null) return part
    }
    return null
  }
  if (source.kind !== 'lookup' || source.name === null) return null
  const { name, path } = source
  if (walk.flow.local(name.name) !== undefined) return null
  return walk.isOwn(name.name)
    ? (walk.flow.variables.get(name.name)?.visitor ?? null)
    : partOf(walk, name.name, belowContext(walk, name, path)?.[0])
}

function partOf(walk: Walk, name: string, field: Accessor | undefined): string | null {
  const part = field === undefined || (name !== 'context' && walk.oldKeys(name) === null) ? null : nameOf(field)
  return part !== null && (VISITOR.has(part) || Object.hasOwn(REQUEST, part)) ? part : null
}

/** A blank key keeps nothing. */
function isBlank(key: Expression): boolean {
  if (key.kind === 'filtered') return isBlank(key.input)
  if (key.kind !== 'literal') return false
  return key.value.type === 'string'
    ? key.value.value.trim() === ''
    : ['nil', 'blank', 'empty'].includes(key.value.type)
}

/** Whether the value surely says nothing of the visitor: a variable may hold anything. */
function isShared(walk: Walk, key: Expression): boolean {
  switch (key.kind) {
    case 'literal':
      return true
    case 'interpolation':
      return key.parts.every((part) => typeof part === 'string' || isShared(walk, part))
    case 'filtered':
      return (
        isShared(walk, key.input) &&
        key.filters.every(
          ({ positional, named }) =>
            positional.every((each) => isShared(walk, each)) && named.every(({ value }) => isShared(walk, value)),
        )
      )
    case 'lookup':
      return isSharedLookup(walk, key)
    default:
      return false
  }
}

function isSharedLookup(walk: Walk, { name, path }: Lookup): boolean {
  if (name === null) return false
  const isHost = name.name === 'context' || walk.oldKeys(name.name) !== null
  const below = isHost ? belowContext(walk, name, path) : null
  if (below !== null) {
    const [field, ...rest] = below
    const part = field === undefined ? null : nameOf(field)
    const isKnown = rest.every((each) => each.kind === 'key' || isShared(walk, each.value))
    return part !== null && SHARED.has(part) && isKnown
  }
  if (path.length > 0) return false
  const texts = walk.texts(name.name)
  return texts === null
    ? (literalTexts(walk.typeNow(name.name))?.some((text) => text.trim() !== '') ?? false)
    : texts.every(({ exact, prefix }) => exact && prefix.trim() !== '')
}

// ---- what partials read -----------------------------------------------------------------------------------------------

export interface SharedCacheRules {
  readonly pieces: readonly Piece[]
  readonly factsOf: (piece: Piece) => UnitFacts | null
}

const cachedCalls = derived(({ calls }: UnitFacts) => calls.filter(({ sharedCache }) => sharedCache !== null))
const NO_CALLS: readonly OutgoingCall[] = []

/** Calls inside of such caches of partials that read what belongs to the visitor. Calls by computed names are not reported. */
export function checkSharedCaches({ pieces, factsOf }: SharedCacheRules): readonly Diagnostic[] {
  const cached = pieces.flatMap((piece) => {
    const facts = factsOf(piece)
    return facts === null ? NO_CALLS : cachedCalls(facts)
  })
  const diagnostics: Diagnostic[] = []
  if (cached.length === 0) return diagnostics
  const byFile = new Map<string, UnitFacts[]>()
  for (const piece of pieces) {
    const facts = factsOf(piece)
    if (facts === null || isBlock(piece.inner)) continue
    const file = piece.unit.file.path
    const own = byFile.get(file)
    if (own === undefined) byFile.set(file, [facts])
    else own.push(facts)
  }
  for (const call of cached) {
    const { span, sharedCache } = call
    if (sharedCache === null) continue
    for (const [part, read] of readsBehind(call, byFile))
      if (!sharedCache.keyParts.has(part)) diagnostics.push(cachedVisitor(span, part, sharedCache.span, read))
  }
  return diagnostics
}

function readsBehind(call: OutgoingCall, byFile: ReadonlyMap<string, readonly UnitFacts[]>): ReadonlyMap<string, Span> {
  const reads = new Map<string, Span>()
  const files = new Set(targetsOf(call))
  for (const file of files) {
    for (const { visitorReads, calls } of byFile.get(file) ?? []) {
      for (const [part, span] of visitorReads) if (!reads.has(part)) reads.set(part, span)
      for (const each of calls) for (const target of targetsOf(each)) files.add(target)
    }
  }
  return reads
}

/** The files that surely are what the call runs, there and then. */
function targetsOf({ kind, open, targets }: OutgoingCall): readonly string[] {
  return kind === 'background' || open ? [] : (targets ?? [])
}
