/** `ingot jobs list|show|retry|delete`: shows and changes a site's job queue, with or without a running server. */
import { colorsFor, outputColors } from '../core/services/colors.ts'
import type { Sql } from 'postgres'
import {
  countJobs,
  deleteJobs,
  findJob,
  type JobRow,
  type JobState,
  listJobs,
  retryDead,
  retryJobs,
  STATES,
} from '../data/queue/admin.ts'
import { type CommandLine, rejectOtherOptions, readCommandLine } from '../core/command-line.ts'
import { installQueue } from '../data/queue/install.ts'
import type { RunStatement } from '../data/queue/queue.ts'
import { sendTexts } from '../data/store/send.ts'
import { createLogger, escapeControls } from '../core/services/log.ts'
import type { Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'
import { withStore } from '../data/with-store.ts'
import { formatCell, formatTable } from './table.ts'

/** The parsed command line. @internal Exported for tests. */
export type JobsArguments = { readonly dir: string; readonly json: boolean } & (
  | { readonly action: 'list'; readonly state: JobState | null; readonly limit: number }
  | { readonly action: 'show'; readonly id: string }
  | { readonly action: 'delete'; readonly id: string }
  /** `id`: null retries all dead jobs. */
  | { readonly action: 'retry'; readonly id: string | null }
)

const ACTIONS = ['list', 'show', 'retry', 'delete'] as const
const OPTIONS: Readonly<Record<(typeof ACTIONS)[number], readonly string[]>> = {
  list: ['state', 'limit', 'json'],
  show: ['json'],
  retry: ['all-dead', 'json'],
  delete: ['json'],
}
const DEFAULT_LIMIT = 50
const MAX_LIMIT = 10_000

/**
 * Runs the command.
 * @param args the arguments after `jobs`
 * @returns the exit code: 1 when the job does not exist, or the action is not possible for it
 * @throws StartError
 */
export async function jobsCommand(args: readonly string[], settings: Settings): Promise<number> {
  const line = readJobsLine(args)
  // Logs go to standard error, because scripts may read standard output.
  const logger = createLogger('warn', true, process.stderr)
  return withStore({ settings, dir: line.dir, pool: 2, logger }, async ({ sql }, { databaseUrl }) => {
    await installQueue(databaseUrl, sql)
    return runJobsLine(
      line,
      statementRunner(sql),
      (text) => void process.stdout.write(text),
      (text) => void process.stderr.write(text),
    )
  })
}

/** Returns a function that runs queue statements on any free connection. */
function statementRunner(sql: Sql): RunStatement {
  return (statement) => sendTexts(sql, statement).values()
}

/**
 * Parses the arguments after `ingot jobs`.
 * @throws StartError
 * @internal Exported for tests.
 */
export function readJobsLine(args: readonly string[]): JobsArguments {
  const line = readCommandLine('ingot jobs', args, { switches: ['all-dead', 'json'], values: ['state', 'limit'] })
  const { words, has } = line
  const [action, ...otherWords] = words
  const known = ACTIONS.find((each) => each === action)
  if (known === undefined) {
    const what = action === undefined ? 'needs an action' : `has no action '${action}'`
    throw new StartError(`\`ingot jobs\` ${what}: give ${ACTIONS.join(', ')}.`)
  }
  rejectOtherOptions(`ingot jobs ${known}`, line, OPTIONS[known])
  const json = has('json')
  const takesId = known !== 'list' && !has('all-dead')
  const [id, dir = '.', extraArgument] = takesId ? otherWords : [undefined, ...otherWords]
  if (extraArgument !== undefined) throw new StartError(`\`ingot jobs ${known}\` does not take '${extraArgument}'.`)
  if (known === 'list') return { action: known, dir, json, state: parseState(line), limit: parseLimit(line) }
  if (known === 'retry' && has('all-dead')) return { action: known, dir, json, id: null }
  if (id === undefined) {
    const or = known === 'retry' ? ', or --all-dead' : ''
    throw new StartError(`\`ingot jobs ${known}\` needs the ID of a job${or}: list them with \`ingot jobs list\`.`)
  }
  if (!/^\d{1,18}$/.test(id))
    throw new StartError(`'${id}' is not the ID of a job: list them with \`ingot jobs list\`.`)
  return { action: known, dir, json, id }
}

function parseState({ value }: CommandLine): JobState | null {
  const text = value('state')
  if (text === null) return null
  const state = STATES.find((each) => each === text.toUpperCase())
  if (state === undefined) throw new StartError(`There is no state '${text}': give ${STATES.join(', ').toLowerCase()}.`)
  return state
}

function parseLimit({ value }: CommandLine): number {
  const text = value('limit')
  if (text === null) return DEFAULT_LIMIT
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw new StartError(`The option --limit cannot be '${text}': give a number from 1 to ${MAX_LIMIT}.`)
  return limit
}

/**
 * Executes a parsed command line.
 * @param out receives the result
 * @param print receives messages for the user
 * @returns the exit code
 * @internal Exported for tests.
 */
export async function runJobsLine(
  line: JobsArguments,
  run: RunStatement,
  out: (text: string) => void,
  print: (text: string) => void,
): Promise<number> {
  switch (line.action) {
    case 'list': {
      const jobs = await listJobs(run, line.state, line.limit)
      if (line.json) out(`${JSON.stringify(jobs.map(toJson))}\n`)
      else await printList(run, jobs, out, print)
      return 0
    }
    case 'show': {
      const job = await findJob(run, line.id)
      if (job === null) return reportMissingJob(line.id, print)
      out(line.json ? `${JSON.stringify(toJson(job))}\n` : formatDetails(job))
      return 0
    }
    case 'retry': {
      const ids = line.id === null ? await retryDead(run) : await retryJobs(run, [line.id])
      if (line.json) out(`${JSON.stringify(ids)}\n`)
      if (ids.length > 0) print(`${formatJobCount(ids)} queued to run now.\n`)
      else if (line.id === null) print('There are no dead jobs.\n')
      else return reportUnchangedJob(run, line.id, print, 'is already running')
      return 0
    }
    case 'delete': {
      const ids = await deleteJobs(run, [line.id])
      if (line.json) out(`${JSON.stringify(ids)}\n`)
      if (ids.length === 0) return reportUnchangedJob(run, line.id, print, 'is running now, and cannot be deleted')
      print(`Job ${line.id} was deleted.\n`)
      return 0
    }
  }
}

function formatJobCount(ids: readonly string[]): string {
  return ids.length === 1 ? `Job ${ids[0]} is` : `${ids.length} jobs are`
}

function reportMissingJob(id: string, print: (text: string) => void): number {
  print(`There is no job ${id}. It may be done already. List the jobs with \`ingot jobs list\`.\n`)
  return 1
}

/** Prints why a job was not changed. @param running the phrase for a running job */
async function reportUnchangedJob(
  run: RunStatement,
  id: string,
  print: (text: string) => void,
  running: string,
): Promise<number> {
  const job = await findJob(run, id)
  if (job === null) return reportMissingJob(id, print)
  print(`Job ${id} ${job.state === 'DONE' ? 'is done' : running}.\n`)
  return 1
}

async function printList(
  run: RunStatement,
  jobs: readonly JobRow[],
  out: (text: string) => void,
  print: (text: string) => void,
): Promise<void> {
  if (jobs.length === 0) {
    print('There are no matching jobs.\n')
    return
  }
  const rows = jobs.map((job) => [
    job.id,
    job.state,
    job.queue,
    formatCell(job.label ?? job.kind ?? '?'),
    `${job.attempts}/${job.maxAttempts}`,
    formatTime(
      job.state === 'DONE'
        ? job.doneAt
        : job.state === 'DEAD'
          ? job.deadAt
          : job.state === 'RUNNING'
            ? job.startedAt
            : job.runAt,
    ),
    formatCell(job.errorMessage ?? '').slice(0, 80),
  ])
  out(formatTable(['ID', 'STATE', 'PRIORITY', 'JOB', 'ATTEMPTS', 'TIME', 'ERROR'], rows))
  const counts = await countJobs(run)
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const each = STATES.flatMap((state) => (counts.has(state) ? [`${counts.get(state)} ${state.toLowerCase()}`] : []))
  print(colorsFor(process.stderr).dim(`${total} in all: ${each.join(', ')}\n`))
}

function formatDetails(job: JobRow): string {
  const facts: readonly (readonly [string, string | null])[] = [
    ['job', job.id],
    ['state', job.state],
    ['priority', job.queue],
    ['label', job.label],
    ['runs', [job.kind, job.unit].filter((part) => part !== null).join(' ')],
    [
      'attempts',
      `${job.attempts} of ${job.maxAttempts}${job.state === 'DEAD' && job.attempts < job.maxAttempts ? ', because no further one can succeed' : ''}`,
    ],
    ['runs started', job.runs === job.attempts ? null : String(job.runs)],
    ['crashes', job.crashes === 0 ? null : String(job.crashes)],
    ['queued', job.createdAt],
    [job.startedAt === null ? 'runs at' : 'started', job.startedAt ?? (job.state === 'DEAD' ? null : job.runAt)],
    ['failed', job.failedAt],
    ['dead since', job.deadAt],
    ['done', job.doneAt],
    ['reason', job.reason],
    [
      job.state === 'DONE' ? 'note' : 'error',
      job.errorMessage === null ? null : [job.errorClass, job.errorMessage].filter(Boolean).join(': '),
    ],
    ['at', job.stack.map(({ path, line }) => `${path}:${line}`).join('\n') || null],
    ['arguments', job.arguments],
  ]
  const lines = facts.flatMap(([name, value]) =>
    value === null
      ? []
      : [`${outputColors.dim(name.padEnd(11))}${escapeControls(value).replaceAll('\n', `\n${' '.repeat(11)}`)}`],
  )
  return `${lines.join('\n')}\n`
}

function toJson({ arguments: values, ...job }: JobRow): object {
  const parsed: unknown = JSON.parse(values)
  return { ...job, arguments: parsed }
}

function formatTime(time: string | null): string {
  return time === null ? '' : `${time.slice(0, 19).replace('T', ' ')} UTC`
}
