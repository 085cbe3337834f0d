/** The purpose and the sender of an uploaded file, until a property holds it. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- The user, the property, the rows, and the limits for which the file was accepted; null for files that a server has stored in a property.
alter table ingot.files add column receipt jsonb;

-- Returns the given properties. An upload that is marked as held is replaced by the stored value. When its path differs from the stored
-- one,
-- it is rejected with the reason in the mark.
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
