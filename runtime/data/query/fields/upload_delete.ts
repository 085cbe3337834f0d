/** `upload_delete`: removes files from the properties of a row; unreferenced files are deleted later. */
import type { MutationField } from '../model.ts'
import { uploadDelete } from '../sdl/upload-delete.ts'
import { deleteUploads } from '../writes/upload-delete.ts'

export const upload_delete: MutationField = {
  kind: 'mutation',
  name: 'upload_delete',
  sdl: 'upload_delete(attribute_name: String, delete_all_properties: Boolean, sync: Boolean = false, upload_object_id: ID!, upload_object_type: ObjectsWithUploadsEnum!): ObjectUpload! @public',
  types: uploadDelete,
  build: deleteUploads,
}
