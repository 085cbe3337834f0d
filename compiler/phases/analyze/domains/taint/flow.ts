/**
 * The taints of a value. An unknown value has no taints: it is neither tainted nor safe, and nothing is reported about it. Data and pure
 * functions only.
 */
import { shareList } from '../../../../core/model/shared-values.ts'
import { type Span, spanKey } from '../../../../core/source/span.ts'
import { ALL_HAZARDS, bitsOf, type Change, isReadable, SAFE } from './changes.ts'
import { isPasswordName, type Secrecy } from './secrets.ts'
import { getOrMake } from '../../../../core/source/maps.ts'
import { derived } from '../../../../core/model/derived.ts'

// ---- values -----------------------------------------------------------------------------------------------------------

/** The source of a tainted text. */
type Origin =
  /**
   * `words`: the source code that reads the text. `span`: the marked place of the read (`markedSpan`), because flows are kept with other
   * files. `secret`: who may see the text, if it is a secret. `stored`: a query found it.
   */
  | {
      readonly kind: 'source'
      readonly words: string
      readonly span: Span
      readonly secret?: Secrecy
      readonly stored?: true
    }
  /** The part at `path` of a parameter. */
  | {
      readonly kind: 'parameter'
      readonly name: string
      readonly path: readonly string[]
    }
  /** The part at `path` of a value that tags put into the request, such as `session.cart`. */
  | {
      readonly kind: 'store'
      readonly name: string
      readonly path: readonly string[]
    }

export interface Taint {
  readonly origin: Origin
  /** The changes that were made to the text, in order. */
  readonly changes: readonly Change[]
}

/** A value. The taints apply to the value itself and to all parts that are not listed separately. */
export interface Flow {
  readonly taints: readonly Taint[]
  readonly fields: ReadonlyMap<string, Flow> | null
  /** Elements of a list, and values under computed keys. */
  readonly items: Flow | null
  /** Whether the text begins with a part that is not from outside. */
  readonly head: boolean
  /** The change that is proven for a path if the value is true. */
  readonly proof: Proof | null
  /** The value that was converted to this JSON text. */
  readonly data: Flow | null
}

/** A path in a variable, such as `url` or `context.params.url`, and the change that is proven for it. */
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
/** A text that the author wrote. */
export const AUTHORED: Flow = { ...NOTHING, head: true }

/** Maximum length of a path and depth of a joined value: without a limit, both could grow forever. */
const MAX_DEPTH = 5
/** Maximum number of taints of a text; further ones are dropped. */
const MAX_TAINTS = 48
/** Maximum number of changes of a taint; a taint with more changes is dropped. */
const MAX_CHANGES = 12
/** The key that represents any element of a list. */
export const ELEMENT = '[]'

export function isEmpty({ taints, fields, items }: Flow): boolean {
  return taints.length === 0 && fields === null && items === null
}

export function taintedFlow(taints: readonly Taint[], head = false): Flow {
  return taints.length === 0 && !head ? NOTHING : { ...NOTHING, taints, head }
}

export function sourceFlow(words: string, span: Span): Flow {
  return taintedFlow([{ origin: { kind: 'source', words, span }, changes: [] }])
}

/** Fields of records that the service or the site fills without user input. */
export const OWN_FIELDS =
  /^(?:id|.*_id|uuid|.*_at|type|__typename|table|.*_count|total_.*|has_.*|current_page|per_page|locale|language|upload_url)$/

/** Returns a text that a user stored in a record and that a query found. */
export function storedFlow(words: string, span: Span): Flow {
  return taintedFlow([{ origin: { kind: 'source', words, span, stored: true }, changes: [] }])
}

export function originFlow(kind: 'parameter' | 'store', name: string): Flow {
  return taintedFlow([{ origin: { kind, name, path: [] }, changes: [] }])
}

export function recordFlow(fields: ReadonlyMap<string, Flow>, items: Flow | null = null): Flow {
  return { ...NOTHING, fields, items }
}

