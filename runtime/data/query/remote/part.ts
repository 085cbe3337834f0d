/**
 * The parts of a result that other sites know. They are asked for after all statements of the operation have run and all its transactions
 * are committed, so that no connection of the database waits for another site.
 */
import { isContainer } from '../account-host.ts'
import type { EffectHost, RemoteRequest } from '../effects.ts'
import type { GraphqlError } from '../host.ts'
import { type Problem, QueryError, type Selected, valueError } from '../model.ts'
import { type MissingValueError, type Path, project } from '../project.ts'
import { isObject } from '../../values/json-data.ts'
import { positionsById } from './match.ts'
import { type ReadOptions, readRemoteField } from './read-field.ts'

/** The address of a page of another site, and the token that it asks for. */
type Endpoint = Pick<RemoteRequest, 'url' | 'token'>

/** Returns the endpoint in the arguments of a field. */
export function endpointOf(args: Readonly<Record<string, unknown>>): Endpoint {
  const endpoint = isObject(args['endpoint']) ? args['endpoint'] : {}
  const token = endpoint['token'] ?? null
  return { url: String(endpoint['url'] ?? ''), token: token === null ? null : String(token) }
}

/** The objects of another site that belong to a row. Its fields are private, so that readers of the result find nothing in it. */
export class RemotePart {
  readonly #call: Selected
  readonly #endpoint: Endpoint
  readonly #join: string
  readonly #ids: readonly string[]

  constructor(call: Selected, endpoint: Endpoint, join: string, ids: readonly string[]) {
    this.#call = call
    this.#endpoint = endpoint
    this.#join = join
    this.#ids = ids
  }

  get call(): Selected {
    return this.#call
  }

  get endpoint(): Endpoint {
    return this.#endpoint
  }

  /** The values that are sent for the row. */
  get ids(): readonly string[] {
    return this.#ids
  }

