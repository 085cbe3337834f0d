/** The summaries of a site's templates, made on demand and cached until something they depend on changes. */
import { type Language, languageStamp } from '../../../../language/language.ts'
import { attached } from '../../../../core/model/attached.ts'
import type { LinkedEffects } from '../../../../core/model/effects.ts'
import { type Codec, plain } from '../../../../core/model/codec.ts'
import type { Memo, RecordRead, Sources } from '../../../../core/model/memo.ts'
import {
  inlineDocument,
  inlineKey,
  type Operation,
  operationOf,
  type Operations,
  storedNamed,
} from '../../../../core/model/operation.ts'
import { unitStamp } from '../../../../core/model/stamps.ts'
import type { QueryUse } from '../../../../language/tags/tag.ts'
import { operationStamp } from '../../../../language/types/operation-stamp.ts'
import type { FilterSignature } from '../../../../core/model/signature.ts'
import type { Site } from '../../../../core/model/site.ts'
import { jobKey } from '../../../../core/model/unit.ts'
import type { SiteTemplate } from '../../../../core/model/site-template.ts'
import { type Flow, type Taint, taintKey } from './flow.ts'
import { type Place, placeKey } from './places.ts'
import { NO_FLOWS, emptySummary, type OutputFormat, noOutput, type Summary, type CallerSummary } from './summary.ts'
import { summarize } from './taint.ts'
import { getOrMake } from '../../../../core/source/maps.ts'
import { derived } from '../../../../core/model/derived.ts'
import { digest } from '../../../../core/model/digest.ts'

/** The parts of a template's summary that callers use: its output, or also its variables. Null if no call names the template. */
type Use = 'printed' | 'included' | null

/** A call of the summary of another template. */
interface CalleeKey {
  readonly file: string
  readonly format: OutputFormat
  readonly place: Place
}

/** A summary with the summaries that it uses. */
interface KnownSummary {
  readonly summary: Summary
  readonly callees: readonly CalleeKey[]
  /** The stamp of what callers see, if an earlier process has computed it. */
  readonly stamp?: string
}

/** A summary as it is stored: the taints of its output are data. */
interface StoredSummary {
  readonly summary: Omit<Summary, 'forCallers'> & {
    readonly forCallers: Omit<CallerSummary, 'printed'> & { readonly printed: readonly Taint[] }
  }
  readonly callees: readonly CalleeKey[]
  readonly stamp: string
}

const CODEC: Codec<KnownSummary> = {
  encode(known): StoredSummary {
    const { summary, callees } = known
    const forCallers = { ...summary.forCallers, printed: summary.forCallers.printed() }
    return { summary: { ...summary, forCallers }, callees, stamp: stampOf(known) }
  },
  decode(data) {
    const { summary, callees, stamp } = plain<StoredSummary>().decode(data)
    const { printed, ...forCallers } = summary.forCallers
    return { summary: { ...summary, forCallers: { ...forCallers, printed: constantOutput(printed) } }, callees, stamp }
  },
}

/** What a summary depends on outside of its file. */
type ReadKind = 'partial' | 'API call' | 'query' | 'inline query' | 'summary'

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
  readonly #templates = new Map<string, SiteTemplate>()
  readonly #visibleFiles = new Set<string>()
  readonly #uses: ReadonlyMap<string, Use>
  /** Summaries of this run, each after those of its callees. */
  readonly #summaries = new Map<string, KnownSummary>()
  readonly #parameters = new Map<string, Flow>()
  /** Keys of the summaries that are being made. A recursive call to one of them adds nothing. */
  readonly #keysInProgress = new Set<string>()
  readonly #sources: Sources<ReadKind>

  constructor(input: SummaryInput) {
    const { site, operations, language, siteTemplates, linkedEffects } = input
    this.#input = input
    this.#filters = language.filters(site.dialect)
    for (const siteTemplate of siteTemplates) this.#templates.set(siteTemplate.key, siteTemplate)
    this.#uses = getOrMake(usesByCalls, linkedEffects.sharedEffects, () => usesOf(site, siteTemplates))
    const operationStampOf = (operation: Operation | undefined) =>
      operation === undefined ? null : operationStamp(operation, operations.data)
    this.#sources = {
      partial: (name) => site.partials.get(name)?.file.path ?? null,
      'API call': (name) => site.apiCalls.get(name)?.file.path ?? null,
      query: (name) => operationStampOf(storedNamed(operations, name)),
      'inline query': (key) => operationStampOf(operations.inline.get(key)),
      summary: (key) => stampOf(this.#known(calleeOf(key))),
    }
  }

  /** Returns whether a summary of the file was requested in a format that visitors see. */
  has(file: string): boolean {
    return this.#visibleFiles.has(file)
  }

  /** Returns all requested summaries, callers first. */
  callersFirst(): readonly Summary[] {
    return [...this.#summaries.values()].reverse().map(({ summary }) => summary)
  }

  of(file: string, format: OutputFormat, place: Place): Summary {
    return this.#known({ file, format, place }).summary
  }

  #known(callee: CalleeKey): KnownSummary {
    const { file, format, place } = callee
    if (format !== 'unseen' && format !== 'sent') this.#visibleFiles.add(file)
    const key = keyOf(callee)
    const known = this.#summaries.get(key)
    if (known !== undefined) return known
    const siteTemplate = this.#templates.get(file)
    if (siteTemplate === undefined || this.#keysInProgress.has(key))
      return { summary: emptySummary(key, place), callees: [] }
    const { site, language, memo } = this.#input
    this.#keysInProgress.add(key)
    const made = memo.query<ReadKind, KnownSummary>({
      name: 'taint',
      key,
      inputs: () => [unitStamp(siteTemplate.unit, site.config), languageStamp(language), this.#useOf(file)],
      sources: this.#sources,
      codec: () => CODEC,
      make: (record) => this.#make(siteTemplate, callee, record),
    })
    // The callees are requested in the same order, also if the summary is kept.
    for (const each of made.callees) this.#known(each)
    this.#keysInProgress.delete(key)
    this.#summaries.set(key, made)
    return made
  }

  #useOf(file: string): Use {
    return this.#uses.get(file) ?? null
  }

  #make({ template }: SiteTemplate, callee: CalleeKey, record: RecordRead<ReadKind>): KnownSummary {
    const { site, operations, language } = this.#input
    const { file, format, place } = callee
    const callees = new Map<string, CalleeKey>()
    const whole = summarize(template, place, {
      site,
      tags: language.tags,
      filters: this.#filters,
      format,
      parameters: this.#parameters,
      partial: (name) => {
        record('partial', name)
        return site.partials.get(name)
      },
      apiCall: (name) => {
        record('API call', name)
        return site.apiCalls.get(name)
      },
      operationOf: (use) => {
        const [kind, key] = operationKey(use) ?? []
        if (kind !== undefined && key !== undefined) record(kind, key)
        return operationOf(operations, use)
      },
      summaryOf: (path, at, as = format) => {
        const called = { file: path, format: as, place: at }
        const key = readKeyOf(called)
        callees.set(key, called)
        const { summary } = this.#known(called)
        record('summary', key)
        return summary
      },
      blockOf: (node) => {
        const unit = site.byFile.get(node.span.file)
        return unit === undefined ? null : jobKey(unit, node)
      },
    })
    const forCallers = usedParts(whole.forCallers, this.#useOf(file))
    return { summary: { ...whole, key: keyOf(callee), forCallers }, callees: [...callees.values()] }
  }
}

