/** Filters of rows without properties: ids, texts, times, and `or`. */
import type { Build, Input, InputFields } from '../model.ts'
import { idFilter, textFilter, timeFilter } from './column-filter.ts'
import { fieldsOf, itemsOf } from './input.ts'
import type { Column } from './scope.ts'
import { join, sql, type Sql } from '../../sql/sql.ts'

/** How the values of a key of a filter are compared. `external` is an id that is stored as text. */
type PlainKey =
  | { readonly sql: Sql; readonly as: 'id' | 'external' | 'text' | 'time' }
  /** The key's own conditions. */
  | { readonly conditions: (input: Input) => readonly Sql[] }

/** The keys of a filter. */
export type PlainKeys = Readonly<Record<string, PlainKey>>

const TEXT: Column = { name: '', as: 'text', folded: false, required: false }

/** Returns the conditions of a filter. Conditions without values are omitted. */
export function plainConditions(filter: Input | undefined, keys: PlainKeys, build: Build): readonly Sql[] {
  const fields = fieldsOf(filter)
  return fields === null ? [] : conditions(fields, keys, build)
}

function conditions(fields: InputFields, keys: PlainKeys, build: Build): readonly Sql[] {
  return Object.entries(fields).flatMap(([name, input]) => {
    if (input === undefined || input === null) return []
    if (name === 'or') return alternatives(itemsOf(input), keys, build)
    const key = Object.hasOwn(keys, name) ? keys[name] : undefined
    return key === undefined ? [] : conditionsOf(key, input, build)
  })
}

function conditionsOf(key: PlainKey, input: Input, build: Build): readonly Sql[] {
  if ('conditions' in key) return key.conditions(input)
  const context = { build, need: null }
  switch (key.as) {
    case 'id':
      return idFilter(key.sql, { name: '', as: 'id' }, input, context)
    case 'external':
      return idFilter(key.sql, TEXT, input, context)
    case 'text':
      return textFilter(key.sql, TEXT, input, context)
    case 'time':
      return timeFilter(key.sql, { name: '', as: 'time' }, input, context)
  }
}

/** Returns the condition that at least one element of `or` matches. Elements without conditions are omitted. */
function alternatives(items: readonly InputFields[], keys: PlainKeys, build: Build): readonly Sql[] {
  const parts = items.map((item) => conditions(item, keys, build)).filter((some) => some.length > 0)
  return parts.length === 0
    ? []
    : [
        sql`(${join(
          parts.map((some) => sql`(${join(some, ' and ')})`),
          ' or ',
        )})`,
      ]
}
