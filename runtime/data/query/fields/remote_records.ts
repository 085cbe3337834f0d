/** `remote_records`: a page of records of another site. */
import type { RemoteField } from '../model.ts'
import { remote } from '../sdl/remote.ts'

export const remote_records: RemoteField = {
  kind: 'remote',
  name: 'remote_records',
  sdl: 'remote_records(endpoint: Endpoint!, filter: RecordsFilterInput, page: Int = 1, per_page: Int!, sort: [RecordsSortInput!]): RecordCollection!',
  types: remote,
}
