/** The commands of the server's wing, each loaded when it is asked for. Nothing of the compiler is loaded here. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Environment, readSettings, type Settings } from './settings.ts'
import { StartError } from './start-error.ts'

/** Options of a command line, and the variable that each stands for. */
const OPTIONS: Readonly<Record<string, string>> = {
  host: 'HOST',
  port: 'PORT',
  env: 'INGOT_ENV',
  workers: 'INGOT_WORKERS',
  threads: 'INGOT_JOB_THREADS',
}

interface CommandArguments {
  readonly dir: string | null
  readonly out: string | null
  readonly settings: Settings
}

/**
 * Runs a command.
 * @param argv the command and what follows it: `['serve', 'site', '--port', '8080']`
 * @param codes names of diagnostics, which `explain` is asked about as well
 * @returns the exit code: 0 after a graceful stop, 2 when the command could not start
 */
export async function main(argv: readonly string[], codes: readonly string[] = []): Promise<number> {
  const [command = '', ...rest] = argv
  const version = readVersion()
  const worker = fileURLToPath(new URL('./worker.mjs', import.meta.url))
  const jobWorker = fileURLToPath(new URL('./job-worker.mjs', import.meta.url))
  const programs = { version, worker, jobWorker }
  const bin = fileURLToPath(new URL('../server/bin.mjs', import.meta.url))
  try {
    if (command === 'serve') {
      const { dir, out, settings } = readLine(command, rest, 'production', [
        'host',
        'port',
        'env',
        'workers',
        'threads',
        'out',
      ])
      const { serve } = await import('./serve.ts')
      return await serve({ dir: dir ?? '.', ...(out === null ? {} : { out }), settings, ...programs })
    }
    if (command === 'worker') {
      const { dir, out, settings } = readLine(command, rest, 'production', ['env', 'threads', 'out'])
      if (settings.jobs.threads === 0)
        throw new StartError('`ingot worker` needs a thread or more: INGOT_JOB_THREADS is 0.')
      const { serve } = await import('./serve.ts')
      return await serve({ dir: dir ?? '.', ...(out === null ? {} : { out }), settings, ...programs, jobsOnly: true })
    }
    if (command === 'dev') {
      const { dir, settings } = readLine(command, rest, 'development', ['host', 'port', 'env'])
      const { dev } = await import('./dev.ts')
      return await dev({ dir: dir ?? '.', settings, ...programs, bin })
    }
    if (command === 'demo') {
      const { dir, settings } = readLine(command, rest, 'development', ['host', 'port', 'env', 'workers'])
      if (dir !== null) throw new StartError('`ingot demo` takes no folder: serve your own site with `ingot dev DIR`.')
      const site = fileURLToPath(new URL('../fixtures/sites/marketplace', import.meta.url))
      const { demo } = await import('./demo.ts')
      return await demo({ dir: site, settings, ...programs, bin })
    }
    if (command === 'token') {
      const { tokenCommand } = await import('./token.ts')
      return await tokenCommand(rest, readSettings(process.env, 'development'))
    }
    if (command === 'jobs') {
      const { jobsCommand } = await import('./jobs/command.ts')
      return await jobsCommand(rest, readSettings(process.env, 'development'))
    }
    if (command === 'logs') {
      const { logsCommand } = await import('./logs/command.ts')
      return await logsCommand(rest, readSettings(process.env, 'development'))
    }
    if (command === 'migrations') {
      const { migrationsCommand } = await import('./jobs/migrations/command.ts')
      const thread = fileURLToPath(new URL('./job-thread.mjs', import.meta.url))
      return await migrationsCommand(rest, { settings: readSettings(process.env, 'production'), version, thread })
    }
    if (command === 'data') {
      const settings = readSettings(process.env, 'development')
      const [{ dataCommand }, { loadBuilt, openData }] = await Promise.all([
        import('./data/command.ts'),
        import('./open-site.ts'),
      ])
      return await dataCommand(rest, async (dir) => openData(await loadBuilt(dir), settings))
    }
    if (command === 'openapi') {
      const [{ openApiCommand }, { loadBuilt }] = await Promise.all([import('./openapi.ts'), import('./open-site.ts')])
      return await openApiCommand(rest, loadBuilt, version)
    }
    if (command === 'explain') {
      const settings = readSettings(process.env, 'development')
      const [{ explainCommand }, { loadBuilt, openData }] = await Promise.all([
        import('./explain/command.ts'),
        import('./open-site.ts'),
      ])
      return await explainCommand(
        rest,
        async (dir) => {
          const loaded = await loadBuilt(dir)
          const { data, operations, options } = loaded.site
          return { data, operations, build: options, open: () => openData(loaded, settings) }
        },
        codes,
      )
    }
    throw new StartError(`The server has no command '${command}': see \`ingot --help\`.`)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 2
  }
}

function readLine(
  command: string,
  rest: readonly string[],
  fallback: Environment,
  known: readonly string[],
): CommandArguments {
  const options = Object.fromEntries(known.map((name) => [name, { type: 'string' as const }]))
  const { tokens } = parseArgs({ args: [...rest], options, strict: false, tokens: true, allowPositionals: true })
  const variables: NodeJS.ProcessEnv = { ...process.env }
  let out: string | null = null
  let dir: string | null = null
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (dir !== null)
        throw new StartError(`\`ingot ${command}\` takes one folder, not '${dir}' and '${token.value}'.`)
      dir = token.value
    }
    if (token.kind !== 'option') continue
    if (!known.includes(token.name)) {
      const names = known.map((name) => `--${name}`).join(', ')
      throw new StartError(`\`ingot ${command}\` has no option '${token.rawName}': it has ${names}.`)
    }
    if (token.value === undefined || token.value === '') {
      throw new StartError(`The option --${token.name} needs a value: --${token.name}=…`)
    }
    if (token.name === 'out') out = token.value
    else variables[OPTIONS[token.name]!] = token.value
  }
  return { dir, out, settings: readSettings(variables, fallback) }
}

function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  return version
}
