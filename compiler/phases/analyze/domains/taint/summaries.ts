/** The summaries of a site's templates, made on demand and cached until something they depend on changes. */
import type { Language } from '../../../../language/language.ts'
import { attached } from '../../../../core/model/attached.ts'
import type { LinkedEffects } from '../../../../core/model/effects.ts'
import type { Memo } from '../../../../core/model/memo.ts'
import { NO_MEMO } from '../../../../core/model/memo.ts'
import type { Operations } from '../../../../core/model/operation.ts'
import type { FilterSignature } from '../../../../core/model/signature.ts'
import type { Site } from '../../../../core/model/site.ts'
import { jobKey, type Template } from '../../../../core/model/unit.ts'
import type { SiteTemplate } from '../../../../core/model/site-template.ts'
import type { Flow } from './flow.ts'
import { type Place, placeKey } from './places.ts'
import { isSameForCallers } from './same.ts'
import { NO_FLOWS, emptySummary, type OutputFormat, noOutput, type Summary, type CallerSummary } from './summary.ts'
import { summarize } from './taint.ts'

/** The parts of a template's summary that callers use: its output, or also its variables. Null if no call names the template. */
type Use = 'printed' | 'included' | null

/** A cached summary with its inputs. `callees`: what it sees of its callees. */
interface CachedSummary {
  readonly template: Template
  readonly use: Use
  readonly summary: Summary
  readonly callees: readonly {
    readonly file: string
    readonly place: Place
    readonly format: OutputFormat
    readonly forCallers: CallerSummary
  }[]
}

export interface SummaryInput {
  readonly site: Site
  readonly operations: Operations
  readonly language: Language
  readonly siteTemplates: readonly SiteTemplate[]
  readonly linkedEffects: LinkedEffects
  readonly memo: Memo
}

export class Summaries {
  readonly #input: SummaryInput
  readonly #filters: ReadonlyMap<string, FilterSignature>
  readonly #templates = new Map<string, Template>()
  /** Template keys of jobs, by their bodies. */
  readonly #visibleFiles = new Set<string>()
  readonly #uses: ReadonlyMap<string, Use>
  /** Summaries of this run, each after those of its callees. */
  readonly #summaries = new Map<string, Summary>()
  /** Summaries of this run and of earlier ones. */
  readonly #cache: Map<string, CachedSummary>
  readonly #parameters = new Map<string, Flow>()
  /** Keys of the summaries that are being made. A recursive call to one of them adds nothing. */
  readonly #keysInProgress = new Set<string>()

  constructor(input: SummaryInput) {
    const { site, operations, language, siteTemplates, linkedEffects, memo } = input
    this.#input = input
    this.#filters = language.filters(site.dialect)
    for (const { key, template } of siteTemplates) {
      this.#templates.set(key, template)
    }
    let uses = usesByDeeds.get(linkedEffects.sharedEffects)
    if (uses === undefined) usesByDeeds.set(linkedEffects.sharedEffects, (uses = usesOf(site, siteTemplates)))
    this.#uses = uses
    // The names of partials and the stored queries decide what a template calls. If any of them changes, an empty cache is started.
    const inputs = [...site.partials.values(), ...operations.storedOperations.values(), site.config].map((each) =>
      'file' in each ? each.file.path : each,
    )
    this.#cache = memo === NO_MEMO ? new Map() : memo.once('taint', '', inputs, () => new Map<string, CachedSummary>())
  }

  /** Returns whether a summary of the file was requested in a format that visitors see. */
  has(file: string): boolean {
    return this.#visibleFiles.has(file)
  }

  /** Returns all requested summaries, callers first. */
  callersFirst(): readonly Summary[] {
    return [...this.#summaries.values()].reverse()
  }

  of(file: string, format: OutputFormat, place: Place): Summary {
    if (format !== 'unseen' && format !== 'sent') this.#visibleFiles.add(file)
    const key = `${file} ${format} ${placeKey(place)}`
    const known = this.#summaries.get(key)
    if (known !== undefined) return known
    const template = this.#templates.get(file)
    if (template === undefined || this.#keysInProgress.has(key)) return emptySummary(key, place)
    this.#keysInProgress.add(key)
    const summary = this.#findCached(key, template, file) ?? this.#make(key, template, format, { file, place })
    this.#keysInProgress.delete(key)
    this.#summaries.set(key, summary)
    return summary
  }

  /** Returns the cached summary if the template, its use and what it sees of its callees are unchanged; null otherwise. */
  #findCached(key: string, template: Template, path: string): Summary | null {
    const cached = this.#cache.get(key)
    if (cached === undefined || cached.template !== template || cached.use !== this.#useOf(path)) return null
    const isSame = cached.callees.every(
      ({ file, place, format, forCallers }) => this.of(file, format, place).forCallers === forCallers,
    )
    return isSame ? cached.summary : null
  }

  #useOf(file: string): Use {
    return this.#uses.get(file) ?? null
  }

  #make(
    key: string,
    template: Template,
    format: OutputFormat,
    { file: path, place }: { readonly file: string; readonly place: Place },
  ): Summary {
    const { site, operations, language } = this.#input
    const callees: CachedSummary['callees'][number][] = []
    const use = this.#useOf(path)
    const whole = summarize(template, place, {
      site,
      operations,
      tags: language.tags,
      filters: this.#filters,
      format,
      parameters: this.#parameters,
      summaryOf: (file, at, as = format) => {
        const summary = this.of(file, as, at)
        callees.push({ file, place: at, format: as, forCallers: summary.forCallers })
        return summary
      },
      blockOf: (node) => {
        const unit = site.byFile.get(node.span.file)
        return unit === undefined ? null : jobKey(unit, node)
      },
    })
    const before = this.#cache.get(key)
    const forCallers = usedFace(whole.forCallers, use)
    const isAsBefore = before?.use === use && isSameForCallers(before.summary.forCallers, forCallers)
    const summary = { ...whole, key, forCallers: isAsBefore ? before.summary.forCallers : forCallers }
    this.#cache.set(key, { template, use, summary, callees })
    return summary
  }
}

/** Cached uses, by an object that is the same until a template of the site changes its calls. */
const usesByDeeds = attached<LinkedEffects['sharedEffects'], ReadonlyMap<string, Use>>()

function usesOf(site: Site, siteTemplates: readonly SiteTemplate[]): ReadonlyMap<string, Use> {
  const uses = new Map<string, Use>()
  for (const { outline } of siteTemplates)
    for (const { literal, kind } of outline.calls) {
      const file = literal === null ? undefined : site.partials.get(literal)?.file.path
      if (file === undefined) continue
      if (kind === 'include') uses.set(file, 'included')
      else if (!uses.has(file)) uses.set(file, 'printed')
    }
  return uses
}

/** Returns the forCallers without the parts that no caller uses: this saves memory, because summaries are kept as long as the site. */
function usedFace(forCallers: CallerSummary, use: Use): CallerSummary {
  if (use === 'included') return forCallers
  return { ...forCallers, frame: NO_FLOWS, ...(use === null && { printed: noOutput }) }
}
