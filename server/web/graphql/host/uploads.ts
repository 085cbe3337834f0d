/** Presigned uploads for upload properties, and uploads in mutation arguments. */
import type { Catalog, UploadHost, UploadValue } from '../../../../runtime/data/query/model.ts'
import { prepared, sql, type SqlStatement } from '../../../../runtime/data/sql/sql.ts'
import { recordsOwner, USERS_OWNER } from '../../../../runtime/data/query/upload-host.ts'
import { readStorageOptions } from '../../files/storage-options.ts'
import { FileRefused, type Files, type FileSource } from '../../files/model.ts'
import { claimUpload } from '../../files/claim-upload.ts'
import { NOBODY, type Uploader } from '../../files/uploader.ts'
import { pathOfUpload } from '../../../../runtime/data/values/upload-path.ts'
import type { ResultRows } from '../database/statements.ts'
import { valueError } from '../../../../runtime/data/query/model.ts'
import { PrintFailure } from '../../../core/print/model.ts'
import type { PropertyDef } from '../../../../runtime/page/compiled.ts'

/** Prints HTML as PDF. @throws PrintFailure */
export type PrintUpload = (html: string) => Promise<Uint8Array>

/** In the studio, the text of a file that a row had before a recorded change, by the change's id. */
const EARLIER = /^\(change (\d{1,18})\)$/

/** Selects the value of a property before a change, its path, and whether its file is still kept. Recorded changes keep the files they name. */
const selectEarlier = prepared<[id: string, owner: string, property: string]>(
  (id, owner, property) => sql`
    select e.value::text, e.value->>'path', exists (
      select 1 from ingot.files f where f.key = substring(e.value->>'path' from '[0-9a-f]{32}') and f.path = e.value->>'path'
        and f.unnamed_at is distinct from '-infinity')
    from ingot.changes c cross join lateral (select c.before->'properties'->(${property}::text) as value) e
    where c.id = ${id}::text::bigint and c.kind = 'records' and 'records ' || (c.before->>'table_id') = ${owner}::text`,
)

/**
 * Creates the upload functions of one request.
 * @param print prints HTML; null where nothing can be printed
 * @param run runs a statement of a request that may restore earlier files of rows; null for other requests
 */
export function createUploadHost(
  files: Files,
  catalog: Catalog,
  uploader: Uploader = NOBODY,
  print: PrintUpload | null = null,
  run: ((statement: SqlStatement) => Promise<ResultRows>) | null = null,
): UploadHost {
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
      const change = run === null || typeof value !== 'string' ? null : EARLIER.exec(value)
      if (run !== null && change !== null) {
        const [row] = await run(selectEarlier(change[1] ?? '', owner, property.name))
        const [text, path, isKept] = row ?? []
        // A file of another server was only linked.
        if (typeof text === 'string' && typeof path === 'string' && (isKept === true || pathOfUpload(path) === null))
          return { value: JSON.parse(text) }
        throw valueError(`The earlier file of \`${property.name}\` no longer exists.`)
      }
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
        const source =
          value.type === 'pdf' && value.content !== null ? await pdfSource(property, value, print) : toFileSource(value)
        const storedFile = await files.keep(source, {
          ...options,
          types,
          acl: value.acl,
          ...(value.gpg !== null && { encryptFor: value.gpg }),
        })
        return { ...storedFile }
      } catch (error) {
        if (error instanceof FileRefused) throw valueError(`The file of \`${property.name}\` ${error.message}.`)
        if (error instanceof PrintFailure)
          throw valueError(`The PDF of \`${property.name}\` is missing. ${error.message}`)
        throw error
      }
    },
  }
}

/** Prints the HTML of an upload. @throws PrintFailure */
async function pdfSource(
  property: PropertyDef,
  { content, filePath }: UploadValue,
  print: PrintUpload | null,
): Promise<FileSource> {
  if (print === null) throw valueError('This host cannot create PDF files.')
  const pdf = await print(content ?? '')
  const text = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength).toString('base64')
  return { kind: 'base64', text, fileName: nameIn(filePath) ?? `${property.name}.pdf` }
}

/** Returns the name in a path; null when there is none. */
function nameIn(path: string | null): string | null {
  return path?.split(/[/\\]/).at(-1) || null
}

function toFileSource({ type, content, remoteUrl, filePath, contentType }: UploadValue): FileSource {
  const name = nameIn(filePath)
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
