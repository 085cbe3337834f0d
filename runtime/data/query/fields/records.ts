/** `records`: a page of rows, without deleted ones unless the filter mentions `deleted_at`. */
import type { QueryField } from '../model.ts'
import { rowQuery } from '../rows/filter.ts'
import { collectionJson } from '../rows/page.ts'
import { record } from '../sdl/record.ts'

export const records: QueryField = {
  kind: 'query',
  name: 'records',
  sdl: 'records(filter: RecordsFilterInput, options: QueryOptionsInput, page: Int = 1, per_page: Int!, sort: [RecordsSortInput!]): RecordCollection! @public',
  types: record,
  build: (call, build) =>
    collectionJson(call, rowQuery({ rows: 'records', filter: call.args['filter'] }, build), build),
}
