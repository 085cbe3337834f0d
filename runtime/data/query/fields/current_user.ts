/** `current_user`: the signed-in user, or null without one. */
import type { QueryField } from '../model.ts'
import { rowQuery } from '../rows/filter.ts'
import { noteIdLookup } from '../rows/index-need.ts'
import { firstJson } from '../rows/page.ts'
import { sql } from '../../sql/sql.ts'

export const current_user: QueryField = {
  kind: 'query',
  name: 'current_user',
  sdl: 'current_user: User @public',
  build: (call, build) => {
    const reading = rowQuery({ rows: 'users', filter: undefined }, build)
    reading.conditions.push(sql`${reading.scope.alias}.id = ${build.currentUserId()}`)
    noteIdLookup(reading.need, 'viewer', build)
    return firstJson(call, reading, build)
  },
}
