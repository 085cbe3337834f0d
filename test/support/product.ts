/** The `ingot` command as a person starts it: a process that runs to its end, or a server that is asked and then stopped. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type TestDatabase, testDatabase } from './database.ts'
import { onceInRun } from './once.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Options {
  readonly cwd?: string
  /** Beside `commonVariables`. */
  readonly env?: Readonly<Record<string, string>>
  readonly uid?: number
}

export interface Server {
  readonly url: string
  readonly child: ChildProcess
  /** Everything that it printed so far. */
  output(): string
  /** Asks it to stop, and gives its exit code. */
  stop(): Promise<number | null>
}

export interface Product {
  /** The command: a file that node runs. */
  readonly bin: string
  /** Runs a command to its end. */
  run(args: readonly string[], options?: Options): Promise<Ended>
  /** Starts a command and leaves it to the test. */
  begin(args: readonly string[], options?: Options): ChildProcess
  /** Starts `serve` or `dev`; resolves when it serves. */
  serve(args: readonly string[], options?: Options): Promise<Server>
  /** A new folder that holds the given files. */
  folder(files?: Readonly<Record<string, string | Uint8Array>>): string
  /** Ends what still runs, and removes the folders. */
  clean(): Promise<void>
}

/** Milliseconds that a server has to begin in: a machine on which much else runs takes many times as long as one that is idle. */
const PATIENCE = 120_000

/** Commands that use a database. */
const DATA: ReadonlySet<string | undefined> = new Set(['serve', 'dev', 'demo', 'data', 'token', 'explain'])

/**
 * The product as it is delivered, command and bundles without their sources, in a folder of its own: what the tests run does not
 * change while they run. The first suite that asks takes it over for all of the run, which throws it away at its end.
 */
export function builtProduct(): string {
  return onceInRun('product', buildProduct)
}

/** A folder in which the programs of a run keep what can be made again. */
export function builtCache(): string {
  return join(builtProduct(), 'cache')
}

/** What a program of the product is started with: where it finds others, what it leaves for a while, and a free port on this machine only. */
export function commonVariables(): Readonly<Record<string, string | undefined>> {
  return {
    PATH: process.env['PATH'],
    TMPDIR: process.env['TMPDIR'],
    XDG_CACHE_HOME: builtCache(),
    HOST: '127.0.0.1',
    PORT: '0',
  }
}

/** The bundles, and what the command reads beside them. */
const DELIVERED = ['dist', 'server/bin.mjs', 'server/commands.mjs', 'package.json', 'runtime/data/environment.mjs']

function buildProduct(home: string): void {
  // It is built already, but where the tests were not begun by build.mjs.
  const prepared = "const { prepare } = await import('./build.mjs'); process.exitCode = prepare() ? 0 : 1"
  const built = spawnSync(process.execPath, ['--input-type=module', '-e', prepared], { cwd: root, encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`The product does not build:\n${built.stderr}`)
  for (const name of DELIVERED) cpSync(join(root, name), join(home, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'))
  chmodSync(home, 0o755)
}

/**
 * The command, for one suite. Its runs share a database of their own, unless a test sets DATABASE_URL: to nothing for the one that
 * the product brings.
 */
export function product(): Product {
  const bin = join(builtProduct(), 'server/bin.mjs')
  const folders: string[] = []
  const servers: Server[] = []
  let database: Promise<TestDatabase> | null = null

  function begin(args: readonly string[], { cwd = root, env = {}, uid }: Options = {}): ChildProcess {
    return spawn(process.execPath, [bin, ...args], {
      cwd,
      // A process for jobs is started where a test asks for threads.
      env: {
        ...commonVariables(),
        INGOT_JOB_THREADS: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    })
  }

  async function withDatabase(args: readonly string[], options: Options): Promise<Options> {
    if (!DATA.has(args[0]) || options.env?.['DATABASE_URL'] !== undefined) return options
    database ??= testDatabase()
    return { ...options, env: { DATABASE_URL: (await database).url, ...options.env } }
  }

  async function run(args: readonly string[], options: Options = {}): Promise<Ended> {
    const child = begin(args, await withDatabase(args, options))
    let out = ''
    let err = ''
    child.stdout?.on('data', (data) => {
      out += String(data)
    })
    child.stderr?.on('data', (data) => {
      err += String(data)
    })
    const code = await ended(child)
    return { code, out, err }
  }

  async function serve(args: readonly string[], options: Options = {}): Promise<Server> {
    const child = begin(args, await withDatabase(args, options))
    const exit = ended(child)
    let output = ''
    const keep = (data: unknown): void => {
      output += String(data)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
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
        const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
        const code = await exit
        clearTimeout(late)
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

/** Writes files below a folder. */
export function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** The exit code, once the process has ended and all of its output was read. */
export function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((done) => child.once('close', (code) => done(code)))
}
