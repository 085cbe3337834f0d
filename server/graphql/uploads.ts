/** Leave to send the file of an upload property, as its declaration and the query say. */
import { type Catalog, QueryError, type UploadHost } from '../../runtime/query/model.ts'
import { keepOptionsOf } from '../files/keep-options.ts'
import type { Files } from '../files/model.ts'

/** For one site. */
export function createUploadHost(files: Files, catalog: Catalog): UploadHost {
  return {
    presign({ property: name, table, acl, least, most, type }) {
      const declared = table === null ? catalog.userProperties : catalog.properties(table)
      const property = declared?.get(name)
      const owner = table === null ? 'Users have' : `The table \`${table}\` has`
      if (declared === null) throw problem(`There is no table \`${table}\`.`)
      if (property?.type !== 'upload') throw problem(`${owner} no property \`${name}\` of the type upload.`)
      const options = keepOptionsOf(property, files.limit)
      return files.presign({
        acl: acl ?? options.acl,
        least: least === null ? (options.least ?? 1) : Math.max(1, least * 1000),
        limit: most === null ? options.limit : Math.min(files.limit, most * 1000),
        types: type === null ? options.types : [type],
        versions: options.versions,
      })
    },
  }
}

function problem(message: string): QueryError {
  return new QueryError([{ code: 'value', message, at: null, hint: null }])
}
