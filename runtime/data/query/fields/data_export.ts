/** `data_export`: exports records and users to a file, in the background. */
import type { MutationField } from '../model.ts'
import { encryption } from '../sdl/encryption.ts'
import { createExport, queueExport } from '../writes/exports.ts'

export const data_export: MutationField = {
  kind: 'mutation',
  name: 'data_export',
  sdl: 'data_export(encryption: PropertyUploadEncryptionInput, records: DataExportRecordsInput, split_files: Boolean = true, users: DataExportUsersInput): DataExport!',
  types: encryption,
  runEffects: queueExport,
  build: createExport,
}
