/** What is known at a place of a template: its variables, what conditions prove, where in HTML it is, and what was printed. */
import { type Change, CHANGES } from './changes.ts'
import { changed, changedTaints, type Flow, givenFlow, join, joinTaints, tainted, type Taint } from './flow.ts'
import type { Place } from './places.ts'

export interface Snapshot {
  readonly variables: ReadonlyMap<string, Flow>
  readonly proven: ReadonlyMap<string, Change>
  readonly place: Place
}

interface ChangeableTables {
  readonly variables: Map<string, Flow>
  readonly proven: Map<string, Change>
}

/** What is printed into a text that is kept, in its order. */
export type Piece = string | readonly Taint[]

export class State {
  /** Variables that nobody has set here, as they are given. */
  readonly #given = new Map<string, Flow>()
  #variables: ReadonlyMap<string, Flow> = new Map()
  /** By the place in a variable. */
  #proven: ReadonlyMap<string, Change> = new Map()
  /**
   * Both tables as maps that may be changed. Null while a snapshot shares them: they are copied before the first change, since most ways
   * through a template change nothing.
   */
  #changeable: ChangeableTables | null = null
  place: Place
  /** Nothing more runs here. */
  dead = false

  constructor(place: Place) {
    this.place = place
  }

  variable(name: string): Flow {
    return this.#variables.get(name) ?? this.givenAs(name)
  }

  /** A variable as it is given: one value for one name, so that parts of it are found again. */
  givenAs(name: string): Flow {
    let flow = this.#given.get(name)
    if (flow === undefined) {
      flow = givenFlow('parameter', name)
      this.#given.set(name, flow)
    }
    return flow
  }

  isSet(name: string): boolean {
    return this.#variables.has(name)
  }

  set(name: string, flow: Flow): void {
    const { variables, proven } = this.#own()
    variables.set(name, flow)
    for (const place of proven.keys()) if (place === name || place.startsWith(`${name}.`)) proven.delete(place)
  }

  /** Both tables, to be changed. */
  #own(): ChangeableTables {
    if (this.#changeable === null) {
      this.#changeable = { variables: new Map(this.#variables), proven: new Map(this.#proven) }
      this.#variables = this.#changeable.variables
      this.#proven = this.#changeable.proven
    }
    return this.#changeable
  }

  get variables(): ReadonlyMap<string, Flow> {
    return this.#variables
  }

  /** Takes the variable away again. */
  restore(name: string, flow: Flow | undefined): void {
    const { variables } = this.#own()
    if (flow === undefined) variables.delete(name)
    else variables.set(name, flow)
  }

  /** Takes over what is known of a place: a whole variable is from now on what is left of it. */
  prove(place: string, change: Change): void {
    if (place.includes('.')) this.#own().proven.set(place, change)
    else this.#own().variables.set(place, changed(this.variable(place), change))
  }

  /** What is proven of a place, or of what it is a part of. */
  provenOf(place: string): Change | null {
    if (this.#proven.size === 0) return null
    for (const [known, change] of this.#proven) if (place === known || place.startsWith(`${known}.`)) return change
    return null
  }

  snapshot(): Snapshot {
    this.#changeable = null
    return { variables: this.#variables, proven: this.#proven, place: this.place }
  }

  /** Whether all is as it was, but for these variables. */
  isAs({ variables, proven }: Snapshot, except: readonly { readonly name: string }[]): boolean {
    for (const [name, flow] of this.#variables)
      if (variables.get(name) !== flow && !except.some((each) => each.name === name)) return false
    for (const [place, change] of this.#proven) if (proven.get(place) !== change) return false
    return true
  }

  enter({ variables, proven, place }: Snapshot): void {
    this.#variables = variables
    this.#proven = proven
    this.#changeable = null
    this.place = place
    this.dead = false
  }

  /** Goes on behind ways of which one was taken; with none of them nothing goes on. */
  meet(ways: readonly Snapshot[]): void {
    const [first, ...others] = ways
    if (first === undefined) {
      this.dead = true
      return
    }
    this.enter(first)
    for (const { variables, proven } of others) {
      this.#joinVariables(variables)
      if (proven === this.#proven) continue
      for (const [place, change] of this.#proven) if (proven.get(place) !== change) this.#own().proven.delete(place)
    }
  }

  #joinVariables(others: Snapshot['variables']): void {
    const own = this.#variables
    if (others === own) return
    for (const [name, one] of own) this.#joinInto(name, one, others.get(name) ?? this.givenAs(name))
    for (const [name, other] of others) if (!own.has(name)) this.#joinInto(name, this.givenAs(name), other)
  }

  #joinInto(name: string, one: Flow, other: Flow): void {
    if (one !== other) this.#own().variables.set(name, join(one, other))
  }
}

/** A text that is kept: what was printed into it. */
export class Kept {
  readonly pieces: Piece[] = []

  /** The text as a value. */
  get flow(): Flow {
    let taints: readonly Taint[] = []
    let head: boolean | null = null
    for (const piece of this.pieces) {
      if (typeof piece === 'string') {
        if (piece.trim() !== '') head ??= true
      } else {
        head ??= false
        taints = joinTaints(taints, head ? changedTaints(piece, CHANGES.scheme) : piece)
      }
    }
    return tainted(taints, head === true)
  }
}
