/** The server's commands, each loaded when it is used. Nothing of the compiler is loaded here. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { statusLine } from '../runtime/data/status-line.ts'
import { readCommandLine } from './core/command-line.ts'
import { type Environment, readSettings, type Settings } from './core/settings.ts'
import { StartError } from './core/start-error.ts'
import type { Workbench } from './tools/terminal/workbench.ts'

/** Command line options and the environment variables that they set. */
const OPTIONS: Readonly<Record<string, string>> = {
  host: 'HOST',
  port: 'PORT',
  env: 'INGOT_ENV',
  workers: 'INGOT_WORKERS',
  threads: 'INGOT_JOB_THREADS',
}

/** Relative to dist/. */
const BIN = '../server/bin.mjs'
const DEMO_SITE = '../fixtures/sites/marketplace'
/** What a checkout of the sources has, and an installed package has not. */
const BUILD = '../build.mjs'

interface CommandArguments {
  readonly dir: string | null
  readonly out: string | null
  readonly settings: Settings
}

interface Call {
  readonly command: string
  /** The arguments after the command. */
  readonly rest: readonly string[]
  readonly version: string
  /** Names of diagnostics, which `explain` also explains. */
  readonly codes: readonly string[]
}

const COMMANDS: Readonly<Record<string, (call: Call) => Promise<number>>> = {
  serve: serveSite,
  worker: serveJobs,
  dev: develop,
  demo: demonstrate,
  deploy: deploySite,
  sync: syncSite,
  token: manageTokens,
  constants: manageConstants,
  exec: execute,
  console: openConsole,
  test: testSite,
  agent: serveAgent,
  jobs: manageJobs,
  logs: showLogs,
  migrations: manageMigrations,
  data: moveData,
  doctor: examine,
  release: manageReleases,
  modules: manageModules,
  backup: backUp,
  restore,
  openapi: describeApi,
  explain: explainQuery,
}

/**
 * Commands whose files other users may read: those that write sites, releases and reports. All others work with the data
 * folder, and what they and their processes write is their user's alone.
 */
const OPEN: ReadonlySet<string> = new Set(['deploy', 'sync', 'modules', 'release', 'test', 'openapi', 'explain'])

/**
 * Runs a command.
 * @param argv the command and its arguments: `['serve', 'site', '--port', '8080']`
 * @param codes names of diagnostics, which `explain` also accepts
 * @returns the exit code: 0 after a graceful stop, 2 when the command could not start
 */
export async function main(argv: readonly string[], codes: readonly string[] = []): Promise<number> {
  const [command = '', ...rest] = argv
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  try {
    if (run === undefined) throw new StartError(`The server has no command '${command}': see \`ingot --help\`.`)
    if (!OPEN.has(command)) process.umask(0o077)
    return await run({ command, rest, version: readVersion(), codes })
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 2
  }
}

