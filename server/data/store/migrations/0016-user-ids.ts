/** A separate sequence for ids of users. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- In a database with rows, the sequence starts well above all ids that were ever used: data of a purged user may still contain the id, and
-- servers of the earlier version still draw from the old sequence for a moment.
create sequence ingot.user_ids;
select setval('ingot.user_ids', case when is_called then last_value + 1000 else 1 end, is_called) from ingot.ids;
alter table ingot.users alter column id set default nextval('ingot.user_ids');

-- Like ingot.reserved, for users.
create function ingot.reserved_user(id bigint) returns bigint language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('ingot.user_ids'));
  if id >= (select last_value from ingot.user_ids) then
    perform setval('ingot.user_ids', id + 1000);
  end if;
  return id;
end $$;
`
