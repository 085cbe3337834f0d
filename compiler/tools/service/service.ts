/**
 * `ingot service`: a warm compiler of a site that is deployed to. It reads questions from standard input and writes an answer to each to
 * standard output, a line of JSON both, one after the other. A build is told of as soon as it is written, and its warnings when they are asked for.
 */
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { type PreparedAssets, prepareAssets } from '../../phases/assets/prepare.ts'
import { ChangedAsset } from '../../phases/assets/write.ts'
import type { Compiled } from '../../compile.ts'
import { jsonDiagnostics } from '../../core/diagnostics/json.ts'
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { positionsOf } from '../../phases/emit/source-map.ts'
import type { Module } from '../../core/model/module.ts'
import { runSteps } from '../../core/model/steps.ts'
import { type DiscoveredSite, readPlaced } from '../../core/source/discover.ts'
import { type SourceFile, writtenTexts } from '../../core/source/file.ts'
import { BoundHeap } from './bound-heap.ts'
import { type KeptModule, ModulePrinter, moduleScript } from './kept-modules.ts'
import { writeEntry, writeRelease } from './release.ts'
import { sliceFor } from './sent-slice.ts'
import { sentTemplate } from './sent-template.ts'
import { SentTexts } from './sent-texts.ts'
import { SiteSession } from './session.ts'
import { compileSample } from './warm-up.ts'

const question = z.discriminatedUnion('do', [
  /** Compiles the site in a folder; where it has no errors, writes its build to another one, which is not there yet. */
  z.object({
    id: z.number(),
    do: z.literal('build'),
    root: z.string(),
    /** Null where the site is only to be looked at. */
    out: z.string().nullable(),
    /** The files that have changed in the folder since the last question; null where all of it is to be read. */
    paths: z.array(z.string()).nullable().default(null),
    /** The files that were sent one by one: what else is wrong with the site is no reason to refuse them. Null for a site as a whole. */
    sent: z.array(z.string()).nullable().default(null),
    /** Whether a site with errors is built: each then fails where it is reached. */
    takesErrors: z.boolean().default(false),
  }),
  /** Reads files of a site that is about to be built, while others of it still come. Its configuration is among the first ones. */
  z.object({
    id: z.number(),
    do: z.literal('ahead'),
    /** `place`: path of a file that holds the bytes of the one at `path`. */
    files: z.array(z.object({ path: z.string(), place: z.string() })),
  }),
  /** The warnings of the site that was built last. */
  z.object({ id: z.number(), do: z.literal('warnings') }),
  /** Compiles the site in a folder: the state that edits start from. */
  z.object({ id: z.number(), do: z.literal('open'), root: z.string() }),
  /** Compiles what has changed in the folder since the last question, and tells the modules that are others. */
  z.object({
    id: z.number(),
    do: z.literal('edit'),
    /** Files that were written, are new or are gone, and are to be what is asked for. */
    paths: z.array(z.string()),
    /** Files that are again what they were before an edit that was refused. */
    back: z.array(z.string()).default([]),
    /** As for `build`. */
    takesErrors: z.boolean().default(false),
  }),
  /** Compiles a text together with the site in a folder, and writes code that renders it to another folder, which is not there yet. */
  z.object({
    id: z.number(),
    do: z.literal('exec'),
    root: z.string(),
    content: z.string(),
    out: z.string(),
    /** Whether files of the folder may have changed since the last question. */
    fresh: z.boolean().default(false),
    /** What it prints. */
    format: z.enum(['txt', 'html']).default('txt'),
  }),
  /** What could be written at a place of a text that stands beside the site in a folder. */
  z.object({ id: z.number(), do: z.literal('complete'), root: z.string(), content: z.string(), offset: z.number() }),
])
type Question = z.infer<typeof question>

const NO_FILES: ReadonlySet<string> = new Set()
/** Most diagnostics of an answer: nobody reads more. */
const MOST_TOLD = 500

/** Milliseconds without a question after which the next edit is prepared for: what was compiled is being loaded by all processes until then. */
const IDLE = 300
/** Milliseconds between two pieces of that, in which a question is heard. */
const BETWEEN = 20
/** Times that a sample is compiled where no site was asked for yet. */
const WARM_UPS = 12
/** Edits that are rehearsed, each by itself and taken back: by then most of what an edit runs is compiled by the engine. */
const REHEARSALS = 16

/** The code of what is told of a computed name. */
const COMPUTED = 'dynamic-name'

