/** What tags put into `context.exports` and `context.session`: names that are read and never written, and those that nothing reads. */
import { unreadValue } from '../../../core/diagnostics/codes/site/unread-value.ts'
import { unwrittenValue } from '../../../core/diagnostics/codes/site/unwritten-value.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { findTypo } from '../../../core/diagnostics/suggest.ts'
import { derived } from '../../../core/model/derived.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import type { Span } from '../../../core/source/span.ts'
import type { Piece } from '../piece.ts'
import type { UnitFacts } from '../rules/facts.ts'
import { literalText } from '../rules/literal-text.ts'
import { type ContextRead, namesOf, type TemplateNames } from './scan.ts'

/** What the host keeps in every session. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['language', 'session_id', '_csrf_token', 'csrf_token', 'return_to'])

interface Written {
  /** By the whole path: `exports.cart.total`. */
  readonly names: Map<string, Span>
  /** Stores, and namespaces, in which anything may be written. */
  readonly open: Set<string>
  /** The first two parts of each name. */
  readonly namespaces: ReadonlySet<string>
}

interface Read {
  readonly name: string
  /** Null for a computed key, or one above the last: all below may be read. */
  readonly whole: boolean
  readonly span: Span
  readonly guarded: boolean
  readonly bare: boolean
}

export function* checkRequestNames(
  pieces: readonly Piece[],
  factsOf: (key: string) => UnitFacts | undefined,
): Steps<readonly Diagnostic[]> {
  const written = writtenIn(pieces, factsOf)
  yield
  const reads: Read[] = []
  let readsAll = false
  yield* forEachInSteps(pieces, (piece) => {
    const names = namesOf(piece)
    for (const read of storeReads(names)) reads.push(readOf(read, written))
    readsAll ||= names.handsOnContext
  })
  const unread = readsAll ? [] : unreadOf(written, reads)
  const diagnostics: Diagnostic[] = []
  const meant = new Set<string>()
  for (const { name, whole, span, guarded, bare } of reads) {
    if (whole || bare || isWritten(written, name)) continue
    const near = nearName(name, written.names.keys())
    if (near !== null) meant.add(near)
    else if (guarded) continue
    diagnostics.push(unwrittenValue(span, `context.${name}`, near === null ? null : `context.${near}`))
  }
  for (const [name, span] of unread) if (!meant.has(name)) diagnostics.push(unreadValue(span, `context.${name}`))
  return diagnostics
}

function writtenIn(pieces: readonly Piece[], factsOf: (key: string) => UnitFacts | undefined): Written {
  const names = new Map<string, Span>()
  const open = new Set<string>()
  const add = (name: string, span: Span) => {
    if (!names.has(name)) names.set(name, span)
  }
  for (const { key } of pieces) {
    for (const { note, span } of factsOf(key)?.notes ?? []) {
      if (note.kind === 'session') add(`session.${note.name}`, span)
      else if (note.kind === 'export') {
        const namespace = note.namespace === null ? '' : literalText(note.namespace)
        if (namespace === null) open.add('exports')
        else add(namespace === '' ? `exports.${note.name}` : `exports.${namespace}.${note.name}`, span)
      }
    }
  }
  const namespaces = new Set([...names.keys()].map((name) => name.split('.').slice(0, 2).join('.')))
  return { names, open, namespaces }
}

interface StoreRead extends ContextRead {
  readonly store: 'exports' | 'session'
  /** The place of the store's name. */
  readonly at: Span
}

/** Reads of what tags put into the request: most templates have none. */
const storeReads = derived(({ context }: TemplateNames): readonly StoreRead[] =>
  context.flatMap((read) => {
    const [store] = read.path
    const [at] = read.spans
    return (store === 'exports' || store === 'session') && at !== undefined ? [{ ...read, store, at }] : []
  }),
)

function readOf({ store, path, spans, at, guarded, bare }: StoreRead, { names, namespaces }: Written): Read {
  const [, first, second] = path
  if (first == null) return { name: store, whole: true, span: at, guarded, bare }
  const name = `${store}.${first}`
  const isNamespace = store === 'exports' && !names.has(name) && (namespaces.has(name) || typeof second === 'string')
  if (!isNamespace) return { name, whole: false, span: spans[1] ?? at, guarded, bare }
  if (second == null) return { name, whole: true, span: spans[1] ?? at, guarded, bare }
  return { name: `${name}.${second}`, whole: false, span: spans[2] ?? at, guarded, bare }
}

function isWritten({ names, open }: Written, name: string): boolean {
  const [store = '', field = ''] = name.split('.')
  if (open.has(store) || (store === 'session' && OWN_FIELDS.has(field))) return true
  // `context.exports.cart.total` may be a part of what is exported as `cart`.
  return names.has(name) || names.has(`${store}.${field}`)
}

function unreadOf({ names }: Written, reads: readonly Read[]): readonly (readonly [string, Span])[] {
  return [...names].filter(
    ([name]) => !reads.some((read) => read.name === name || (read.whole && name.startsWith(`${read.name}.`))),
  )
}

/** The name that differs in one of its parts by a slip. */
function nearName(name: string, known: Iterable<string>): string | null {
  const parts = name.split('.')
  for (const each of known) {
    const others = each.split('.')
    if (others.length !== parts.length) continue
    const differing = parts.flatMap((part, at) => (part === others[at] ? [] : [[part, others[at] ?? ''] as const]))
    const [[part, other] = ['', '']] = differing
    if (differing.length === 1 && findTypo(part, [other]) !== null) return each
  }
  return null
}
