/** The state at a place of a template: its variables, what conditions prove, and the place in HTML. */
import type { Change } from './changes.ts'
import { changeFlow, changeTaints, type Flow, originFlow, join, joinTaints, taintedFlow, type Taint } from './flow.ts'
import type { Place } from './places.ts'
import { getOrMake } from '../../../../core/source/maps.ts'

export interface Snapshot {
  readonly variables: ReadonlyMap<string, Flow>
  readonly proofs: ReadonlyMap<string, Change>
  readonly place: Place
}

interface MutableTables {
  readonly variables: Map<string, Flow>
  readonly proofs: Map<string, Change>
}

/** A piece of captured text: literal text, or the taints of a printed value. */
export type CapturedPiece = string | readonly Taint[]

export class State {
  readonly #parameters: Map<string, Flow>
  #variables: ReadonlyMap<string, Flow> = new Map()
  /** The proven changes, by the dotted path of a variable or its part. */
  #proofs: ReadonlyMap<string, Change> = new Map()
  /**
   * Both tables as mutable maps. Null while a snapshot shares them. They are copied only before the first change, because most paths
   * through a template change nothing.
   */
  #mutableTables: MutableTables | null = null
  place: Place

  /** @param parameters Variables that no template sets, as parameters. Templates share them, because their parts are cached. */
  constructor(place: Place, parameters: Map<string, Flow>) {
    this.place = place
    this.#parameters = parameters
  }

  variable(name: string): Flow {
    return this.#variables.get(name) ?? this.parameter(name)
  }

  /** Returns a variable as a parameter: the same object for the same name, so that its cached parts are reused. */
  parameter(name: string): Flow {
    return getOrMake(this.#parameters, name, () => originFlow('parameter', name))
  }

  isSet(name: string): boolean {
    return this.#variables.has(name)
  }

  set(name: string, flow: Flow): void {
    const { variables, proofs } = this.#ownTables()
    variables.set(name, flow)
    for (const place of proofs.keys()) if (place === name || place.startsWith(`${name}.`)) proofs.delete(place)
  }

  /** Returns both tables as maps that may be changed. */
  #ownTables(): MutableTables {
    if (this.#mutableTables === null) {
      this.#mutableTables = { variables: new Map(this.#variables), proofs: new Map(this.#proofs) }
      this.#variables = this.#mutableTables.variables
      this.#proofs = this.#mutableTables.proofs
    }
    return this.#mutableTables
  }

  get variables(): ReadonlyMap<string, Flow> {
    return this.#variables
  }

  /** Restores the earlier value of a variable; undefined unsets it. */
  restore(name: string, flow: Flow | undefined): void {
    const { variables } = this.#ownTables()
    if (flow === undefined) variables.delete(name)
    else variables.set(name, flow)
  }

  /** Applies a proof: a whole variable is replaced by the changed value, and a part is noted. */
  prove(place: string, change: Change): void {
    if (place.includes('.')) this.#ownTables().proofs.set(place, change)
    else this.#ownTables().variables.set(place, changeFlow(this.variable(place), change))
  }

  /** Whether a change of any path is proven. */
  get hasProofs(): boolean {
    return this.#proofs.size > 0
  }

  /** Returns the change that is proven for a path or for a value that contains it; null if there is none. */
  provenChange(place: string): Change | null {
    for (const [known, change] of this.#proofs) if (place === known || place.startsWith(`${known}.`)) return change
    return null
  }

  snapshot(): Snapshot {
    this.#mutableTables = null
    return { variables: this.#variables, proofs: this.#proofs, place: this.place }
  }

  /** Returns whether variables and proofs are the same as in the snapshot, except for these variables. */
  isUnchangedSince({ variables, proofs }: Snapshot, except: readonly { readonly name: string }[]): boolean {
    for (const [name, flow] of this.#variables)
      if (variables.get(name) !== flow && !except.some((each) => each.name === name)) return false
    for (const [place, change] of this.#proofs) if (proofs.get(place) !== change) return false
    return true
  }

  enter({ variables, proofs, place }: Snapshot): void {
    this.#variables = variables
    this.#proofs = proofs
    this.#mutableTables = null
    this.place = place
  }

  /** Joins the states after alternative paths. The place in HTML is the one after the first path. */
  meet([first, ...others]: readonly [Snapshot, ...Snapshot[]]): void {
    this.enter(first)
    for (const { variables, proofs } of others) {
      this.#joinVariables(variables)
      if (proofs === this.#proofs) continue
      for (const [place, change] of this.#proofs)
        if (proofs.get(place) !== change) this.#ownTables().proofs.delete(place)
    }
  }

  #joinVariables(others: Snapshot['variables']): void {
    const own = this.#variables
    if (others === own) return
    for (const [name, one] of own) this.#joinInto(name, one, others.get(name) ?? this.parameter(name))
    for (const [name, other] of others) if (!own.has(name)) this.#joinInto(name, this.parameter(name), other)
  }

  #joinInto(name: string, one: Flow, other: Flow): void {
    if (one !== other) this.#ownTables().variables.set(name, join(one, other))
  }
}

/** Captured text, in pieces. */
export class CapturedText {
  readonly pieces: CapturedPiece[] = []

  /** The captured text as a value. */
  get flow(): Flow {
    let taints: readonly Taint[] = []
    let head: boolean | null = null
    for (const piece of this.pieces) {
      if (typeof piece === 'string') {
        if (piece.trim() !== '') head ??= true
      } else {
        head ??= false
        taints = joinTaints(taints, head ? changeTaints(piece, 'scheme') : piece)
      }
    }
    return taintedFlow(taints, head === true)
  }
}
