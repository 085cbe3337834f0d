/** Runs the `ingot` command like a user: a process that runs to its end, or a server that receives requests and is then stopped. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runHosted } from './command-hosts.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { onceInRun } from './once.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface CommandResult {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Options {
  readonly cwd?: string
  /** Environment variables in addition to `commonVariables`. */
  readonly env?: Readonly<Record<string, string>>
  readonly uid?: number
  /** The standard input; empty by default. */
  readonly input?: string
  /** Path of another copy of the command's script. */
  readonly bin?: string
  /** Runs the command in a new process, as users do. Tests whose subject is the process need it. */
  readonly ownProcess?: boolean
}

export interface Server {
  readonly url: string
  readonly child: ChildProcess
  /** Returns the output so far. */
  output(): string
  /** Stops the server, and returns its exit code. */
  stop(): Promise<number | null>
}

export interface Product {
  /** Path of the command's script. */
  readonly bin: string
  /** Runs a command to its end, usually in a process that is already started and has run other commands (`command-hosts.ts`). */
  run(args: readonly string[], options?: Options): Promise<CommandResult>
  /** Starts a command. The test ends the process. */
  begin(args: readonly string[], options?: Options): ChildProcess
  /** Starts `serve` or `dev`. Resolves when the server accepts requests. */
  serve(args: readonly string[], options?: Options): Promise<Server>
  /** Creates a folder with the given files. */
  folder(files?: Readonly<Record<string, string | Uint8Array>>): string
  /** Ends all running processes, and removes the folders. */
  clean(): Promise<void>
}

/** Milliseconds for a server to start. A busy machine takes many times as long as an idle one. */
const PATIENCE = 120_000

/** Commands that use a database. */
const DATABASE_COMMANDS: ReadonlySet<string | undefined> = new Set(['serve', 'dev', 'demo', 'data', 'token', 'explain'])

/** Commands that run to their end without a terminal and without other processes. */
const HOSTED_COMMANDS: ReadonlySet<string | undefined> = new Set([
  'backup',
  'build',
  'check',
  'constants',
  'data',
  'docs',
  'doctor',
  'exec',
  'explain',
  'format',
  'generate',
  'init',
  'jobs',
  'logs',
  'migrations',
  'modules',
  'openapi',
  'release',
  'restore',
  'routes',
  'token',
  'user',
])

/** Returns whether a command may run in a process that runs other commands too. */
function isHosted(args: readonly string[], { env, uid, input, bin, ownProcess = false }: Options): boolean {
  const isChanged =
    [uid, input, bin].some((option) => option !== undefined) ||
    env?.['NODE_OPTIONS'] !== undefined ||
    env?.['DATABASE_URL'] === ''
  return !ownProcess && !isChanged && HOSTED_COMMANDS.has(args[0])
}

/**
 * Returns a folder with a copy of the delivered product: the command and bundles without sources. It does not change while the
 * tests run. The first suite creates it, and it is removed at the end of the run.
 */
export function builtProduct(): string {
  return onceInRun('product', buildProduct)
}

/** Returns the cache folder of the programs of a run. */
export function builtCache(): string {
  return join(builtProduct(), 'cache')
}

/** Returns the environment variables of every started program: search path, temporary folder, cache folder, and a free local port. */
export function commonVariables(): Readonly<Record<string, string | undefined>> {
  return {
    PATH: process.env['PATH'],
    TMPDIR: process.env['TMPDIR'],
    XDG_CACHE_HOME: builtCache(),
    HOST: '127.0.0.1',
    // One worker, because the start of a process takes as long as a test. Tests of several processes set another number.
    INGOT_WORKERS: '1',
    PORT: '0',
  }
}

/** The bundles, and other files that the command reads. */
const DELIVERED = [
  'dist',
  'server/bin.mjs',
  'server/commands.mjs',
  'server/commands/completion.mjs',
  'server/commands/help.mjs',
  'server/commands/port.mjs',
  'package.json',
  'runtime/data/environment.mjs',
  'fixtures/templates',
]

function buildProduct(home: string): void {
  // The product is already built, unless the tests were not started by build.mjs.
  const prepared = "const { prepare } = await import('./build.mjs'); process.exitCode = (await prepare()) ? 0 : 1"
  const built = spawnSync(process.execPath, ['--input-type=module', '-e', prepared], { cwd: root, encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`The product does not build:\n${built.stderr}`)
  for (const name of DELIVERED) cpSync(join(root, name), join(home, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'))
  chmodSync(home, 0o755)
}

/**
 * Returns the product for one suite. Its commands share a database, unless a test sets DATABASE_URL. With an empty value, the command uses
 * the embedded database.
 */
export function product(): Product {
  const bin = join(builtProduct(), 'server/bin.mjs')
  const folders: string[] = []
  const servers: Server[] = []
  let database: Promise<TestDatabase> | null = null

  // A job process is started only if a test sets the number of threads.
  const variablesOf = ({ env = {} }: Options): Readonly<Record<string, string | undefined>> => ({
    ...commonVariables(),
    INGOT_JOB_THREADS: '0',
    ...env,
  })

  function begin(args: readonly string[], options: Options = {}): ChildProcess {
    const { cwd = root, uid, input, bin: own = bin } = options
    const child = spawn(process.execPath, [own, ...args], {
      cwd,
      env: variablesOf(options),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    })
    child.stdin?.end(input)
    return child
  }

  async function withDatabase(args: readonly string[], options: Options): Promise<Options> {
    if (!DATABASE_COMMANDS.has(args[0]) || options.env?.['DATABASE_URL'] !== undefined) return options
    database ??= testDatabase()
    return { ...options, env: { DATABASE_URL: (await database).url, ...options.env } }
  }

  async function run(args: readonly string[], given: Options = {}): Promise<CommandResult> {
    const options = await withDatabase(args, given)
    if (isHosted(args, options)) return runHosted({ bin, args, cwd: options.cwd ?? root, env: variablesOf(options) })
    const child = begin(args, options)
    let out = ''
    let err = ''
    child.stdout?.on('data', (data) => {
      out += String(data)
    })
    child.stderr?.on('data', (data) => {
      err += String(data)
    })
    const code = await waitForExit(child)
    return { code, out, err }
  }

  async function serve(args: readonly string[], options: Options = {}): Promise<Server> {
    const child = begin(args, await withDatabase(args, options))
    const exit = waitForExit(child)
    let output = ''
    const collect = (data: unknown): void => {
      output += String(data)
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    let url: string | undefined
    const end = performance.now() + PATIENCE
    while (url === undefined && child.exitCode === null && performance.now() < end) {
      await sleep(20)
      url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
    }
    if (url === undefined) {
      child.kill('SIGKILL')
      throw new Error(`\`ingot ${args.join(' ')}\` did not begin to serve; it said:\n${output}`)
    }
    const server: Server = {
      url,
      child,
      output: () => output,
      async stop() {
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
        const killTimer = setTimeout(() => child.kill('SIGKILL'), 10_000)
        const code = await exit
        clearTimeout(killTimer)
        return code
      },
    }
    servers.push(server)
    return server
  }

  return {
    bin,
    run,
    begin,
    serve,
    folder(files = {}) {
      const made = mkdtempSync(join(tmpdir(), 'ingot-product-'))
      folders.push(made)
      write(made, files)
      return made
    },
    async clean() {
      await Promise.all(servers.map((server) => server.stop()))
      await (await database)?.close()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Writes files into a folder. */
export function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Waits until the process has ended and its output is read. Returns the exit code. */
export function waitForExit(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => child.once('close', (code) => done(code)))
}
