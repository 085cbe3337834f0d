/** Computes where the rows of a statement are: the known values of the distribution column, and which rows are in the same shard. */
import type { RowKey, StatementAccess, RowAccess, KeyValueSource } from '../../core/model/operation.ts'
import { isDistributed, isSameKey, type Layout } from './layout.ts'
import { addTo } from '../../core/source/maps.ts'

/** The rows that a part of a statement accesses, and the known facts about their shards. */
export interface RowLocation {
  readonly access: RowAccess
  readonly distributed: boolean
  /** The values of the distribution column in all rows, by name. */
  readonly values: ReadonlyMap<string, KeyValueSource>
  /** Locations of the rows that these rows are joined to. Rows of Ingot's internal tables are left out. */
  readonly parents: readonly RowLocation[]
  /** Whether these rows are looked up from other rows, including rows of Ingot's internal tables. */
  readonly isLookedUp: boolean
  /** Name of a group of locations. Rows of one group are in the same shard. */
  readonly shardGroup: string
}

/** Returns the locations of a statement's parts. */
export function rowLocations({ rowAccesses: touched }: StatementAccess, layout: Layout): readonly RowLocation[] {
  const at = new Map(touched.map((access, index) => [access.alias, index]))
  const values = new KeyValues(touched, layout)
  const groups = new KeyGroups()
  for (const [index, { relations }] of touched.entries()) {
    for (const { key, to, toKey, as } of relations) {
      const other = at.get(to)
      if (other === undefined || key === null || toKey === null) continue
      const [own, theirs] = [nodeName(index, key), nodeName(other, toKey)]
      groups.join(own, theirs)
      values.addFlow(theirs, own)
      // An optional related row does not restrict the rows that it is related to.
      if (as === 'required') values.addFlow(own, theirs)
    }
  }
  const locations: (RowLocation & { readonly parents: RowLocation[] })[] = touched.map((access, index) => ({
    access,
    distributed: isDistributed(access, layout),
    values: values.of(nodeName(index, layout.key)),
    parents: [],
    isLookedUp: access.relations.length > 0,
    shardGroup: groups.of(nodeName(index, layout.key)),
  }))
  for (const place of locations) {
    for (const { to } of place.access.relations) {
      const other = locations[at.get(to) ?? -1]
      if (other !== undefined) place.parents.push(other)
    }
  }
  return locations
}

function nodeName(part: number, { kind, name }: RowKey): string {
  return `${part} ${kind} ${name}`
}

/** The known values of keys. Values are propagated to equal keys. */
class KeyValues {
  readonly #known = new Map<string, Map<string, KeyValueSource>>()
  readonly #flows = new Map<string, string[]>()

  constructor(touched: readonly RowAccess[], { key }: Layout) {
    for (const [index, access] of touched.entries()) {
      for (const one of access.fixedValues)
        if (!one.isList && !one.optional) this.#add(nodeName(index, one.key), ...valueName(one.value, index))
      const writtenValues = access.action === 'insert' ? writtenKeyValues(access, key) : []
      if (writtenValues.length === 1 && writtenValues[0]?.optional === false)
        this.#add(nodeName(index, key), ...valueName(writtenValues[0].value, index))
      const [table, another] = access.tables ?? []
      if (table !== undefined && another === undefined)
        this.#add(`${index} column table_id`, ...valueName({ kind: 'constant', value: table }, index))
    }
  }

  addFlow(from: string, to: string): void {
    addTo(this.#flows, from, to)
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

/** Returns a name for a value. Equal values have equal names. A generated value has a different name in each part. */
function valueName(value: KeyValueSource, part: number): readonly [name: string, value: KeyValueSource] {
  return [value.kind === 'drawn' ? `drawn ${part}` : JSON.stringify(value), value]
}

/** Returns the values written to the distribution column. A later value is used only if the earlier ones are omitted. */
export function writtenKeyValues(
  { writtenKeyValues: written, fixedValues: fixed, action: does }: RowAccess,
  key: RowKey,
): RowAccess['writtenKeyValues'] {
  const writtenValues = written.filter((each) => isSameKey(each.key, key))
  if (writtenValues.length > 0 || does !== 'insert') return writtenValues
  return fixed.filter((each) => isSameKey(each.key, key))
}

/** Groups of keys that are equal in related rows (union-find). */
class KeyGroups {
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

/** Returns the name of a value that all locations share; undefined without one. */
export function findCommonValue(locations: readonly RowLocation[]): string | undefined {
  const [first, ...others] = locations
  return [...(first?.values.keys() ?? [])].find((name) => others.every(({ values }) => values.has(name)))
}
