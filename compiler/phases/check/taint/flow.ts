/**
 * What a value holds of what came from outside. A value that is not known holds nothing: it is neither tainted nor safe, and nothing is
 * said of it. Data and pure functions only.
 */
import { attached } from '../../../core/model/attached.ts'
import { shareList } from '../../../core/model/shared-values.ts'
import type { Span } from '../../../core/source/span.ts'
import { ALL, bitsOf, type Change, CHANGES, isReadable, SAFE } from './changes.ts'
import { namesPassword, type Secrecy } from './secrets.ts'

// ---- values -----------------------------------------------------------------------------------------------------------

/** Where a text came from. */
type Origin =
  /** `words`: as an author writes it. `secret`: it must not be shown, whatever it is. `stored`: a query found it. */
  | {
      readonly kind: 'source'
      readonly words: string
      readonly span: Span
      readonly secret?: Secrecy
      readonly stored?: true
    }
  /** What the caller gives by this name, at the path. */
  | {
      readonly kind: 'parameter'
      readonly name: string
      readonly path: readonly string[]
    }
  /** What tags put into the request by this name: `session.cart`. */
  | {
      readonly kind: 'store'
      readonly name: string
      readonly path: readonly string[]
    }

export interface Taint {
  readonly origin: Origin
  /** What happened to it since. */
  readonly changes: readonly Change[]
}

/** A value. Taints are those of the value itself and of all its parts that are not told apart. */
export interface Flow {
  readonly taints: readonly Taint[]
  readonly fields: ReadonlyMap<string, Flow> | null
  /** Elements, and values of keys that are not known. */
  readonly items: Flow | null
  /** It begins with a text of the author's. */
  readonly head: boolean
  /** What holds where the value is true. */
  readonly proof: Proof | null
  /** What a text of JSON was made of. */
  readonly data: Flow | null
}

/** A place in a variable, as `url` or `context.params.url`, and what is known of it. */
export interface Proof {
  readonly place: string
  readonly change: Change
}

export const NOTHING: Flow = {
  taints: [],
  fields: null,
  items: null,
  head: false,
  proof: null,
  data: null,
}
/** A text of the author's. */
export const AUTHORED: Flow = { ...NOTHING, head: true }

/** A path that goes on for ever is cut here. */
const DEPTH = 5
/** A text of more parts than these is not followed. */
const MOST_TAINTS = 48
const MOST_CHANGES = 12
/** The path of an element of a list. */
export const ELEMENT = '[]'

export function isEmpty({ taints, fields, items }: Flow): boolean {
  return taints.length === 0 && fields === null && items === null
}

export function tainted(taints: readonly Taint[], head = false): Flow {
  return taints.length === 0 && !head ? NOTHING : { ...NOTHING, taints, head }
}

export function sourceFlow(words: string, span: Span): Flow {
  return tainted([{ origin: { kind: 'source', words, span }, changes: [] }])
}

/** Fields of records that the service fills, or the site by itself. */
export const OWN_FIELDS =
  /^(?:id|.*_id|uuid|.*_at|type|__typename|table|.*_count|total_.*|has_.*|current_page|per_page|locale|language|upload_url)$/

/** What people wrote into a record, as a query finds it. */
export function storedFlow(words: string, span: Span): Flow {
  return tainted([{ origin: { kind: 'source', words, span, stored: true }, changes: [] }])
}

export function givenFlow(kind: 'parameter' | 'store', name: string): Flow {
  return tainted([{ origin: { kind, name, path: [] }, changes: [] }])
}

export function recordFlow(fields: ReadonlyMap<string, Flow>, items: Flow | null = null): Flow {
  return { ...NOTHING, fields, items }
}

export function listFlow(items: Flow): Flow {
  return isEmpty(items) ? NOTHING : { ...NOTHING, items }
}

/** Keys of taints, which are joined again and again. */
const keys = attached<Taint, string>()

/** The same text for taints that are one where they come together. */
export function taintKey(taint: Taint): string {
  let key = keys.get(taint)
  if (key === undefined) {
    key = keyText(taint)
    keys.set(taint, key)
  }
  return key
}

function keyText({ origin, changes }: Taint): string {
  const where =
    origin.kind === 'source'
      ? `${origin.words} ${origin.span.file}:${origin.span.start}`
      : `${origin.kind} ${origin.name} ${origin.path.join('.')}`
  return `${where} ${changes.map(({ name }) => name).join(' ')}`
}