export function listFlow(items: Flow): Flow {
  return isEmpty(items) ? NOTHING : { ...NOTHING, items }
}

/** Returns a key for a taint. A join merges taints with equal keys into one. Keys are cached, because the same taints are joined many times. */
export const taintKey = derived(({ origin, changes }: Taint): string => {
  const place =
    origin.kind === 'source'
      ? `${origin.words} ${spanKey(origin.span)}`
      : `${origin.kind} ${origin.name} ${origin.path.join('.')}`
  return `${place} ${changes.join(' ')}`
})

/** Returns the keys of a list to which another list is joined. They are cached. */
const keysOf = derived((taints: readonly Taint[]): ReadonlySet<string> => new Set(taints.map(taintKey)))

/** Lists up to this length are compared item by item, which is faster than a set of keys. */
const MAX_SHORT_LENGTH = 4

/** Returns the union of two lists. Returns `one` itself if `other` adds nothing. */
export function joinTaints(one: readonly Taint[], other: readonly Taint[]): readonly Taint[] {
  if (one.length === 0 || one === other) return other
  if (other.length === 0 || one.length >= MAX_TAINTS) return one
  if (one.length <= MAX_SHORT_LENGTH && other.length <= MAX_SHORT_LENGTH) {
    const more = other.filter((taint) => !one.some((each) => each === taint || taintKey(each) === taintKey(taint)))
    return more.length === 0 ? one : one.concat(more)
  }
  const knownNames = keysOf(one)
  const more = other.filter((taint) => !knownNames.has(taintKey(taint)))
  return more.length === 0 ? one : one.concat(more).slice(0, MAX_TAINTS)
}

/** Returns the join of two values, for a place where either may occur. Returns `one` itself if `other` adds nothing. */
export function join(one: Flow, other: Flow, depth = 0): Flow {
  if (one === other) return one
  if (isEmpty(one) && isEmpty(other)) return one.head && other.head ? AUTHORED : NOTHING
  const taints = joinTaints(one.taints, other.taints)
  // The beginning of the result is known only if it is known for both values.
  const head = one.head && other.head
  if (depth > MAX_DEPTH)
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
    const knownFlow = fields.get(key)
    const joined = knownFlow === undefined ? flow : join(knownFlow, flow, depth + 1)
    if (joined === knownFlow) continue
    fields.set(key, joined)
    isSame = false
  }
  return isSame ? one : fields
}

/** Returns all taints of a value and its parts, unchanged. */
export function allTaints(flow: Flow): readonly Taint[] {
  let taints = flow.taints
  for (const field of flow.fields?.values() ?? []) taints = joinTaints(taints, allTaints(field))
  return flow.items === null ? taints : joinTaints(taints, allTaints(flow.items))
}

/** Adds the names of the parameters in a value to `names`. Returns whether the value has taints of another origin, too. */
export function addParameterNames(flow: Flow, names: Set<string>): boolean {
  let hasOtherTaints = false
  for (const { origin } of flow.taints)
    if (origin.kind === 'parameter') names.add(origin.name)
    else hasOtherTaints = true
  for (const field of flow.fields?.values() ?? []) if (addParameterNames(field, names)) hasOtherTaints = true
  return (flow.items !== null && addParameterNames(flow.items, names)) || hasOtherTaints
}

/** Returns the taints of a hash or list as JSON. They are cached, because the same ones are printed and passed many times. */
const jsonTaints = derived((flow: Flow) =>
  joinTaints(flow.taints, changeTaints(allTaints({ ...flow, taints: [] }), 'json')),
)

/** Returns the taints of a value as a text: hashes and lists are JSON. */
export function textTaints(flow: Flow): readonly Taint[] {
  return flow.fields === null && flow.items === null ? flow.taints : jsonTaints(flow)
}

/** Represents every list of changes after which a text is harmless but still readable. */
const ONLY_READABLE: readonly Change[] = ['encode']

/** Cached result of each change of a taint; null if nothing is left. Equal results are one object, which makes searches in lists fast. */
const changedTaints = derived((_: Taint) => new Map<Change, Taint | null>())

