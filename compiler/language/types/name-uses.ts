/** Records how a text uses its variables, in text order: where each is first set, and how it is read. */

import type { NameUse } from '../../core/model/outline.ts'
import { shareList } from '../../core/model/shared-values.ts'

/** The numbers of the blocks around a place, outermost first. */
export type Blocks = readonly number[]

interface RecordedUse<Value> {
  readonly isSetFirst: boolean
  readonly block: Blocks
  staysInBlock: boolean
  readonly values: Value[]
  fieldReads: number
  wholeReads: number
}

export class NameUses<Value> {
  readonly #recorded = new Map<string, RecordedUse<Value>>()

  set(name: string, value: Value, blocks: Blocks): void {
    this.#at(name, blocks, true).values.push(value)
  }

  /** Records a read of a variable. `field`: only one of its fields is read. */
  read(name: string, blocks: Blocks, field: boolean): void {
    const use = this.#at(name, blocks, false)
    if (field) use.fieldReads++
    else use.wholeReads++
  }

  #at(name: string, blocks: Blocks, isSetFirst: boolean): RecordedUse<Value> {
    let known = this.#recorded.get(name)
    if (known === undefined) {
      known = { isSetFirst, block: blocks, staysInBlock: true, values: [], fieldReads: 0, wholeReads: 0 }
      this.#recorded.set(name, known)
    } else if (known.staysInBlock) known.staysInBlock = known.block.every((block, depth) => blocks[depth] === block)
    return known
  }

  get(name: string): NameUse<Value> | undefined {
    const known = this.#recorded.get(name)
    if (known === undefined) return undefined
    const { isSetFirst, staysInBlock, values, fieldReads, wholeReads } = known
    return { begins: isSetFirst && staysInBlock, values: shareList(values), fieldReads, wholeReads }
  }

  get names(): Iterable<string> {
    return this.#recorded.keys()
  }

  /** Returns all recorded uses, by name. */
  all(): ReadonlyMap<string, NameUse<Value>> {
    return new Map(
      [...this.#recorded.keys()].flatMap((name) => {
        const use = this.get(name)
        return use === undefined ? [] : [[name, use] as const]
      }),
    )
  }
}
