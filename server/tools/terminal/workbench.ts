/**
 * Runs Liquid that a user types. It opens a compiler in a child process, the site's database, and everything that templates use. Each piece of
 * Liquid is compiled together with the current files of the site, and run in this process.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as runtime from '../../../runtime/index.ts'
import type { Fields } from '../../../runtime/page/services.ts'
import { DEFAULT_LIMITS, type Limits } from '../../../runtime/page/limits.ts'
import { isHash } from '../../../runtime/page/values/hash.ts'
import { isNumber, toNumber } from '../../../runtime/page/values/number.ts'
import { type App, createApp } from '../../web/app.ts'
import type { Logger } from '../../core/contracts/log.ts'
import { openDatabase } from '../../data/database.ts'
import { createRequest, type Request } from '../../web/http/message.ts'
import { formatErrors, SiteCompiler } from '../instance/deploys/compiler.ts'
import { toFailure, formatSentFailure } from '../../operate/jobs/task/failure.ts'
import { withStoredCode } from '../../operate/jobs/task/sent-code.ts'
import { openProcessServices } from '../../web/process-services.ts'
import { processLog } from '../../core/services/log.ts'
import type { SiteHost, Visit } from '../../web/site/host.ts'
import { SiteBuilds } from '../../web/site/builds.ts'
import { createRender } from '../../web/site/render-page.ts'
import type { Settings } from '../../core/settings.ts'

export interface WorkbenchOptions {
  /** Folder of the site. */
  readonly dir: string
  readonly settings: Settings
  readonly version: string
  /** Path of the `ingot` command. */
  readonly bin: string
  /** Receives log entries of templates. */
  readonly logger: Logger
}

/** A piece of Liquid that was compiled with the site. */
interface CompiledLiquid {
  readonly app: App
  /** Path of the piece in the build. */
  readonly unit: string
}

/** The result of a piece: its output, errors of the compiler, or a run-time error with its line. */
type Outcome =
  | { readonly kind: 'printed'; readonly text: string }
  | { readonly kind: 'refused'; readonly sentences: readonly string[] }
  | { readonly kind: 'failed'; readonly sentence: string }

export interface Workbench {
  /** Runs a piece. @param exports initial value of `context.exports`; also receives the piece's exports */
  liquid(text: string, params: Fields, exports?: Record<string, unknown>): Promise<Outcome>
  /** Runs a GraphQL document; returns its response as JSON, and whether it has errors. */
  graphql(document: string, variables: Fields): Promise<{ readonly text: string; readonly hasFailed: boolean }>
  /** Returns completions at an offset of a piece, and the number of characters before it that they replace. */
  complete(text: string, offset: number): Promise<{ readonly labels: readonly string[]; readonly length: number }>
  /** Folder of the site's data. */
  readonly dataFolder: string
  close(): Promise<void>
}

/** Connections: for a statement, a transaction, and listening. */
const POOL = 4

/** Opens a workbench. @throws StartError */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const { dir, settings, version, bin, logger } = options
  const root = resolve(dir)
  const compiler = new SiteCompiler(bin)
  // Started now, so that it compiles while the database starts.
  compiler.start()
  try {
    const database = await openDatabase(settings, root, logger)
    try {
      const log = processLog(logger, settings.environment)
      const parts = await openProcessServices({
        settings: database.settings,
        version,
        logger,
        log,
        pool: POOL,
        chores: false,
      })
      const folder = await mkdtemp(join(tmpdir(), 'ingot-pieces-'))
      const builds = new SiteBuilds(runtime)
      const load = async (out: string): Promise<App> => {
        const loadedSite = await builds.load({ root, folder: out }, async () => [])
        const wrapData = withStoredCode(out, loadedSite.site, null)
        return createApp(loadedSite, { ...parts.facts, wrapData }, await parts.prepare(loadedSite))
      }
      const close = async (): Promise<void> => {
        compiler.close()
        await parts.close()
        await database.close()
        await rm(folder, { recursive: true, force: true })
      }
      const { dataFolder } = database.settings
      const complete: Workbench['complete'] = (text, offset) => compiler.complete(root, text, offset)
      return { ...createRunners(createCompile(compiler, root, folder, load)), complete, dataFolder, close }
    } catch (error) {
      await database.close()
      throw error
    }
  } catch (error) {
    compiler.close()
    throw error
  }
}

/** Compiles a piece. */
type Compile = (text: string) => Promise<CompiledLiquid | { readonly refused: readonly string[] }>

function createCompile(
  compiler: SiteCompiler,
  root: string,
  folder: string,
  load: (out: string) => Promise<App>,
): Compile {
  let count = 0
  return async (text) => {
    // The source map of the piece is read when it fails, so the folder stays until the next piece.
    await rm(join(folder, String(count)), { recursive: true, force: true })
    const out = join(folder, String(++count))
    const compiledSite = await compiler.compileSent(root, text, out, true)
    if (compiledSite.sent === null) return { refused: formatErrors(compiledSite) }
    return { app: await load(out), unit: compiledSite.sent }
  }
}

function createRunners(compile: Compile): Pick<Workbench, 'liquid' | 'graphql'> {
  return {
    async liquid(text, params, exports = {}) {
      const piece = await compile(text)
      if ('refused' in piece) return { kind: 'refused', sentences: piece.refused }
      const host: SiteHost = { ...piece.app.host(), limits: LIMITS }
      const page = host.loadedSite.site.pages.find(({ file }) => file === piece.unit)
      if (page === undefined) return { kind: 'refused', sentences: ['It could not be compiled'] }
      const r = createRender(host, visitOf(host, params), page)
      const own = r.context['exports']
      if (isHash(own)) Object.assign(own, exports)
      try {
        const printedText = await page.render(r, {})
        Object.assign(exports, r.context['exports'])
        return { kind: 'printed', text: printedText }
      } catch (error) {
        return { kind: 'failed', sentence: formatSentFailure(toFailure(error, host.services.locate), piece.unit) }
      }
    },
    async graphql(document, variables) {
      const piece = await compile('')
      if ('refused' in piece) throw new Error(piece.refused.join('\n'))
      const host = piece.app.host()
      const answer = await visitOf(host, {}).data?.graphql.run({ document }, variables)
      // Templates represent numbers by objects, to distinguish floats from integers.
      const unboxed = (_key: string, item: unknown): unknown => (isNumber(item) ? toNumber(item) : item)
      return { text: JSON.stringify(answer ?? null, unboxed, 2), hasFailed: answer === undefined || 'errors' in answer }
    },
  }
}

/** Long limits, because the author can interrupt the command. */
const LIMITS: Limits = { ...DEFAULT_LIMITS, steps: Number.POSITIVE_INFINITY, time: 600_000 }

/** Creates a visit of an anonymous visitor to the path `/`. */
function visitOf(host: SiteHost, params: Fields): Visit {
  const visit: Visit = {
    request: REQUEST,
    // The values come from JSON, like the parameters of a request.
    params: params as Visit['params'],
    session: null,
    data: host.data === null ? null : host.data(null, null, () => visit),
    failedForm: null,
    sharedState: { context: null },
    job: null,
  }
  return visit
}

const REQUEST: Request = createRequest({
  method: 'GET',
  url: '/',
  protocol: 'http',
  host: 'localhost',
  ip: '127.0.0.1',
  headers: {},
  body: null,
  id: 'terminal',
})
