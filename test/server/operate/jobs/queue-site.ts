/** Creates sites whose jobs are JavaScript functions, and a queue for them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { ABI, type CompiledSite } from '../../../../runtime/page/site.ts'
import type { JobRequest } from '../../../../runtime/data/jobs.ts'
import type { JobOptions } from '../../../../runtime/page/services.ts'
import { enqueue } from '../../../../server/data/queue/enqueue.ts'
import type { RunStatement } from '../../../../server/data/queue/queue.ts'
import { sendTexts } from '../../../../server/data/store/send.ts'
import { folder, page, site } from '../../../support/server/site.ts'

export interface QueueSite {
  /** The jobs by name, as the source texts of functions `(r, scope) => …`. They can call `note(text)` and `sleep(ms)`. */
  readonly jobs: Readonly<Record<string, string>>
  /** The migrations in the same form. A name `modules/<module>/…` belongs to a module. */
  readonly migrations?: Readonly<Record<string, string>>
  readonly options?: Partial<CompiledSite['options']>
  readonly pages?: Readonly<Record<string, string>>
}

/** Returns the source text of a bundle. */
export function bundleOf({ jobs, migrations = {}, pages = {}, options = {} }: QueueSite, notes: string): string {
  const entry = ([name, render]: readonly [string, string]): string =>
    `${JSON.stringify(name)}: { file: ${JSON.stringify(`app/views/partials/${name}.liquid`)}, render: ${render} }`
  const migration = ([name, render]: readonly [string, string]): string => {
    const [, module, own = name] = /^modules\/(\w+)\/(\d{14}_\w+)$/.exec(name) ?? []
    const file = `${module === undefined ? 'app' : `modules/${module}/public`}/migrations/${own}.liquid`
    return `{ file: '${file}', name: '${name}', timestamp: '${own.slice(0, 14)}', render: ${render} }`
  }
  const shown = ([slug, render]: readonly [string, string]): string =>
    `{ ...${JSON.stringify(page(slug))}, render: ${render} }`
  return `import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
const note = (text) => appendFileSync(${JSON.stringify(notes)}, text + '\\n')
export default ({ LiquidFault }) => ({
  ...${JSON.stringify(site([], { options: { ...site([]).options, ...options } }))},
  pages: [${Object.entries({ '/': '() => "home"', ...pages })
    .map(shown)
    .join(', ')}],
  jobs: { ${Object.entries(jobs).map(entry).join(', ')} },
  migrations: [${Object.entries(migrations).map(migration).join(', ')}],
})
`
}

export interface BuiltQueueSite {
  readonly root: string
  /** The path of the bundle. */
  readonly bundle: string
  /** Returns what the jobs have noted so far, one line each. */
  notes(): readonly string[]
  /** The file of the notes. */
  readonly notesFile: string
}

export function builtQueueSite(given: QueueSite): BuiltQueueSite {
  const root = folder({
    '.ingot/manifest.json': JSON.stringify({ abi: ABI, builtBy: '0.1.0', createdAt: '' }),
    notes: '',
  })
  const notesFile = join(root, 'notes')
  folderFile(root, bundleOf(given, notesFile))
  return {
    root,
    bundle: join(root, '.ingot', 'site.mjs'),
    notesFile,
    notes: () => readFileSync(notesFile, 'utf8').split('\n').filter(Boolean),
  }
}

function folderFile(root: string, text: string): void {
  writeFileSync(join(root, '.ingot', 'site.mjs'), text)
}

/** Returns a job as a page would queue it. */
export function job(unit: string, values: Record<string, unknown> = {}, options: Partial<JobOptions> = {}): JobRequest {
  return {
    task: { kind: 'unit', unit, values },
    origin: { host: 'example.com', language: 'en', user: null, depth: 1 },
    options: { delay: 0, priority: 'default', maxAttempts: 1, sourceName: unit, ...options },
  }
}

export function runOn(sql: Sql): RunStatement {
  return (statement) => sendTexts(sql, statement).values()
}

/** Queues jobs. */
export function queue(sql: Sql, ...jobs: readonly JobRequest[]): Promise<readonly string[]> {
  return enqueue(jobs, runOn(sql))
}

/** Waits until a condition holds. The pauses become longer, because each check costs a statement or the read of a file. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, seconds = 200): Promise<void> {
  const begun = performance.now()
  while (!(await holds())) {
    const waited = performance.now() - begun
    if (waited > seconds * 1000) throw new Error(`${what}: not within ${seconds} seconds`)
    await sleep(Math.min(25 + waited / 20, 200))
  }
}

/** Returns the rows of the view of jobs, by id. */
export async function jobsOf(sql: Sql): Promise<readonly Record<string, unknown>[]> {
  return [...(await sql`select * from ingot.jobs order by id`)]
}

/** Returns the same rows without the records of finished jobs that may have run twice. */
export async function jobsLeft(sql: Sql): Promise<readonly Record<string, unknown>[]> {
  return (await jobsOf(sql)).filter(({ state }) => state !== 'DONE')
}
