/**
 * Handles the requests to a warm compiler of a deployed site. A build is reported as soon as it is written; its warnings are sent on
 * request.
 */
import * as z from 'zod'
import { type PreparedAssets, prepareAssets } from '../../phases/assets/prepare.ts'
import { ChangedAsset } from '../../phases/assets/write.ts'
import type { Compiled } from '../../compile.ts'
import { jsonDiagnostics } from '../../core/diagnostics/json.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { positionsOf } from '../../phases/emit/source-map.ts'
import type { Module } from '../../core/model/module.ts'
import { runSteps } from '../../core/model/steps.ts'
import { type DiscoveredSite, readStoredFile } from '../../core/source/discover.ts'
import { type SourceFile, writtenTexts } from '../../core/source/file.ts'
import { type PrintedModule, ModulePrinter, moduleScript } from './printed-modules.ts'
import { writeEntry, writeRelease } from './release.ts'
import { selectReachable } from './reachable-files.ts'
import { sentTemplate } from './sent-template.ts'
import { SentTexts } from './sent-texts.ts'
import { SiteSession } from './session.ts'
import { compileSample } from './warm-up.ts'

export const serviceRequest = z.discriminatedUnion('do', [
  /** Compiles the site in a folder. Without errors, writes its build to `out`, which must not exist yet. */
  z.object({
    id: z.number(),
    do: z.literal('build'),
    root: z.string(),
    /** The folder to write the build to; null to only check the site. */
    out: z.string().nullable(),
    /** Files of the folder that changed since the last request; null to read the whole folder. */
    paths: z.array(z.string()).nullable().default(null),
    /** Files that were sent one by one: errors in other files do not refuse them. Null for a whole site. */
    sent: z.array(z.string()).nullable().default(null),
    /** Whether a site with errors is built. At run time, code with an error fails when it is reached. */
    takesErrors: z.boolean().default(false),
  }),
  /** Parses files of a site ahead of its build, while others are still being uploaded. Its configuration is among the first files. */
  z.object({
    id: z.number(),
    do: z.literal('ahead'),
    /** `path`: the path in the site. `place`: where the uploaded file is stored on disk. */
    files: z.array(z.object({ path: z.string(), place: z.string() })),
  }),
  /** Returns the warnings of the last build. */
  z.object({ id: z.number(), do: z.literal('warnings') }),
  /** Compiles the site in a folder: the state that edits start from. */
  z.object({ id: z.number(), do: z.literal('open'), root: z.string() }),
  /** Compiles the changes in the folder since the last request, and returns the modules that changed. */
  z.object({
    id: z.number(),
    do: z.literal('edit'),
    /** Files that were written, added or removed by this edit. */
    paths: z.array(z.string()),
    /** Files that were restored after a refused edit. */
    back: z.array(z.string()).default([]),
    /** Whether a site with errors is compiled, as for `build`. */
    takesErrors: z.boolean().default(false),
  }),
  /** Compiles a text together with the site in a folder, and writes code that renders it to `out`, which must not exist yet. */
  z.object({
    id: z.number(),
    do: z.literal('exec'),
    root: z.string(),
    content: z.string(),
    out: z.string(),
    /** Whether files of the folder may have changed since the last request. */
    fresh: z.boolean().default(false),
    /** The format of its output. */
    format: z.enum(['txt', 'html']).default('txt'),
  }),
  /** Returns completions in a text that is not part of the site in a folder. */
  z.object({ id: z.number(), do: z.literal('complete'), root: z.string(), content: z.string(), offset: z.number() }),
])
type ServiceRequest = z.infer<typeof serviceRequest>

const NO_FILES: ReadonlySet<string> = new Set()
/** Maximum number of diagnostics in an answer. */
const MAX_DIAGNOSTICS = 500

/** Number of times a sample is compiled before any site is requested. */
const WARM_UPS = 12
/** Number of rehearsed edits, each compiled and taken back. Afterwards V8 has optimized most of the code that an edit runs. */
const REHEARSALS = 16

