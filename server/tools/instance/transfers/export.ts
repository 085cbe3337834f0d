/** Exports the data of the site in the formats of the platform, for clients of the API. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TransactionSql } from 'postgres'
import { withSnapshot } from '../../../web/transfer/export.ts'
import { sourceKey } from '../../../web/transfer/service/source.ts'
import { serviceJson, type WriteOptions, writeServiceArchive } from '../../../web/transfer/service/write.ts'
import type { FileService } from '../../../web/files/files.ts'
import { storeFile } from '../deploys/blobs.ts'
import { instanceId } from '../identity.ts'
import { newKey } from '../sent-keys.ts'
import type { TransferContext } from './parts.ts'
import { endTransfer, type TransferOf } from './rows.ts'

/** Seconds until the URLs of private files expire. */
const URL_LIFETIME = 86_400

/** Executes an export. Its row is done when the file is stored. */
export async function makeExport(parts: TransferContext, request: TransferOf<'export'>): Promise<void> {
  const { sql, row } = parts
  const instance = await instanceId(sql)
  const { path } = await writeData(parts, request)
  const key = newKey(instance, 'exports', request.csv ? '.zip' : '.json')
  await storeUnderKey(parts, key, path)
  await endTransfer(sql, row.id, 'done', { key })
}

/** Stores a created file under a key. */
export async function storeUnderKey({ sql }: TransferContext, key: string, path: string): Promise<void> {
  const { digest, size } = await storeFile(sql, path)
  await sql`insert into ingot.sent_files (key, digest, size) values (${key}, ${digest}, ${size})`
}

/** Writes all rows to a file in the transfer's folder. */
export async function writeData(
  parts: TransferContext,
  { csv, rawIds, at }: Pick<TransferOf<'export'>, 'csv' | 'rawIds' | 'at'>,
): Promise<{ readonly path: string }> {
  const { sql, files, folder, site, progress, row } = parts
  const { data, ids } = await site.now()
  const keysOf = rawIds ? null : await sourceKey(sql)
  const path = join(folder, csv ? 'data.zip' : 'data.json')
  await withSnapshot(sql, async (view) => {
    const of = await rowCount(view)
    const options: WriteOptions = {
      ...{ data, ids, keysOf, users: true, tables: data.tables.map(({ name }) => name) },
      filesAt: `${at}/`,
      fileUrls: true,
      text: (line) => signUrls(line, at, files),
      progress: (rows) => progress.report('exporting', rows, of),
    }
    if (csv) await writeServiceArchive(view, options, path)
    else await pipeline(Readable.from(answerText(view, options, row.id)), createWriteStream(path, { mode: 0o600 }))
  })
  return { path }
}

/** Returns the whole response about the export's state. It is written to a file, because it may be too large to be created on request. */
async function* answerText(view: TransactionSql, options: WriteOptions, id: string): AsyncGenerator<string> {
  yield `{"id":${id},"status":"done","data":`
  yield* serviceJson(view, options, true)
  yield '}'
}

async function rowCount(view: TransactionSql): Promise<number> {
  const [row] = await view<{ count: number }[]>`
    select ((select count(*) from ingot.records) + (select count(*) from ingot.users))::float8 as count`
  return row?.count ?? 0
}

/** Signs the URLs of private files in the text of a row, so that clients can fetch them. */
function signUrls(line: string, at: string, files: FileService): string {
  const begin = `"${at}/uploads/private/`
  if (!line.includes(begin)) return line
  const [first = '', ...rest] = line.split(begin)
  return [first, ...rest.map((textAfter) => signUrl(textAfter, at, files))].join('')
}

/** Signs one URL. @param textAfter the text after the beginning of the URL: its end, the closing quote, and more */
function signUrl(textAfter: string, at: string, files: FileService): string {
  const end = textAfter.indexOf('"')
  const path = `uploads/private/${textAfter.slice(0, end)}`
  return `"${at}${files.createUrl(path, URL_LIFETIME)}${textAfter.slice(end)}`
}
