/** Each server of jobs says for how long it may be silent. */
export const sql = `
-- Milliseconds without a sign of life after which it counts as dead; null of one that does not say: whoever looks decides.
alter table ingot.job_servers add column silence integer;
`
