/** One-time passwords are used once. */
export const sql = `
-- The step of time of the last code that was accepted: no code of it, or of one before, is accepted again.
alter table ingot.otp_secrets add column last_step bigint;
`
