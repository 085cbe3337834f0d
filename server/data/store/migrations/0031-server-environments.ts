/** Whether a server is one of a production: commands that try things out leave its database alone. */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
alter table ingot.servers add column environment text;
`
