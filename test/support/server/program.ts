/** Starts the server as a separate process, and reads its output. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'
import { freePort } from '../../../server/core/free-port.ts'
import { runHosted } from '../command-hosts.ts'
import { type TestDatabase, testDatabase } from '../database.ts'
import { onceInRun } from '../once.ts'
import { builtProduct, commonVariables } from '../product.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Job threads are off by default, because most tests have no jobs. */
const NO_JOBS = { INGOT_JOB_THREADS: '0' }

/** Maximum milliseconds to wait for an output, even on a busy machine. */
const PATIENCE = 60_000

export interface Programs {
  /** The database that all programs use, unless a variable names another. */
  readonly database: TestDatabase
  /** Starts `ingot COMMAND …`. Jobs run only if a variable enables them. */
  start(argv: readonly string[], variables?: Record<string, string>): Program
  /** Runs a short command to its end, in a process that has run other commands. */
  run(argv: readonly string[], variables?: Record<string, string>): Promise<EndedProgram>
  /** Starts `ingot dev DIR` with another program instead of the compiler. Its address is printed after the first build. */
  dev(dir: string, compiler: string, variables?: Record<string, string>): Promise<Program>
  /** Ends all running programs. */
  clean(): Promise<void>
}

export interface EndedProgram {
  readonly code: number | null
  /** Its output: first the standard output, then the errors. */
  readonly said: string
}

export interface Program {
  readonly child: ChildProcess
  /** Returns the output so far. */
  output(): string
  /** Waits until the program serves, and returns its port. */
  port(): Promise<number>
  /** Waits until the output contains a text. */
  waitForOutput(text: string | RegExp): Promise<void>
  /** Resolves with the exit code. */
  readonly exitCode: Promise<number | null>
}

/** Bundles `dev`, which the product bundles only together with the compiler. A link makes the packages available. */
function bundleDev(home: string): void {
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'))
  buildSync({
    absWorkingDir: root,
    entryPoints: { dev: 'server/commands/dev.ts', settings: 'server/core/settings.ts' },
    outdir: home,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  })
}

/** Returns the programs of one suite, which share a database and run the product's bundles. */
export async function programs(): Promise<Programs> {
  const outdir = join(builtProduct(), 'dist')
  const running: Program[] = []
  const database = await testDatabase()

  const variablesWith = (variables: Record<string, string>): Readonly<Record<string, string | undefined>> => ({
    ...commonVariables(),
    DATABASE_URL: database.url,
    ...NO_JOBS,
    ...variables,
  })

  function run(code: string, variables: Record<string, string>): Program {
    // The code is in a file and not passed with `-e`, because worker processes inherit the options of node.
    const file = join(outdir, `run-${randomUUID()}.mjs`)
    writeFileSync(file, code)
    const child = spawn(process.execPath, [file], {
      cwd: outdir,
      env: variablesWith(variables),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.on('data', (data) => {
      output += String(data)
    })
    child.stderr.on('data', (data) => {
      output += String(data)
    })
    const exitCode = new Promise<number | null>((done) => child.once('close', (code) => done(code)))
    const waitForOutput = async (text: string | RegExp): Promise<void> => {
      const isFound = (): boolean => (typeof text === 'string' ? output.includes(text) : text.test(output))
      const end = performance.now() + PATIENCE
      while (!isFound() && child.exitCode === null && performance.now() < end) await sleep(20)
      if (!isFound()) throw new Error(`the program never said ${text}; it said:\n${output}`)
    }
    const program: Program = {
      child,
      output: () => output,
      waitForOutput,
      exitCode,
      async port() {
        await waitForOutput(/http:\/\/127\.0\.0\.1:\d+/)
        return Number(/http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1])
      },
    }
    running.push(program)
    return program
  }

  return {
    database,
    start(argv, variables = {}) {
      return run(
        `import { main } from './server.mjs'; process.exitCode = await main(${JSON.stringify(argv)})`,
        variables,
      )
    },
    async run(argv, variables = {}) {
      const bin = join(builtProduct(), 'server/bin.mjs')
      const { code, out, err } = await runHosted({ bin, args: argv, cwd: outdir, env: variablesWith(variables) })
      return { code, said: out + err }
    },
    async dev(dir, compiler, variables = {}) {
      const home = onceInRun('dev', bundleDev)
      const [worker, jobWorker] = [join(outdir, 'worker.mjs'), join(outdir, 'job-worker.mjs')]
      const options = JSON.stringify({ dir, version: '0.1.0', worker, jobWorker, bin: compiler })
      const settings = `readSettings(process.env, 'development')`
      const port = await freePort()
      const program = run(
        `import { dev } from '${home}/dev.mjs'; import { readSettings } from '${home}/settings.mjs'; process.exitCode = await dev({ ...${options}, settings: ${settings} })`,
        { INGOT_SILENCE: '2', PORT: String(port), ...variables },
      )
      const isUp = async (): Promise<boolean> =>
        (await fetch(`http://127.0.0.1:${port}/_ingot/up`).catch(() => null))?.ok === true
      return {
        ...program,
        async port() {
          const end = performance.now() + PATIENCE
          while (!(await isUp())) {
            if (program.child.exitCode !== null || performance.now() > end)
              throw new Error(`the program does not answer; it said:\n${program.output()}`)
            await sleep(20)
          }
          return port
        },
      }
    },
    async clean() {
      for (const { child } of running) if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await Promise.all(running.map(({ exitCode }) => Promise.race([exitCode, sleep(5000)])))
      for (const { child } of running) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await database.close()
    },
  }
}