function changeTaint(taint: Taint, by: Change): Taint | null {
  return getOrMake(changedTaints(taint), by, () => {
    const changes = taint.changes.concat(by)
    const isHarmless = bitsOf(ALL_HAZARDS, changes) === 0 && bitsOf(ALL_HAZARDS | SAFE, changes) === 0
    const isDropped = changes.length > MAX_CHANGES || (isHarmless && !(mayBeSecret(taint) && isReadable(changes)))
    return isDropped ? null : { origin: taint.origin, changes: isHarmless ? ONLY_READABLE : changes }
  })
}

export function changeTaints(taints: readonly Taint[], by: Change): readonly Taint[] {
  const changedTaints: Taint[] = []
  for (const taint of taints) {
    const one = changeTaint(taint, by)
    if (one !== null) changedTaints.push(one)
  }
  return shareList(changedTaints)
}

/** Returns the value with each of its texts changed. */
export function changeFlow(flow: Flow, by: Change): Flow {
  if (isEmpty(flow)) return flow
  const fields =
    flow.fields === null ? null : new Map([...flow.fields].map(([key, each]) => [key, changeFlow(each, by)]))
  const items = flow.items === null ? null : changeFlow(flow.items, by)
  return {
    taints: changeTaints(flow.taints, by),
    fields,
    items,
    head: flow.head,
    proof: null,
    data: null,
  }
}

/** Returns whether a value may be a secret. A value from a caller may be one. */
function mayBeSecret({ origin }: Taint): boolean {
  return origin.kind !== 'source' || origin.secret !== undefined
}

/** Returns whether the value may be a secret that a reader of the output can recover. */
export function mayShow(taint: Taint): boolean {
  return mayBeSecret(taint) && isReadable(taint.changes)
}

/** Returns whether a text from outside still has one of the hazards. */
export function threatens({ changes }: Taint, hazards: number): boolean {
  return (bitsOf(ALL_HAZARDS, changes) & hazards) !== 0
}

/** Like `threatens`, for a text from a caller, which may be marked as safe. */
export function mayThreaten({ changes }: Taint, hazards: number): boolean {
  return ((bitsOf(ALL_HAZARDS, changes) | bitsOf(ALL_HAZARDS | SAFE, changes)) & hazards) !== 0
}

// ---- parts ------------------------------------------------------------------------------------------------------------

/** Cached parts: templates read the same ones in every loop and at every call. */
const partsOf = derived((_: Flow) => new Map<string, Flow>())

/** Returns the value at a key, or any element for `ELEMENT`. A part of a tainted value is tainted. */
export function partOf(flow: Flow, key: string): Flow {
  if (flow === NOTHING || flow === AUTHORED) return NOTHING
  return getOrMake(partsOf(flow), key, () => makePart(flow, key))
}

function makePart(flow: Flow, key: string): Flow {
  const knownFlow = flow.fields?.get(key)
  const own = taintedFlow(
    flow.taints.flatMap((taint) => {
      const { origin, changes } = taint
      if (origin.kind === 'source') {
        if (origin.stored === true) return OWN_FIELDS.test(key) ? [] : [taint]
        if (origin.secret !== undefined || !isPasswordName(key)) return [taint]
        return [
          { origin: { ...origin, words: origin.words.replace(/`$/, `.${key}\``), secret: 'always' as const }, changes },
        ]
      }
      return origin.path.length >= MAX_DEPTH ? [] : [{ origin: { ...origin, path: origin.path.concat(key) }, changes }]
    }),
  )
  const part = knownFlow ?? (key === ELEMENT ? anyPart(flow) : (flow.items ?? NOTHING))
  return isEmpty(own) ? part : isEmpty(part) && !part.head ? own : join(part, own)
}

function anyPart({ items, fields }: Flow): Flow {
  let joined = items ?? NOTHING
  if (items === null) for (const field of fields?.values() ?? []) joined = isEmpty(joined) ? field : join(joined, field)
  return joined
}