/** The code of diagnostics about computed names. */
const COMPUTED = 'dynamic-name'

/** Handles the requests for a site one after the other. */
export class SiteService {
  #session: SiteSession | null = null
  readonly #printer = new ModulePrinter()
  /** The served modules, by path. */
  #modules = new Map<string, Module>()
  /** The served assets, and the files they were made from. Edits do not change assets, because a written asset requires a build. */
  #assets: PreparedAssets = { served: new Map(), files: new Map() }
  #assetsOf: { readonly root: string; readonly inputs: readonly unknown[] } | null = null

  readonly #sentTexts = new SentTexts()
  /** Finds the remaining diagnostics of the last build. */
  #pendingWarnings: (() => object) | null = null

  /** Number of times the sample was compiled. */
  #warmed = 0
  /** Number of edits rehearsed since the last full compilation. */
  #rehearsed = REHEARSALS

  /**
   * Rehearses an edit: compiles the site as if one of its templates had changed, or compiles the original template again.
   * @returns whether another rehearsal is useful
   */
  rehearse(): boolean {
    // Until the warnings of a build are requested, all server processes are busy loading the site.
    if (this.#pendingWarnings !== null) return false
    if (this.#session === null) {
      const { modules, site } = compileSample()
      const positionAt = positionsOf(site.units.map(({ file }) => file))
      for (const module of modules) this.#printer.print(module, positionAt)
      return ++this.#warmed < WARM_UPS
    }
    const site = this.#session.site
    const templates = site?.files.filter(({ path }) => path.endsWith('.liquid')) ?? []
    const at = this.#rehearsed - (this.#rehearsed % 2)
    const edited = templates[Math.floor((templates.length * at) / REHEARSALS)]
    if (site === null || edited === undefined) return false
    const isBack = this.#rehearsed > at
    const files = isBack
      ? site.files
      : site.files.map((file) => (file === edited ? { ...file, text: `${file.text} ` } : file))
    const options = { keepGoing: true, checkedFiles: new Set([edited.path]) }
    this.#session.compile({ ...site, files }, this.#assets.served, options)
    return ++this.#rehearsed < REHEARSALS
  }

  /** Handles a request and returns the answer. Never throws for problems of the site. */
  async answer(request: ServiceRequest): Promise<object> {
    try {
      if (request.do === 'warnings') return this.#warnings()
      if (request.do === 'ahead') return this.#readAhead(request.files)
      if (request.do === 'edit') return await this.#edit(request)
      if (request.do === 'exec') return await this.#exec(request)
      if (request.do === 'complete') return await this.#sentTexts.complete(request)
      return await (request.do === 'build' ? this.#build(request) : this.#open(request.root))
    } catch (error) {
      if (!(error instanceof ChangedAsset)) throw error
      return { failure: error.message }
    }
  }

  #warnings(): object {
    const told = this.#pendingWarnings?.() ?? {}
    this.#pendingWarnings = null
    return told
  }

  #readAhead(placed: Extract<ServiceRequest, { do: 'ahead' }>['files']): object {
    this.#session ??= new SiteSession('', 1)
    const files = placed.map(({ path, place }) => readStoredFile(path, place))
    this.#session.readAhead(files.filter((file) => file !== null))
    return {}
  }

