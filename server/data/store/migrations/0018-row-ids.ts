/** A separate sequence for ids of records. Profiles, constants, activities and other rows use another one. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- In a database with rows, the sequence starts well above all used ids, as the sequence of users did.
create sequence ingot.row_ids;
select setval('ingot.row_ids', case when is_called then last_value + 1000 else 1 end, is_called) from ingot.ids;
alter table ingot.profiles alter column id set default nextval('ingot.row_ids');
alter table ingot.constants alter column id set default nextval('ingot.row_ids');
alter table ingot.activities alter column id set default nextval('ingot.row_ids');
alter table ingot.api_tokens alter column id set default nextval('ingot.row_ids');
alter table ingot.addresses alter column id set default nextval('ingot.row_ids');
alter table ingot.attachments alter column id set default nextval('ingot.row_ids');
alter table ingot.embeddings alter column id set default nextval('ingot.row_ids');
alter table ingot.authentications alter column id set default nextval('ingot.row_ids');

-- Reserves an id of a sequence that a writer has chosen. Later ids of the sequence are well above it, even while others draw from it.
create function ingot.reserved_of(sequence regclass, id bigint) returns bigint language plpgsql as $$
declare
  last bigint;
begin
  perform pg_advisory_xact_lock(sequence::oid::bigint);
  execute format('select last_value from %s', sequence) into last;
  if id >= last then
    perform setval(sequence, id + 1000);
  end if;
  return id;
end $$;
create or replace function ingot.reserved(id bigint) returns bigint language sql as
  $$ select ingot.reserved_of('ingot.ids', $1) $$;
create or replace function ingot.reserved_user(id bigint) returns bigint language sql as
  $$ select ingot.reserved_of('ingot.user_ids', $1) $$;
create function ingot.reserved_row(id bigint) returns bigint language sql as
  $$ select ingot.reserved_of('ingot.row_ids', $1) $$;
`
