/** Remembers what earlier runs made of the same inputs, so that a changed file is a small piece of work. */

export interface Memo {
  /**
   * What `make` gave for these inputs before, else what it gives now. `kind` and `key` name the place; of each place only
   * the newest value is kept. Inputs are compared by identity.
   */
  once<Value>(kind: string, key: string, inputs: readonly unknown[], make: () => Value): Value
}

/** Makes everything anew. */
export const NO_MEMO: Memo = { once: (_kind, _key, _inputs, make) => make() }

/** Keeps the newest value of each place. */
export class Memory implements Memo {
  readonly #kept = new Map<string, { readonly inputs: readonly unknown[]; readonly value: unknown }>()

  once<Value>(kind: string, key: string, inputs: readonly unknown[], make: () => Value): Value {
    const slot = `${kind}\0${key}`
    const kept = this.#kept.get(slot)
    if (
      kept !== undefined &&
      kept.inputs.length === inputs.length &&
      kept.inputs.every((input, at) => Object.is(input, inputs[at]))
    ) {
      return kept.value as Value
    }
    const value = make()
    this.#kept.set(slot, { inputs, value })
    return value
  }
}
