/** Run-time support for loops: the items, the `forloop` object, and state shared by a render. */
import { iterate } from './values/items.ts'
import { num, toInteger, toNumber } from './values/number.ts'
import { PASSING_MARK } from './values/passing.ts'
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

  /** Prints the counter, then increments it. `start` is its first value when the render's data defines one. */
  increment(name: string, start: unknown): string {
    const value = this.#counters.get(name) ?? starting(start) ?? 0
    this.#counters.set(name, value + 1)
    return String(value)
  }

  /** Decrements the counter, then prints it. */
  decrement(name: string, start: unknown): string {
    const value = (this.#counters.get(name) ?? starting(start) ?? 0) - 1
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

function starting(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) ? value : null
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
 * The items of a loop: offset first, then limit, then reversed. `loop` names the loop for `offset: continue`.
 * @throws ArgumentFault `invalid integer`
 */
export function segment(
  items: readonly unknown[],
  offset: unknown,
  limit: unknown,
  reversed: boolean,
  registers: Registers | null,
  loop: string | null,
): readonly unknown[] {
  const from =
    offset === 'continue' && registers !== null && loop !== null
      ? registers.position(loop)
      : Math.max(0, whole(offset) ?? 0)
  const count = whole(limit)
  const selected = items.slice(from, count === null ? undefined : Math.max(from, from + count))
  if (registers !== null && loop !== null) registers.stopAt(loop, from + selected.length)
  return reversed ? selected.reverse() : selected
}

function whole(value: unknown): number | null {
  return value === null || value === undefined ? null : toInteger(value)
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

/** The items and columns of a `tablerow`. `cols` is undefined when it is not given. */
export function tableRows(list: unknown, offset: unknown, limit: unknown, cols: unknown): TableRows {
  if (list === null || list === undefined || list === false) return NO_TABLE
  const from = offset === null || offset === undefined ? 0 : Math.max(0, lenient(offset))
  const count = limit === null || limit === undefined ? undefined : Math.max(0, lenient(limit))
  const items = iterate(list).slice(from, count === undefined ? undefined : from + count)
  const columns = cols === undefined || cols === null ? items.length : lenient(cols)
  return { shown: true, items, columns: columns > 0 ? columns : Math.max(1, items.length) }
}

/** `tablerow` converts texts where `for` refuses them. */
function lenient(value: unknown): number {
  return Math.trunc(toNumber(num(value)))
}

/** The items of `render … for`: the items of a list, or else the value itself. */
export function renderItems(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null && '$first' in value) return iterate(value)
  return [value]
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
