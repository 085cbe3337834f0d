/** `import_users`: imports users in the format of `ingot data import`, either all of them or none. */
import type { EffectField } from '../model.ts'
import { imports } from '../sdl/import.ts'
import { rowsIn } from '../writes/imports.ts'

export const import_users: EffectField = {
  kind: 'effect',
  isSlow: true,
  name: 'import_users',
  sdl: 'import_users(_id_remap: Boolean = true, _index_rebuild: Boolean = true, users: [UserImport!]!): ImportUsersMutationPayload @public',
  types: imports,
  perform: ({ users, _id_remap: remap }, effects) =>
    effects.importRows({ kind: 'users', name: 'import_users', rows: rowsIn(users), remap: remap !== false }),
}
