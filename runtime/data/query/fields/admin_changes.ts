/** `admin_changes`, which the platform does not have: the changes that people made in the studio. */
import type { QueryField } from '../model.ts'
import { changesJson } from '../rows/operation.ts'
import { operation } from '../sdl/operation.ts'

export const admin_changes: QueryField = {
  kind: 'query',
  name: 'admin_changes',
  sdl: `"Ingot's own: the changes that people made in the studio."
  admin_changes(filter: DataChangesFilterInput, page: Int = 1, per_page: Int = 20, sort: [DataChangesSortInput!]): DataChangeCollection!`,
  types: operation,
  build: changesJson,
}
