/** `ingot doctor`: all that can be told of how a server is set up, by asking everything that it depends on. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import picocolors from 'picocolors'
import { readCommandLine } from '../core/command-line.ts'
import { pingRedis } from '../web/cache/redis.ts'
import { openDatabase } from '../data/database.ts'
import { checkBucket } from '../web/files/s3.ts'
import { checkMailServer } from '../web/notifications/mailer.ts'
import { openServed } from '../operate/releases/open.ts'
import { createLogger, escapeControls } from '../core/services/log.ts'
import type { ReadySettings, Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'
import { DATA_FOLDER } from '../data/store/postgres/embedded.ts'
import { type Answer, askDatabase, askReplica, inTime } from '../operate/doctor/database-findings.ts'
import { type Finding, problem, warning } from '../operate/doctor/finding.ts'
import { selfOf } from '../operate/doctor/presence.ts'
import { settingsFindings } from '../operate/doctor/settings-findings.ts'

export interface Examination {
  /** What is well: a sentence each. */
  readonly well: readonly string[]
  readonly findings: readonly Finding[]
}

/** Bytes that should be free on the disk of the data folder. */
const ROOM = 500_000_000

/**
 * Runs the command.
 * @param rest the arguments after `doctor`
 * @returns the exit code: 1 when something is wrong
 * @throws StartError
 */
export async function doctorCommand(rest: readonly string[], settings: Settings, version: string): Promise<number> {
  const { dir, isJson } = readDoctorLine(rest)
  const examination = await examine(dir, settings, version)
  process.stdout.write(isJson ? `${JSON.stringify(examination, null, 2)}\n` : shown(examination))
  return examination.findings.some(({ level }) => level === 'error') ? 1 : 0
}

/** @throws StartError */
export function readDoctorLine(rest: readonly string[]): { readonly dir: string; readonly isJson: boolean } {
  const { words, has } = readCommandLine('ingot doctor', rest, { switches: ['json'], values: [] })
  if (words.length > 1) throw new StartError(`\`ingot doctor\` takes one folder, not ${words.length}.`)
  return { dir: words[0] ?? '.', isJson: has('json') }
}

/** Asks everything that a server of these settings depends on. */
export async function examine(dir: string, settings: Settings, version: string): Promise<Examination> {
  const build = await buildAnswer(dir, settings)
  const answers = await Promise.all([
    build.answer,
    databaseAnswer(build.root, settings, version),
    ...(settings.replicaUrl === null ? [] : [askReplica(settings.replicaUrl)]),
    ...reachAnswers(settings),
  ])
  return {
    well: answers.flatMap(({ told }) => (told === null ? [] : [told])),
    findings: [...answers.flatMap(({ findings }) => findings), ...settingsFindings(settings)].toSorted(
      (a, b) => Number(a.level === 'warning') - Number(b.level === 'warning'),
    ),
  }
}

/** The build of a folder or an archive, and the folder beside which its data are. */
async function buildAnswer(
  dir: string,
  settings: Settings,
): Promise<{ readonly root: string; readonly answer: Answer }> {
  try {
    const { root, folder } = await openServed({ dir }, settings, createLogger('silent', true, process.stderr))
    return { root, answer: { told: `a build is in ${folder}`, findings: [] } }
  } catch (error) {
    if (error instanceof StartError) return { root: dir, answer: { told: null, findings: [problem(error.message)] } }
    throw error
  }
}

async function databaseAnswer(dir: string, settings: Settings, version: string): Promise<Answer> {
  const folder = resolve(settings.dataFolder ?? join(dir, DATA_FOLDER))
  const disk = diskFindings(folder)
  if (disk.some(({ level }) => level === 'error')) return { told: null, findings: disk }
  try {
    const database = await openDatabase(settings, dir, createLogger('silent', true, process.stderr))
    try {
      const ready: ReadySettings = database.settings
      const self = settings.databaseUrl === null ? null : selfOf(ready, version)
      const answer = await askDatabase(ready.databaseUrl, self, settings)
      return { ...answer, findings: [...disk, ...answer.findings] }
    } finally {
      await database.close()
    }
  } catch (error) {
    if (error instanceof StartError) return { told: null, findings: [...disk, problem(error.message)] }
    throw error
  }
}

/** Whether the data folder can be written, and has room. */
function diskFindings(folder: string): readonly Finding[] {
  let above = folder
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above)
  if (!statSync(above).isDirectory())
    return [problem(`INGOT_DATA leads through a file where it needs a folder: '${above}'.`)]
  try {
    accessSync(above, constants.W_OK)
  } catch {
    return [problem(`The data folder '${folder}' cannot be written by this user: set INGOT_DATA to one that can.`)]
  }
  const { bavail, bsize } = statfsSync(above)
  if (bavail * bsize >= ROOM) return []
  return [warning(`The disk of '${folder}' has ${Math.floor((bavail * bsize) / 1_000_000)} MB left: make room there.`)]
}

/** Asks the servers that the settings name. */
function reachAnswers({ s3, delivery, redisUrl }: Settings): readonly Promise<Answer>[] {
  const answers: Promise<Answer>[] = []
  if (s3 !== null)
    answers.push(reach(`the bucket ${s3.bucket} takes files`, 'INGOT_S3_ENDPOINT and its like', () => checkBucket(s3)))
  const { smtpUrl } = delivery
  if (smtpUrl !== null)
    answers.push(reach('the mail server lets us in', 'INGOT_SMTP_URL', () => checkMailServer(smtpUrl)))
  if (redisUrl !== null) answers.push(reach('the cache in Redis answers', 'REDIS_URL', () => pingRedis(redisUrl)))
  return answers
}

async function reach(told: string, setting: string, ask: () => Promise<void>): Promise<Answer> {
  try {
    await inTime(ask())
    return { told, findings: [] }
  } catch (error) {
    return { told: null, findings: [problem(`${setting}: ${reasonOf(error)}`)] }
  }
}

/** The innermost reason that an error gives. */
function reasonOf(error: unknown): string {
  const { cause, message, code } = error as {
    readonly cause?: unknown
    readonly message?: string
    readonly code?: string
  }
  if (cause instanceof Error) return reasonOf(cause)
  // An error of several addresses says nothing of its own.
  return message === undefined || message === '' ? String(code ?? error) : message
}

function shown({ well, findings }: Examination): string {
  const lines = [
    ...well.map((text) => `${picocolors.green('ok')}       ${escapeControls(text)}`),
    ...findings.map(({ level, text }) =>
      level === 'error'
        ? `${picocolors.red('error')}    ${escapeControls(text)}`
        : `${picocolors.yellow('warning')}  ${escapeControls(text)}`,
    ),
  ]
  if (findings.length === 0) lines.push('Nothing is wrong.')
  return `${lines.join('\n')}\n`
}
