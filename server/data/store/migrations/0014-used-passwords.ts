/** Used one-time passwords, so that none is accepted twice. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- The step of time of the last code that was accepted: no code of it, or of one before, is accepted again.
alter table ingot.otp_secrets add column last_step bigint;
`
