/** Addresses, images and attachments, which forms store for records, users and profiles. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
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
-- Addresses and attachments are deleted together with their row, when it is deleted permanently.
create function ingot.forget_owned() returns trigger language plpgsql as $$
begin
  delete from ingot.addresses where owner_type = tg_argv[0] and owner_id = old.id;
  delete from ingot.attachments where kind in ('image', 'attachment') and owner_type = tg_argv[0] and owner_id = old.id;
  return null;
end $$;
create trigger forget_owned after delete on ingot.records for each row execute function ingot.forget_owned('Record');
create trigger forget_owned after delete on ingot.users for each row execute function ingot.forget_owned('User');
create trigger forget_owned after delete on ingot.profiles for each row execute function ingot.forget_owned('UserProfile');
-- Records that belong to other records, as forms with nested customizations read them.
create index records_customizable on ingot.records (customizable_type, customizable_id, table_id)
  where customizable_id is not null and deleted_at is null;
`
