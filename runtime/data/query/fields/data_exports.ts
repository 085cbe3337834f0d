/** `data_exports`: exports with the URLs of their files. */
import type { QueryField } from '../model.ts'
import { dataExport } from '../sdl/export.ts'
import { exportsJson } from '../writes/exports.ts'

export const data_exports: QueryField = {
  kind: 'query',
  name: 'data_exports',
  sdl: 'data_exports(filter: DataExportsFilterInput, page: Int = 1, per_page: Int = 20, sort: [DataExportsSortInput!]): DataExportCollection!',
  types: dataExport,
  build: exportsJson,
}
