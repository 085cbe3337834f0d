/**
 * How null and missing values sort in queries: they come last in ascending order and first in descending order, as in PostgreSQL. All sorts
 * follow this rule: sorts of columns and properties in SQL, their indexes, search documents, and lists that are sorted in memory. The only
 * exception is `order_by_values`, which lists null with all other unlisted values, last.
 */
import { integer, literal, emptySql, sql, type Sql } from '../sql/sql.ts'

/** The direction of a sort. */
export type Direction = 'asc' | 'desc'

/** Returns a term of `order by`. PostgreSQL's default places nulls as described above, also in indexes of the same direction. */
export function sortTerm(expression: Sql, direction: Direction): Sql {
  return sql`${expression}${direction === 'desc' ? sql` desc` : emptySql}`
}

/**
 * Returns a term of `order by` for `order_by_values`: the listed values in the order of the list, reversed when descending, and then
 * all others and null.
 */
export function listedValuesTerm(list: Sql, text: Sql, direction: Direction): Sql {
  return sql`${sortTerm(sql`array_position(${list}, ${text})`, direction)} nulls last`
}

/**
 * Values that stand for a missing property in SQL expressions that must never be null. One index can then serve equality, sorting and
 * `exists`. Each of them sorts after all other values of its kind, as null does.
 */
export const MISSING = { number: 'NaN', boolean: '2', time: '~' } as const

/** The values of `MISSING` as SQL, cast to the type that they are compared as. */
export const MISSING_SQL = {
  number: sql`${literal(MISSING.number)}::numeric`,
  boolean: integer(Number(MISSING.boolean)),
  time: literal(MISSING.time),
} as const

/** Returns a SQL expression with JSON null as SQL null, so that both sort alike. */
export function jsonNullAsNull(json: Sql): Sql {
  return sql`nullif(${json}, 'null')`
}

/**
 * Compares two values in memory, in ascending order, when at least one of them is missing. Returns null when both have a value. The caller
 * negates the result for descending order.
 */
export function compareMissing(a: unknown, b: unknown): number | null {
  const [isMissingA, isMissingB] = [isMissing(a), isMissing(b)]
  return isMissingA || isMissingB ? Number(isMissingA) - Number(isMissingB) : null
}

/** Returns whether a value is null or undefined. */
export function isMissing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}
