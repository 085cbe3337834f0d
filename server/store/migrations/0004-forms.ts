/** What forms store beside records, users and profiles: addresses, images and attachments of any of them. */
export const sql = `
create table ingot.addresses (
  id bigint primary key default nextval('ingot.ids'),
  owner_type text not null check (owner_type in ('Record', 'User', 'UserProfile')),
  owner_id bigint not null,
  name text not null,
  fields jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (owner_type, owner_id, name)
);
create table ingot.attachments (
  id bigint primary key default nextval('ingot.ids'),
  kind text not null check (kind in ('image', 'attachment')),
  owner_type text not null check (owner_type in ('Record', 'User', 'UserProfile')),
  owner_id bigint not null,
  name text not null,
  -- A stored upload: { path, file_name, extension, content_type, size, acl, versions }.
  file jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (kind, owner_type, owner_id, name)
);
-- Records below others: what a form with nested customizations reads.
create index records_customizable on ingot.records (customizable_type, customizable_id, table_id)
  where customizable_id is not null and deleted_at is null;
`
