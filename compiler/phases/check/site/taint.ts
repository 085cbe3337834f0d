/** Follows untrusted text and secrets to the places where a site shows them. */
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Site } from '../../../core/model/site.ts'
import type { FileKind } from '../../../core/source/file.ts'
import { unmarkedSpan } from '../../../core/source/mark.ts'
import type { Span } from '../../../core/source/span.ts'
import { isBlock } from '../../../core/model/unit.ts'
import { formatClass } from '../../../language/settings/format.ts'
import { oldVariableOf } from '../../../language/types/old-variables.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import {
  type Flow,
  type Resolver,
  type Taint,
  isEmpty,
  join,
  NOTHING,
  partAt,
  substitute,
  substituteTaints,
  threatens,
} from '../../analyze/domains/taint/flow.ts'
import { type Place, type Danger, CONTENT, SCRIPT } from '../../analyze/domains/taint/places.ts'
import { Summaries } from '../../analyze/domains/taint/summaries.ts'
import { contextFlow, formFlow } from '../../analyze/domains/taint/sources.ts'
import type { OutputFormat, Sink, Summary, TaintCall } from '../../analyze/domains/taint/summary.ts'
import { type SiteRule, visitEach, type Visits } from './site-rule.ts'
import { taintedFiles } from './tainted-files.ts'

/** Where a tainted value comes from. */
type Source = Extract<Taint['origin'], { readonly kind: 'source' }>

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

/** A place that shows values to others, with the taints of these values. */
export interface ReachedSink {
  readonly site: Site
  readonly sink: Sink
  readonly taints: readonly Taint[]
}

/** A rule about one such place; null if it does not apply. */
type SinkRule = (reached: ReachedSink) => Diagnostic | null

/** Returns the rule that reports the first of several rules that applies to a place. */
export function taintRule(rules: readonly SinkRule[]): SiteRule {
  return (checked) => {
    const { site, siteTemplates, linkedEffects } = checked
    const summaries = new Summaries(checked)
    const files = taintedFiles(checked)
    const renderedTemplates: RenderedTemplate[] = []
    const enter = (file: string, { key, format, place }: Entrance) =>
      renderedTemplates.push({ file, summary: summaries.of(key, format, place) })
    const enterRendered = (siteTemplate: SiteTemplate): void => {
      const { path } = siteTemplate.unit.file
      const entrance = files.has(path) ? entranceOf(site, siteTemplate) : null
      if (entrance !== null) enter(path, entrance)
    }
    // A partial that only computed names can call is summarized with unknown arguments.
    const enterComputed = ({ unit, inner }: SiteTemplate): void => {
      const { kind, path } = unit.file
      if (inner !== null || kind !== 'partial' || !files.has(path) || summaries.has(path)) return
      if (linkedEffects.effects.get(path)?.formats.has('html') === true)
        enter(path, { key: path, format: 'html', place: CONTENT })
    }
    const findSinks = () => propagateArguments(rules, site, summaries.callersFirst(), renderedTemplates)
    return visitEach(
      siteTemplates,
      enterRendered,
      () => visitEach(siteTemplates, enterComputed, findSinks),
      'Following values through',
    )
  }
}

/** Reports the places that show tainted values. */
function sinkDiagnostics(rules: readonly SinkRule[], site: Site, templates: readonly ReachedTemplate[]): Visits {
  const resolveStore = storeResolver(storesOf(templates))
  const diagnostics = new Map<string, Diagnostic>()
  const report = ({ summary, resolve }: ReachedTemplate): void => {
    for (const sink of summary.sinks) {
      const key = `${sink.span.file}:${sink.span.start}`
      if (diagnostics.has(key)) continue
      const taints = substituteTaints(substituteTaints(sink.taints, resolve), resolveStore)
      if (taints.length === 0) continue
      for (const rule of rules) {
        const diagnostic = rule({ site, sink, taints })
        if (diagnostic === null) continue
        diagnostics.set(key, diagnostic)
        break
      }
    }
  }
  return visitEach(templates, report, () => [...diagnostics.values()])
}

/** A template with the values that its callers and the host give it. */
interface ReachedTemplate {
  readonly summary: Summary
  /** Resolves a parameter. Returns null for a value stored in the request, which is not replaced. */
  readonly resolve: Resolver
}

/** Propagates argument values from callers to callees, and then reports the places that show tainted values. */
function propagateArguments(
  rules: readonly SinkRule[],
  site: Site,
  callersFirst: readonly Summary[],
  renderedTemplates: readonly RenderedTemplate[],
): Visits {
  const fileByKey = new Map(renderedTemplates.map(({ file, summary }) => [summary.key, file]))
  const argumentsByCallee = new Map<string, Map<string, Flow>>()
  const templates: ReachedTemplate[] = []
  const propagate = (summary: Summary): void => {
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
  return visitEach(callersFirst, propagate, () => sinkDiagnostics(rules, site, templates))
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

/** Returns the source of a taint; null if it is only known where the value is passed. */
export function sourceOf(taint: Taint | undefined): Source | null {
  return taint?.origin.kind === 'source' ? taint.origin : null
}

/** Returns the place of a source as the author wrote it; null if it is at the sink itself or has no place. */
export function sourceElsewhere({ site, sink }: ReachedSink, source: Source): Span | null {
  const span = unmarkedSpan(source.span, site.byFile.get(source.span.file)?.file.text ?? '')
  return span.end === span.start || contains(sink.span, span) ? null : span
}

function contains(outer: Span, { file, start, end }: Span): boolean {
  return outer.file === file && outer.start <= start && end <= outer.end
}

/** Untrusted text that is printed where it is dangerous. */
export interface PrintedInput {
  readonly source: Source
  readonly how: 'output' | 'print'
  readonly danger: Danger
  /** Whether the text is only dangerous because it can end the value around it. */
  readonly onlyEnds: boolean
}

/** Returns the untrusted text that is dangerous at a place; null if there is none. */
export function inputOf({ sink: { danger, showing }, taints }: ReachedSink): PrintedInput | null {
  if (danger === null || (showing !== 'output' && showing !== 'print')) return null
  const inputs = taints.filter((taint) => {
    const source = sourceOf(taint)
    return source !== null && (source.secret === undefined || source.secret === 'given')
  })
  const source = sourceOf(inputs.find((taint) => threatens(taint, danger.hazards)))
  const onlyEnds = !inputs.some((taint) => threatens(taint, danger.hazards & ~danger.endingHazards))
  return source === null ? null : { source, how: showing, danger, onlyEnds }
}