  /**
   * Parts with equal keys are asked for with one request. The property is part of the key: the answers to the values of two properties may be
   * identified by two different names (`match.ts`), so they cannot be told apart in one answer.
   */
  get key(): string {
    return JSON.stringify([this.#endpoint.url, this.#endpoint.token, this.#join])
  }
}

/** The execution whose result is completed. */
export interface RemoteContext extends ReadOptions {
  /** Null when other sites cannot be asked here. */
  readonly effects: EffectHost | null
  /** Returns the seconds that are left for the operation. */
  readonly secondsLeft: () => number
  readonly toError: (problem: Problem, path: Path) => GraphqlError
  readonly toMissingError: (fault: MissingValueError) => GraphqlError
}

/** A place in the result, as a list from the inside to the outside. */
interface Place {
  readonly outer: Place | null
  readonly key: string | number
}

/** A part, and the object or list that contains it. */
interface Slot {
  readonly part: RemotePart
  readonly owner: Record<string | number, unknown>
  readonly place: Place
}

/** The maximum number of different endpoints and joins of an operation. */
const MAX_REQUESTS = 10
/**
 * The maximum number of objects that all rows together get, and the maximum length of copies as JSON. Rows may share objects, so they can get
 * more than was received.
 */
const MAX_OBJECTS = 100_000
const MAX_COPIED = 50_000_000

/**
 * Replaces all remote parts of a result in place. A part that the other site does not answer becomes null.
 * @returns the errors of the parts
 */
export async function resolveRemoteParts(data: unknown, context: RemoteContext): Promise<readonly GraphqlError[]> {
  const groups = groupSlots(slotsIn(data))
  const errors = new ErrorList(context)
  const answer = async (slots: readonly Slot[]): Promise<void> => {
    try {
      const found = await fetchObjects(slots, context, groups.size)
      for (const { part, owner, place } of slots) {
        const own = found.ofIds(part.ids)
        const path = pathOf(place)
        const read: Parameters<typeof project>[3] = (object, field) => readRemoteField(object, field, context)
        owner[place.key] = await project(own, part.call, (fault) => errors.addMissing(fault), read, path)
      }
    } catch (error) {
      if (!(error instanceof QueryError)) throw error
      for (const { part, owner, place } of slots) {
        owner[place.key] = null
        errors.add(error, part.call, pathOf(place))
      }
    }
  }
  // Different sites answer at the same time.
  await Promise.all([...groups.values()].map(answer))
  return errors.list
}

type Fields = Readonly<Record<string, unknown>>

/** The objects of an answer. */
class FoundObjects {
  readonly #objects: readonly Fields[]
  readonly #positions: ReadonlyMap<string, readonly number[]>
  /** The lengths of objects that were given to a row, as JSON; zero until they are copied. */
  readonly #lengths = new Map<number, number>()
  #given = 0
  #copied = 0

  constructor(objects: readonly Fields[], asked: ReadonlySet<string>) {
    this.#objects = objects
    this.#positions = positionsById(objects, asked)
  }

  /**
   * Returns the objects of a row, in the order of the answer. Rows get separate copies, because templates can change values in place.
   * @throws QueryError when the rows get too much
   */
  ofIds(ids: readonly string[]): readonly unknown[] {
    const positions = new Set(ids.flatMap((id) => this.#positions.get(id) ?? []))
    this.#given += positions.size
    if (this.#given > MAX_OBJECTS) throw valueError(`The rows have more than ${MAX_OBJECTS} objects of another site.`)
    return [...positions].toSorted((a, b) => a - b).map((at) => this.#give(at))
  }

  #give(at: number): unknown {
    const object = this.#objects[at]
    const known = this.#lengths.get(at)
    if (known === undefined) {
      this.#lengths.set(at, 0)
      return object
    }
    const length = known === 0 ? JSON.stringify(object).length : known
    this.#lengths.set(at, length)
    this.#copied += length
    if (this.#copied > MAX_COPIED) throw valueError('The rows share too many large objects of another site.')
    return structuredClone(object)
  }
}

/** Asks for the objects of all slots of a group at once. Without ids, nothing is asked. */
async function fetchObjects(
  slots: readonly Slot[],
  { effects, secondsLeft }: RemoteContext,
  requests: number,
): Promise<FoundObjects> {
  const ids = [...new Set(slots.flatMap(({ part }) => part.ids))]
  const endpoint = slots[0]?.part.endpoint
  if (ids.length === 0 || endpoint === undefined) return new FoundObjects([], new Set())
  if (requests > MAX_REQUESTS)
    throw valueError(`An operation can ask at most ${MAX_REQUESTS} other sites, and this one asks ${requests}.`)
  const { objects } = await askSite(effects, { ...endpoint, wanted: { ids }, seconds: secondsLeft() })
  return new FoundObjects(objects, new Set(ids))
}

/** @throws QueryError */
export function askSite(effects: EffectHost | null, request: RemoteRequest): ReturnType<EffectHost['askSite']> {
  if (effects === null) throw valueError('Other sites cannot be asked here.')
  if (request.seconds <= 0) throw valueError('The operation exceeded its timeout.')
  return effects.askSite(request)
}

/** The errors of the parts. A mistake that all rows have is one error, with the place of the first row. */
class ErrorList {
  readonly list: GraphqlError[] = []
  readonly #context: RemoteContext
  readonly #seen = new Set<string>()

  constructor(context: RemoteContext) {
    this.#context = context
  }

  add({ problems }: QueryError, { range, responseKey }: Selected, path: Path): void {
    for (const problem of problems)
      if (this.#isNew(`${problem.message} ${responseKey} ${range.start}`))
        this.list.push(this.#context.toError({ ...problem, range }, path))
  }

  addMissing(fault: MissingValueError): void {
    if (this.#isNew(`${fault.message} ${fault.range.start}`)) this.list.push(this.#context.toMissingError(fault))
  }

  #isNew(key: string): boolean {
    return !this.#seen.has(key) && this.#seen.add(key) !== undefined
  }
}

/** Finds the parts of a result. */
function slotsIn(data: unknown): readonly Slot[] {
  const slots: Slot[] = []
  // A queue instead of recursion, because property values may be nested deeper than the call stack allows. It also keeps the order of rows.
  const queue: { readonly owner: unknown; readonly place: Place | null }[] = [{ owner: data, place: null }]
  for (const { owner, place: outer } of queue) {
    if (!isContainer(owner)) continue
    const isList = Array.isArray(owner)
    for (const key of Object.keys(owner)) {
      const value = owner[key]
      const place = { outer, key: isList ? Number(key) : key }
      if (value instanceof RemotePart) slots.push({ part: value, owner, place })
      else if (isContainer(value)) queue.push({ owner: value, place })
    }
  }
  return slots
}

function groupSlots(slots: readonly Slot[]): ReadonlyMap<string, readonly Slot[]> {
  const groups = new Map<string, Slot[]>()
  for (const slot of slots) {
    const same = groups.get(slot.part.key)
    if (same === undefined) groups.set(slot.part.key, [slot])
    else same.push(slot)
  }
  return groups
}

function pathOf(place: Place): Path {
  const path: (string | number)[] = []
  for (let at: Place | null = place; at !== null; at = at.outer) path.unshift(at.key)
  return path
}
