/** Deploys a site to another server, and waits until the site is served there. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { writeZip } from '../../web/files/zip.ts'
import { API, type RemoteClient, RemoteFailure } from './client.ts'
import type { RemoteOutput } from './output.ts'
import { siteFiles } from './site-files.ts'

export interface DeployArguments {
  /** URL or environment; null for the server of the variables. */
  readonly server: string | null
  readonly dir: string
  /** Folders outside of the site to which its links may lead. */
  readonly links: readonly string[]
  readonly partial: boolean
  readonly dryRun: boolean
  readonly verbose: boolean
}

const report = z
  .record(z.string(), z.object({ upserted: paths(), deleted: paths(), skipped: paths() }).partial().catch({}))
  .nullish()
  .catch(null)
type Report = z.infer<typeof report>

/** Schema of a list of paths, or of their number. */
function paths() {
  return z.union([z.array(z.string()), z.number()]).catch([])
}

const started = z.object({ id: z.union([z.string(), z.number()]), status: z.string().optional() })
const state = z.object({
  status: z.string(),
  error: z
    .object({
      error: z.string().catch(''),
      details: z
        .object({ file_path: z.string().nullish().catch(null) })
        .nullish()
        .catch(null),
      warnings: z.array(z.string()).nullish().catch(null),
    })
    .nullish()
    .catch(null),
  warning: z.string().nullish().catch(null),
  report,
  asset_report: z.unknown().optional(),
})
type State = z.infer<typeof state>

/** States of an unfinished deploy. */
const UNFINISHED_STATES: ReadonlySet<string> = new Set(['ready_for_import', 'in_progress'])
/** Milliseconds between two checks of a deploy. The first is short, because small deploys are fast. */
const CHECK_INTERVAL = { first: 100, last: 1_000 } as const
/** Maximum number of consecutive failed checks. */
const MAX_FAILURES = 10

/**
 * Executes a parsed command line.
 * @returns the exit code
 * @throws StartError when the folder contains no site
 */
export async function runDeploy(line: DeployArguments, client: RemoteClient, output: RemoteOutput): Promise<number> {
  const { url } = client.server
  const files = await siteFiles(line.dir, line.links)
  const what = line.dryRun ? 'Checking' : line.partial ? 'Deploying a part of' : 'Deploying'
  output.print(`${what} '${line.dir}' (${files.length} files) at ${url}\n`)
  const startedAt = performance.now()
  try {
    output.status?.during(`Packing ${files.length} files`)
    const archive = await createArchive(files.map(({ path, from }) => ({ name: path, from })))
    const form = new FormData()
    form.append('marketplace_builder[partial_deploy]', String(line.partial))
    if (line.dryRun) form.append('marketplace_builder[dry_run]', 'true')
    form.append('marketplace_builder[zip_file]', new Blob([archive]), 'release.zip')
    const path = `${API}/marketplace_releases`
    output.status?.during(`Sending ${(archive.length / 1_000_000).toFixed(1)} MB`)
    const { id } = await client.call({ method: 'POST', path, body: form, answer: started, signal: output.signal })
    output.status?.during(line.dryRun ? 'Waiting for the check' : 'Waiting for the deploy')
    const end = await waitUntilFinished(client, String(id), output)
    return reportResult(end, line, url, performance.now() - startedAt, output)
  } catch (error) {
    if (output.signal.aborted) {
      output.print('Interrupted. The server may still finish the deploy.\n')
      return 1
    }
    if (!(error instanceof RemoteFailure)) throw error
    output.print(`The deploy failed: ${error.message}\n`)
    return 1
  } finally {
    output.status?.clear()
  }
}

/** Creates an archive of files in a temporary folder. */
async function createArchive(files: Parameters<typeof writeZip>[0]): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'ingot-deploy-'))
  try {
    const path = join(folder, 'release.zip')
    await writeZip(files, path)
    return new Uint8Array(await readFile(path))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Waits for the end of a deploy, and returns its state. Temporary failures, such as a restart of the server, are retried. */
async function waitUntilFinished(client: RemoteClient, id: string, { print, signal }: RemoteOutput): Promise<State> {
  let wait: number = CHECK_INTERVAL.first
  let failures = 0
  let hasWarned = false
  for (;;) {
    await sleep(wait, undefined, { signal })
    wait = Math.min(wait * 1.5, CHECK_INTERVAL.last)
    try {
      const path = `${API}/marketplace_releases/${encodeURIComponent(id)}`
      const now = await client.call({ method: 'GET', path, answer: state, signal })
      failures = 0
      if (!UNFINISHED_STATES.has(now.status)) return now
      // Prints the server's first notice, for example that another deploy runs first.
      if (!hasWarned && typeof now.warning === 'string') print(`${now.warning}\n`)
      hasWarned ||= typeof now.warning === 'string'
    } catch (error) {
      if (!(error instanceof RemoteFailure) || !error.isTemporary || ++failures >= MAX_FAILURES) throw error
    }
  }
}

function reportResult(
  end: State,
  line: DeployArguments,
  url: string,
  ms: number,
  { out, print }: RemoteOutput,
): number {
  const { error } = end
  for (const warning of [...(error?.warnings ?? []), ...(end.warning == null ? [] : [end.warning])])
    print(`warning: ${warning}\n`)
  if (end.status !== 'success') {
    const file = error?.details?.file_path ?? ''
    const message = error?.error ?? `the state is '${end.status}'`
    print(`${message}\n${file === '' || message.includes(file) ? '' : `${file}\n`}`)
    print(line.dryRun ? 'The site has errors.\n' : 'Nothing was changed.\n')
    return 1
  }
  out(formatReport(end.report, line.verbose))
  const time = `${(ms / 1000).toFixed(1)} s`
  print(line.dryRun ? `No errors (${time}). Nothing was changed.\n` : `Deployed to ${url} in ${time}.\n`)
  return 0
}

/** Formats the report as a table, one line for each kind of changed file. */
function formatReport(kinds: Report, verbose: boolean): string {
  const count = (given: readonly string[] | number = []): number => (typeof given === 'number' ? given : given.length)
  const rows = Object.entries(kinds ?? {}).filter(
    ([, { upserted, deleted, skipped }]) => count(upserted) + count(deleted) + count(skipped) > 0,
  )
  const width = Math.max(0, ...rows.map(([kind]) => kind.length))
  return rows
    .map(([kind, { upserted = [], deleted = [], skipped = [] }]) => {
      const numbers = `${count(upserted)} upserted  ${count(deleted)} deleted  ${count(skipped)} skipped`
      const list = (sign: string, given: readonly string[] | number): string =>
        verbose && typeof given !== 'number' ? given.map((path) => `  ${sign} ${path}\n`).join('') : ''
      const names = `${list('+', upserted)}${list('-', deleted)}${list('=', skipped)}`
      return `${kind.padEnd(width)}  ${numbers}\n${names}`
    })
    .join('')
}
