/** Reports the places where a site prints untrusted text without escaping it, or shows a secret. */
import { shownSecret } from '../rules/security/shown-secret.ts'
import { unescapedInput } from '../rules/security/unescaped-input.ts'
import { unsafePlace } from '../rules/security/unsafe-place.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Language } from '../../../language/language.ts'
import type { LinkedEffects } from '../../../core/model/effects.ts'
import type { Memo } from '../../../core/model/memo.ts'
import type { Operations } from '../../../core/model/operation.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Steps } from '../../../core/model/steps.ts'
import type { FileKind } from '../../../core/source/file.ts'
import { unmarkedSpan } from '../../../core/source/mark.ts'
import type { Span } from '../../../core/source/span.ts'
import { isBlock } from '../../../core/model/unit.ts'
import { formatClass } from '../../../language/settings/format.ts'
import { oldVariableOf } from '../../../language/types/old-variables.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import { HAZARD } from '../../analyze/domains/taint/changes.ts'
import {
  type Flow,
  type Resolver,
  isEmpty,
  join,
  mayShow,
  NOTHING,
  partAt,
  substitute,
  substituteTaints,
  type Taint,
  threatens,
} from '../../analyze/domains/taint/flow.ts'
import { CONTENT, type Place, SCRIPT } from '../../analyze/domains/taint/places.ts'
import { Summaries } from '../../analyze/domains/taint/summaries.ts'
import { isForAnotherService, isSeen } from '../../analyze/domains/taint/secrets.ts'
import { contextFlow, formFlow } from '../../analyze/domains/taint/sources.ts'
import type { OutputFormat, Sink, Summary, TaintCall } from '../../analyze/domains/taint/summary.ts'

export interface TaintInput {
  readonly site: Site
  readonly operations: Operations
  readonly language: Language
  readonly siteTemplates: readonly SiteTemplate[]
  readonly linkedEffects: LinkedEffects
  readonly memo: Memo
}

/** Maximum number of rounds that resolve stored values which contain other stored values. */
const MAX_STORE_ROUNDS = 4

/** How the host renders a template. */
interface Entrance {
  /** The key of the template. */
  readonly key: string
  readonly format: OutputFormat
  readonly place: Place
}

/** A template that the host renders, with its summary. */
interface RenderedTemplate {
  readonly file: string
  readonly summary: Summary
}

/** Collects the taint diagnostics of a site, one template per step. */
export function* checkTaint(input: TaintInput): Steps<readonly Diagnostic[]> {
  const { site, siteTemplates, linkedEffects } = input
  const summaries = new Summaries(input)
  const renderedTemplates: RenderedTemplate[] = []
  const enter = (file: string, { key, format, place }: Entrance) =>
    renderedTemplates.push({ file, summary: summaries.of(key, format, place) })
  for (const [at, siteTemplate] of siteTemplates.entries()) {
    const entrance = entranceOf(site, siteTemplate)
    if (entrance !== null) enter(siteTemplate.unit.file.path, entrance)
    yield {
      doing: 'Following values through',
      share: { doneCount: at + 1, total: siteTemplates.length, things: 'template' },
    }
  }
  // A partial that only computed names can call is summarized with unknown arguments.
  for (const { unit, inner } of siteTemplates) {
    const { kind, path } = unit.file
    if (inner !== null || kind !== 'partial' || summaries.has(path)) continue
    if (linkedEffects.effects.get(path)?.formats.has('html') === true)
      enter(path, { key: path, format: 'html', place: CONTENT })
  }
  return yield* sinkDiagnostics(site, yield* propagateArguments(site, summaries.callersFirst(), renderedTemplates))
}

/** Number of templates that one step processes. */
const TEMPLATES_PER_STEP = 50

function* sinkDiagnostics(site: Site, templates: readonly ReachedTemplate[]): Steps<readonly Diagnostic[]> {
  const resolveStore = storeResolver(storesOf(templates))
  const diagnostics = new Map<string, Diagnostic>()
  for (const [at, { summary, resolve }] of templates.entries()) {
    if (at % TEMPLATES_PER_STEP === 0) yield
    for (const sink of summary.sinks) {
      const taints = substituteTaints(substituteTaints(sink.taints, resolve), resolveStore)
      const diagnostic = taints.length === 0 ? null : diagnosticOf(site, sink, taints)
      if (diagnostic === null) continue
      const key = `${sink.span.file}:${sink.span.start}`
      if (!diagnostics.has(key)) diagnostics.set(key, diagnostic)
    }
  }
  return [...diagnostics.values()]
}

