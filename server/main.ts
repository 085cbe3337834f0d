/** Runs the commands of the server. Each is loaded when it is used. Nothing of the compiler is loaded here. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { hasColors } from '../runtime/data/terminal-colors.ts'
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
/** Exists in a checkout of the sources, but not in an installed package. */
const BUILD = '../build.mjs'

interface CommandArguments {
  readonly dir: string | null
  readonly out: string | null
  readonly settings: Settings
}

interface Call {
  readonly command: string
  /** The arguments after the command. */
  readonly args: readonly string[]
  readonly version: string
  /** Names of diagnostics, which `explain` also accepts. */
  readonly codes: readonly string[]
}

const COMMANDS: Readonly<Record<string, (call: Call) => Promise<number>>> = {
  serve: serveSite,
  worker: serveJobs,
  dev: serveDevelopment,
  demo: serveDemo,
  deploy: deploySite,
  sync: syncSite,
  token: manageTokens,
  user: manageUsers,
  constants: manageConstants,
  exec: executeInput,
  console: openConsole,
  test: testSite,
  agent: serveAgent,
  jobs: manageJobs,
  logs: showLogs,
  migrations: manageMigrations,
  data: moveData,
  doctor: checkSetup,
  release: manageReleases,
  modules: manageModules,
  backup: backUp,
  restore,
  openapi: describeApi,
  explain: explainQuery,
}

/**
 * Commands that write sites, releases and reports, which other users may read. All others work with the data folder: the
 * files that they and their child processes write are readable for their user only.
 */
const SHARED_FILE_COMMANDS: ReadonlySet<string> = new Set([
  'deploy',
  'sync',
  'modules',
  'release',
  'test',
  'openapi',
  'explain',
])

/**
 * Runs a command.
 * @param argv the command and its arguments: `['serve', 'site', '--port', '8080']`
 * @param codes names of diagnostics, which `explain` also accepts
 * @returns the exit code: 0 after a graceful stop, 2 when the command could not start
 */
export async function main(argv: readonly string[], codes: readonly string[] = []): Promise<number> {
  const [command = '', ...args] = argv
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  try {
    if (run === undefined) throw new StartError(`The server has no command '${command}': see \`ingot --help\`.`)
    if (!SHARED_FILE_COMMANDS.has(command)) process.umask(0o077)
    return await run({ command, args, version: readVersion(), codes })
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 2
  }
}

