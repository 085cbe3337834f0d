/** `import_models`: imports records in the format of `ingot data import`, either all of them or none. */
import type { EffectField } from '../model.ts'
import { imports } from '../sdl/import.ts'
import { rowsIn } from '../writes/imports.ts'

export const import_models: EffectField = {
  kind: 'effect',
  isSlow: true,
  name: 'import_models',
  sdl: 'import_models(_id_remap: Boolean = true, _index_rebuild: Boolean = true, models: [CustomizationImport!]!): ImportCustomizationsMutationPayload @public',
  types: imports,
  perform: ({ models, _id_remap: remap }, effects) =>
    effects.importRows({ kind: 'records', name: 'import_models', rows: rowsIn(models), remap: remap !== false }),
}