/** A template with the values that its callers and the host give it. */
interface ReachedTemplate {
  readonly summary: Summary
  /** Resolves a parameter. Returns null for a value stored in the request, which is not replaced. */
  readonly resolve: Resolver
}

/** Propagates argument values from callers to callees. */
function* propagateArguments(
  site: Site,
  callersFirst: readonly Summary[],
  renderedTemplates: readonly RenderedTemplate[],
): Steps<readonly ReachedTemplate[]> {
  const fileByKey = new Map(renderedTemplates.map(({ file, summary }) => [summary.key, file]))
  const argumentsByCallee = new Map<string, Map<string, Flow>>()
  const templates: ReachedTemplate[] = []
  for (const [at, summary] of callersFirst.entries()) {
    if (at % TEMPLATES_PER_STEP === 0) yield
    const file = fileByKey.get(summary.key)
    const ownArguments = argumentsByCallee.get(summary.key)
    const resolve: Resolver = (origin) => {
      if (origin.kind === 'store') return null
      const flow = partAt(ownArguments?.get(origin.name) ?? NOTHING, origin.path)
      const hostFlow = file === undefined ? NOTHING : hostValue(site, file, origin.name, origin.path)
      return isEmpty(hostFlow) ? flow : join(hostFlow, flow)
    }
    // A template that neither receives nor adds a tainted value passes no tainted value on.
    if (ownArguments !== undefined || file !== undefined || summary.addsTaints)
      for (const call of summary.calls) addArguments(call, resolve, argumentsByCallee)
    templates.push({ summary, resolve })
  }
  return templates
}

/** Adds the arguments of one call to `argumentsByCallee`, by callee and parameter name. */
function addArguments(
  { callee, argumentFlows }: TaintCall,
  resolve: Resolver,
  argumentsByCallee: Map<string, Map<string, Flow>>,
): void {
  for (const [name, flow] of argumentFlows) {
    const value = substitute(flow, resolve)
    if (isEmpty(value)) continue
    const known = argumentsByCallee.get(callee) ?? new Map<string, Flow>()
    const earlierFlow = known.get(name)
    known.set(name, earlierFlow === undefined ? value : join(earlierFlow, value))
    argumentsByCallee.set(callee, known)
  }
}

/** Returns how the host renders a template directly; null for a template that only other templates run. */
function entranceOf(site: Site, { key, unit, inner }: SiteTemplate): Entrance | null {
  const { kind, format } = unit.file
  if (inner !== null) {
    if (isBlock(inner)) return null
    return { key, format: kind === 'api_call' ? 'sent' : 'unseen', place: CONTENT }
  }
  if (unit.template === null) return null
  if (unit.settings.kind === 'page') return { key, ...outputOf(unit.settings.format) }
  if (kind === 'layout') return site.layoutParts.has(unit) ? null : { key, ...outputOf(format ?? 'html') }
  const outputFormat = FORMATS_BY_KIND[kind]
  return outputFormat === undefined ? null : { key, format: outputFormat, place: CONTENT }
}

/** Output formats of the files other than pages that the host runs. */
const FORMATS_BY_KIND: Readonly<Partial<Record<FileKind, OutputFormat>>> = {
  form: 'html',
  email: 'mail',
  sms: 'plain',
  api_call: 'sent',
  authorization_policy: 'unseen',
  migration: 'unseen',
}

function outputOf(format: string): {
  readonly format: OutputFormat
  readonly place: Place
} {
  return format === 'js' ? { format: 'script', place: SCRIPT } : { format: formatClass(format), place: CONTENT }
}

