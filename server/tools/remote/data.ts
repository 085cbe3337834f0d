/** Exports, imports, updates and removes the data of a site on another server. */
import { randomBytes } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { StartError } from '../../core/start-error.ts'
import { API, type RemoteClient, RemoteFailure } from './client.ts'
import type { RemoteOutput } from './output.ts'

/** The parsed command line. `server`: null for the server of the variables. */
export type DataArguments = { readonly server: string | null } & (
  | {
      readonly verb: 'export'
      /** A file, or `-` for standard output. */
      readonly out: string
      readonly csv: boolean
      /** Whether rows refer to each other by ids instead of external ids. */
      readonly rawIds: boolean
    }
  | { readonly verb: 'import'; readonly file: string; readonly rawIds: boolean }
  | { readonly verb: 'update'; readonly file: string }
  | { readonly verb: 'clean'; readonly schema: boolean; readonly confirmation: string | null }
)

/** Asks the user for a line; returns null when there is no terminal. */
export type AskUser = (question: string) => Promise<string | null>

/** Text that confirms the removal of data. */
const CONFIRMATION = 'CLEAN DATA'

/**
 * Executes a parsed command line.
 * @returns the exit code
 * @throws StartError when a file cannot be read or written
 */
export async function runData(
  line: DataArguments,
  client: RemoteClient,
  output: RemoteOutput,
  ask: AskUser,
): Promise<number> {
  const startedAt = performance.now()
  const reportDone = (what: string): number => {
    output.print(`${what} (${((performance.now() - startedAt) / 1000).toFixed(1)} s).\n`)
    return 0
  }
  try {
    switch (line.verb) {
      case 'export':
        await exportFrom(line, client, output)
        return reportDone(`Exported the data of ${client.server.url}${line.out === '-' ? '' : ` to ${line.out}`}`)
      case 'import':
        return reportDone(`Imported ${line.file} at ${client.server.url}${await importTo(line, client, output)}`)
      case 'update':
        await updateAt(line, client, output)
        return reportDone(`Updated the data at ${client.server.url}`)
      case 'clean':
        return (await cleanData(line, client, output, ask)) ? reportDone(`Removed the data at ${client.server.url}`) : 1
    }
  } catch (error) {
    if (output.signal.aborted) {
      output.print('Interrupted. The server continues with the request.\n')
      return 1
    }
    if (!(error instanceof RemoteFailure)) throw error
    output.print(`The ${line.verb} failed: ${error.message}\n`)
    return 1
  }
}

// ---- The state of a request --------------------------------------------------------------------------------------------

const started = z.looseObject({ id: z.union([z.string(), z.number()]) })

const named = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])
const state = z.looseObject({
  status: named,
  error: z.string().nullish().catch(null),
  errors: z.array(z.unknown()).nullish().catch(null),
  progress: z.object({ phase: z.string(), rows: z.number(), of: z.number().nullish() }).nullish().catch(null),
  zip_file_url: z.string().nullish().catch(null),
  counts: z
    .object({ added: z.number(), changed: z.number(), same: z.number(), skipped: z.number().default(0) })
    .nullish()
    .catch(null),
  warnings: z.array(z.string()).nullish().catch(null),
  data: z.looseObject({}).nullish().catch(null),
})
type State = z.infer<typeof state>

/** Milliseconds between two checks of the state. */
const CHECK_INTERVAL = { first: 200, last: 2_000 } as const
/** Maximum number of consecutive failed checks. */
const MAX_FAILURES = 10
/** Milliseconds for a response with all data of a site, and for sending a file. */
const LONG_TIMEOUT = 3_600_000

/**
 * Waits until the server has finished a request.
 * @param path path of the resource
 * @throws RemoteFailure when the request has failed
 */
async function waitUntilFinished(client: RemoteClient, path: string, { print, signal }: RemoteOutput): Promise<State> {
  let wait: number = CHECK_INTERVAL.first
  let failures = 0
  let lastProgress = ''
  for (;;) {
    try {
      const now = await client.call({ method: 'GET', path, answer: state, patience: LONG_TIMEOUT, signal })
      failures = 0
      if (now.status === 'done') return now
      if (now.status === 'failed') throw new RemoteFailure(reasonOf(now), 200)
      const progress = formatProgress(now)
      if (progress !== lastProgress && progress !== '') print(`${progress}\n`)
      lastProgress = progress
    } catch (error) {
      if (!(error instanceof RemoteFailure) || !error.isTemporary || ++failures >= MAX_FAILURES) throw error
    }
    await sleep(wait, undefined, { signal })
    wait = Math.min(wait * 1.5, CHECK_INTERVAL.last)
  }
}