  async #build({ root, out, sent, paths, takesErrors }: Extract<ServiceRequest, { do: 'build' }>): Promise<object> {
    this.#pendingWarnings = null
    const session = this.#sessionOf(root, paths)
    const site = await session.read()
    if (site.problems.length > 0) return refusedByProblems(site)
    await this.#prepare(root, site)
    const { compiledSite, checkWarnings } = session.compileEarly(site, this.#assets.served, {
      keepGoing: sent !== null || takesErrors,
    })
    const told = (): object => {
      const diagnostics = runSteps(checkWarnings())
      if (sent === null) return reportDiagnostics(diagnostics, site)
      const ofSentFiles = diagnostics.filter(({ span }) => sent.includes(span.file))
      return reportDiagnostics(ofSentFiles, site, new Set(session.ownErrors(site, sent, diagnostics)))
    }
    const refused =
      sent === null
        ? compiledSite.diagnostics.filter(refusesDeploy)
        : session.ownErrors(site, sent, compiledSite.diagnostics)
    const isBroken = !takesErrors && refused.length > 0
    if (compiledSite.modules.length === 0 || isBroken) return { ...told(), built: false }
    if (out === null) return { ...told(), built: true }
    const modules = this.#printModules(compiledSite, site)
    await writeRelease({ root, modules, files: site.files, assets: this.#assets, out })
    this.#serves(compiledSite)
    this.#rehearsed = 0
    this.#pendingWarnings = told
    return { built: true, hasMore: true }
  }

  /** Computes digests of the assets and compresses them, if any changed. */
  async #prepare(root: string, site: DiscoveredSite): Promise<void> {
    const inputs = [...site.files.filter(({ kind }) => kind === 'asset'), ...site.assets]
    const known = this.#assetsOf
    const isSame =
      known?.root === root &&
      known.inputs.length === inputs.length &&
      known.inputs.every((input, at) => input === inputs[at])
    if (isSame) return
    this.#assetsOf = null
    this.#assets = await prepareAssets(root, site)
    this.#assetsOf = { root, inputs }
  }

  /** Opens a site for edits. The site is already served, so it may have errors: code with an error fails when it is reached. */
  async #open(root: string): Promise<object> {
    const session = this.#sessionOf(root)
    const site = await session.read()
    if (site.problems.length > 0) return refusedByProblems(site)
    await this.#prepare(root, site)
    this.#serves(session.compile(site, this.#assets.served, { keepGoing: true, checkedFiles: NO_FILES }))
    this.#rehearsed = 0
    return { built: true }
  }

  async #edit({ paths, back, takesErrors }: Extract<ServiceRequest, { do: 'edit' }>): Promise<object> {
    const session = this.#session
    if (session === null) return { failure: 'no site is open' }
    for (const path of [...paths, ...back]) session.changed(path)
    const site = await session.read()
    if (site.problems.length > 0) return refusedByProblems(site)
    const checkedFiles = new Set(paths)
    const compiledSite = session.compile(site, this.#assets.served, { keepGoing: true, checkedFiles })
    const diagnostics = compiledSite.diagnostics.filter(({ span }) => checkedFiles.has(span.file))
    const own = new Set(session.ownErrors(site, paths, diagnostics))
    const told = reportDiagnostics(diagnostics, site, own)
    if (own.size > 0 && !takesErrors) return { ...told, built: false }
    const before = this.#modules
    // The manifest is rebuilt every time, so its code is compared.
    const changedModules = compiledSite.modules.filter((module) => {
      const oldModule = before.get(module.path)
      return oldModule !== module && (module.source !== null || oldModule?.body.text !== module.body.text)
    })
    this.#serves(compiledSite)
    const removed = [...before.keys()].filter((path) => !this.#modules.has(path))
    return { ...told, built: true, changed: this.#scripts(changedModules, site), removed }
  }

  #scripts(changedModules: readonly Module[], { files }: DiscoveredSite): readonly object[] {
    const positionAt = positionsOf(files)
    const texts = writtenTexts(files)
    return changedModules.map((module) => {
      const printedModule = this.#printer.print(module, positionAt)
      const source = module.source === null ? null : (texts.get(module.source) ?? null)
      return {
        path: printedModule.path,
        digest: printedModule.digest,
        script: moduleScript(printedModule),
        file: module.source,
        source,
      }
    })
  }

  #serves({ modules }: Compiled): void {
    this.#modules = new Map(modules.map((module) => [module.path, module]))
  }

  /** Compiles a sent text. The site itself may have errors, as when it is served: code with an error fails when it is reached. */
  async #exec({ root, content, out, fresh, format }: Extract<ServiceRequest, { do: 'exec' }>): Promise<object> {
    const session = !fresh && this.#session?.root === root ? this.#session : this.#sessionOf(root)
    const known = await session.read()
    if (known.problems.length > 0) return refusedByProblems(known)
    const sent = sentTemplate(content, format)
    const files = known.files.filter(({ path }) => path !== sent.path)
    const part = this.#compileSent(session, { ...known, files: selectReachable(content, files) }, sent)
    // Computed names, and suggestions for wrong ones, need the whole site.
    const isWhole = part.ownDiagnostics.some(({ code, severity }) => severity === 'error' || code === COMPUTED)
    const { site, compiledSite, ownDiagnostics } = isWhole
      ? this.#compileSent(session, { ...known, files }, sent)
      : part
    const { errors } = reportDiagnostics(ownDiagnostics, site)
    if (errors.length > 0) return { built: false, errors }
    await writeEntry(out, this.#printModules(compiledSite, site))
    return { built: true, sent: sent.path }
  }

  #compileSent(session: SiteSession, known: DiscoveredSite, sent: SourceFile): SentCompiled {
    const site = { ...known, files: [...known.files, sent] }
    const checkedFiles = new Set([sent.path])
    const compiledSite = session.compile(site, new Map(), { keepGoing: true, checkedFiles })
    return {
      site,
      compiledSite,
      ownDiagnostics: compiledSite.diagnostics.filter(({ span }) => span.file === sent.path),
    }
  }

  /** Returns the session for a folder. @param changed paths of files that changed in it; null to read the whole folder */
  #sessionOf(root: string, changed: readonly string[] | null = null): SiteSession {
    if (this.#session === null) this.#session = new SiteSession(root, 1)
    else if (changed === null || this.#session.root !== root) this.#session.moveTo(root)
    else for (const path of changed) this.#session.changed(path)
    return this.#session
  }

  #printModules({ modules }: Compiled, { files }: DiscoveredSite): readonly PrintedModule[] {
    const positionAt = positionsOf(files)
    return modules.map((module) => this.#printer.print(module, positionAt))
  }
}

