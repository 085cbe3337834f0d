/** Conversions of properties that have begun and not ended. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- The new types of the properties whose values are being converted, by the names of the conversions: JSON of the kind of
-- rows, their table or profile, and the property. Their values have the old or the new form.
alter table ingot.declared add column converting jsonb not null default '{}';

-- The converted values of these properties, with their earlier forms. Empty except during a conversion.
create table ingot.converted_values (
  conversion text not null,
  id bigint not null,
  earlier jsonb not null,
  converted jsonb not null,
  primary key (conversion, id)
);
`
