/** `cached-visitor`: a value of one visitor or request that is read inside a `cache` with a key shared by all of them. */
import type { Expression, Lookup } from '../../../../core/tree/ast.ts'
import { childrenOf } from '../../../../core/tree/expressions.ts'
import { derived } from '../../../../core/model/derived.ts'
import { literalTexts } from '../../../../language/types/relate.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import { contextPath, nameOf } from '../../walk/context-paths.ts'
import type { OutgoingCall, SharedCache, UnitFacts } from '../../walk/facts.ts'
import type { SharedReads } from '../../walk/flow.ts'
import { REQUEST_FIELDS } from '../../walk/visitor-parts.ts'
import type { Walk } from '../../walk/walk.ts'
import type { Span } from '../../../../core/source/span.ts'
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

function describeSharing(part: string): string {
  if (part === 'language') return 'every language'
  return part === 'params' ? 'all parameters' : 'every visitor'
}

export const cachedVisitor = message(
  'cached-visitor',
  'warning',
  'WS24',
  (part: string, cache: Span, read: Span | null) => ({
    text: `${quote(`context.${part}`)} is read inside a \`cache\` whose key is the same for ${describeSharing(part)}, so they all get the first cached result.`,
    hint:
      part === 'current_user'
        ? 'Add `context.current_user.id` to the key, or read it outside of `cache`.'
        : `Add the values read from ${quote(`context.${part}`)} to the key, or read them outside of \`cache\`.`,
    related: [
      { span: cache, message: 'the cached part begins here' },
      ...(read === null ? [] : [{ span: read, message: 'it is read here' }]),
    ],
  }),
  {
    wrong: `{% cache 'menu' %}{{ context.current_user.email }}{% endcache %}`,
    right: `{% assign key = 'menu' | append: context.current_user.id %}{% cache key %}{{ context.current_user.email }}{% endcache %}`,
  },
)

/** Reports the reads of visitor data in a cache that all visitors share. */
export function checkSharedReads(walk: Walk, { cache, reads }: SharedReads): void {
  for (const [part, span] of reads) walk.report(cachedVisitor(span, part, cache.span, null))
}

const cachedCalls = derived(({ calls }: UnitFacts) => calls.filter(({ sharedCache }) => sharedCache !== null))
const NO_CALLS: readonly OutgoingCall[] = []

/** Reports calls in shared caches to partials that read visitor data. Calls with computed names are not reported. */
export function checkSharedCaches({ siteTemplates, factsOf, ownFacts }: CheckedSite): readonly Diagnostic[] {
  const callsInCaches = siteTemplates.flatMap((siteTemplate) => {
    const facts = factsOf(siteTemplate.key)
    return facts === undefined ? NO_CALLS : cachedCalls(facts)
  })
  const diagnostics: Diagnostic[] = []
  if (callsInCaches.length === 0) return diagnostics
  for (const call of callsInCaches) {
    const { span, sharedCache } = call
    if (sharedCache === null) continue
    for (const [part, read] of collectVisitorReads(call, ownFacts))
      if (!sharedCache.keyParts.has(part)) diagnostics.push(cachedVisitor(span, part, sharedCache.span, read))
  }
  return diagnostics
}

/** Collects the reads of visitor data in the files that a call runs, directly or through other calls. */
function collectVisitorReads(call: OutgoingCall, ownFacts: CheckedSite['ownFacts']): ReadonlyMap<string, Span> {
  const reads = new Map<string, Span>()
  const files = new Set(targetsOf(call))
  for (const file of files) {
    for (const { visitorReads, calls } of ownFacts(file)) {
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
