/**
 * How a function uses its variables, found out by writing it once: where each is set first, what it is given, whether it is read as a
 * whole or by its fields. The function is then written again with what that tells.
 */
import { joinValues, PLAIN_VALUE, TEXT_VALUE, UNKNOWN_VALUE, type ValueType, widened } from '../../model/value-type.ts'

/** Numbers of the blocks around a place, outermost first. */
export type Blocks = readonly number[]

export interface VariableUse {
  /** What it is given, wherever it is set; null where nothing sets it. */
  readonly type: ValueType | null
  /** It is set before it is read, and nothing behind the end of the block in which that happens uses it. */
  readonly begins: boolean
  /** Nothing sets it again. */
  readonly once: boolean
  /** Reads of one of its fields, and all others. */
  readonly fieldReads: number
  readonly wholeReads: number
}

interface Recorded {
  readonly startsSet: boolean
  readonly block: Blocks
  inside: boolean
  readonly sets: ValueType[]
  fieldReads: number
  wholeReads: number
}

export class VariableUses {
  readonly #recorded: Map<string, Recorded>
  /** What a variable has before the function sets it, for those of which that is known. */
  readonly #before: Map<string, ValueType>
  #types: ReadonlyMap<string, ValueType> | null = null

  constructor(recorded = new Map<string, Recorded>(), before = new Map<string, ValueType>()) {
    this.#recorded = recorded
    this.#before = before
  }

  /** The same uses where callers hand over values of these types. */
  where(parameters: ReadonlyMap<string, ValueType>): VariableUses {
    return new VariableUses(this.#recorded, new Map([...this.#before, ...parameters]))
  }

  /** A variable is given a value of the type. */
  set(name: string, type: ValueType, blocks: Blocks): void {
    this.#at(name, blocks, true).sets.push(widened(type))
  }

  /** A variable is read: `fields` where only one of its fields is. */
  read(name: string, blocks: Blocks, fields: boolean): void {
    const known = this.#at(name, blocks, false)
    if (fields) known.fieldReads++
    else known.wholeReads++
  }

  /** A variable may be read before the function sets it, and then is of the type. */
  startsAs(name: string, type: ValueType): void {
    this.#before.set(name, type)
  }

  #at(name: string, blocks: Blocks, startsSet: boolean): Recorded {
    let known = this.#recorded.get(name)
    if (known === undefined) {
      known = { startsSet, block: blocks, inside: true, sets: [], fieldReads: 0, wholeReads: 0 }
      this.#recorded.set(name, known)
    } else if (known.inside) known.inside = known.block.every((block, depth) => blocks[depth] === block)
    return known
  }

  of(name: string): VariableUse | undefined {
    const known = this.#recorded.get(name)
    if (known === undefined) return undefined
    const { startsSet, inside, sets, fieldReads, wholeReads } = known
    this.#types ??= this.#resolved()
    const type = this.#types.get(name) ?? (sets.length === 0 ? null : UNKNOWN_VALUE)
    return { type, begins: startsSet && inside, once: sets.length === 1, fieldReads, wholeReads }
  }

  /** The types of all that is set: those that depend on each other grow from nothing until they stay as they are. */
  #resolved(): ReadonlyMap<string, ValueType> {
    const types = new Map<string, ValueType>()
    const read = (name: string): ValueType | undefined => {
      const recorded = this.#recorded.get(name)
      const begins = recorded?.startsSet === true && recorded.inside
      const before = begins ? undefined : (this.#before.get(name) ?? UNKNOWN_VALUE)
      const given = types.get(name)
      return before === undefined || given === undefined ? (before ?? given) : joinValues(before, given)
    }
    for (let isStable = false; !isStable; ) {
      isStable = true
      for (const [name, { sets }] of this.#recorded) {
        for (const set of sets) {
          const type = resolve(set, read)
          if (type === undefined) continue
          const known = types.get(name)
          const next = known === undefined ? type : joinValues(known, type)
          if (known !== undefined && isSame(known, next)) continue
          types.set(name, next)
          isStable = false
        }
      }
    }
    return types
  }
}

/** The type where that of each variable is known; undefined while nothing is known of a variable. */
function resolve(type: ValueType, read: (name: string) => ValueType | undefined): ValueType | undefined {
  if (type.kind === 'variable') return read(type.name)
  if (type.kind !== 'text' || type.through === undefined) return type
  return type.through.every((name) => isPlain(read(name))) ? PLAIN_VALUE : TEXT_VALUE
}

/** Whether what is printed of the value holds no markup. */
function isPlain(type: ValueType | undefined): boolean {
  if (type === undefined) return true
  if (type.kind === 'text') return !type.markup
  return type.kind === 'count' || type.kind === 'integer' || type.kind === 'number' || type.kind === 'boolean'
}

function isSame(a: ValueType, b: ValueType): boolean {
  if (a.kind === 'optional' && b.kind === 'optional') return isSame(a.of, b.of)
  return a.kind === b.kind && (a.kind !== 'text' || b.kind !== 'text' || a.markup === b.markup)
}

/** What a function does with its own variables where it is written for the first time. */
export const NO_USES = new VariableUses()