/** Returns the absolute path of a product file. @param file path relative to dist/ */
function productPath(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

function workerPrograms(version: string): { version: string; worker: string; jobWorker: string } {
  return { version, worker: productPath('./worker.mjs'), jobWorker: productPath('./job-worker.mjs') }
}

function readDevelopmentSettings(): Settings {
  return readSettings(process.env, 'development')
}

async function serveSite({ command, args, version }: Call): Promise<number> {
  const knownNames = ['host', 'port', 'env', 'workers', 'threads', 'out']
  const { dir, out, settings } = readLine(command, args, 'production', knownNames, ['instance'])
  if (settings.instance && out !== null)
    throw new StartError(
      '`ingot serve --instance` serves deployed sites, so --out has no meaning: leave one of the two options out.',
    )
  const { serve } = await import('./commands/serve.ts')
  const deploys = {
    worker: productPath('./deploy-worker.mjs'),
    transfers: productPath('./transfer-worker.mjs'),
    bin: productPath(BIN),
  }
  return serve({ dir: dir ?? '.', ...(out === null ? {} : { out }), settings, ...workerPrograms(version), deploys })
}

async function serveJobs({ command, args, version }: Call): Promise<number> {
  const { dir, out, settings } = readLine(command, args, 'production', ['env', 'threads', 'out'])
  if (settings.jobs.threads === 0)
    throw new StartError('`ingot worker` needs at least one thread, but INGOT_JOB_THREADS is 0: set it to 1 or more.')
  const { serve } = await import('./commands/serve.ts')
  const folder = { dir: dir ?? '.', ...(out === null ? {} : { out }) }
  return serve({ ...folder, settings, ...workerPrograms(version), jobsOnly: true })
}

async function serveDevelopment({ command, args, version }: Call): Promise<number> {
  const { dir, settings } = readLine(command, args, 'development', ['host', 'port', 'env'])
  const { dev } = await import('./commands/dev.ts')
  return dev({ dir: dir ?? '.', settings, ...workerPrograms(version), bin: productPath(BIN) })
}

async function serveDemo({ command, args, version }: Call): Promise<number> {
  const { dir, settings } = readLine(command, args, 'development', ['host', 'port', 'env', 'workers'])
  if (dir !== null) throw new StartError('`ingot demo` takes no folder: serve your own site with `ingot dev DIR`.')
  const { demo, demoSite } = await import('./commands/demo.ts')
  const site = await demoSite(productPath(DEMO_SITE), existsSync(productPath(BUILD)) ? null : process.cwd())
  return demo({ dir: site, settings, ...workerPrograms(version), bin: productPath(BIN) })
}

async function deploySite({ args, version }: Call): Promise<number> {
  const { deployCommand } = await import('./commands/deploy.ts')
  return deployCommand(args, readDevelopmentSettings(), version)
}

async function syncSite({ args, version }: Call): Promise<number> {
  const { syncCommand } = await import('./commands/sync.ts')
  return syncCommand(args, readDevelopmentSettings(), version)
}

async function manageTokens({ args }: Call): Promise<number> {
  const { tokenCommand } = await import('./commands/token.ts')
  return tokenCommand(args, readDevelopmentSettings())
}

async function manageUsers({ args, version }: Call): Promise<number> {
  const [{ userCommand }, { loadOrCompile }] = await Promise.all([
    import('./commands/user.ts'),
    import('./tools/terminal/load-or-compile.ts'),
  ])
  const settings = readDevelopmentSettings()
  return userCommand(args, (dir) => loadOrCompile(dir, settings, productPath(BIN)), settings, version)
}

async function manageConstants({ args }: Call): Promise<number> {
  const { constantsCommand } = await import('./commands/constants.ts')
  return constantsCommand(args, readDevelopmentSettings())
}

const TERMINAL_OUTPUT = {
  out: (text: string): void => void process.stdout.write(text),
  print: (text: string): void => void process.stderr.write(text),
}

/** Opens a site to run Liquid that a user types. Log entries go to standard error. */
async function openSiteWorkbench(dir: string, version: string): Promise<Workbench> {
  const [{ openWorkbench }, { createLogger }] = await Promise.all([
    import('./tools/terminal/workbench.ts'),
    import('./core/services/log.ts'),
  ])
  const logger = createLogger('info', true, process.stderr)
  return openWorkbench({ dir, settings: readDevelopmentSettings(), version, bin: productPath(BIN), logger })
}

async function executeInput({ args, version }: Call): Promise<number> {
  const { execCommand } = await import('./commands/exec.ts')
  return execCommand(args, (dir) => openSiteWorkbench(dir, version), TERMINAL_OUTPUT)
}

async function openConsole({ args, version }: Call): Promise<number> {
  const { readConsoleLine, runConsole } = await import('./commands/console.ts')
  const workbench = await openSiteWorkbench(readConsoleLine(args), version)
  try {
    return await runConsole(workbench, join(workbench.dataFolder, 'console-history'), TERMINAL_OUTPUT)
  } finally {
    await workbench.close()
  }
}

async function testSite({ args, version }: Call): Promise<number> {
  const [{ testCommand }, { SiteTests }] = await Promise.all([
    import('./commands/test.ts'),
    import('./tools/testing/site-tests.ts'),
  ])
  // The stack shows the line of an assertion. Nested partials make it deep.
  Error.stackTraceLimit = 50
  const settings = readDevelopmentSettings()
  const open = (dir: string): ReturnType<typeof SiteTests.open> =>
    SiteTests.open({ dir, settings, version, bin: productPath(BIN), thread: productPath('./job-thread.mjs') })
  const color = hasColors(process.stdout, process.env)
  return testCommand(args, open, { ...TERMINAL_OUTPUT, color, status: statusLine(process.stderr, process.env) })
}

async function serveAgent({ args, version }: Call): Promise<number> {
  const [{ agentCommand }, { SiteTests }] = await Promise.all([
    import('./commands/agent.ts'),
    import('./tools/testing/site-tests.ts'),
  ])
  Error.stackTraceLimit = 50
  const [dir = '.'] = args
  const open = async (): ReturnType<typeof SiteTests.open> =>
    SiteTests.open({
      dir,
      settings: readDevelopmentSettings(),
      version,
      bin: productPath(BIN),
      thread: productPath('./job-thread.mjs'),
    })
  return agentCommand(open, process.stdin, TERMINAL_OUTPUT.out)
}

async function manageJobs({ args }: Call): Promise<number> {
  const { jobsCommand } = await import('./commands/jobs.ts')
  return jobsCommand(args, readDevelopmentSettings())
}

async function showLogs({ args, version }: Call): Promise<number> {
  const [{ logsCommand, readLogsLine }, { findServer, meansServer }] = await Promise.all([
    import('./commands/logs.ts'),
    import('./tools/remote/target.ts'),
  ])
  const settings = readDevelopmentSettings()
  const line = readLogsLine(args, new Date())
  const options = { dir: '.', remote: settings.remote }
  if (!(await meansServer(line.dir, options))) return logsCommand(line, settings)
  if (line.notify)
    throw new StartError('The option --notify works only with a folder, not with another server: leave it out.')
  const [{ createClient }, { createTerminalOutput }, { runRemoteLogs }] = await Promise.all([
    import('./tools/remote/client.ts'),
    import('./tools/remote/output.ts'),
    import('./tools/remote/logs.ts'),
  ])
  return runRemoteLogs(line, createClient(await findServer(line.dir, options), version), createTerminalOutput())
}

async function manageMigrations({ args, version }: Call): Promise<number> {
  const { migrationsCommand } = await import('./commands/migrations.ts')
  const settings = readSettings(process.env, 'production')
  return migrationsCommand(args, { settings, version, thread: productPath('./job-thread.mjs') })
}

async function moveData({ args, version }: Call): Promise<number> {
  const settings = readDevelopmentSettings()
  const [verb, ...verbArgs] = args
  if (verb === 'delete') {
    const { deleteRowsCommand } = await import('./commands/delete-rows.ts')
    return deleteRowsCommand(verbArgs, settings)
  }
  const { remoteDataCommand } = await import('./commands/remote-data.ts')
  const code = await remoteDataCommand(args, settings, version)
  if (code !== null) return code
  const [{ dataCommand }, { loadBuilt, openData }] = await Promise.all([
    import('./commands/data.ts'),
    import('./operate/open-site.ts'),
  ])
  return dataCommand(args, async (dir) => openData(await loadBuilt(dir, settings), settings))
}

async function checkSetup({ args, version }: Call): Promise<number> {
  const { doctorCommand } = await import('./commands/doctor.ts')
  return doctorCommand(args, readSettings(process.env, 'production'), version)
}

async function manageModules({ args }: Call): Promise<number> {
  const { modulesCommand } = await import('./commands/modules.ts')
  return modulesCommand(args, readDevelopmentSettings())
}

async function manageReleases({ args, version }: Call): Promise<number> {
  const { releaseCommand } = await import('./commands/release.ts')
  const settings = readSettings(process.env, 'production')
  const [trial, thread] = [productPath('./release-trial.mjs'), productPath('./job-thread.mjs')]
  return releaseCommand(args, { settings, version, trial, thread })
}

async function backUp({ args, version }: Call): Promise<number> {
  const { backupCommand } = await import('./commands/backup.ts')
  return backupCommand(args, readSettings(process.env, 'production'), version)
}

async function restore({ args }: Call): Promise<number> {
  const { restoreCommand } = await import('./commands/backup.ts')
  return restoreCommand(args, readSettings(process.env, 'production'))
}

async function describeApi({ args, version }: Call): Promise<number> {
  const [{ openApiCommand }, { loadOrCompile }] = await Promise.all([
    import('./commands/openapi.ts'),
    import('./tools/terminal/load-or-compile.ts'),
  ])
  const settings = readDevelopmentSettings()
  return openApiCommand(args, (dir) => loadOrCompile(dir, settings, productPath(BIN)), version)
}

async function explainQuery({ args, codes }: Call): Promise<number> {
  const settings = readDevelopmentSettings()
  const [{ explainCommand }, { loadBuilt, openData }] = await Promise.all([
    import('./commands/explain.ts'),
    import('./operate/open-site.ts'),
  ])
  const load = async (dir: string): ReturnType<Parameters<typeof explainCommand>[1]> => {
    const loadedSite = await loadBuilt(dir, settings)
    const { data, operations, options } = loadedSite.site
    return { data, operations, build: options, open: () => openData(loadedSite, settings) }
  }
  return explainCommand(args, load, codes)
}

function readLine(
  command: string,
  args: readonly string[],
  fallback: Environment,
  knownNames: readonly string[],
  flags: readonly 'instance'[] = [],
): CommandArguments {
  const {
    words,
    value,
    has,
    optionNames: givenNames,
  } = readCommandLine(`ingot ${command}`, args, { switches: flags, values: knownNames })
  const [dir = null, other] = words
  if (other !== undefined) throw new StartError(`\`ingot ${command}\` takes one folder, not '${dir}' and '${other}'.`)
  const variables: NodeJS.ProcessEnv = { ...process.env }
  for (const name of givenNames) {
    const variable = OPTIONS[name]
    if (variable !== undefined) variables[variable] = value(name) ?? ''
  }
  return { dir, out: value('out'), settings: { ...readSettings(variables, fallback), instance: has('instance') } }
}

function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(text))
  return version
}