/** Answers until its standard input ends. */
export async function service(): Promise<number> {
  const compiler = new SiteService()
  const rehearse = (): void => {
    if (compiler.rehearse()) idle = setTimeout(rehearse, BETWEEN)
  }
  let idle = setTimeout(rehearse, IDLE)
  let heap: BoundHeap | null = null
  for await (const line of createInterface({ input: process.stdin })) {
    clearTimeout(idle)
    const asked = question.parse(JSON.parse(line))
    process.stdout.write(`${JSON.stringify({ id: asked.id, ...(await compiler.answer(asked)) })}\n`)
    if (heap !== null) heap.asked()
    else if (asked.do !== 'exec' && asked.do !== 'complete') heap = new BoundHeap(20)
    idle = setTimeout(rehearse, IDLE)
  }
  clearTimeout(idle)
  return 0
}

/** What is asked of a site one after the other. */
export class SiteService {
  #session: SiteSession | null = null
  readonly #printer = new ModulePrinter()
  /** The modules that are served, by path. */
  #modules = new Map<string, Module>()
  /** The assets, and what they were made of. They do not change with an edit: who writes one asks for a build. */
  #assets: PreparedAssets = { served: new Map(), files: new Map() }
  #assetsOf: { readonly root: string; readonly inputs: readonly unknown[] } | null = null

  readonly #sentTexts = new SentTexts()
  /** Finds what is still to be told of the site that was built last. */
  #untold: (() => object) | null = null

  /** How often a sample was compiled. */
  #warmed = 0
  /** How many edits were rehearsed since the site was compiled as a whole. */
  #rehearsed = REHEARSALS

  /** Compiles the site as if one of its templates had changed, or as it is again. @returns whether that is worth doing once more */
  rehearse(): boolean {
    // A site is being loaded by all processes until its warnings are asked for.
    if (this.#untold !== null) return false
    if (this.#session === null) {
      const { modules, site } = compileSample()
      const positionAt = positionsOf(site.units.map(({ file }) => file))
      for (const module of modules) this.#printer.kept(module, positionAt)
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

  /** Never throws for what is wrong with the site. */
  async answer(asked: Question): Promise<object> {
    try {
      if (asked.do === 'warnings') return this.#warnings()
      if (asked.do === 'ahead') return this.#readAhead(asked.files)
      if (asked.do === 'edit') return await this.#edit(asked)
      if (asked.do === 'exec') return await this.#exec(asked)
      if (asked.do === 'complete') return await this.#sentTexts.complete(asked)
      return await (asked.do === 'build' ? this.#build(asked) : this.#open(asked.root))
    } catch (error) {
      if (!(error instanceof ChangedAsset)) throw error
      return { failure: error.message }
    }
  }

  #warnings(): object {
    const told = this.#untold?.() ?? {}
    this.#untold = null
    return told
  }

  #readAhead(placed: Extract<Question, { do: 'ahead' }>['files']): object {
    this.#session ??= new SiteSession('', 1)
    const files = placed.map(({ path, place }) => readPlaced(path, place))
    this.#session.readAhead(files.filter((file) => file !== null))
    return {}
  }

  async #build({ root, out, sent, paths, takesErrors }: Extract<Question, { do: 'build' }>): Promise<object> {
    this.#untold = null
    const session = this.#sessionOf(root, paths)
    const site = await session.read()
    if (site.problems.length > 0) return refusedByProblems(site)
    await this.#prepare(root, site)
    const { compiled, advise } = session.compileFirst(site, this.#assets.served, {
      keepGoing: sent !== null || takesErrors,
    })
    const told = (): object => {
      const diagnostics = runSteps(advise())
      if (sent === null) return toldOf(diagnostics, site)
      const inThese = diagnostics.filter(({ span }) => sent.includes(span.file))
      return toldOf(inThese, site, new Set(session.ownErrors(site, sent, diagnostics)))
    }
    const refused =
      sent === null ? compiled.diagnostics.filter(isRefused) : session.ownErrors(site, sent, compiled.diagnostics)
    const isBroken = !takesErrors && refused.length > 0
    if (compiled.modules.length === 0 || isBroken) return { ...told(), built: false }
    if (out === null) return { ...told(), built: true }
    const modules = this.#kept(compiled, site)
    await writeRelease({ root, modules, files: site.files, assets: this.#assets, out })
    this.#serves(compiled)
    this.#rehearsed = 0
    this.#untold = told
    return { built: true, hasMore: true }
  }

  /** Digests and compresses the assets, where one of them is another than before. */
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

  /** What is broken in a site that is served already fails where it is reached. */
  async #open(root: string): Promise<object> {
    const session = this.#sessionOf(root)
    const site = await session.read()
    if (site.problems.length > 0) return refusedByProblems(site)
    await this.#prepare(root, site)
    this.#serves(session.compile(site, this.#assets.served, { keepGoing: true, checkedFiles: NO_FILES }))
    this.#rehearsed = 0
    return { built: true }
  }

  async #edit({ paths, back, takesErrors }: Extract<Question, { do: 'edit' }>): Promise<object> {
    const session = this.#session
    if (session === null) return { failure: 'no site is open' }
    for (const path of [...paths, ...back]) session.changed(path)
    const site = await session.read()
    if (site.problems.length > 0) return refusedByProblems(site)
    const checkedFiles = new Set(paths)
    const compiled = session.compile(site, this.#assets.served, { keepGoing: true, checkedFiles })
    const diagnostics = compiled.diagnostics.filter(({ span }) => checkedFiles.has(span.file))
    const own = new Set(session.ownErrors(site, paths, diagnostics))
    const told = toldOf(diagnostics, site, own)
    if (own.size > 0 && !takesErrors) return { ...told, built: false }
    const before = this.#modules
    // The manifest is made anew every time; it changed when its code did.
    const changed = compiled.modules.filter((module) => {
      const old = before.get(module.path)
      return old !== module && (module.source !== null || old?.body.text !== module.body.text)
    })
    this.#serves(compiled)
    const gone = [...before.keys()].filter((path) => !this.#modules.has(path))
    return { ...told, built: true, changed: this.#scripts(changed, site), removed: gone }
  }

  #scripts(changed: readonly Module[], { files }: DiscoveredSite): readonly object[] {
    const positionAt = positionsOf(files)
    const texts = writtenTexts(files)
    return changed.map((module) => {
      const kept = this.#printer.kept(module, positionAt)
      const source = module.source === null ? null : (texts.get(module.source) ?? null)
      return { path: kept.path, digest: kept.digest, script: moduleScript(kept), file: module.source, source }
    })
  }

  #serves({ modules }: Compiled): void {
    this.#modules = new Map(modules.map((module) => [module.path, module]))
  }

  /** What is wrong with the site is told where it is reached, as in the site that is served. */
  async #exec({ root, content, out, fresh, format }: Extract<Question, { do: 'exec' }>): Promise<object> {
    const session = !fresh && this.#session?.root === root ? this.#session : this.#sessionOf(root)
    const known = await session.read()
    if (known.problems.length > 0) return refusedByProblems(known)
    const sent = sentTemplate(content, format)
    const files = known.files.filter(({ path }) => path !== sent.path)
    const part = this.#compileSent(session, { ...known, files: sliceFor(content, files) }, sent)
    // What a computed name means, and what a wrong one may have meant, is known of the site as a whole.
    const isWhole = part.own.some(({ code, severity }) => severity === 'error' || code === COMPUTED)
    const { site, compiled, own } = isWhole ? this.#compileSent(session, { ...known, files }, sent) : part
    const { errors } = toldOf(own, site)
    if (errors.length > 0) return { built: false, errors }
    await writeEntry(out, this.#kept(compiled, site))
    return { built: true, sent: sent.path }
  }

  #compileSent(session: SiteSession, known: DiscoveredSite, sent: SourceFile): SentCompiled {
    const site = { ...known, files: [...known.files, sent] }
    const checkedFiles = new Set([sent.path])
    const compiled = session.compile(site, new Map(), { keepGoing: true, checkedFiles })
    return { site, compiled, own: compiled.diagnostics.filter(({ span }) => span.file === sent.path) }
  }