/** The keys of taints that others are joined to. */
const keySets = attached<readonly Taint[], ReadonlySet<string>>()

function keysOf(taints: readonly Taint[]): ReadonlySet<string> {
  let known = keySets.get(taints)
  if (known === undefined) {
    known = new Set(taints.map(taintKey))
    keySets.set(taints, known)
  }
  return known
}

/** Shorter lists are gone through: a set of the keys of each would be most of the work. */
const FEW = 4

/** The same list where the other one adds nothing to it. */
export function joinTaints(one: readonly Taint[], other: readonly Taint[]): readonly Taint[] {
  if (one.length === 0 || one === other) return other
  if (other.length === 0 || one.length >= MOST_TAINTS) return one
  if (one.length <= FEW && other.length <= FEW) {
    const more = other.filter((taint) => !one.some((each) => each === taint || taintKey(each) === taintKey(taint)))
    return more.length === 0 ? one : one.concat(more)
  }
  const known = keysOf(one)
  const more = other.filter((taint) => !known.has(taintKey(taint)))
  return more.length === 0 ? one : one.concat(more).slice(0, MOST_TAINTS)
}

/** A value that is one or the other: the same value where the other one adds nothing to it. */
export function join(one: Flow, other: Flow, depth = 0): Flow {
  if (one === other) return one
  if (isEmpty(one) && isEmpty(other)) return one.head && other.head ? AUTHORED : NOTHING
  const taints = joinTaints(one.taints, other.taints)
  // What nothing is known of has no beginning either; a value that is not there prints nothing.
  const head = one.head && other.head
  if (depth > DEPTH)
    return {
      ...NOTHING,
      taints: joinTaints(allTaints(one), allTaints(other)),
      head,
    }
  const fields = joinFields(one.fields, other.fields, depth)
  const items =
    one.items === null ? other.items : other.items === null ? one.items : join(one.items, other.items, depth + 1)
  const data = isEmpty(one) ? other.data : isEmpty(other) ? one.data : joinData(one.data, other.data, depth)
  const isSame = taints === one.taints && fields === one.fields && items === one.items
  if (isSame && head === one.head && data === one.data && one.proof === null) return one
  return { taints, fields, items, head, proof: null, data }
}

function joinData(one: Flow | null, other: Flow | null, depth: number): Flow | null {
  return one === null || other === null ? null : join(one, other, depth + 1)
}

function joinFields(one: Flow['fields'], other: Flow['fields'], depth: number): Flow['fields'] {
  if (one === null || other === null || one === other) return one ?? other
  const fields = new Map(one)
  let isSame = true
  for (const [key, flow] of other) {
    const known = fields.get(key)
    const joined = known === undefined ? flow : join(known, flow, depth + 1)
    if (joined === known) continue
    fields.set(key, joined)
    isSame = false
  }
  return isSame ? one : fields
}

/** All taints of a value and its parts, as they are. */
export function allTaints(flow: Flow): readonly Taint[] {
  let taints = flow.taints
  for (const field of flow.fields?.values() ?? []) taints = joinTaints(taints, allTaints(field))
  return flow.items === null ? taints : joinTaints(taints, allTaints(flow.items))
}

/** Adds the names of what callers gave that is in a value; tells whether something else is in it, too. */
export function addGivenNames(flow: Flow, names: Set<string>): boolean {
  let isMore = false
  for (const { origin } of flow.taints)
    if (origin.kind === 'parameter') names.add(origin.name)
    else isMore = true
  for (const field of flow.fields?.values() ?? []) if (addGivenNames(field, names)) isMore = true
  return (flow.items !== null && addGivenNames(flow.items, names)) || isMore
}

/** What hashes and lists are as texts, which are printed and handed on again and again. */
const texts = attached<Flow, readonly Taint[]>()

/** What a value is as a text: hashes and lists are JSON. */
export function textTaints(flow: Flow): readonly Taint[] {
  if (flow.fields === null && flow.items === null) return flow.taints
  let taints = texts.get(flow)
  if (taints === undefined) {
    taints = joinTaints(flow.taints, changedTaints(allTaints({ ...flow, taints: [] }), CHANGES.json))
    texts.set(flow, taints)
  }
  return taints
}