/** Returns the value that the host gives to a template it renders. */
function hostValue(site: Site, file: string, name: string, path: readonly string[]): Flow {
  const kind = site.byFile.get(file)?.file.kind
  const span: Span = { file, start: 0, end: 0 }
  if ((kind === 'form' || kind === 'email') && (name === 'form' || name === 'form_builder')) return formFlow(path, span)
  const old = kind === 'partial' ? null : oldVariableOf(site, name)
  return old === null ? NOTHING : contextFlow([...old, ...path], ['context', ...old, ...path].join('.'), span)
}

/** Returns a resolver that replaces values stored in the request. `stores` has these values by name. */
function storeResolver(stores: ReadonlyMap<string, Flow>): Resolver {
  return ({ kind, name, path }) => {
    if (kind !== 'store') return NOTHING
    if (name !== 'constants') return partAt(stores.get(name) ?? NOTHING, path)
    return path.length === 0 ? NOTHING : contextFlow([name, ...path], ['context', name, ...path].join('.'), NOWHERE)
  }
}

const NOWHERE: Span = { file: '', start: 0, end: 0 }

/** Returns the values that the site stores in the session and in exports, by name. */
function storesOf(templates: readonly ReachedTemplate[]): ReadonlyMap<string, Flow> {
  const stored = templates.flatMap(({ summary, resolve }) =>
    summary.storedFlows.map(({ name, flow }) => ({ name, flow: substitute(flow, resolve) })),
  )
  let stores: ReadonlyMap<string, Flow> = new Map()
  for (let round = 0; round < MAX_STORE_ROUNDS && stored.length > 0; round++) {
    const next = new Map<string, Flow>()
    for (const { name, flow } of stored) {
      const value = substitute(flow, storeResolver(stores))
      const knownFlow = next.get(name)
      next.set(name, knownFlow === undefined ? value : join(knownFlow, value))
    }
    stores = next
  }
  return stores
}

function diagnosticOf(
  site: Site,
  { span, showing, format, danger }: Sink,
  taints: readonly Taint[],
): Diagnostic | null {
  const sourceOf = (taint: Taint | undefined) => (taint?.origin.kind === 'source' ? taint.origin : null)
  const spanElsewhere = (markedPlace: Span) => {
    const placeSpan = unmarkedSpan(markedPlace, site.byFile.get(markedPlace.file)?.file.text ?? '')
    return placeSpan.end === placeSpan.start || contains(span, placeSpan) ? null : placeSpan
  }
  const address = showing === 'sent' ? addressOf(site, span.file) : ''
  const isShown = (taint: Taint) => {
    const { words = '', secret } = sourceOf(taint) ?? {}
    if (secret === undefined || !mayShow(taint)) return false
    return showing === 'sent' ? isForAnotherService(words, address) : isSeen(secret, showing, format)
  }
  const secret = sourceOf(taints.find(isShown))
  if (secret !== null) return shownSecret(span, secret.words, showing, spanElsewhere(secret.span))
  if (danger === null || (showing !== 'output' && showing !== 'print')) return null
  const isInput = (taint: Taint) => {
    const origin = sourceOf(taint)
    return origin !== null && (origin.secret === undefined || origin.secret === 'given')
  }
  const input = sourceOf(taints.find((taint) => isInput(taint) && threatens(taint, danger.hazards)))
  if (input === null) return null
  const placeSpan = spanElsewhere(input.span)
  const isWorse = taints.some((taint) => isInput(taint) && threatens(taint, danger.hazards & ~danger.endingHazards))
  if (!isWorse)
    return danger.endingHazards === HAZARD.space
      ? unsafePlace(span, input.words, 'unquoted', placeSpan)
      : unescapedInput(span, input.words, showing, placeSpan)
  return danger.kind === 'html' || danger.kind === 'attribute'
    ? unescapedInput(span, input.words, showing, placeSpan)
    : unsafePlace(span, input.words, danger.kind, placeSpan)
}

/** Returns the literal address that an API call is sent to; empty if the address is computed. */
function addressOf(site: Site, path: string): string {
  const { settings } = site.byFile.get(path) ?? {}
  const text = settings?.kind === 'api_call' ? (settings.to?.text ?? '') : ''
  return text.includes('{') ? '' : text
}

function contains(outer: Span, { file, start, end }: Span): boolean {
  return outer.file === file && outer.start <= start && end <= outer.end
}
