/** The delay before the next attempt of a failed job. */
import type { Fragment, ISql } from 'postgres'

/**
 * An interval that grows with the failures up to about six hours, as the engine's own delay does.
 * @param failures SQL of their number
 */
export function retryDelay(sql: ISql, failures: Fragment): Fragment {
  return sql`exp(least(${failures}, 10)) * interval '1 second'`
}