function reasonOf({ error, errors }: State): string {
  const all = (errors ?? []).map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
  const parts = [...(error == null || error === '' ? [] : [error]), ...all]
  return parts.length === 0 ? 'the server gave no reason' : parts.join('\n')
}

function formatProgress({ progress }: State): string {
  if (progress == null) return ''
  const of = progress.of == null ? '' : ` of ${progress.of.toLocaleString('en-US')}`
  return `${progress.phase}: ${progress.rows.toLocaleString('en-US')}${of} rows`
}

// ---- The commands --------------------------------------------------------------------------------------------------------

type Of<Verb extends DataArguments['verb']> = Extract<DataArguments, { readonly verb: Verb }>

async function exportFrom(
  { out, csv, rawIds }: Of<'export'>,
  client: RemoteClient,
  output: RemoteOutput,
): Promise<void> {
  const form = new FormData()
  form.append('export_internal', String(rawIds))
  const query = csv ? '?csv_export=true' : ''
  const { signal } = output
  const path = `${API}/exports`
  const { id } = await client.call({ method: 'POST', path: `${path}${query}`, body: form, answer: started, signal })
  const end = await waitUntilFinished(client, `${path}/${encodeURIComponent(id)}${query}`, output)
  if (csv) {
    if (end.zip_file_url == null) throw new RemoteFailure('the server sent no URL of the archive', 200)
    return writeFile(out, await download(end.zip_file_url, signal), signal)
  }
  if (end.data == null) throw new RemoteFailure('the server sent no data', 200)
  if (out !== '-') return writeFile(out, Readable.from(jsonText(end.data)), signal)
  for (const text of jsonText(end.data)) output.out(text)
}

/** Formats the lists of an export as JSON, one row per line. */
function* jsonText(data: Readonly<Record<string, unknown>>): Generator<string> {
  yield '{'
  for (const [at, name] of ['users', 'transactables', 'models'].entries()) {
    yield `${at === 0 ? '' : ','}\n${JSON.stringify(name)}: [`
    const list = data[name]
    const rows = typeof list === 'object' && list !== null && 'results' in list ? list.results : list
    let isFirst = true
    for (const row of Array.isArray(rows) ? rows : []) {
      yield `${isFirst ? '' : ','}\n  ${JSON.stringify(row)}`
      isFirst = false
    }
    yield isFirst ? ']' : '\n]'
  }
  yield '\n}\n'
}

/** Downloads a file from a URL of the server. The URL is signed, so no token is sent. */
async function download(address: string, signal: AbortSignal): Promise<Readable> {
  const response = await fetch(address, { signal }).catch((error: unknown) => {
    if (signal.aborted) throw signal.reason
    throw new RemoteFailure('the archive cannot be downloaded', null, error)
  })
  if (!response.ok || response.body === null)
    throw new RemoteFailure(
      `the archive cannot be downloaded: the server responded with status ${response.status}`,
      response.status,
    )
  return Readable.fromWeb(response.body)
}

/** Writes a file atomically. */
async function writeFile(path: string, from: Readable, signal: AbortSignal): Promise<void> {
  const part = `${path}.part`
  try {
    await mkdir(dirname(path), { recursive: true })
    await pipeline(from, createWriteStream(part), { signal })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    if (error instanceof Error && 'syscall' in error)
      throw new StartError(`'${path}' cannot be written: ${error.message}.`)
    throw error
  }
}

