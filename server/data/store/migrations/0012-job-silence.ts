/** The time without a heartbeat after which each job server counts as dead. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- Milliseconds without a heartbeat after which it counts as dead. Null when the server does not report it; the reader then decides.
alter table ingot.job_servers add column silence integer;
`
