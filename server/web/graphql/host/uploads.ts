/** Presigned uploads for upload properties, and files that mutations contain. */
import { type Catalog, QueryError, type UploadHost, type UploadValue } from '../../../../runtime/data/query/model.ts'
import { recordsOwner, USERS_OWNER } from '../../../../runtime/data/query/upload-host.ts'
import { keepOptionsOf } from '../../files/keep-options.ts'
import { FileRefused, type Files, type FileSource } from '../../files/model.ts'
import { takenUpload } from '../../files/receipt.ts'
import { NOBODY, type Uploader } from '../../files/uploader.ts'

/** Creates the upload functions of one site. */
export function createUploadHost(files: Files, catalog: Catalog, uploader: Uploader = NOBODY): UploadHost {
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
        receipt: {
          names: uploader.begin(),
          owner: table === null ? USERS_OWNER : recordsOwner(catalog.tableId(table) ?? 0),
          property: name,
          least: least === null ? null : least * 1000,
          limit: most === null ? null : most * 1000,
          types: type === null ? null : [type],
        },
      })
    },
    async claim(property, owner, value) {
      if (uploader.imports) return { value }
      try {
        const file = await takenUpload({ files, uploader, property, owner, types: null }, value)
        return file === null ? null : { value: { ...file } }
      } catch (error) {
        if (error instanceof FileRefused) throw problem(`The file of \`${property.name}\` ${error.message}.`)
        throw error
      }
    },
    async store(property, value) {
      const options = keepOptionsOf(property, files.limit)
      const types = value.type === 'image' ? (options.types ?? ['image/*']) : options.types
      try {
        const kept = await files.keep(sourceOf(value), {
          ...options,
          types,
          acl: value.acl,
          ...(value.gpg !== null && { encryptFor: value.gpg }),
        })
        return { ...kept }
      } catch (error) {
        if (error instanceof FileRefused) throw problem(`The file of \`${property.name}\` ${error.message}.`)
        throw error
      }
    },
  }
}

function sourceOf({ type, content, remoteUrl, filePath, contentType }: UploadValue): FileSource {
  const name = filePath?.split(/[/\\]/).at(-1) || null
  if (content === null) return { kind: 'url', url: remoteUrl ?? '', ...(name !== null && { fileName: name }) }
  if (type === 'image') return { kind: 'base64', text: content, fileName: name }
  const extension = EXTENSIONS[contentType?.split(';')[0]?.trim().toLowerCase() ?? ''] ?? 'txt'
  return { kind: 'base64', text: Buffer.from(content).toString('base64'), fileName: name ?? `file.${extension}` }
}

/** Extensions for base64 text without a name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/xml': 'xml',
  'text/calendar': 'ics',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/xml': 'xml',
}

function problem(message: string): QueryError {
  return new QueryError([{ code: 'value', message, at: null, hint: null }])
}
