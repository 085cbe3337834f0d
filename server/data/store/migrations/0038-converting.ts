/** Conversions of properties that have begun and not ended. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- The new types of the properties whose values are being converted, by the JSON of the kind of rows, their table or
-- profile, and the name of the property. Their values have the old or the new form.
alter table ingot.declared add column converting jsonb not null default '{}';
`
