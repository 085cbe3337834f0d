/** The silence after which each job server counts as dead. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- Milliseconds without a sign of life after which it counts as dead; null of one that does not say: whoever looks decides.
alter table ingot.job_servers add column silence integer;
`
