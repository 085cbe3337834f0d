/** The summaries of a site's templates, made when they are asked for, and remembered as long as nothing in them changes. */
import type { Language } from '../../../language/language.ts'
import { attached } from '../../../core/model/attached.ts'
import type { Linked } from '../../../core/model/effects.ts'
import type { Memo } from '../../../core/model/memo.ts'
import { NO_MEMO } from '../../../core/model/memo.ts'
import type { Operations } from '../../../core/model/operation.ts'
import type { FilterSignature } from '../../../core/model/signature.ts'
import type { Site } from '../../../core/model/site.ts'
import { isBlock, type Template } from '../../../core/model/unit.ts'
import type { Piece } from '../piece.ts'
import { type Place, placeKey } from './places.ts'
import { isSameFace } from './same.ts'
import { NO_FLOWS, nothingIn, type OutputFormat, printsNothing, type Summary, type SummaryFace } from './summary.ts'
import { summarize } from './walk.ts'

/** What others take of a template: what it prints, and its variables besides; null for one that none calls by its name. */
type Use = 'printed' | 'included' | null

/** A summary, and what it was made of: `called` has what the templates that it calls were to it. */
interface Made {
  readonly template: Template
  readonly use: Use
  readonly summary: Summary
  readonly called: readonly {
    readonly file: string
    readonly place: Place
    readonly format: OutputFormat
    readonly face: SummaryFace
  }[]
}

export interface SummaryInput {
  readonly site: Site
  readonly operations: Operations
  readonly language: Language
  readonly pieces: readonly Piece[]
  readonly linked: Linked
  readonly memo: Memo
}

export class Summaries {
  readonly #input: SummaryInput
  readonly #filters: ReadonlyMap<string, FilterSignature>
  readonly #templates = new Map<string, Template>()
  /** Bodies of jobs, with the keys of their templates. */
  readonly #blocks = new Map<Template['nodes'], string>()
  readonly #files = new Set<string>()
  readonly #uses: ReadonlyMap<string, Use>
  /** Those of this run, each behind what it calls. */
  readonly #known = new Map<string, Summary>()
  /** Those of earlier ones, too. */
  readonly #remembered: Map<string, Made>
  /** What is being made: a template that calls itself adds nothing by that. */
  readonly #open = new Set<string>()

  constructor(input: SummaryInput) {
    const { site, operations, language, pieces, linked, memo } = input
    this.#input = input
    this.#filters = language.filters(site.dialect)
    for (const { key, inner, template } of pieces) {
      this.#templates.set(key, template)
      if (isBlock(inner)) this.#blocks.set(template.nodes, key)
    }
    let uses = knownUses.get(linked.deeds)
    if (uses === undefined) knownUses.set(linked.deeds, (uses = usesOf(site, pieces)))
    this.#uses = uses
    // Names and queries decide what a template calls, so that a site with others is another one.
    const inputs = [...site.partials.values(), ...operations.stored.values(), site.config].map((each) =>
      'file' in each ? each.file.path : each,
    )
    this.#remembered = memo === NO_MEMO ? new Map() : memo.once('taint', '', inputs, () => new Map<string, Made>())
  }

  /** Whether the file was asked for, and what it prints is seen by visitors. */
  has(file: string): boolean {
    return this.#files.has(file)
  }

  /** All that were asked for: callers first. */
  callersFirst(): readonly Summary[] {
    return [...this.#known.values()].reverse()
  }

  of(file: string, format: OutputFormat, place: Place): Summary {
    if (format !== 'unseen' && format !== 'sent') this.#files.add(file)
    const key = `${file} ${format} ${placeKey(place)}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const template = this.#templates.get(file)
    if (template === undefined || this.#open.has(key)) return nothingIn(key, place)
    this.#open.add(key)
    const summary = this.#renewed(key, template, file) ?? this.#make(key, template, format, { file, place })
    this.#open.delete(key)
    this.#known.set(key, summary)
    return summary
  }

  /** The summary of an earlier run, where the template and all that those that it calls are to it are the same. */
  #renewed(key: string, template: Template, path: string): Summary | null {
    const made = this.#remembered.get(key)
    if (made === undefined || made.template !== template || made.use !== this.#useOf(path)) return null
    const isSame = made.called.every(({ file, place, format, face }) => this.of(file, format, place).face === face)
    return isSame ? made.summary : null
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
    const called: Made['called'][number][] = []
    const use = this.#useOf(path)
    const whole = summarize(template, place, {
      site,
      operations,
      tags: language.tags,
      filters: this.#filters,
      format,
      summaryOf: (file, at, as = format) => {
        const found = this.of(file, as, at)
        called.push({ file, place: at, format: as, face: found.face })
        return found
      },
      blockOf: ({ body }) => this.#blocks.get(body) ?? null,
    })
    const before = this.#remembered.get(key)
    const face = taken(whole.face, use)
    const isAsBefore = before?.use === use && isSameFace(before.summary.face, face)
    const summary = { ...whole, key, face: isAsBefore ? before.summary.face : face }
    this.#remembered.set(key, { template, use, summary, called })
    return summary
  }
}

/** By what the templates of a site do: the same value for as long as none calls anything else. */
const knownUses = attached<Linked['deeds'], ReadonlyMap<string, Use>>()

function usesOf(site: Site, pieces: readonly Piece[]): ReadonlyMap<string, Use> {
  const uses = new Map<string, Use>()
  for (const { bound } of pieces)
    for (const { literal, kind } of bound.calls) {
      const file = literal === null ? undefined : site.partials.get(literal)?.file.path
      if (file === undefined) continue
      if (kind === 'include') uses.set(file, 'included')
      else if (!uses.has(file)) uses.set(file, 'printed')
    }
  return uses
}

/** Without what nobody asks of it, which is most of what it holds: summaries are kept as long as the site is. */
function taken(face: SummaryFace, use: Use): SummaryFace {
  if (use === 'included') return face
  return { ...face, frame: NO_FLOWS, ...(use === null && { printed: printsNothing }) }
}
