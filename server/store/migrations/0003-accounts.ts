/** Accounts: sessions, attempts to sign in, and what users have beside their names. */
export const sql = `
alter table ingot.users
  add column featured boolean not null default false,
  add column public_profile boolean not null default false;
`
