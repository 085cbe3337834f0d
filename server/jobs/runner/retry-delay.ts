/** How long a job that failed waits for its next attempt. */
import type { Fragment, ISql } from 'postgres'

/** An interval that grows with the failures up to some six hours: as long as the engine itself lets a job wait. @param failures a count */
export function retryDelay(sql: ISql, failures: Fragment): Fragment {
  return sql`exp(least(${failures}, 10)) * interval '1 second'`
}
