/** Sends single files of a site to another server: the named files once, or every file when it is saved. */
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import * as z from 'zod'
import { errorCodeOf } from '../../core/error-code.ts'
import { StartError } from '../../core/start-error.ts'
import { API, type RemoteClient, RemoteFailure } from './client.ts'
import { readIgnored } from './ignored.ts'
import type { RemoteOutput } from './output.ts'
import { requireInside, siteFolders, sitePath } from './site-files.ts'

export interface SyncArguments {
  /** URL or environment; null for the server of the variables. */
  readonly server: string | null
  readonly dir: string
  /** Folders outside of the site to which its links may lead. */
  readonly links: readonly string[]
  /** Files to send once; when empty, the folder is watched. */
  readonly files: readonly string[]
}

const answer = z.looseObject({ refresh_index: z.boolean().optional().catch(undefined) }).catch({})
const anything = z.unknown()

/** Number of files to send at once. */
const CONCURRENT_SENDS = 3
/** Maximum size of a file in bytes. */
const MAX_FILE_BYTES = 50 * 1024 * 1024

/**
 * Executes a parsed command line.
 * @returns the exit code
 * @throws StartError when there is no site, or a file does not belong to it
 */
export async function runSync(line: SyncArguments, client: RemoteClient, output: RemoteOutput): Promise<number> {
  const { dir } = line
  if (siteFolders(dir).length === 0)
    throw new StartError(`'${dir}' contains no site: give a folder with 'app' or 'modules'.`)
  if (line.files.length === 0) return watch(line, client, output)
  const files = await Promise.all(line.files.map(async (file) => ({ file, path: await requirePath(dir, file) })))
  const sending = new SendQueue(line, client, output)
  for (const { file, path } of files) sending.changed(path, file)
  await sending.idle()
  return sending.failures === 0 && !output.signal.aborted ? 0 : 1
}

/** Returns the path of a named file in the site. @throws StartError when it does not belong to the site */
async function requirePath(dir: string, file: string): Promise<string> {
  const path = sitePath(dir, file)
  if (path !== null && (await readIgnored(dir))(path)) throw new StartError(`'${file}' is excluded by '.posignore'.`)
  if (path === null) throw new StartError(`'${file}' does not belong to the site in '${dir}'.`)
  const info = await stat(file).catch(() => null)
  if (info === null || !info.isFile()) throw new StartError(`There is no file '${file}'.`)
  return path
}

async function watch(line: SyncArguments, client: RemoteClient, output: RemoteOutput): Promise<number> {
  const { dir } = line
  const { url } = client.server
  try {
    await client.call({ method: 'GET', path: `${API}/logs`, answer: anything, signal: output.signal })
  } catch (error) {
    if (output.signal.aborted) return 0
    if (!(error instanceof RemoteFailure)) throw error
    output.print(`${error.message}\n`)
    return 1
  }
  const sending = new SendQueue(line, client, output)
  // Loaded here, because most uses of the command do not watch.
  const { watchSite } = await import('./watch-site.ts')
  const watcher = await watchSite(dir, line.links, (path, from) => sending.changed(path, from))
  output.print(`Watching '${dir}'. Saved files are sent to ${url}\n`)
  await new Promise<void>((resolve) => {
    if (output.signal.aborted) resolve()
    output.signal.addEventListener('abort', () => resolve())
  })
  await watcher.close()
  await sending.idle()
  return 0
}

/** Sends files to the server: a few at once, but the changes of one file in order. */
class SendQueue {
  readonly #site: Pick<SyncArguments, 'dir' | 'links'>
  readonly #client: RemoteClient
  readonly #output: RemoteOutput
  /** Waiting local files, by path on the server. */
  readonly #waiting = new Map<string, string>()
  readonly #sending = new Set<string>()
  #idle: (() => void)[] = []
  failures = 0

  constructor(site: Pick<SyncArguments, 'dir' | 'links'>, client: RemoteClient, output: RemoteOutput) {
    this.#site = site
    this.#client = client
    this.#output = output
  }

  /** Queues a changed file. Its content is read when it is sent. A missing file is deleted on the server. */
  changed(path: string, from: string): void {
    this.#waiting.set(path, from)
    this.#next()
  }

  /** Resolves when all files are sent. */
  async idle(): Promise<void> {
    if (this.#sending.size > 0 || this.#waiting.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }

  #next(): void {
    for (const [path, from] of this.#waiting) {
      if (this.#sending.size >= CONCURRENT_SENDS) return
      if (this.#sending.has(path)) continue
      this.#waiting.delete(path)
      this.#sending.add(path)
      void this.#send(path, from).finally(() => {
        this.#sending.delete(path)
        this.#next()
        if (this.#sending.size === 0 && this.#waiting.size === 0) for (const done of this.#idle.splice(0)) done()
      })
    }
  }

  async #send(path: string, from: string): Promise<void> {
    const startedAt = performance.now()
    const { out, print, signal } = this.#output
    try {
      const bytes = await readSiteFile(this.#site, path, from)
      const result = await sendFile(this.#client, path, bytes, signal)
      const time = `${Math.round(performance.now() - startedAt)} ms`
      out(`${result.kind} ${path} (${time})\n`)
      if (result.refreshesIndex) print('The declaration of a table has changed. Updating all records takes a while.\n')
    } catch (error) {
      this.failures++
      if (signal.aborted) return
      // The message of a `StartError` names the file.
      if (error instanceof StartError) print(`${error.message}\n`)
      else print(`${path} was not sent: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  }
}

/** Sends a file. @param bytes its content; null deletes it on the server @throws RemoteFailure */
async function sendFile(
  client: RemoteClient,
  path: string,
  bytes: Uint8Array<ArrayBuffer> | null,
  signal: AbortSignal,
): Promise<{ readonly kind: 'sent' | 'deleted'; readonly refreshesIndex: boolean }> {
  // The server's paths of application files do not contain the application's folder.
  const name = path.replace(/^(?:app|marketplace_builder)\//, '')
  const form = new FormData()
  form.append('path', name)
  if (bytes === null) form.append('primary_key', name)
  else form.append('marketplace_builder_file_body', new Blob([bytes]), basename(path))
  const method = bytes === null ? 'DELETE' : 'PUT'
  const { refresh_index: refreshes = false } = await client.call({
    method,
    path: `${API}/marketplace_releases/sync`,
    body: form,
    answer,
    signal,
  })
  return { kind: bytes === null ? 'deleted' : 'sent', refreshesIndex: refreshes }
}

/**
 * Reads a file of a site; returns null when it is missing.
 * @param name its path in the site
 * @throws StartError when it leads out of the site, and errors of the file system
 */
async function readSiteFile(
  { dir, links }: Pick<SyncArguments, 'dir' | 'links'>,
  name: string,
  path: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    requireInside(dir, name, links)
    const info = await stat(path)
    if (info.size > MAX_FILE_BYTES) throw new Error(`it has more than ${MAX_FILE_BYTES / 1024 / 1024} MB`)
    return new Uint8Array(await readFile(path))
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return null
    throw error
  }
}