/** Returns what a loop over the value yields. A hash with literal keys yields pairs of key and value. */
export function elementOf(flow: Flow): Flow {
  if (flow.fields === null || flow.items !== null || flow.taints.length > 0) return partOf(flow, ELEMENT)
  return recordFlow(
    new Map([
      ['0', AUTHORED],
      ['1', anyPart(flow)],
    ]),
  )
}

/** Returns the value with `value` written at `path`. A null in the path is a computed key. */
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

// ---- substitution of parameters ---------------------------------------------------------------------------------------

/** Returns the flow that replaces a parameter or a value stored in the request; null if it is not replaced. */
export type Resolver = (origin: Exclude<Origin, { kind: 'source' }>) => Flow | null

/**
 * Returns the value with its parameters replaced. `resolve` must return the same result on every call, because parts of the value are
 * replaced when they are first read.
 */
export function substitute(flow: Flow, resolve: Resolver): Flow {
  const hasParts = flow.fields !== null || flow.items !== null || flow.data !== null
  if (!hasParts && flow.taints.length === 0) return flow
  let taints: readonly Taint[] = []
  const wholes: Flow[] = []
  for (const taint of flow.taints) {
    const { origin, changes } = taint
    const value = origin.kind === 'source' ? null : resolve(origin)
    if (value === null) taints = joinTaints(taints, [taint])
    else if (changes.length > 0) taints = joinTaints(taints, replayChanges(value, changes))
    else wholes.push(value)
  }
  const own = hasParts
    ? withLazyParts(flow, taints, resolve)
    : taints.length > 0 || flow.head
      ? taintedFlow(taints, flow.head)
      : NOTHING
  return wholes.reduce((one, value) => (one === NOTHING || isEmpty(one) ? value : join(one, value)), own)
}

/**
 * Returns a value with these taints and the parts of another value. Each part is created when it is first read, because most parts of a
 * function's result are never read.
 */
function withLazyParts(flow: Flow, taints: readonly Taint[], resolve: Resolver): Flow {
  let fields: Flow['fields'] | undefined
  let items: Flow | null | undefined
  let data: Flow | null | undefined
  return {
    taints,
    get fields() {
      if (fields === undefined) {
        const made = new Map<string, Flow>()
        for (const [key, each] of flow.fields ?? []) made.set(key, substitute(each, resolve))
        fields = flow.fields === null ? null : made
      }
      return fields
    },
    get items() {
      if (items === undefined) items = flow.items === null ? null : substitute(flow.items, resolve)
      return items
    },
    get data() {
      if (data === undefined) data = flow.data === null ? null : substitute(flow.data, resolve)
      return data
    },
    head: flow.head,
    proof: null,
  }
}

export function substituteTaints(taints: readonly Taint[], resolve: Resolver): readonly Taint[] {
  if (taints.every(({ origin }) => origin.kind === 'source')) return taints
  let first: readonly Taint[] | null = null
  const all = new Map<string, Taint>()
  for (const taint of taints) {
    const { origin, changes } = taint
    const value = origin.kind === 'source' ? null : resolve(origin)
    const own = value === null ? [taint] : replayChanges(value, changes)
    if (own.length === 0 || all.size >= MAX_TAINTS) continue
    if (first === null) {
      first = own
      continue
    }
    if (all.size === 0) for (const each of first) all.set(taintKey(each), each)
    for (const each of own) if (all.size < MAX_TAINTS && !all.has(taintKey(each))) all.set(taintKey(each), each)
  }
  return all.size === 0 ? (first ?? NO_TAINTS) : [...all.values()]
}

const NO_TAINTS: readonly Taint[] = []

function replayChanges(value: Flow, changes: readonly Change[]): readonly Taint[] {
  return changes.reduce(changeTaints, textTaints(value))
}

/** Returns the part at a path. */
export function partAt(flow: Flow, path: readonly string[]): Flow {
  return path.reduce(partOf, flow)
}
