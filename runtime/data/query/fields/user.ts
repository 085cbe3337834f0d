/** `user`: the first account that matches all given arguments; null when there is none, or no argument is given. */
import type { Input, QueryField } from '../model.ts'
import { rowQuery } from '../rows/filter.ts'
import { flagOf, leafOf } from '../rows/input.ts'
import { firstJson } from '../rows/page.ts'
import { plainText } from '../rows/comparison-values.ts'
import { sql } from '../../sql/sql.ts'

const NAMES = ['id', 'email', 'slug'] as const

export const user: QueryField = {
  kind: 'query',
  name: 'user',
  sdl: 'user(email: String, external_id: String, id: ID, is_deleted: Boolean, options: QueryOptionsInput, slug: String): User @deprecated @public',
  build: (call, build) => {
    const filter: Record<string, Input> = {}
    for (const name of NAMES) {
      const value = leafOf(call.args[name])
      if (value !== null) filter[name] = { value }
    }
    const external = leafOf(call.args['external_id'])
    const hasCondition = external !== null || Object.keys(filter).length > 0
    const deleted = flagOf(call.args['is_deleted'], false)
    const reading = rowQuery({ rows: 'users', filter, includesDeleted: deleted === true }, build)
    if (deleted === true) reading.conditions.push(sql`${reading.scope.alias}.deleted_at is not null`)
    // A separate condition, because in a filter an empty text would match every account without an external id.
    if (external !== null) {
      reading.conditions.push(sql`${reading.scope.alias}.external_id = ${build.bind(external, 'text', plainText)}`)
    }
    if (!hasCondition) reading.conditions.push(sql`false`)
    return firstJson(call, reading, build)
  },
}
