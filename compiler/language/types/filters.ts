/** The filters of a dialect by name. */
import type { Dialect } from '../../core/model/dialect.ts'
import type { FilterSignature } from '../../core/model/signature.ts'
import { FILTERS } from './runtime.generated.ts'

const TABLES: Readonly<Record<Dialect, ReadonlyMap<string, FilterSignature>>> = {
  platform: table('platform'),
  liquid: table('liquid'),
}

/** Canonical names of the filters that change their input hash. */
const FILTERS_THAT_CHANGE_INPUT: ReadonlySet<string> = new Set(['hash_add_key', 'hash_delete_key'])

/** Returns whether a filter changes its input in place. */
export function changesInput({ name, aliasOf }: FilterSignature): boolean {
  return FILTERS_THAT_CHANGE_INPUT.has(aliasOf ?? name)
}

/** Returns all filters of the dialect by each of their names. A filter of the dialect takes precedence over a common one. */
export function filterTable(dialect: Dialect): ReadonlyMap<string, FilterSignature> {
  return TABLES[dialect]
}

function table(dialect: Dialect): ReadonlyMap<string, FilterSignature> {
  const filters = new Map<string, FilterSignature>()
  for (const filter of FILTERS) {
    if (filter.dialect !== 'both' && filter.dialect !== dialect) continue
    const existing = filters.get(filter.name)
    // The name of a filter takes precedence over an alias of another filter, and a filter of the dialect over a common one.
    if (existing !== undefined && rank(existing) >= rank(filter)) continue
    filters.set(filter.name, filter)
  }
  return filters
}

function rank(filter: FilterSignature): number {
  return (filter.aliasOf === null ? 2 : 0) + (filter.dialect === 'both' ? 0 : 1)
}
