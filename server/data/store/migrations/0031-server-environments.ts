/** The environment of a server. Commands for experiments do not change the database of a production server. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
alter table ingot.servers add column environment text;
`
