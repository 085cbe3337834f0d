/** Files that were kept: what is known of them, so that those which nothing names any more are found. */
export const sql = `
create table ingot.files (
  path text primary key,
  acl text not null check (acl in ('public', 'private')),
  size bigint not null,
  created_at timestamptz(3) not null default now()
);
`
