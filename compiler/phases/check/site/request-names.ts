/** Collects the names in `context.exports` and `context.session` that tags write, and those that templates read. */
import { type ContextRead, type TemplateNames, namesOf } from './template-names.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import type { Span } from '../../../core/source/span.ts'
import type { UnitFacts } from '../walk/facts.ts'
import { derived } from '../../../core/model/derived.ts'
import { findTypo } from '../../../core/diagnostics/suggest.ts'
import { literalText } from '../walk/literal-text.ts'
import { onceForSite } from './site-rule.ts'

/** Fields that the host keeps in every session. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['language', 'session_id', '_csrf_token', 'csrf_token', 'return_to'])

interface WrittenNames {
  /** The span of each write, by the whole path, such as `exports.cart.total`. */
  readonly names: Map<string, Span>
  /** Stores in which a computed name may be written. */
  readonly openStores: Set<string>
  /** The first two parts of each name. */
  readonly namespaces: ReadonlySet<string>
}

interface NameRead {
  readonly name: string
  /** Whether everything below the name may be read, because a key is computed or the path ends above the last key. */
  readonly isWhole: boolean
  readonly span: Span
  readonly isGuarded: boolean
  readonly isBare: boolean
}

interface RequestNames {
  readonly written: WrittenNames
  readonly reads: readonly NameRead[]
  /** Whether `context` itself is passed on, so that other code may read any name. */
  readonly readsAll: boolean
  /** The reads of a single name that no tag writes. */
  readonly unwritten: readonly UnwrittenRead[]
}

interface UnwrittenRead extends NameRead {
  /** A written name that differs by a typo; null if there is none. */
  readonly similarName: string | null
}

/** Collects the names in the request that a site writes and reads. */
export const requestNames = onceForSite(({ siteTemplates, factsOf }): RequestNames => {
  const written = collectWrittenNames(siteTemplates, factsOf)
  const reads: NameRead[] = []
  let readsAll = false
  for (const siteTemplate of siteTemplates) {
    const names = namesOf(siteTemplate)
    for (const read of storeReads(names)) reads.push(readOf(read, written))
    readsAll ||= names.passesContext
  }
  const unwritten = reads.flatMap((read) =>
    read.isWhole || read.isBare || isWritten(written, read.name)
      ? []
      : [{ ...read, similarName: nearName(read.name, written.names.keys()) }],
  )
  return { written, reads, readsAll, unwritten }
})

function collectWrittenNames(
  siteTemplates: readonly SiteTemplate[],
  factsOf: (key: string) => UnitFacts | undefined,
): WrittenNames {
  const names = new Map<string, Span>()
  const openStores = new Set<string>()
  const add = (name: string, span: Span) => {
    if (!names.has(name)) names.set(name, span)
  }
  for (const { key } of siteTemplates) {
    for (const { note, span } of factsOf(key)?.notes ?? []) {
      if (note.kind === 'session') add(`session.${note.name}`, span)
      else if (note.kind === 'export') {
        const namespace = note.namespace === null ? '' : literalText(note.namespace)
        if (namespace === null) openStores.add('exports')
        else add(namespace === '' ? `exports.${note.name}` : `exports.${namespace}.${note.name}`, span)
      }
    }
  }
  const namespaces = new Set([...names.keys()].map((name) => name.split('.').slice(0, 2).join('.')))
  return { names, openStores, namespaces }
}

interface StoreRead extends ContextRead {
  readonly store: 'exports' | 'session'
  /** The span of the store's name. */
  readonly span: Span
}

/** Reads of values that tags put into the request. Most templates have no such reads. */
const storeReads = derived(({ context }: TemplateNames): readonly StoreRead[] =>
  context.flatMap((read) => {
    const [store] = read.path
    const [span] = read.spans
    return (store === 'exports' || store === 'session') && span !== undefined ? [{ ...read, store, span }] : []
  }),
)

function readOf(
  { store, path, spans, span, isGuarded, isBare }: StoreRead,
  { names, namespaces }: WrittenNames,
): NameRead {
  const [, first, second] = path
  if (first == null) return { name: store, isWhole: true, span, isGuarded, isBare }
  const name = `${store}.${first}`
  const isNamespace = store === 'exports' && !names.has(name) && (namespaces.has(name) || typeof second === 'string')
  if (!isNamespace) return { name, isWhole: false, span: spans[1] ?? span, isGuarded, isBare }
  if (second == null) return { name, isWhole: true, span: spans[1] ?? span, isGuarded, isBare }
  return { name: `${name}.${second}`, isWhole: false, span: spans[2] ?? span, isGuarded, isBare }
}

function isWritten({ names, openStores }: WrittenNames, name: string): boolean {
  const [store = '', field = ''] = name.split('.')
  if (openStores.has(store) || (store === 'session' && OWN_FIELDS.has(field))) return true
  // `context.exports.cart.total` may be a part of an export named `cart`.
  return names.has(name) || names.has(`${store}.${field}`)
}

/** Returns a known name that differs by a typo in one of its parts; null if there is none. */
function nearName(name: string, knownNames: Iterable<string>): string | null {
  const parts = name.split('.')
  for (const each of knownNames) {
    const others = each.split('.')
    if (others.length !== parts.length) continue
    const differing = parts.flatMap((part, at) => (part === others[at] ? [] : [[part, others[at] ?? ''] as const]))
    const [[part, other] = ['', '']] = differing
    if (differing.length === 1 && findTypo(part, [other]) !== null) return each
  }
  return null
}
