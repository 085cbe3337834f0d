/**
 * How a function uses its variables, found out by writing it once: where each is set first, what it is given, whether it is read as a
 * whole or by its fields. The function is then written again with what that tells.
 */
import {
  joinValues,
  PLAIN_VALUE,
  TEXT_VALUE,
  UNKNOWN_VALUE,
  type ValueType,
  declaredType,
} from '../../../core/model/value-type.ts'
import { type Blocks, NameUses } from '../../../language/types/name-uses.ts'

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

/** What is known of a function's variables while it is written. */
export interface KnownUses {
  of(name: string): VariableUse | undefined
}

export class VariableUses implements KnownUses {
  readonly #uses: NameUses<ValueType>
  /** What a variable has before the function sets it, for those of which that is known. */
  readonly #before: Map<string, ValueType>
  #types: ReadonlyMap<string, ValueType> | null = null

  constructor(uses = new NameUses<ValueType>(), before = new Map<string, ValueType>()) {
    this.#uses = uses
    this.#before = before
  }

  /** The same uses where callers hand over values of these types. */
  where(parameters: ReadonlyMap<string, ValueType>): VariableUses {
    return new VariableUses(this.#uses, new Map([...this.#before, ...parameters]))
  }

  /** A variable is given a value of the type. */
  set(name: string, type: ValueType, blocks: Blocks): void {
    this.#uses.set(name, declaredType(type), blocks)
  }

  /** A variable is read: `field` where only one of its fields is. */
  read(name: string, blocks: Blocks, field: boolean): void {
    this.#uses.read(name, blocks, field)
  }

  /** A variable may be read before the function sets it, and then is of the type. */
  startsAs(name: string, type: ValueType): void {
    this.#before.set(name, type)
  }

  get names(): Iterable<string> {
    return this.#uses.names
  }

  of(name: string): VariableUse | undefined {
    const known = this.#uses.get(name)
    if (known === undefined) return undefined
    const { begins, values, fieldReads, wholeReads } = known
    this.#types ??= this.#resolved()
    const type = this.#types.get(name) ?? (values.length === 0 ? null : UNKNOWN_VALUE)
    return { type, begins, once: values.length === 1, fieldReads, wholeReads }
  }

  /** The types of all that is set: those that depend on each other grow from nothing until they stay as they are. */
  #resolved(): ReadonlyMap<string, ValueType> {
    const types = new Map<string, ValueType>()
    const read = (name: string): ValueType | undefined => {
      const before = this.#uses.get(name)?.begins === true ? undefined : (this.#before.get(name) ?? UNKNOWN_VALUE)
      const given = types.get(name)
      return before === undefined || given === undefined ? (before ?? given) : joinValues(before, given)
    }
    for (let isStable = false; !isStable; ) {
      isStable = true
      for (const name of this.#uses.names) {
        for (const set of this.#uses.get(name)?.values ?? []) {
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

/** Whether a variable of the one type is declared and read as one of the other. */
export function isSame(a: ValueType, b: ValueType): boolean {
  if (a.kind === 'optional' && b.kind === 'optional') return isSame(a.of, b.of)
  return a.kind === b.kind && (a.kind !== 'text' || b.kind !== 'text' || a.markup === b.markup)
}

/** Where a function is written to find out how it uses its variables. */
export const NO_USES: KnownUses = { of: () => undefined }
