/** Where the rows of a statement lie: the values that are known of the distribution column, and which rows lie together. */
import type { RowKey, StatementAccess, RowAccess, KeyValueSource } from '../../core/model/operation.ts'
import { isDistributed, isSame, type Layout } from './layout.ts'

/** A part of a statement, with what is known of its place. */
export interface RowLocation {
  readonly part: RowAccess
  readonly distributed: boolean
  /** The values that the distribution column has in all rows, by their names. */
  readonly values: ReadonlyMap<string, KeyValueSource>
  /** The places whose rows each of its rows is shown with or looked up by. A part of Ingot's own tables is not among them. */
  readonly above: readonly RowLocation[]
  /** Whether it is looked up by rows of any table, Ingot's own among them. */
  readonly isBelow: boolean
  /** Places with the same name have rows that lie in the same shard. */
  readonly together: string
}

/** The places of the parts of a statement. */
export function rowLocations({ touched }: StatementAccess, layout: Layout): readonly RowLocation[] {
  const at = new Map(touched.map((part, index) => [part.alias, index]))
  const values = new Values(touched, layout)
  const groups = new Groups()
  for (const [index, { ties }] of touched.entries()) {
    for (const { key, to, toKey, as } of ties) {
      const other = at.get(to)
      if (other === undefined || key === null || toKey === null) continue
      const [own, theirs] = [node(index, key), node(other, toKey)]
      groups.join(own, theirs)
      values.flow(theirs, own)
      // Rows that are shown say nothing of the rows that they are shown with.
      if (as === 'required') values.flow(own, theirs)
    }
  }
  const places: (RowLocation & { readonly above: RowLocation[] })[] = touched.map((part, index) => ({
    part,
    distributed: isDistributed(part, layout),
    values: values.of(node(index, layout.key)),
    above: [],
    isBelow: part.ties.length > 0,
    together: groups.of(node(index, layout.key)),
  }))
  for (const place of places) {
    for (const { to } of place.part.ties) {
      const other = places[at.get(to) ?? -1]
      if (other !== undefined) place.above.push(other)
    }
  }
  return places
}

function node(part: number, { of, name }: RowKey): string {
  return `${part} ${of} ${name}`
}

/** The values of the keys of parts, which flow along equalities. */
class Values {
  readonly #known = new Map<string, Map<string, KeyValueSource>>()
  readonly #flows = new Map<string, string[]>()

  constructor(touched: readonly RowAccess[], { key }: Layout) {
    for (const [index, part] of touched.entries()) {
      for (const one of part.fixed)
        if (!one.many && !one.optional) this.#add(node(index, one.key), ...named(one.value, index))
      const given = part.does === 'insert' ? writtenTo(part, key) : []
      if (given.length === 1 && given[0]?.optional === false)
        this.#add(node(index, key), ...named(given[0].value, index))
      const [table, another] = part.tables ?? []
      if (table !== undefined && another === undefined)
        this.#add(`${index} column table_id`, ...named({ kind: 'constant', value: table }, index))
    }
  }

  flow(from: string, to: string): void {
    const targets = this.#flows.get(from)
    if (targets === undefined) this.#flows.set(from, [to])
    else targets.push(to)
    for (const [name, value] of this.of(from)) this.#add(to, name, value)
  }

  of(key: string): ReadonlyMap<string, KeyValueSource> {
    return this.#known.get(key) ?? new Map()
  }

  #add(key: string, name: string, value: KeyValueSource): void {
    const known = this.#known.get(key) ?? new Map<string, KeyValueSource>()
    if (known.has(name)) return
    this.#known.set(key, known.set(name, value))
    for (const target of this.#flows.get(key) ?? []) this.#add(target, name, value)
  }
}

/** Equal values have equal names; what is drawn is another one for each part. */
function named(value: KeyValueSource, part: number): readonly [name: string, value: KeyValueSource] {
  return [value.kind === 'drawn' ? `drawn ${part}` : JSON.stringify(value), value]
}

/** The values that the distribution column gets. Of several, the later ones stand in for earlier ones that are left out. */
export function writtenTo({ written, fixed, does }: RowAccess, key: RowKey): RowAccess['written'] {
  const given = written.filter((each) => isSame(each.key, key))
  if (given.length > 0 || does !== 'insert') return given
  return fixed.filter((each) => isSame(each.key, key))
}

/** Disjoint sets of keys that are equal for the rows that belong to each other. */
class Groups {
  readonly #parents = new Map<string, string>()

  of(key: string): string {
    const parent = this.#parents.get(key)
    return parent === undefined ? key : this.of(parent)
  }

  join(one: string, other: string): void {
    const [a, b] = [this.of(one), this.of(other)]
    if (a !== b) this.#parents.set(a, b)
  }
}

/** A name of a value that all these places have; undefined when there is none. */
export function common(places: readonly RowLocation[]): string | undefined {
  const [first, ...others] = places
  return [...(first?.values.keys() ?? [])].find((name) => others.every(({ values }) => values.has(name)))
}