/** Stand for all changes that leave nothing but what can be read. */
const ONLY_READABLE: readonly Change[] = [CHANGES.encode]

/** What each change has made of a taint; null where nothing is left. One value for one change of one taint is found quickly in lists. */
const changedOnce = attached<Taint, Map<Change, Taint | null>>()

function changedTaint(taint: Taint, by: Change): Taint | null {
  let known = changedOnce.get(taint)
  if (known === undefined) {
    known = new Map()
    changedOnce.set(taint, known)
  }
  let made = known.get(by)
  if (made === undefined) {
    const changes = taint.changes.concat(by)
    const isHarmless = bitsOf(ALL, changes) === 0 && bitsOf(ALL | SAFE, changes) === 0
    const isOver = changes.length > MOST_CHANGES || (isHarmless && !(mayBeSecret(taint) && isReadable(changes)))
    made = isOver ? null : { origin: taint.origin, changes: isHarmless ? ONLY_READABLE : changes }
    known.set(by, made)
  }
  return made
}

export function changedTaints(taints: readonly Taint[], by: Change): readonly Taint[] {
  const made: Taint[] = []
  for (const taint of taints) {
    const one = changedTaint(taint, by)
    if (one !== null) made.push(one)
  }
  return shareList(made)
}

/** The value with each of its texts changed. */
export function changed(flow: Flow, by: Change): Flow {
  if (isEmpty(flow)) return flow
  const fields = flow.fields === null ? null : new Map([...flow.fields].map(([key, each]) => [key, changed(each, by)]))
  const items = flow.items === null ? null : changed(flow.items, by)
  return {
    taints: changedTaints(flow.taints, by),
    fields,
    items,
    head: flow.head,
    proof: null,
    data: null,
  }
}

/** What callers give may be a secret. */
function mayBeSecret({ origin }: Taint): boolean {
  return origin.kind !== 'source' || origin.secret !== undefined
}

/** Whether it may be a secret that whoever sees it can read. */
export function mayShow(taint: Taint): boolean {
  return mayBeSecret(taint) && isReadable(taint.changes)
}

/** Whether a text from outside may still do one of these things. */
export function threatens({ changes }: Taint, hazards: number): boolean {
  return (bitsOf(ALL, changes) & hazards) !== 0
}

/** The same of a text that a caller gives, which may be marked as safe. */
export function mayThreaten({ changes }: Taint, hazards: number): boolean {
  return ((bitsOf(ALL, changes) | bitsOf(ALL | SAFE, changes)) & hazards) !== 0
}

// ---- parts ------------------------------------------------------------------------------------------------------------

/** Parts of values that were asked for: templates read the same ones in every loop and at every call. */
const parts = attached<Flow, Map<string, Flow>>()

/** The value at a key, or of an element. A part of what came from outside is from outside. */
export function partOf(flow: Flow, key: string): Flow {
  if (flow === NOTHING || flow === AUTHORED) return NOTHING
  let known = parts.get(flow)
  if (known === undefined) {
    known = new Map()
    parts.set(flow, known)
  }
  let part = known.get(key)
  if (part === undefined) {
    part = madePart(flow, key)
    known.set(key, part)
  }
  return part
}

function madePart(flow: Flow, key: string): Flow {
  const known = flow.fields?.get(key)
  const own = tainted(
    flow.taints.flatMap((taint) => {
      const { origin, changes } = taint
      if (origin.kind === 'source') {
        if (origin.stored === true) return OWN_FIELDS.test(key) ? [] : [taint]
        if (origin.secret !== undefined || !namesPassword(key)) return [taint]
        return [
          { origin: { ...origin, words: origin.words.replace(/`$/, `.${key}\``), secret: 'always' as const }, changes },
        ]
      }
      return origin.path.length >= DEPTH ? [] : [{ origin: { ...origin, path: origin.path.concat(key) }, changes }]
    }),
  )
  const part = known ?? (key === ELEMENT ? anyPart(flow) : (flow.items ?? NOTHING))
  return isEmpty(own) ? part : isEmpty(part) && !part.head ? own : join(part, own)
}

function anyPart({ items, fields }: Flow): Flow {
  let any = items ?? NOTHING
  if (items === null) for (const field of fields?.values() ?? []) any = isEmpty(any) ? field : join(any, field)
  return any
}

