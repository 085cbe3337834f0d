/** Writes the data of the site in the forms of the platform's service, for whoever asks for it by the API. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TransactionSql } from 'postgres'
import { withSnapshot } from '../../../web/transfer/export.ts'
import { sourceKey } from '../../../web/transfer/service/source.ts'
import { serviceJson, type WriteOptions, writeServiceArchive } from '../../../web/transfer/service/write.ts'
import type { FileService } from '../../../web/files/files.ts'
import { keepBlob } from '../deploys/blobs.ts'
import { instanceId } from '../identity.ts'
import { newKey } from '../sent-keys.ts'
import type { TransferParts } from './parts.ts'
import { endTransfer, type TransferOf } from './rows.ts'

/** Seconds that the addresses of private files are good for. */
const LIFETIME = 86_400

/** Does an export: its row is done when the file is there. */
export async function makeExport(parts: TransferParts, request: TransferOf<'export'>): Promise<void> {
  const { sql, row } = parts
  const instance = await instanceId(sql)
  const { path } = await writtenData(parts, request)
  const key = newKey(instance, 'exports', request.csv ? '.zip' : '.json')
  await keepFile(parts, key, path)
  await endTransfer(sql, row.id, 'done', { key })
}

/** Keeps a file that was made under a key. */
export async function keepFile({ sql }: TransferParts, key: string, path: string): Promise<void> {
  const { digest, size } = await keepBlob(sql, path)
  await sql`insert into ingot.sent_files (key, digest, size) values (${key}, ${digest}, ${size})`
}

/** Writes all rows to a file of the transfer's folder. */
export async function writtenData(
  parts: TransferParts,
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
      text: (line) => signed(line, at, files),
      progress: (rows) => progress.tell('exporting', rows, of),
    }
    if (csv) await writeServiceArchive(view, options, path)
    else await pipeline(Readable.from(answerText(view, options, row.id)), createWriteStream(path, { mode: 0o600 }))
  })
  return { path }
}

/** The whole answer to whoever asks for the state of the export: it may be too large to be put together while it is sent. */
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

/** The text of a row whose URLs of private files can be fetched: each gets a signature. */
function signed(line: string, at: string, files: FileService): string {
  const begin = `"${at}/uploads/private/`
  if (!line.includes(begin)) return line
  const [first = '', ...rest] = line.split(begin)
  return [first, ...rest.map((after) => signedUrl(after, at, files))].join('')
}

/** @param after what follows the beginning of the URL: its end, the closing quote, and more */
function signedUrl(after: string, at: string, files: FileService): string {
  const end = after.indexOf('"')
  const path = `uploads/private/${after.slice(0, end)}`
  return `"${at}${files.urlOf(path, LIFETIME)}${after.slice(end)}`
}
