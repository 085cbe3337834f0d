/** Run-time support for loops: the items, the `forloop` object, and state shared by a render. */
import { ArgumentFault } from './fault.ts'
import { isText } from './values/boxed.ts'
import { isHash } from './values/hash.ts'
import { iterate } from './values/items.ts'
import { isNumber, num, toInteger, toNumber } from './values/number.ts'
import { PASSING_MARK } from './values/passing.ts'
import { Range } from './values/range.ts'
import { inspect, str } from './values/text.ts'
import type { Scope } from './site.ts'

/**
 * Counters, cycles and `offset: continue` positions: shared by a file and its includes, fresh in every isolated call.
 */
export class Registers {
  readonly #counters = new Map<string, number>()
  readonly #cycles = new Map<string, number>()
  readonly #positions = new Map<string, number>()
  #printed: string | null = null

  /** Prints the counter, then increments it. */
  increment(name: string): string {
    const value = this.#counters.get(name) ?? 0
    this.#counters.set(name, value + 1)
    return String(value)
  }

  /** Decrements the counter, then prints it. */
  decrement(name: string): string {
    const value = (this.#counters.get(name) ?? 0) - 1
    this.#counters.set(name, value)
    return String(value)
  }

  /** The counter as a variable; null before its first use. */
  counter(name: string): number | null {
    return this.#counters.get(name) ?? null
  }

  /** The next value of a group; missing values print nothing. */
  cycle(group: string, values: readonly string[]): string {
    const at = this.#cycles.get(group) ?? 0
    this.#cycles.set(group, at + 1 >= values.length ? 0 : at + 1)
    return values[at] ?? ''
  }

  /** The text if it differs from the last one printed. */
  changed(text: string): string {
    if (text === this.#printed) return ''
    this.#printed = text
    return text
  }

  position(loop: string): number {
    return this.#positions.get(loop) ?? 0
  }

  stopAt(loop: string, position: number): void {
    this.#positions.set(loop, position)
  }
}

/** The registers passed by the including file. */
export function registersOf(frame: Scope): Registers {
  return frame['$registers'] instanceof Registers ? frame['$registers'] : new Registers()
}

/** The key of a cycle's group: the value of its name. */
export function groupKey(value: unknown): string {
  return `name ${inspect(value)}`
}

/**
 * The items of a loop from `offset` on, at most `limit` of them, then reversed. An item counts when its index is at least
 * the offset and below offset plus limit, so a negative offset skips none and shortens what the limit leaves. With
 * `registers`, `loop` names the place where an `offset: continue` goes on.
 * @throws ArgumentFault `invalid integer`
 */
export function segment(
  list: unknown,
  offset: unknown,
  limit: unknown,
  reversed: boolean,
  registers: Registers | null = null,
  loop = '',
): readonly unknown[] {
  const from = whole(offset) ?? 0
  const count = whole(limit)
  const selected = between(list, from, count === null ? null : from + count)
  registers?.stopAt(loop, Math.min(from + selected.length, Number.MAX_SAFE_INTEGER))
  return reversed ? selected.toReversed() : selected
}

function whole(value: unknown): number | null {
  return value === null || value === undefined ? null : toInteger(value)
}

/** The items with an index from `from` on and below `to`. A text is one item, whatever the indexes. */
function between(list: unknown, from: number, to: number | null): readonly unknown[] {
  const items = iterate(list)
  if (isText(list) || (from <= 0 && to === null)) return items
  return items.slice(Math.max(0, from), to === null ? undefined : Math.max(0, to))
}

/** The object `forloop`, when it is used as a value. */
export function forloop(at: number, length: number, name: string, parentloop: unknown): Scope {
  const loop = {
    index: at + 1,
    index0: at,
    rindex: length - at,
    rindex0: length - at - 1,
    first: at === 0,
    last: at === length - 1,
    length,
    name,
    parentloop,
  }
  return Object.defineProperties(loop, PASSING_MARK)
}

/** The rows of a `tablerow`. */
export interface TableRows {
  /** False when the list is nil or false: then not even an empty row is printed. */
  readonly shown: boolean
  readonly items: readonly unknown[]
  readonly columns: number
}

const NO_TABLE: TableRows = { shown: false, items: [], columns: 1 }

/** The arguments of a `tablerow`, those that its tag has. */
export interface TableArguments {
  readonly offset?: unknown
  readonly limit?: unknown
  readonly cols?: unknown
}

/**
 * The items and columns of a `tablerow`. An argument that is nil counts as 0. Without columns all items stand in one row,
 * and with fewer than one no cell ends it.
 * @throws ArgumentFault `invalid integer`
 */
export function tableRows(list: unknown, given: TableArguments): TableRows {
  if (list === null || list === undefined || list === false) return NO_TABLE
  const from = 'offset' in given ? converted(given.offset) : 0
  const to = 'limit' in given ? from + converted(given.limit) : null
  const items = between(list, from, to)
  if (!('cols' in given)) return { shown: true, items, columns: Math.max(1, items.length) }
  const columns = converted(given.cols)
  return { shown: true, items, columns: columns > 0 ? columns : Number.POSITIVE_INFINITY }
}

/** `tablerow` cuts floats off and converts texts, which `for` refuses. */
function converted(value: unknown): number {
  if (value === null || value === undefined) return 0
  if (!isNumber(value) && !isText(value)) throw new ArgumentFault('invalid integer')
  return Math.trunc(toNumber(num(value)))
}

/** The items of `render … for`: those of an array, a hash or a range, or else the value itself. */
export function renderItems(value: unknown): readonly unknown[] {
  return isCollection(value) ? iterate(value) : [value]
}

/** The `forloop` of a partial that is rendered for the items of a value; none where that is no collection. */
export function renderLoop(value: unknown, at: number, length: number, name: string): Scope | null {
  return isCollection(value) ? forloop(at, length, name, null) : null
}

function isCollection(value: unknown): boolean {
  return Array.isArray(value) || isHash(value) || value instanceof Range
}

/** The items of `include … with` and `… for`: the items of an array, or else the value itself. */
export function includeItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

/** The variable that base Liquid's `{{ [name] }}` refers to. */
export function variableNamed(scope: Scope, name: unknown): unknown {
  const key = str(name)
  return Object.hasOwn(scope, key) ? scope[key] : null
}