/** Path of a file of the product, given relative to dist/. */
function pathFrom(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

function programs(version: string): { version: string; worker: string; jobWorker: string } {
  return { version, worker: pathFrom('./worker.mjs'), jobWorker: pathFrom('./job-worker.mjs') }
}

function developmentSettings(): Settings {
  return readSettings(process.env, 'development')
}

async function serveSite({ command, rest, version }: Call): Promise<number> {
  const known = ['host', 'port', 'env', 'workers', 'threads', 'out']
  const { dir, out, settings } = readLine(command, rest, 'production', known, ['instance'])
  if (settings.instance && out !== null)
    throw new StartError(
      '`ingot serve --instance` serves what is deployed to it, so there is no build to give by --out.',
    )
  const { serve } = await import('./commands/serve.ts')
  const deploys = {
    worker: pathFrom('./deploy-worker.mjs'),
    transfers: pathFrom('./transfer-worker.mjs'),
    bin: pathFrom(BIN),
  }
  return serve({ dir: dir ?? '.', ...(out === null ? {} : { out }), settings, ...programs(version), deploys })
}

async function serveJobs({ command, rest, version }: Call): Promise<number> {
  const { dir, out, settings } = readLine(command, rest, 'production', ['env', 'threads', 'out'])
  if (settings.jobs.threads === 0)
    throw new StartError('`ingot worker` needs a thread or more: INGOT_JOB_THREADS is 0.')
  const { serve } = await import('./commands/serve.ts')
  const folder = { dir: dir ?? '.', ...(out === null ? {} : { out }) }
  return serve({ ...folder, settings, ...programs(version), jobsOnly: true })
}

async function develop({ command, rest, version }: Call): Promise<number> {
  const { dir, settings } = readLine(command, rest, 'development', ['host', 'port', 'env'])
  const { dev } = await import('./commands/dev.ts')
  return dev({ dir: dir ?? '.', settings, ...programs(version), bin: pathFrom(BIN) })
}

async function demonstrate({ command, rest, version }: Call): Promise<number> {
  const { dir, settings } = readLine(command, rest, 'development', ['host', 'port', 'env', 'workers'])
  if (dir !== null) throw new StartError('`ingot demo` takes no folder: serve your own site with `ingot dev DIR`.')
  const { demo, demoSite } = await import('./commands/demo.ts')
  const site = await demoSite(pathFrom(DEMO_SITE), existsSync(pathFrom(BUILD)) ? null : process.cwd())
  return demo({ dir: site, settings, ...programs(version), bin: pathFrom(BIN) })
}

async function deploySite({ rest, version }: Call): Promise<number> {
  const { deployCommand } = await import('./commands/deploy.ts')
  return deployCommand(rest, developmentSettings(), version)
}

async function syncSite({ rest, version }: Call): Promise<number> {
  const { syncCommand } = await import('./commands/sync.ts')
  return syncCommand(rest, developmentSettings(), version)
}

async function manageTokens({ rest }: Call): Promise<number> {
  const { tokenCommand } = await import('./commands/token.ts')
  return tokenCommand(rest, developmentSettings())
}

async function manageConstants({ rest }: Call): Promise<number> {
  const { constantsCommand } = await import('./commands/constants.ts')
  return constantsCommand(rest, developmentSettings())
}

const TERMINAL = {
  out: (text: string): void => void process.stdout.write(text),
  print: (text: string): void => void process.stderr.write(text),
}

/** Opens the site of a folder for pieces of Liquid; what they log goes to standard error. */
async function workbenchOf(dir: string, version: string): Promise<Workbench> {
  const [{ openWorkbench }, { createLogger }] = await Promise.all([
    import('./tools/terminal/workbench.ts'),
    import('./core/services/log.ts'),
  ])
  const logger = createLogger('info', true, process.stderr)
  return openWorkbench({ dir, settings: developmentSettings(), version, bin: pathFrom(BIN), logger })
}

async function execute({ rest, version }: Call): Promise<number> {
  const { execCommand } = await import('./commands/exec.ts')
  return execCommand(rest, (dir) => workbenchOf(dir, version), TERMINAL)
}

async function openConsole({ rest, version }: Call): Promise<number> {
  const { readConsoleLine, runConsole } = await import('./commands/console.ts')
  const workbench = await workbenchOf(readConsoleLine(rest), version)
  try {
    return await runConsole(workbench, join(workbench.dataFolder, 'console-history'), TERMINAL)
  } finally {
    await workbench.close()
  }
}

async function testSite({ rest, version }: Call): Promise<number> {
  const [{ testCommand }, { SiteTests }] = await Promise.all([
    import('./commands/test.ts'),
    import('./tools/testing/site-tests.ts'),
  ])
  // Where an assertion stands is told by the stack, and nested partials make it deep.
  Error.stackTraceLimit = 50
  const settings = developmentSettings()
  const open = (dir: string): ReturnType<typeof SiteTests.open> =>
    SiteTests.open({ dir, settings, version, bin: pathFrom(BIN), thread: pathFrom('./job-thread.mjs') })
  const color = process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined
  return testCommand(rest, open, { ...TERMINAL, color, status: statusLine(process.stderr, process.env) })
}

async function serveAgent({ rest, version }: Call): Promise<number> {
  const [{ agentCommand }, { SiteTests }] = await Promise.all([
    import('./commands/agent.ts'),
    import('./tools/testing/site-tests.ts'),
  ])
  Error.stackTraceLimit = 50
  const [dir = '.'] = rest
  const open = async (): ReturnType<typeof SiteTests.open> =>
    SiteTests.open({
      dir,
      settings: developmentSettings(),
      version,
      bin: pathFrom(BIN),
      thread: pathFrom('./job-thread.mjs'),
    })
  return agentCommand(open, process.stdin, TERMINAL.out)
}

async function manageJobs({ rest }: Call): Promise<number> {
  const { jobsCommand } = await import('./commands/jobs.ts')
  return jobsCommand(rest, developmentSettings())
}

async function showLogs({ rest, version }: Call): Promise<number> {
  const [{ logsCommand, readLogsLine }, { findServer, meansServer }] = await Promise.all([
    import('./web/logs/command.ts'),
    import('./tools/remote/target.ts'),
  ])
  const settings = developmentSettings()
  const line = readLogsLine(rest, new Date())
  const options = { dir: '.', remote: settings.remote }
  if (!(await meansServer(line.dir, options))) return logsCommand(line, settings)
  if (line.notify) throw new StartError('The option --notify goes with a folder: another server is only followed.')
  const [{ createClient }, { terminal }, { runRemoteLogs }] = await Promise.all([
    import('./tools/remote/client.ts'),
    import('./tools/remote/output.ts'),
    import('./tools/remote/logs.ts'),
  ])
  return runRemoteLogs(line, createClient(await findServer(line.dir, options), version), terminal())
}

async function manageMigrations({ rest, version }: Call): Promise<number> {
  const { migrationsCommand } = await import('./commands/migrations.ts')
  const settings = readSettings(process.env, 'production')
  return migrationsCommand(rest, { settings, version, thread: pathFrom('./job-thread.mjs') })
}

async function moveData({ rest, version }: Call): Promise<number> {
  const settings = developmentSettings()
  const { remoteDataCommand } = await import('./commands/remote-data.ts')
  const code = await remoteDataCommand(rest, settings, version)
  if (code !== null) return code
  const [{ dataCommand }, { loadBuilt, openData }] = await Promise.all([
    import('./commands/data.ts'),
    import('./operate/open-site.ts'),
  ])
  return dataCommand(rest, async (dir) => openData(await loadBuilt(dir, settings), settings))
}

async function examine({ rest, version }: Call): Promise<number> {
  const { doctorCommand } = await import('./commands/doctor.ts')
  return doctorCommand(rest, readSettings(process.env, 'production'), version)
}

async function manageModules({ rest }: Call): Promise<number> {
  const { modulesCommand } = await import('./commands/modules.ts')
  return modulesCommand(rest, developmentSettings())
}

async function manageReleases({ rest, version }: Call): Promise<number> {
  const { releaseCommand } = await import('./commands/release.ts')
  const settings = readSettings(process.env, 'production')
  const [trial, thread] = [pathFrom('./release-trial.mjs'), pathFrom('./job-thread.mjs')]
  return releaseCommand(rest, { settings, version, trial, thread })
}

async function backUp({ rest, version }: Call): Promise<number> {
  const { backupCommand } = await import('./commands/backup.ts')
  return backupCommand(rest, readSettings(process.env, 'production'), version)
}

async function restore({ rest }: Call): Promise<number> {
  const { restoreCommand } = await import('./commands/backup.ts')
  return restoreCommand(rest, readSettings(process.env, 'production'))
}

async function describeApi({ rest, version }: Call): Promise<number> {
  const [{ openApiCommand }, { loadBuilt }] = await Promise.all([
    import('./commands/openapi.ts'),
    import('./operate/open-site.ts'),
  ])
  const settings = developmentSettings()
  return openApiCommand(rest, (dir) => loadBuilt(dir, settings), version)
}

async function explainQuery({ rest, codes }: Call): Promise<number> {
  const settings = developmentSettings()
  const [{ explainCommand }, { loadBuilt, openData }] = await Promise.all([
    import('./commands/explain.ts'),
    import('./operate/open-site.ts'),
  ])
  const load = async (dir: string): ReturnType<Parameters<typeof explainCommand>[1]> => {
    const loaded = await loadBuilt(dir, settings)
    const { data, operations, options } = loaded.site
    return { data, operations, build: options, open: () => openData(loaded, settings) }
  }
  return explainCommand(rest, load, codes)
}

function readLine(
  command: string,
  rest: readonly string[],
  fallback: Environment,
  known: readonly string[],
  flags: readonly 'instance'[] = [],
): CommandArguments {
  const { words, value, has, given } = readCommandLine(`ingot ${command}`, rest, { switches: flags, values: known })
  const [dir = null, other] = words
  if (other !== undefined) throw new StartError(`\`ingot ${command}\` takes one folder, not '${dir}' and '${other}'.`)
  const variables: NodeJS.ProcessEnv = { ...process.env }
  for (const name of given) {
    const variable = OPTIONS[name]
    if (variable !== undefined) variables[variable] = value(name) ?? ''
  }
  return { dir, out: value('out'), settings: { ...readSettings(variables, fallback), instance: has('instance') } }
}

function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  return version
}
