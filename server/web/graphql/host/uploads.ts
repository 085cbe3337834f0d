/** Presigned uploads for upload properties, and uploads in mutation arguments. */
import type { Catalog, UploadHost, UploadValue } from '../../../../runtime/data/query/model.ts'
import { recordsOwner, USERS_OWNER } from '../../../../runtime/data/query/upload-host.ts'
import { readStorageOptions } from '../../files/storage-options.ts'
import { FileRefused, type Files, type FileSource } from '../../files/model.ts'
import { claimUpload } from '../../files/claim-upload.ts'
import { NOBODY, type Uploader } from '../../files/uploader.ts'
import { valueError } from '../value-error.ts'

/** Creates the upload functions of one request. */
export function createUploadHost(files: Files, catalog: Catalog, uploader: Uploader = NOBODY): UploadHost {
  return {
    presign({ property: name, table, acl, minimumSize: least, maximumSize: most, type }) {
      const properties = table === null ? catalog.userProperties : catalog.properties(table)
      const property = properties?.get(name)
      const subject = table === null ? 'Users have' : `The table \`${table}\` has`
      if (properties === null) throw valueError(`There is no table \`${table}\`.`)
      if (property?.type !== 'upload') throw valueError(`${subject} no property \`${name}\` of type upload.`)
      const options = readStorageOptions(property, files.limit)
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
        const file = await claimUpload({ files, uploader, property, owner, types: null }, value)
        return file === null ? null : { value: { ...file } }
      } catch (error) {
        if (error instanceof FileRefused) throw valueError(`The file of \`${property.name}\` ${error.message}.`)
        throw error
      }
    },
    async store(property, value) {
      const options = readStorageOptions(property, files.limit)
      const types = value.type === 'image' ? (options.types ?? ['image/*']) : options.types
      try {
        const storedFile = await files.keep(toFileSource(value), {
          ...options,
          types,
          acl: value.acl,
          ...(value.gpg !== null && { encryptFor: value.gpg }),
        })
        return { ...storedFile }
      } catch (error) {
        if (error instanceof FileRefused) throw valueError(`The file of \`${property.name}\` ${error.message}.`)
        throw error
      }
    },
  }
}

function toFileSource({ type, content, remoteUrl, filePath, contentType }: UploadValue): FileSource {
  const name = filePath?.split(/[/\\]/).at(-1) || null
  if (content === null) return { kind: 'url', url: remoteUrl ?? '', ...(name !== null && { fileName: name }) }
  if (type === 'image') return { kind: 'base64', text: content, fileName: name }
  const extension = EXTENSIONS[contentType?.split(';')[0]?.trim().toLowerCase() ?? ''] ?? 'txt'
  return { kind: 'base64', text: Buffer.from(content).toString('base64'), fileName: name ?? `file.${extension}` }
}

/** File extensions for text content without a file name. */
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
