/** The changes that people make to a site's data in the studio. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- A transaction that sets ingot.actor, as JSON with a name and an optional user id, records each row that it changes. The triggers cost other
-- transactions one comparison per row.
create table ingot.changes (
  id bigint generated always as identity primary key,
  created_at timestamptz(3) not null default now(),
  actor_id bigint,
  actor text not null,
  -- The table in the schema ingot, and for records the name of the site's table.
  kind text not null,
  table_name text,
  row_id text not null,
  action text not null check (action in ('create', 'update', 'delete', 'restore')),
  before jsonb,
  after jsonb
);
create index changes_row on ingot.changes (kind, row_id, id);
create index changes_created_at on ingot.changes (created_at);

create function ingot.record_change() returns trigger language plpgsql as $$
declare
  who jsonb := current_setting('ingot.actor', true)::jsonb;
  -- Passwords, secrets of sessions and tokens, and the values of constants are not copied.
  secrets text[] := '{encrypted_password,csrf,fields,flash,digest}'::text[]
    || case when tg_table_name = 'constants' then '{value}'::text[] else '{}'::text[] end;
  earlier jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) - secrets end;
  later jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) - secrets end;
  entry jsonb := coalesce(later, earlier);
begin
  -- A lock of a row changes only its time.
  if earlier - 'updated_at' = later - 'updated_at' and tg_table_name <> 'users' then return null; end if;
  if tg_table_name = 'users' and tg_op = 'UPDATE' then
    if new.encrypted_password is distinct from old.encrypted_password then later := later || '{"encrypted_password": "(changed)"}'; end if;
  end if;
  insert into ingot.changes (actor_id, actor, kind, table_name, row_id, action, before, after) values (
    (who->>'id')::bigint,
    coalesce(who->>'name', ''),
    tg_table_name,
    case when tg_table_name = 'records' then (select t.name from ingot.tables t where t.id = (entry->>'table_id')::integer) end,
    coalesce(entry->>'id', entry->>'name', ''),
    case
      when tg_op = 'INSERT' then 'create'
      when tg_op = 'DELETE' then 'delete'
      when earlier->>'deleted_at' is null and later->>'deleted_at' is not null then 'delete'
      when earlier->>'deleted_at' is not null and later->>'deleted_at' is null then 'restore'
      else 'update'
    end,
    earlier,
    later
  );
  return null;
end $$;

do $$
declare
  changed text;
begin
  foreach changed in array '{records,users,profiles,constants,translations,sessions,user_tokens}'::text[] loop
    execute format(
      'create trigger record_change after insert or update or delete on ingot.%I for each row
        when (coalesce(current_setting(''ingot.actor'', true), '''') <> '''') execute function ingot.record_change()',
      changed
    );
  end loop;
end $$;
`