function stampOf({ stamp, summary }: KnownSummary): string {
  return stamp ?? callerStamp(summary.forCallers)
}

function constantOutput(taints: readonly Taint[]): () => readonly Taint[] {
  return () => taints
}

function keyOf({ file, format, place }: CalleeKey): string {
  return `${file} ${format} ${placeKey(place)}`
}

function readKeyOf({ file, format, place }: CalleeKey): string {
  return JSON.stringify([file, format, place])
}

function calleeOf(readKey: string): CalleeKey {
  // The text was made by `readKeyOf`.
  const [file, format, place] = JSON.parse(readKey) as [string, OutputFormat, Place]
  return { file, format, place }
}

/** Returns the read of the operation that a tag runs; null if it is not known before run time. */
function operationKey({ name, body }: QueryUse): readonly ['query' | 'inline query', string] | null {
  if (name !== null) return name.kind === 'literal' && name.value.type === 'string' ? ['query', name.value.value] : null
  const inline = inlineDocument(body)
  return inline === null ? null : ['inline query', inlineKey(inline.span)]
}

/** Cached uses, by an object that is the same until a template of the site changes its calls. */
const usesByCalls = attached<LinkedEffects['sharedEffects'], ReadonlyMap<string, Use>>()

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

/** Returns what callers see, without the parts that no caller uses. This saves memory, because summaries are kept as long as the site. */
function usedParts(forCallers: CallerSummary, use: Use): CallerSummary {
  if (use === 'included') return forCallers
  return { ...forCallers, frame: NO_FLOWS, ...(use === null && { printed: noOutput }) }
}

// ---- stamps of what callers see ------------------------------------------------------------------------------------

/** Returns a stamp of everything that callers see. */
const callerStamp: (forCallers: CallerSummary) => string = derived((forCallers: CallerSummary) => {
  const { result, frame, changes, neededNames, printed, exit } = forCallers
  const output = printed().map(taintText).join('\n')
  const texts = [JSON.stringify(exit), [...neededNames].sort().join(), output, flowStamp(result)]
  return digest([...texts, flowsText(frame), flowsText(changes)].join('\n'))
})

// Flows share parts, so the stamp of each part is computed once.
const flowStamp: (flow: Flow) => string = derived(({ taints, fields, items, head, proof, data }: Flow): string => {
  const proven = proof === null ? '' : `${proof.place} ${proof.change}`
  const parts = [fields === null ? '' : flowsText(fields), ...[items, data].map((part) => part && flowStamp(part))]
  return digest([head, taints.map(taintText).join('\n'), proven, ...parts].join('\n\n'))
})

function flowsText(flows: ReadonlyMap<string, Flow>): string {
  // The order matters, because a join of taints keeps only the first ones.
  return `{${[...flows].map(([name, flow]) => `${name}:${flowStamp(flow)}`).join('\n')}}`
}

function taintText(taint: Taint): string {
  const { origin } = taint
  return origin.kind === 'source' ? `${taintKey(taint)} ${origin.secret} ${origin.stored}` : taintKey(taint)
}
