/**
 * `ingot dev`: the compiler watches and builds the site in a child process, a worker serves the result, and open pages
 * follow.
 */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual, stripVTControlCharacters } from 'node:util'
import { hasColors } from '../../runtime/data/terminal-colors.ts'
import { outputColors } from '../core/services/colors.ts'
import { MORE_INLINING } from '../operate/cluster/engine-flags.ts'
import { type DevBuild, mergeBuilds, serviceName, type ToWorker } from '../operate/cluster/messages.ts'
import type { Supervisor } from '../operate/cluster/model.ts'
import { supervise } from '../operate/cluster/supervisor.ts'
import { type CompilerMessage, startCompiler } from '../tools/dev/compiler-process.ts'
import { type DatabaseEnd, openDatabase } from '../data/database.ts'
import { GRAPHIQL_PATH } from '../tools/dev/graphiql.ts'
import { createTelemetry } from '../operate/observe/telemetry.ts'
import { printPlaces } from './places.ts'
import { addressOf, announce, jobGroup, runningParts } from './serve.ts'
import { stoppedSentence, untilStopped } from './stopping.ts'
import type { Logger } from '../core/contracts/log.ts'
import { createLogger } from '../core/services/log.ts'
import type { ReadySettings, Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'

export interface DevOptions {
  readonly dir: string
  readonly settings: Settings
  readonly version: string
  /** Path of the file that a worker process runs. */
  readonly worker: string
  /** Path of the file that a job process runs. */
  readonly jobWorker: string
  /** Path of the `ingot` command. */
  readonly bin: string
}

/** A site has at least one of these folders. The last two are those of a module that has its own repository. */
const SITE_FOLDERS = ['app', 'marketplace_builder', 'modules', 'public', 'private']

/** Serves a site in development until a signal stops it; resolves to the exit code. @throws StartError */
export async function dev(options: DevOptions): Promise<number> {
  const { dir } = options
  const root = resolve(dir)
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new StartError(
      `There is no folder '${dir}': give the folder of a site, or make one with \`ingot init ${dir}\`.`,
    )
  }
  if (!SITE_FOLDERS.some((name) => existsSync(join(root, name))))
    throw new StartError(
      `There is no site in '${dir}': write a small one with \`ingot init ${dir}\`, or give the folder of a site.`,
    )
  const logger = createLogger(options.settings.logLevel, options.settings.environment === 'development')
  const database = await openDatabase(options.settings, root, logger)
  // Metrics are off: the only process is replaced often.
  const observe = { ...database.settings.observe, metrics: { port: null, token: null, sent: false, path: '' } }
  let code: number
  let end: DatabaseEnd
  try {
    code = await serveDevelopment({ ...options, settings: { ...database.settings, observe } }, root, logger)
  } finally {
    end = await database.close()
  }
  const [server = '', ...others] = runningParts(options.settings)
  if (code === 0) logger.info({}, stoppedSentence([server, 'the compiler', ...others], end))
  return code
}

/** Prints a report of the compiler, which always has colors. */
function printReport(text: string): void {
  const isColored = hasColors(process.stdout, process.env)
  process.stdout.write(`${(isColored ? text : stripVTControlCharacters(text)).trimEnd()}\n`)
}

interface DevContext extends DevOptions {
  readonly settings: ReadySettings
}

async function serveDevelopment(options: DevContext, root: string, logger: Logger): Promise<number> {
  const { dir, version, settings } = options
  // The state that a restarted worker needs: the newest entry, the modules that changed after it was written, and the errors
  // of a failed build.
  let build: DevBuild | null = null
  let problems: ToWorker | null = null
  let checked: ToWorker | null = null

  const begin = (): readonly ToWorker[] => {
    const start: ToWorker = { type: 'start', site: { kind: 'dev', root }, settings, version }
    const built: ToWorker | null = build === null ? null : { type: 'built', ...build }
    return [start, built, checked, problems].filter((message) => message !== null)
  }
  const telemetry = createTelemetry(settings.observe, () => supervisor.processes())
  const { environment } = settings
  await telemetry.begin({
    service: serviceName({ kind: 'dev', root }),
    version,
    release: null,
    environment,
    log: logger,
  })
  const supervisor: Supervisor = supervise({
    groups: [
      { name: 'web', exec: options.worker, count: 1, flags: [MORE_INLINING], begin, stopTime: settings.grace * 1000 },
      jobGroup(options.jobWorker, settings, begin),
    ],
    listen: addressOf(settings),
    log: logger,
    grace: settings.grace * 1000,
    silence: settings.silence * 1000,
    observer: telemetry.observer,
  })

  let served: () => void = () => undefined
  const firstBuild = new Promise<void>((done) => {
    served = done
  })

  function receive(message: CompilerMessage): void {
    if (message.type === 'assets') return supervisor.send(message)
    // The report of the first build is served like a page.
    if (message.type !== 'checked') served()
    if (message.type === 'errors') {
      problems = { type: 'problems', text: message.text }
      printReport(message.text)
      supervisor.send(problems)
      return
    }
    if (message.type === 'checked') {
      if (message.text !== '') printReport(message.text)
      const { errors, shown, problems: findings, total } = message
      const newest: ToWorker = { type: 'checked', problems: findings, total }
      if (!isDeepStrictEqual(checked, newest)) supervisor.send(newest)
      checked = newest
      if (build === null || isDeepStrictEqual([build.errors, build.shown], [errors, shown])) return
      build = { ...build, errors, shown, saved: { files: [], assets: [] }, isChecked: true }
      supervisor.send({ type: 'built', ...build })
      return
    }
    problems = null
    const { entry, changed: changedModules, errors, shown, saved } = message
    const newest: DevBuild = { entry, changedModules, errors, shown, saved, isChecked: false }
    build = mergeBuilds(build, newest)
    supervisor.send({ type: 'built', ...newest })
    process.stdout.write(`${outputColors.green('built')} ${outputColors.dim(`in ${Math.round(message.ms)} ms`)}\n`)
  }

  let finish: (code: number) => void = () => undefined
  const ended = new Promise<number>((resolve) => {
    finish = resolve
  })
  const compiler = startCompiler(options.bin, dir, receive, (code) => {
    process.stderr.write(`The compiler ended (code ${code}). See its last message, and start \`ingot dev\` again.\n`)
    void supervisor.stop(false).then(() => finish(2))
  })
  process.on('exit', () => compiler.stop())
  const before = (): void => compiler.stop()
  void untilStopped({ supervisor, log: logger, before, isPatient: false }).then(finish)
  const ready = await Promise.race([supervisor.ready, ended]).catch((error: unknown) => {
    // A running compiler would keep this process alive.
    compiler.stop()
    throw error
  })
  if (typeof ready === 'number') return ready
  // Until then, pages only say that the site is being built.
  const isEnded = (await Promise.race([firstBuild, ended])) !== undefined
  if (!isEnded) {
    const url = announce(logger, settings, ready, `watching ${dir}`)
    printPlaces(url, root, [['GraphiQL', `${url}${GRAPHIQL_PATH}  (runs queries on the site's data)`]])
  }
  return ended.finally(() => telemetry.close())
}