/** A text compiled with files of a site. */
interface SentCompiled {
  readonly site: DiscoveredSite
  readonly compiledSite: Compiled
  /** Diagnostics of the text itself. */
  readonly ownDiagnostics: readonly Diagnostic[]
}

interface ReportedDiagnostics {
  readonly file: string
  readonly line: number
  readonly code: string
  readonly message: string
  readonly hint: string | null
  /** The platform's message for the problem, if known. */
  readonly platform: string | null
}

/** Returns true for errors, and for problems with a known platform message that the platform refuses a deploy for. */
function refusesDeploy({ severity, platform }: Diagnostic): boolean {
  return severity === 'error' || platform !== undefined
}

/** Formats diagnostics for the answer. @param errors those that count as errors; by default those that prevent a deploy */
function reportDiagnostics(
  diagnostics: readonly Diagnostic[],
  { files }: DiscoveredSite,
  errors: ReadonlySet<Diagnostic> = new Set(diagnostics.filter(refusesDeploy)),
): { readonly errors: readonly ReportedDiagnostics[]; readonly warnings: readonly ReportedDiagnostics[] } {
  const texts = writtenTexts(files)
  const told = (some: readonly Diagnostic[]): readonly ReportedDiagnostics[] =>
    jsonDiagnostics(some.slice(0, MAX_DIAGNOSTICS), (path) => texts.get(path)).map(
      ({ file, line, code, message, hint }, at) => ({
        file,
        line,
        code,
        message,
        hint,
        platform: some[at]?.platform ?? null,
      }),
    )
  return {
    errors: told(diagnostics.filter((each) => errors.has(each))),
    warnings: told(diagnostics.filter((each) => !errors.has(each) && each.severity !== 'info')),
  }
}

function refusedByProblems({ problems }: DiscoveredSite): object {
  const errors = problems.map(
    ({ path, message }): ReportedDiagnostics => ({
      file: path,
      line: 1,
      code: 'unreadable-file',
      message,
      hint: null,
      platform: null,
    }),
  )
  return { errors, warnings: [], built: false }
}
