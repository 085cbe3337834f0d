/** `ingot doctor`: checks the setup of a server by contacting every service that it depends on. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outputColors } from '../core/services/colors.ts'
import { readCommandLine } from '../core/command-line.ts'
import { errorCodeOf } from '../core/error-code.ts'
import { pingRedis } from '../web/cache/redis.ts'
import { openDatabase } from '../data/database.ts'
import { checkBucket } from '../web/files/s3.ts'
import { checkMailServer } from '../web/notifications/mailer.ts'
import { checkProvider } from '../web/oidc/providers.ts'
import { hasMails, hasPdfs } from '../web/site/load.ts'
import { openServed } from '../operate/releases/open.ts'
import { createLogger, escapeControls } from '../core/services/log.ts'
import { createPrinter } from '../core/print/client.ts'
import { findChromium } from '../core/print/find-chromium.ts'
import type { PrintSettings, ReadySettings, Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'
import { DATA_FOLDER } from '../data/store/postgres/embedded.ts'
import { type CheckResult, checkDatabaseServer, checkReplica, withTimeout } from '../operate/doctor/database-checks.ts'
import { type Finding, problem, warning } from '../operate/doctor/finding.ts'
import { describeServer } from '../operate/doctor/presence.ts'
import { settingsFindings } from '../operate/doctor/settings-findings.ts'

/** The result of the checks. @internal Exported for tests. */
export interface Examination {
  /** Successful checks, one phrase each. */
  readonly well: readonly string[]
  readonly findings: readonly Finding[]
}

/** Bytes that should be free on the disk of the data folder. */
const MIN_FREE_BYTES = 500_000_000

/**
 * Runs the command.
 * @param args the arguments after `doctor`
 * @returns the exit code: 1 when something is wrong
 * @throws StartError
 */
export async function doctorCommand(args: readonly string[], settings: Settings, version: string): Promise<number> {
  const { dir, isJson } = readDoctorLine(args)
  const examination = await checkSetup(dir, settings, version)
  process.stdout.write(isJson ? `${JSON.stringify(examination, null, 2)}\n` : formatExamination(examination))
  return examination.findings.some(({ level }) => level === 'error') ? 1 : 0
}

/** Parses the arguments after `ingot doctor`. @throws StartError @internal Exported for tests. */
export function readDoctorLine(args: readonly string[]): { readonly dir: string; readonly isJson: boolean } {
  const { words, has } = readCommandLine('ingot doctor', args, { switches: ['json'], values: [] })
  if (words.length > 1) throw new StartError(`\`ingot doctor\` takes one folder, not ${words.length}.`)
  return { dir: words[0] ?? '.', isJson: has('json') }
}

/**
 * Checks everything that a server with these settings depends on. @internal Exported for tests.
 * @param printProgram path of the program that prints documents
 */
export async function checkSetup(
  dir: string,
  settings: Settings,
  version: string,
  printProgram = fileURLToPath(new URL('./print-worker.mjs', import.meta.url)),
): Promise<Examination> {
  const build = await checkBuild(dir, settings)
  const results = await Promise.all([
    build.result,
    checkDatabase(build.root, settings, version),
    ...(settings.replicaUrl === null ? [] : [checkReplica(settings.replicaUrl)]),
    ...checkServices(settings),
    ...(build.printsPdfs && findChromium(settings.print.chromium) !== null
      ? [checkPrinting(settings.print, printProgram)]
      : []),
  ])
  const { printsPdfs } = build
  const duties = { takesRequests: true, sendsMails: settings.instance || build.sendsMails, printsPdfs }
  return {
    well: results.flatMap(({ success }) => (success === null ? [] : [success])),
    findings: [...results.flatMap(({ findings }) => findings), ...settingsFindings(settings, duties)].toSorted(
      (a, b) => Number(a.level === 'warning') - Number(b.level === 'warning'),
    ),
  }
}

interface CheckedBuild {
  /** Folder of its data. */
  readonly root: string
  readonly sendsMails: boolean
  readonly printsPdfs: boolean
  readonly result: CheckResult
}

/** Checks the build of a folder or an archive. */
async function checkBuild(dir: string, settings: Settings): Promise<CheckedBuild> {
  try {
    const built = await openServed({ dir }, settings, createLogger('silent', true, process.stderr))
    const result = { success: `a build is in ${built.folder}`, findings: [] }
    return { root: built.root, sendsMails: hasMails(built), printsPdfs: hasPdfs(built), result }
  } catch (error) {
    if (error instanceof StartError)
      return {
        ...{ root: dir, sendsMails: false, printsPdfs: false },
        result: { success: null, findings: [problem(error.message)] },
      }
    throw error
  }
}