  /** @param changed files of the folder; null where all of it is to be read */
  #sessionOf(root: string, changed: readonly string[] | null = null): SiteSession {
    if (this.#session === null) this.#session = new SiteSession(root, 1)
    else if (changed === null || this.#session.root !== root) this.#session.moveTo(root)
    else for (const path of changed) this.#session.changed(path)
    return this.#session
  }

  #kept({ modules }: Compiled, { files }: DiscoveredSite): readonly KeptModule[] {
    const positionAt = positionsOf(files)
    return modules.map((module) => this.#printer.kept(module, positionAt))
  }
}

/** A text that was compiled with files of a site. */
interface SentCompiled {
  readonly site: DiscoveredSite
  readonly compiled: Compiled
  /** What was found in the text. */
  readonly own: readonly Diagnostic[]
}

interface Told {
  readonly file: string
  readonly line: number
  readonly code: string
  readonly message: string
  readonly hint: string | null
  /** What the platform says of it, where that is known. */
  readonly platform: string | null
}

/** Errors, and what the platform refuses a deploy for, in whose words it is known. */
function isRefused({ severity, platform }: Diagnostic): boolean {
  return severity === 'error' || platform !== undefined
}

/** @param errors those that count as errors; by default all for which a deploy is refused */
function toldOf(
  diagnostics: readonly Diagnostic[],
  { files }: DiscoveredSite,
  errors: ReadonlySet<Diagnostic> = new Set(diagnostics.filter(isRefused)),
): { readonly errors: readonly Told[]; readonly warnings: readonly Told[] } {
  const texts = writtenTexts(files)
  const told = (some: readonly Diagnostic[]): readonly Told[] =>
    jsonDiagnostics(some.slice(0, MOST_TOLD), (path) => texts.get(path)).map(
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
    ({ path, message }): Told => ({
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
