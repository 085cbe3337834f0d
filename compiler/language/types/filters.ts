/** The filters of a dialect by name. */
import type { Dialect } from '../../core/model/dialect.ts'
import type { FilterSignature } from '../../core/model/signature.ts'
import { FILTERS } from './runtime.generated.ts'

const TABLES: Readonly<Record<Dialect, ReadonlyMap<string, FilterSignature>>> = {
  platform: table('platform'),
  liquid: table('liquid'),
}

/** Filters that change the hash that they are given, by their own names. */
const FILTERS_THAT_CHANGE_INPUT: ReadonlySet<string> = new Set(['hash_add_key', 'hash_delete_key'])

/** Whether a filter changes its input in place. */
export function changesInput({ name, aliasOf }: FilterSignature): boolean {
  return FILTERS_THAT_CHANGE_INPUT.has(aliasOf ?? name)
}

/** Every filter that the dialect knows, by each of its names; where both dialects have one, the dialect's own. */
export function filterTable(dialect: Dialect): ReadonlyMap<string, FilterSignature> {
  return TABLES[dialect]
}

function table(dialect: Dialect): ReadonlyMap<string, FilterSignature> {
  const filters = new Map<string, FilterSignature>()
  for (const filter of FILTERS) {
    if (filter.dialect !== 'both' && filter.dialect !== dialect) continue
    const known = filters.get(filter.name)
    // A filter's own name wins over another's alias, and a dialect's own filter over the common one.
    if (known !== undefined && rank(known) >= rank(filter)) continue
    filters.set(filter.name, filter)
  }
  return filters
}

function rank(filter: FilterSignature): number {
  return (filter.aliasOf === null ? 2 : 0) + (filter.dialect === 'both' ? 0 : 1)
}