async function checkDatabase(dir: string, settings: Settings, version: string): Promise<CheckResult> {
  const folder = resolve(settings.dataFolder ?? join(dir, DATA_FOLDER))
  const disk = diskFindings(folder)
  if (disk.some(({ level }) => level === 'error')) return { success: null, findings: disk }
  try {
    const database = await openDatabase(settings, dir, createLogger('silent', true, process.stderr))
    try {
      const readySettings: ReadySettings = database.settings
      const self = settings.databaseUrl === null ? null : describeServer(readySettings, version)
      const result = await checkDatabaseServer(readySettings.databaseUrl, self, settings)
      return { ...result, findings: [...disk, ...result.findings] }
    } finally {
      await database.close()
    }
  } catch (error) {
    if (error instanceof StartError) return { success: null, findings: [...disk, problem(error.message)] }
    throw error
  }
}

/** Checks that the data folder is writable, and has free space. */
function diskFindings(folder: string): readonly Finding[] {
  let above = folder
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above)
  if (!statSync(above).isDirectory())
    return [problem(`INGOT_DATA needs a folder, but '${above}' is a file: set it to another path.`)]
  try {
    accessSync(above, constants.W_OK)
  } catch {
    return [problem(`This user cannot write to the data folder '${folder}': set INGOT_DATA to a writable folder.`)]
  }
  const { bavail, bsize } = statfsSync(above)
  if (bavail * bsize >= MIN_FREE_BYTES) return []
  return [
    warning(`The disk of '${folder}' has only ${Math.floor((bavail * bsize) / 1_000_000)} MB left: free some space.`),
  ]
}

/** Checks that the servers in the settings can be reached. */
function checkServices(settings: Settings): readonly Promise<CheckResult>[] {
  const { s3, delivery, redisUrl, oidcProviders, outgoing, originOverrides } = settings
  const results = oidcProviders.map((provider) =>
    checkService(`visitors can sign in with ${provider.name}`, `INGOT_OIDC_${provider.name.toUpperCase()}_ISSUER`, () =>
      checkProvider(provider, { outgoing, originOverrides }),
    ),
  )
  if (s3 !== null)
    results.push(
      checkService(`the bucket ${s3.bucket} accepts files`, 'INGOT_S3_ENDPOINT and related', () => checkBucket(s3)),
    )
  const { smtpUrl } = delivery
  if (smtpUrl !== null)
    results.push(checkService('the mail server accepts the login', 'INGOT_SMTP_URL', () => checkMailServer(smtpUrl)))
  if (redisUrl !== null) results.push(checkService('the Redis cache responds', 'REDIS_URL', () => pingRedis(redisUrl)))
  return results
}

/** Prints a document, which also checks the sandbox of Chromium. */
async function checkPrinting(settings: PrintSettings, program: string): Promise<CheckResult> {
  const printer = createPrinter({ program, dataFolder: 'doctor', settings })
  try {
    return await checkService('Chromium prints documents', 'INGOT_CHROMIUM and related', async () => {
      await printer.print({ html: '<p>test', url: 'http://site.invalid/', time: 30_000 }, async () => null)
    })
  } finally {
    printer.close()
  }
}

async function checkService(success: string, setting: string, ask: () => Promise<void>): Promise<CheckResult> {
  try {
    await withTimeout(ask())
    return { success, findings: [] }
  } catch (error) {
    return { success: null, findings: [problem(`${setting}: ${reasonOf(error)}`)] }
  }
}

/** Returns the message of an error's innermost cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  // An AggregateError for several addresses has no message.
  return error.message === '' ? (errorCodeOf(error) ?? String(error)) : error.message
}

function formatExamination({ well, findings }: Examination): string {
  const lines = [
    ...well.map((text) => `${outputColors.green('ok')}       ${escapeControls(text)}`),
    ...findings.map(({ level, text }) =>
      level === 'error'
        ? `${outputColors.red('error')}    ${escapeControls(text)}`
        : `${outputColors.yellow('warning')}  ${escapeControls(text)}`,
    ),
  ]
  if (findings.length === 0) lines.push('No problems were found.')
  return `${lines.join('\n')}\n`
}
