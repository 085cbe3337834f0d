/** `models_delete_all`: old name of `records_delete_all`. */
import type { MutationField } from '../model.ts'
import { deleteRecords } from '../writes/matching-rows.ts'

export const models_delete_all: MutationField = {
  kind: 'mutation',
  name: 'models_delete_all',
  sdl: 'models_delete_all(all_custom_model_types: Boolean, all_model_schemas: Boolean, custom_model_type_name: String, filter: ModelsFilterInput, model_schema_name: String, sync: Boolean = false): ObjectCount! @deprecated @public',
  build: (call, build) =>
    deleteRecords(
      call,
      ['model_schema_name', 'custom_model_type_name'],
      ['all_model_schemas', 'all_custom_model_types'],
      build,
    ),
}
