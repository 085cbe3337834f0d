/** Used one-time passwords, so that none is accepted twice. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- The time step of the last accepted code. No code of this step or an earlier one is accepted again.
alter table ingot.otp_secrets add column last_step bigint;
`
