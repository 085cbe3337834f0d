/** What an uploaded file was sent for, and by whom, until a property holds it. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- For whom, for which property of which rows, and within which limits the file was accepted; null for files that a
-- server has stored in a property itself.
alter table ingot.files add column receipt jsonb;

-- The given properties, in which uploads that are marked as held become what is stored already: whose path differs
-- from the stored one is refused, with the reason that the mark holds.
create function ingot.held_uploads(given jsonb, stored jsonb, names text[]) returns jsonb language plpgsql stable as $$
declare
  name text;
begin
  foreach name in array names loop
    if given -> name ? 'held' then
      if (stored -> name ->> 'path') is distinct from (given -> name ->> 'held') then
        raise exception using errcode = 'IN001', message = given -> name ->> 'why';
      end if;
      given := jsonb_set(given, array[name], stored -> name);
    end if;
  end loop;
  return given;
end $$;
`
