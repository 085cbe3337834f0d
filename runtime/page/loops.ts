/** Run-time support for loops: the items, the `forloop` object, and state shared by a render. */
import { ArgumentFault } from './fault.ts'
import { isText } from './values/boxed.ts'
import { isHash } from './values/hash.ts'
import { iterate } from './values/items.ts'
import { isNumber, toNumeral, toInteger, toNumber } from './values/number.ts'
import { RENDER_ONLY_MARK } from './values/render-only.ts'
import { Range } from './values/range.ts'
import { type Self, createSelf } from './values/self.ts'
import { inspect } from './values/text.ts'
import type { Render } from './render.ts'
import type { Scope } from './site.ts'

/** Counters, cycles and positions for `offset: continue`. A file and its includes share them. Every isolated call has new ones. */
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

  /** Returns the counter as a variable; null before its first use. */
  counter(name: string): number | null {
    return this.#counters.get(name) ?? null
  }

  /** Returns the next value of a group. Missing values print nothing. */
  cycle(group: string, values: readonly string[]): string {
    const at = this.#cycles.get(group) ?? 0
    this.#cycles.set(group, at + 1 >= values.length ? 0 : at + 1)
    return values[at] ?? ''
  }

  /** Returns the text if it differs from the last printed text, otherwise the empty text. */
  changed(text: string): string {
    if (text === this.#printed) return ''
    this.#printed = text
    return text
  }

  /**
   * Creates the view of a function's variables that `self` reads. Reading a key of `names` gives the value of the variable, or undefined
   * when it is not set. `carrier` holds the arguments of the caller. `host` holds the values that the host passes to every template.
   */
  view(r: Render, names: Scope, carrier: Scope, host: Scope | null = null): View {
    const view = new View(this, r.data, this.#view, [names, carrier === r.data ? null : carrier], host)
    this.#view = view
    return view
  }

  /** Makes `self` read the function's variables again after an included partial has run. */
  show(view: View): void {
    this.#view = view
  }

  /** Returns the `self` that a file and its includes share. It reads the variables of the file that currently runs. */
  get self(): Self {
    this.#self ??= createSelf((name) => this.#view?.read(name))
    return this.#self
  }

  position(loop: string): number {
    return this.#positions.get(loop) ?? 0
  }

  stopAt(loop: string, position: number): void {
    this.#positions.set(loop, position)
  }
}

/** The variables of one function, as `self` reads them. */
export class View {
  readonly #registers: Registers
  readonly #data: Scope
  /** The view of the function that includes this one. */
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

  /** Returns the `self` of the file and its includes. */
  get self(): Self {
    return this.#registers.self
  }

  /** Returns the value of a variable, or otherwise of a counter, or otherwise of a key in the data of the render or of the host. */
  read(name: string): unknown {
    // Names that begin with `$` belong to the state of the render. Only the variable `__proto__` is stored under such a name.
    const set = name.startsWith('$') ? undefined : this.#findOwn(name === '__proto__' ? '$__proto__' : name)
    return set === undefined ? (this.#registers.counter(name) ?? this.#findShared(name)) : set
  }

  #findOwn(key: string): unknown {
    for (const scope of this.#own) {
      const value = scope !== null && Object.hasOwn(scope, key) ? scope[key] : undefined
      if (value !== undefined) return value
    }
    return this.#outer === null ? undefined : this.#outer.#findOwn(key)
  }

  #findShared(name: string): unknown {
    for (const scope of [this.#data, this.#host])
      if (scope !== null && Object.hasOwn(scope, name) && scope[name] !== undefined) return scope[name]
    return undefined
  }
}

/** Returns the registers that the including file passed, or new ones. */
export function registersOf(frame: Scope): Registers {
  return frame['$registers'] instanceof Registers ? frame['$registers'] : new Registers()
}

/** Returns the key of a named cycle's group, which is derived from the value of the name. */
export function groupKey(value: unknown): string {
  return `name ${inspect(value)}`
}

/**
 * Returns the items of a loop from `offset` on, at most `limit` of them, then reversed. The indexes of the items are at least the offset,
 * and below the sum of offset and limit. A negative offset therefore skips no items, but reduces the limit. With `registers`, `loop` is the
 * key of the position for `offset: continue`.
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
  const from = optionalInteger(offset) ?? 0
  const count = optionalInteger(limit)
  const selected = sliceItems(list, from, count === null ? null : from + count)
  registers?.stopAt(loop, Math.min(from + selected.length, Number.MAX_SAFE_INTEGER))
  return reversed ? selected.toReversed() : selected
}

function optionalInteger(value: unknown): number | null {
  return value === null || value === undefined ? null : toInteger(value)
}

/**
 * Returns the items with an index of at least `from` and below `to`. A text is one item, regardless of the indexes.
 */
function sliceItems(list: unknown, from: number, to: number | null): readonly unknown[] {
  const items = iterate(list)
  if (isText(list) || (from <= 0 && to === null)) return items
  return items.slice(Math.max(0, from), to === null ? undefined : Math.max(0, to))
}

/**
 * Creates the object `forloop` for a loop that uses it as a value. The loop updates the same object, so stored
 * copies change too.
 */
export function forloop(length: number, name: string, parentloop: unknown): Scope {
  const loop = { index: 0, index0: 0, rindex: 0, rindex0: 0, first: false, last: false, length, name, parentloop }
  return turnLoop(Object.defineProperties(loop, RENDER_ONLY_MARK), 0)
}

/**
 * Moves the object of a loop to the iteration `at`, counted from 0. After the loop, it describes the iteration that
 * would follow.
 */
export function turnLoop(loop: Scope, at: number): Scope {
  const { length: size } = loop
  const length = typeof size === 'number' ? size : 0
  return Object.assign(loop, {
    index: at + 1,
    index0: at,
    rindex: length - at,
    rindex0: length - at - 1,
    first: at === 0,
    last: at === length - 1,
  })
}

/** Moves the loop's object past its last iteration. Also called after a `break`. */
export function endLoop(loop: Scope): Scope {
  return turnLoop(loop, Number(loop['index']))
}

/** The rows of a `tablerow`. */
export interface TableRows {
  /** False when the list is nil or false. Then not even an empty row is printed. */
  readonly isPrinted: boolean
  readonly items: readonly unknown[]
  readonly columns: number
}

const NO_TABLE: TableRows = { isPrinted: false, items: [], columns: 1 }

/** The arguments of a `tablerow`, as its tag sets them. */
export interface TableArguments {
  readonly offset?: unknown
  readonly limit?: unknown
  readonly cols?: unknown
}

/**
 * Returns the items and columns of a `tablerow`. A nil argument counts as 0. Without `cols`, all items are in one
 * row. With `cols` below 1, rows never end.
 * @throws ArgumentFault `invalid integer`
 */
export function tableRows(list: unknown, tableArguments: TableArguments): TableRows {
  if (list === null || list === undefined || list === false) return NO_TABLE
  const from = 'offset' in tableArguments ? toWholeNumber(tableArguments.offset) : 0
  const to = 'limit' in tableArguments ? from + toWholeNumber(tableArguments.limit) : null
  const items = sliceItems(list, from, to)
  if (!('cols' in tableArguments)) return { isPrinted: true, items, columns: Math.max(1, items.length) }
  const columns = toWholeNumber(tableArguments.cols)
  return { isPrinted: true, items, columns: columns > 0 ? columns : Number.POSITIVE_INFINITY }
}

/** Converts an argument of `tablerow`. Floats are truncated and texts are converted, whereas `for` rejects both. */
function toWholeNumber(value: unknown): number {
  if (value === null || value === undefined) return 0
  if (!isNumber(value) && !isText(value)) throw new ArgumentFault('invalid integer')
  return Math.trunc(toNumber(toNumeral(value)))
}

/** Returns the items of `render … for`: the items of an array, hash or range, or otherwise the value itself. */
export function renderItems(value: unknown): readonly unknown[] {
  return isCollection(value) ? iterate(value) : [value]
}

/**
 * Returns the `forloop` of a partial that is rendered for each item of a value; null when the value is not a
 * collection.
 */
export function renderLoop(value: unknown, at: number, length: number, name: string): Scope | null {
  return isCollection(value) ? turnLoop(forloop(length, name, null), at) : null
}

function isCollection(value: unknown): boolean {
  return Array.isArray(value) || isHash(value) || value instanceof Range
}

/** Returns the items of `include … with` and `include … for`: the items of an array, or otherwise the value itself. */
export function includeItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}