/** What a loop over the value gives: of a hash whose keys are the author's a key and a value at a time. */
export function elementOf(flow: Flow): Flow {
  if (flow.fields === null || flow.items !== null || flow.taints.length > 0) return partOf(flow, ELEMENT)
  return recordFlow(
    new Map([
      ['0', AUTHORED],
      ['1', anyPart(flow)],
    ]),
  )
}

/** The value with a part written into it. `key` is null where it is computed. */
export function withPart(flow: Flow, path: readonly (string | null)[], value: Flow): Flow {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (key === null || key === ELEMENT) {
    const inner = rest.length === 0 ? value : withPart(flow.items ?? NOTHING, rest, value)
    return {
      ...flow,
      head: false,
      proof: null,
      items: flow.items === null ? inner : join(flow.items, inner),
    }
  }
  const fields = new Map(flow.fields)
  fields.set(key, rest.length === 0 ? value : withPart(partOf(flow, key), rest, value))
  return { ...flow, head: false, proof: null, data: null, fields }
}

// ---- what callers give ------------------------------------------------------------------------------------------------

/** What stands for what a caller gives, or what is kept in the request. */
export type Given = (origin: Exclude<Origin, { kind: 'source' }>) => Flow | null

/**
 * The value where what callers give is known; `given` gives null for what stays as it is, and the same whenever it is asked: parts of the
 * value are looked at when they are read.
 */
export function substituted(flow: Flow, given: Given): Flow {
  const hasParts = flow.fields !== null || flow.items !== null || flow.data !== null
  if (!hasParts && flow.taints.length === 0) return flow
  let taints: readonly Taint[] = []
  const wholes: Flow[] = []
  for (const taint of flow.taints) {
    const { origin, changes } = taint
    const value = origin.kind === 'source' ? null : given(origin)
    if (value === null) taints = joinTaints(taints, [taint])
    else if (changes.length > 0) taints = joinTaints(taints, replayed(value, changes))
    else wholes.push(value)
  }
  const own = hasParts
    ? partsGiven(flow, taints, given)
    : taints.length > 0 || flow.head
      ? tainted(taints, flow.head)
      : NOTHING
  return wholes.reduce((one, value) => (one === NOTHING || isEmpty(one) ? value : join(one, value)), own)
}

/** A value of these taints with the parts of another, each made when it is read first: most of what functions return is never read. */
function partsGiven(flow: Flow, taints: readonly Taint[], given: Given): Flow {
  let fields: Flow['fields'] | undefined
  let items: Flow | null | undefined
  let data: Flow | null | undefined
  return {
    taints,
    get fields() {
      if (fields === undefined) {
        const made = new Map<string, Flow>()
        for (const [key, each] of flow.fields ?? []) made.set(key, substituted(each, given))
        fields = flow.fields === null ? null : made
      }
      return fields
    },
    get items() {
      if (items === undefined) items = flow.items === null ? null : substituted(flow.items, given)
      return items
    },
    get data() {
      if (data === undefined) data = flow.data === null ? null : substituted(flow.data, given)
      return data
    },
    head: flow.head,
    proof: null,
  }
}

export function substitutedTaints(taints: readonly Taint[], given: Given): readonly Taint[] {
  if (taints.every(({ origin }) => origin.kind === 'source')) return taints
  let first: readonly Taint[] | null = null
  const all = new Map<string, Taint>()
  for (const taint of taints) {
    const { origin, changes } = taint
    const value = origin.kind === 'source' ? null : given(origin)
    const own = value === null ? [taint] : replayed(value, changes)
    if (own.length === 0 || all.size >= MOST_TAINTS) continue
    if (first === null) {
      first = own
      continue
    }
    if (all.size === 0) for (const each of first) all.set(taintKey(each), each)
    for (const each of own) if (all.size < MOST_TAINTS && !all.has(taintKey(each))) all.set(taintKey(each), each)
  }
  return all.size === 0 ? (first ?? NO_TAINTS) : [...all.values()]
}

const NO_TAINTS: readonly Taint[] = []

function replayed(value: Flow, changes: readonly Change[]): readonly Taint[] {
  return changes.reduce(changedTaints, textTaints(value))
}

/** A part of a part. */
export function partAt(flow: Flow, path: readonly string[]): Flow {
  return path.reduce(partOf, flow)
}
