/** `records_create_rc`: inserts any number of records. */
import type { MutationField } from '../model.ts'
import { createRecords } from '../writes/create-many.ts'

export const records_create_rc: MutationField = {
  kind: 'mutation',
  name: 'records_create_rc',
  sdl: 'records_create_rc(records: [RecordsCreateInputType!]!): [RecordCreate!]! @public',
  singleLeafArguments: ['records'],
  build: (call, build) => createRecords(call, build),
}
