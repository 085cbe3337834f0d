/** `models`: old name of `records`. It also returns deleted rows. */
import type { QueryField } from '../model.ts'
import { rowQuery } from '../rows/filter.ts'
import { collectionJson } from '../rows/page.ts'

export const models: QueryField = {
  kind: 'query',
  name: 'models',
  sdl: 'models(filter: ModelsFilterInput, options: QueryOptionsInput, page: Int = 1, per_page: Int!, sort: [ModelsSortInput!]): ModelCollection! @deprecated @public',
  build: (call, build) =>
    collectionJson(
      call,
      rowQuery({ rows: 'records', filter: call.args['filter'], includesDeleted: true }, build),
      build,
    ),
}
