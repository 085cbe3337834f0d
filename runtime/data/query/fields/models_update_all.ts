/** `models_update_all`: old name of `records_update_all`. */
import type { MutationField } from '../model.ts'
import { updateRecords } from '../writes/matching-rows.ts'

export const models_update_all: MutationField = {
  kind: 'mutation',
  name: 'models_update_all',
  sdl: 'models_update_all(filter: ModelsFilterInput, model: CustomizationInputType!, model_schema_name: String!, sync: Boolean = false): ObjectCount! @deprecated @public',
  build: (call, build) => updateRecords(call, { table: 'model_schema_name', record: 'model' }, build),
}
