/** Run-time support for loops: the items, the `forloop` object, and state shared by a render. */
import { ArgumentFault } from './fault.ts'
import { isText } from './values/boxed.ts'
import { isHash } from './values/hash.ts'
import { iterate } from './values/items.ts'
import { isNumber, num, toInteger, toNumber } from './values/number.ts'
import { PASSING_MARK } from './values/passing.ts'
import { Range } from './values/range.ts'
import { type Self, selfOf } from './values/self.ts'
import { inspect } from './values/text.ts'
import type { Render } from './render.ts'
import type { Scope } from './site.ts'

/**
 * Counters, cycles and `offset: continue` positions: shared by a file and its includes, fresh in every isolated call.
 */
export class Registers {
  readonly #counters = new Map<string, number>()
  readonly #cycles = new Map<string, number>()
  readonly #positions = new Map<string, number>()
  #printed: string | null = null
  #view: View | null = null
  #self: Self | null = null

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

  /**
   * The variables that a function shows as `self`. `names` reads them where they are kept, undefined being none; `carrier` holds what the
   * caller handed in, and `host` what the host gives to every template.
   */
  view(r: Render, names: Scope, carrier: Scope, host: Scope | null = null): View {
    const view = new View(this, r.data, this.#view, [names, carrier === r.data ? null : carrier], host)
    this.#view = view
    return view
  }

  /** The function's variables are those that `self` means again, behind a partial that it included. */
  show(view: View): void {
    this.#view = view
  }

  /** The one `self` of a file and its includes: it means the variables of whichever of them runs. */
  get self(): Self {
    this.#self ??= selfOf((name) => this.#view?.read(name))
    return this.#self
  }

  position(loop: string): number {
    return this.#positions.get(loop) ?? 0
  }

  stopAt(loop: string, position: number): void {
    this.#positions.set(loop, position)
  }
}

/** What one function shows as `self`. */
export class View {
  readonly #registers: Registers
  readonly #data: Scope
  /** What the including function shows. */
  readonly #outer: View | null
  readonly #own: readonly (Scope | null)[]
  readonly #host: Scope | null

  constructor(
    registers: Registers,
    data: Scope,
    outer: View | null,
    own: readonly (Scope | null)[],
    host: Scope | null,
  ) {
    this.#registers = registers
    this.#data = data
    this.#outer = outer
    this.#own = own
    this.#host = host
  }

  /** `self`. */
  get self(): Self {
    return this.#registers.self
  }

  /** A variable, else a counter, else what the render's data or the host have by the name. */
  read(name: string): unknown {
    // Other names that begin with `$` are those of the render's own state.
    const set = name.startsWith('$') ? undefined : this.#set(name === '__proto__' ? '$__proto__' : name)
    return set === undefined ? (this.#registers.counter(name) ?? this.#given(name)) : set
  }

  #set(key: string): unknown {
    for (const scope of this.#own) {
      const value = scope !== null && Object.hasOwn(scope, key) ? scope[key] : undefined
      if (value !== undefined) return value
    }
    return this.#outer === null ? undefined : this.#outer.#set(key)
  }

  #given(name: string): unknown {
    for (const scope of [this.#data, this.#host])
      if (scope !== null && Object.hasOwn(scope, name) && scope[name] !== undefined) return scope[name]
    return undefined
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

/** The object `forloop`, when it is used as a value: there is one for a loop, and it goes on with the loop wherever it is kept. */
export function forloop(length: number, name: string, parentloop: unknown): Scope {
  const loop = { index: 0, index0: 0, rindex: 0, rindex0: 0, first: false, last: false, length, name, parentloop }
  return turnLoop(Object.defineProperties(loop, PASSING_MARK), 0)
}

/** Sets the object of a loop to the turn `at`, which counts from 0. After a loop it gives the turn that would follow. */
export function turnLoop(loop: Scope, at: number): Scope {
  const length = loop['length'] as number
  return Object.assign(loop, {
    index: at + 1,
    index0: at,
    rindex: length - at,
    rindex0: length - at - 1,
    first: at === 0,
    last: at === length - 1,
  })
}

/** The loop's object after its last turn, also where that broke the loop off. */
export function endLoop(loop: Scope): Scope {
  return turnLoop(loop, loop['index'] as number)
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
  return isCollection(value) ? turnLoop(forloop(length, name, null), at) : null
}

function isCollection(value: unknown): boolean {
  return Array.isArray(value) || isHash(value) || value instanceof Range
}

/** The items of `include … with` and `… for`: the items of an array, or else the value itself. */
export function includeItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}
