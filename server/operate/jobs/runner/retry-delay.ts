/** The delay before the next attempt of a failed job. */
import type { Fragment, ISql } from 'postgres'

/**
 * Returns SQL for an interval that grows with the failures up to about six hours, like the engine's own delay.
 * @param failures SQL for the number of failures
 */
export function retryDelay(sql: ISql, failures: Fragment): Fragment {
  return sql`exp(least(${failures}, 10)) * interval '1 second'`
}
