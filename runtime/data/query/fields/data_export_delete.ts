/** `data_export_delete`: deletes an export. */
import type { MutationField } from '../model.ts'
import { deleteExport } from '../writes/exports.ts'

export const data_export_delete: MutationField = {
  kind: 'mutation',
  name: 'data_export_delete',
  sdl: 'data_export_delete(id: ID!): DataExport!',
  build: deleteExport,
}
