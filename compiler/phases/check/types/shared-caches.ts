/** Reports reads of visitor data inside of caches whose key is the same for every visitor. */
import { cachedVisitor } from '../rules/values/cached-visitor.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Accessor, Expression, Lookup } from '../../../core/tree/ast.ts'
import { childrenOf } from '../../../core/tree/expressions.ts'
import { derived } from '../../../core/model/derived.ts'
import { isBlock } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import { literalTexts } from '../../../language/types/relate.ts'
import { contextPath, nameOf } from '../walk/context-paths.ts'
import type { OutgoingCall, SharedCache, UnitFacts } from '../walk/facts.ts'
import type { Walk } from '../walk/walk.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'

/** Fields of `context` that differ between requests, each with the fields that a cache key needs to distinguish these requests. */
const REQUEST_FIELDS: Readonly<Record<string, readonly string[]>> = {
  params: ['params', 'location'],
  language: ['language', 'params', 'location'],
}

/** Fields of `context` that belong to one visitor. CSRF tokens are left out: they are filled in for each visitor. */
const VISITOR_FIELDS: ReadonlySet<string> = new Set(['current_user', 'session', 'flash', 'cookies'])

/** Fields of `context` that two visitors of one page may share. */
const SHARED_FIELDS: ReadonlySet<string> = new Set(
  'language location page layout params constants environment device is_xhr instance version'.split(' '),
)

/** Returns how all visitors share the `cache` tag at a place; null if its key depends on the visitor or keeps nothing. */
export function sharedCacheOf(walk: Walk, span: Span, key: Expression): SharedCache | null {
  if (!walk.platform || !isVisitorIndependent(walk, key) || isBlank(key)) return null
  const keyFields = new Set<string>()
  collectKeyParts(walk, key, keyFields)
  const keyParts = Object.keys(REQUEST_FIELDS).filter((part) =>
    REQUEST_FIELDS[part]?.some((each) => keyFields.has(each)),
  )
  // On a site with only one language, the language does not depend on the visitor.
  if (walk.env.site.translations.size < 2) keyParts.push('language')
  return { span, keyParts: new Set(keyParts) }
}

/** Collects the parts of `context` that a key contains. */
function collectKeyParts(walk: Walk, key: Expression, into: Set<string>): void {
  if (key.kind !== 'lookup') {
    for (const part of childrenOf(key)) collectKeyParts(walk, part, into)
    return
  }
  const { name, path } = key
  if (name === null) return
  const [field] = contextPath(walk, name, path) ?? []
  const part = field === undefined ? null : nameOf(field)
  if (part !== null) into.add(part)
}

/** Records a read of `context`, or of an old name for a part of it, if it depends on the visitor or the request. */
export function noteVisitor(walk: Walk, name: string, field: Accessor | undefined): void {
  const part = visitorField(walk, name, field)
  if (part !== null && field !== undefined) walk.readVisitor(part, field.span)
}

/** Returns the part of `context` that depends on the visitor or the request, from which a value was computed; null if there is none. */
export function visitorPart(walk: Walk, source: Expression): string | null {
  if (source.kind === 'filtered') {
    for (const each of childrenOf(source)) {
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
    : visitorField(walk, name.name, contextPath(walk, name, path)?.[0])
}

/** Returns the name of a field of `context` that depends on the visitor or the request; null for any other read. */
function visitorField(walk: Walk, name: string, field: Accessor | undefined): string | null {
  const part = field === undefined || (name !== 'context' && walk.oldKeys(name) === null) ? null : nameOf(field)
  return part !== null && (VISITOR_FIELDS.has(part) || Object.hasOwn(REQUEST_FIELDS, part)) ? part : null
}

/** Returns whether a key is blank. A cache with a blank key stores nothing. */
function isBlank(key: Expression): boolean {
  if (key.kind === 'filtered') return isBlank(key.input)
  if (key.kind !== 'literal') return false
  return key.value.type === 'string'
    ? key.value.value.trim() === ''
    : ['nil', 'blank', 'empty'].includes(key.value.type)
}

/** Kinds of expressions that make a text from their parts. */
const TEXT_KINDS: ReadonlySet<Expression['kind']> = new Set(['literal', 'interpolation', 'filtered'])

/** Returns whether a value definitely does not depend on the visitor. A variable whose text is unknown may depend on the visitor. */
function isVisitorIndependent(walk: Walk, key: Expression): boolean {
  if (key.kind === 'lookup') return isIndependentLookup(walk, key)
  return TEXT_KINDS.has(key.kind) && childrenOf(key).every((part) => isVisitorIndependent(walk, part))
}

function isIndependentLookup(walk: Walk, { name, path }: Lookup): boolean {
  if (name === null) return false
  const isHost = name.name === 'context' || walk.oldKeys(name.name) !== null
  const below = isHost ? contextPath(walk, name, path) : null
  if (below !== null) {
    const [field, ...rest] = below
    const part = field === undefined ? null : nameOf(field)
    const isKnown = rest.every((each) => each.kind === 'key' || isVisitorIndependent(walk, each.value))
    return part !== null && SHARED_FIELDS.has(part) && isKnown
  }
  if (path.length > 0) return false
  const texts = walk.texts(name.name)
  return texts === null
    ? (literalTexts(walk.typeNow(name.name))?.some((text) => text.trim() !== '') ?? false)
    : texts.every(({ exact, prefix }) => exact && prefix.trim() !== '')
}

// ---- what partials read -----------------------------------------------------------------------------------------------

export interface SharedCacheRules {
  readonly siteTemplates: readonly SiteTemplate[]
  readonly factsOf: (key: string) => UnitFacts | undefined
}

const cachedCalls = derived(({ calls }: UnitFacts) => calls.filter(({ sharedCache }) => sharedCache !== null))
const NO_CALLS: readonly OutgoingCall[] = []

/** Reports calls in shared caches to partials that read visitor data. Calls with computed names are not reported. */
export function checkSharedCaches({ siteTemplates, factsOf }: SharedCacheRules): readonly Diagnostic[] {
  const callsInCaches = siteTemplates.flatMap((siteTemplate) => {
    const facts = factsOf(siteTemplate.key)
    return facts === undefined ? NO_CALLS : cachedCalls(facts)
  })
  const diagnostics: Diagnostic[] = []
  if (callsInCaches.length === 0) return diagnostics
  const byFile = new Map<string, UnitFacts[]>()
  for (const siteTemplate of siteTemplates) {
    const facts = factsOf(siteTemplate.key)
    if (facts === undefined || isBlock(siteTemplate.inner)) continue
    const file = siteTemplate.unit.file.path
    const own = byFile.get(file)
    if (own === undefined) byFile.set(file, [facts])
    else own.push(facts)
  }
  for (const call of callsInCaches) {
    const { span, sharedCache } = call
    if (sharedCache === null) continue
    for (const [part, read] of collectVisitorReads(call, byFile))
      if (!sharedCache.keyParts.has(part)) diagnostics.push(cachedVisitor(span, part, sharedCache.span, read))
  }
  return diagnostics
}

/** Collects the reads of visitor data in the files that a call runs, directly or through other calls. */
function collectVisitorReads(
  call: OutgoingCall,
  byFile: ReadonlyMap<string, readonly UnitFacts[]>,
): ReadonlyMap<string, Span> {
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

/** Returns the definite targets of an immediate call; empty for a job or a call with a computed name. */
function targetsOf({ kind, open, targets }: OutgoingCall): readonly string[] {
  return kind === 'background' || open ? [] : (targets ?? [])
}