/** Imports a file. @returns the counts of its rows, to print after a sentence; empty when the server does not report them */
async function importTo({ file, rawIds }: Of<'import'>, client: RemoteClient, output: RemoteOutput): Promise<string> {
  const isArchive = await beginsAsZip(file)
  const { signal } = output
  const body = isArchive
    ? { zip_file_url: await uploadArchive(file, client, output), raw_ids: rawIds }
    : new Blob(['{"import":{"data":', await blobOf(file), `},"raw_ids":${rawIds}}`], { type: 'application/json' })
  const path = `${API}/imports`
  const { id } = await client.call({ method: 'POST', path, body, answer: started, patience: LONG_TIMEOUT, signal })
  output.print('The file was sent. The server is importing it.\n')
  const end = await waitUntilFinished(
    client,
    `${path}/${encodeURIComponent(id)}${isArchive ? '?csv_import=true' : ''}`,
    output,
  )
  for (const warning of end.warnings ?? []) output.print(`${warning}\n`)
  if (end.counts == null) return ''
  const { added, changed, same, skipped } = end.counts
  const leftOut = skipped === 0 ? '' : `, not supported: ${skipped.toLocaleString('en-US')}`
  return `: ${added.toLocaleString('en-US')} new, ${changed.toLocaleString('en-US')} changed, ${same.toLocaleString('en-US')} unchanged${leftOut}`
}

async function beginsAsZip(file: string): Promise<boolean> {
  const handle = await open(file).catch((error: unknown) => {
    throw unreadable(file, error)
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.readUInt32LE(0) === ZIP_SIGNATURE
  } catch (error) {
    throw unreadable(file, error)
  } finally {
    await handle.close()
  }
}

/** The first bytes of a zip archive. */
const ZIP_SIGNATURE = 0x0403_4b50

function blobOf(file: string, type = 'application/json'): Promise<Blob> {
  return openAsBlob(file, { type }).catch((error: unknown) => {
    throw unreadable(file, error)
  })
}

function unreadable(file: string, error: unknown): StartError {
  return new StartError(`'${file}' cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
}

const instance = z.looseObject({ id: z.union([z.string(), z.number()]) })
const place = z.looseObject({ url: z.string(), accessUrl: z.string() })

/**
 * Uploads an archive to a URL that the server provides.
 * @returns the URL for the import request
 */
async function uploadArchive(file: string, client: RemoteClient, { signal }: RemoteOutput): Promise<string> {
  const type = 'application/zip'
  const archive = await blobOf(file, type)
  const { id } = await client.call({ method: 'GET', path: `${API}/instance`, answer: instance, signal })
  const query = new URLSearchParams({
    fileName: `instances/${id}/data_imports/${randomBytes(32).toString('hex')}`,
    contentLength: String(archive.size),
    contentType: type,
  })
  const { token, url } = client.server
  const headers = { token, marketplace_domain: new URL(url).hostname }
  const path = `/api/private/urls/presign-url?${query}`
  const target = await client.call({ method: 'GET', path, headers, answer: place, signal })
  const response = await fetch(target.url, {
    method: 'PUT',
    headers: { 'content-type': type },
    body: archive,
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw signal.reason
    throw new RemoteFailure('the archive cannot be sent', null, error)
  })
  await response.body?.cancel()
  if (!response.ok)
    throw new RemoteFailure(
      `the archive was refused: the server responded with status ${response.status}`,
      response.status,
    )
  return target.accessUrl
}

async function updateAt({ file }: Of<'update'>, client: RemoteClient, output: RemoteOutput): Promise<void> {
  const form = new FormData()
  form.append('update[data]', await blobOf(file), 'data.json')
  const path = `${API}/data_updates`
  const { signal } = output
  const { id } = await client.call({
    method: 'POST',
    path,
    body: form,
    answer: started,
    patience: LONG_TIMEOUT,
    signal,
  })
  await waitUntilFinished(client, `${path}/${encodeURIComponent(id)}`, output)
}

/** Removes the data after the user's confirmation. @returns false when the user has not confirmed */
async function cleanData(
  { schema, confirmation }: Of<'clean'>,
  client: RemoteClient,
  output: RemoteOutput,
  ask: AskUser,
): Promise<boolean> {
  const { url } = client.server
  const what = schema ? 'all data and all files of the site' : 'all data'
  const given =
    confirmation ?? (await ask(`This permanently removes ${what} at ${url}. Type '${CONFIRMATION}' to continue: `))
  if (given !== CONFIRMATION) {
    output.print(
      `Nothing was removed: ${given === null ? `confirm with --confirm='${CONFIRMATION}'` : 'it was not confirmed'}.\n`,
    )
    return false
  }
  const path = `${API}/data_clean`
  const body = { confirmation: CONFIRMATION, include_schema: schema }
  const { id } = await client.call({ method: 'POST', path, body, answer: started, signal: output.signal })
  await waitUntilFinished(client, `${path}/${encodeURIComponent(id)}`, output)
  return true
}
