/** Finds where a site prints what comes from outside so that it is more than text. */
import { shownSecret } from '../../diagnostics/codes/security/shown-secret.ts'
import { unescapedInput } from '../../diagnostics/codes/security/unescaped-input.ts'
import { unsafePlace } from '../../diagnostics/codes/security/unsafe-place.ts'
import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import type { Language } from '../../language.ts'
import type { Linked } from '../../model/effects.ts'
import type { Memo } from '../../model/memo.ts'
import type { Operations } from '../../model/operation.ts'
import type { PageSettings } from '../../model/settings.ts'
import type { Site } from '../../model/site.ts'
import type { Steps } from '../../model/steps.ts'
import type { Span } from '../../source/span.ts'
import { formatClass } from '../../settings/format.ts'
import { oldVariableOf } from '../../types/old-variables.ts'
import type { Piece } from '../piece.ts'
import { HAZARD } from './changes.ts'
import {
  type Flow,
  type Given,
  isEmpty,
  join,
  NOTHING,
  partAt,
  substituted,
  substitutedTaints,
  type Taint,
  threatens,
} from './flow.ts'
import { CONTENT, type Place, SCRIPT } from './places.ts'
import { Summaries } from './summaries.ts'
import { contextFlow, formFlow } from './sources.ts'
import type { OutputFormat, Sink, Summary, TaintCall } from './summary.ts'

export interface TaintInput {
  readonly site: Site
  readonly operations: Operations
  readonly language: Language
  readonly pieces: readonly Piece[]
  readonly linked: Linked
  readonly memo: Memo
}

/** How often what is kept in the session may be kept again under another name. */
const ROUNDS = 4

interface Entrance {
  readonly file: string
  readonly format: OutputFormat
  readonly place: Place
}

/** A template that the host renders. */
interface Entered {
  readonly file: string
  readonly summary: Summary
}

/** A template at a time. */
export function* taintSteps(input: TaintInput): Steps<readonly Diagnostic[]> {
  const { site, pieces, linked } = input
  const summaries = new Summaries(input)
  const entered: Entered[] = []
  const enter = ({ file, format, place }: Entrance) =>
    entered.push({ file, summary: summaries.of(file, format, place) })
  for (const [at, piece] of pieces.entries()) {
    for (const entrance of entrancesOf(site, piece)) enter(entrance)
    yield { doing: 'Following values through', share: { done: at + 1, of: pieces.length, things: 'template' } }
  }
  // What only computed names reach is entered with values of which nothing is known.
  for (const { unit, inner } of pieces) {
    const { kind, path } = unit.file
    if (inner !== null || kind !== 'partial' || summaries.has(path)) continue
    if (linked.effects.get(path)?.formats.has('html') === true) enter({ file: path, format: 'html', place: CONTENT })
  }
  return yield* foundIn(yield* templatesReached(site, summaries.callersFirst(), entered))
}

/** Templates that are looked at in one step. */
const IN_A_ROW = 50

function* foundIn(reached: readonly Reached[]): Steps<readonly Diagnostic[]> {
  const kept = keptIn(storesOf(reached))
  const found = new Map<string, Diagnostic>()
  for (const [at, { summary, given }] of reached.entries()) {
    if (at % IN_A_ROW === 0) yield
    for (const sink of summary.sinks) {
      const taints = substitutedTaints(substitutedTaints(sink.taints, given), kept)
      const diagnostic = taints.length === 0 ? null : diagnosticOf(sink, taints)
      if (diagnostic === null) continue
      const key = `${sink.span.file}:${sink.span.start}`
      if (!found.has(key)) found.set(key, diagnostic)
    }
  }
  return [...found.values()]
}

/** A template, and what all give to it that call or render it. */
interface Reached {
  readonly summary: Summary
  /** What is kept in the request stays as it is. */
  readonly given: Given
}

/** Hands on what is given, from callers to what they call. */
function* templatesReached(
  site: Site,
  callersFirst: readonly Summary[],
  entered: readonly Entered[],
): Steps<readonly Reached[]> {
  const files = new Map(entered.map(({ file, summary }) => [summary.key, file]))
  const passed = new Map<string, Map<string, Flow>>()
  const reached: Reached[] = []
  for (const [at, summary] of callersFirst.entries()) {
    if (at % IN_A_ROW === 0) yield
    const file = files.get(summary.key)
    const own = passed.get(summary.key)
    const given: Given = (origin) => {
      if (origin.kind === 'store') return null
      const flow = partAt(own?.get(origin.name) ?? NOTHING, origin.path)
      const rendered = file === undefined ? NOTHING : renderedWith(site, file, origin.name, origin.path)
      return isEmpty(rendered) ? flow : join(rendered, flow)
    }
    // What has nothing from outside hands on nothing of it.
    if (own !== undefined || file !== undefined || summary.brings)
      for (const call of summary.calls) handOn(call, given, passed)
    reached.push({ summary, given })
  }
  return reached
}

function handOn({ callee, given: flows }: TaintCall, given: Given, passed: Map<string, Map<string, Flow>>): void {
  for (const [name, flow] of flows) {
    const value = substituted(flow, given)
    if (isEmpty(value)) continue
    const known = passed.get(callee) ?? new Map<string, Flow>()
    const before = known.get(name)
    known.set(name, before === undefined ? value : join(before, value))
    passed.set(callee, known)
  }
}

/** How the host renders a template by itself. */
function entrancesOf(site: Site, { unit, inner }: Piece): readonly Entrance[] {
  const { kind, path: file, format } = unit.file
  if (inner !== null || unit.template === null) return []
  if (kind === 'page') {
    const { format: answered } = unit.settings as PageSettings
    return [{ file, ...outputOf(answered) }]
  }
  if (kind === 'layout') return site.layoutParts.has(unit) ? [] : [{ file, ...outputOf(format ?? 'html') }]
  return kind === 'form' || kind === 'email' ? [{ file, format: 'html', place: CONTENT }] : []
}

function outputOf(format: string): {
  readonly format: OutputFormat
  readonly place: Place
} {
  return format === 'js' ? { format: 'script', place: SCRIPT } : { format: formatClass(format), place: CONTENT }
}

/** What the host gives to a template that it renders. */
function renderedWith(site: Site, file: string, name: string, path: readonly string[]): Flow {
  const kind = site.byFile.get(file)?.file.kind
  const at: Span = { file, start: 0, end: 0 }
  if ((kind === 'form' || kind === 'email') && (name === 'form' || name === 'form_builder')) return formFlow(path, at)
  const old = kind === 'partial' ? null : oldVariableOf(site, name)
  return old === null ? NOTHING : contextFlow([...old, ...path], ['context', ...old, ...path].join('.'), at)
}

function keptIn(stores: ReadonlyMap<string, Flow>): Given {
  return ({ kind, name, path }) => (kind === 'store' ? partAt(stores.get(name) ?? NOTHING, path) : NOTHING)
}

/** What the site keeps in the session and in exports, by name. */
function storesOf(reached: readonly Reached[]): ReadonlyMap<string, Flow> {
  const stored = reached.flatMap(({ summary, given }) =>
    summary.stored.map(({ name, flow }) => ({ name, flow: substituted(flow, given) })),
  )
  let stores: ReadonlyMap<string, Flow> = new Map()
  for (let round = 0; round < ROUNDS && stored.length > 0; round++) {
    const next = new Map<string, Flow>()
    for (const { name, flow } of stored) {
      const value = substituted(flow, keptIn(stores))
      const known = next.get(name)
      next.set(name, known === undefined ? value : join(known, value))
    }
    stores = next
  }
  return stores
}

function diagnosticOf({ span, how, danger }: Sink, taints: readonly Taint[]): Diagnostic | null {
  const source = (taint: Taint | undefined) => (taint?.origin.kind === 'source' ? taint.origin : null)
  const elsewhere = (at: Span) => (at.end === at.start || contains(span, at) ? null : at)
  const isSecret = (kept: true | 'in logs' | undefined) => kept === true || (kept !== undefined && how === 'log')
  const secret = source(taints.find((taint) => isSecret(source(taint)?.secret)))
  if (secret !== null)
    return shownSecret(span, secret.words, how === 'log' ? 'logged' : 'printed', elsewhere(secret.span))
  if (danger === null || how === 'log') return null
  const isInput = (taint: Taint) => source(taint) !== null && source(taint)?.secret === undefined
  const input = source(taints.find((taint) => isInput(taint) && threatens(taint, danger.hazards)))
  if (input === null) return null
  const at = elsewhere(input.span)
  const isWorse = taints.some((taint) => isInput(taint) && threatens(taint, danger.hazards & ~danger.ends))
  if (!isWorse)
    return danger.ends === HAZARD.space
      ? unsafePlace(span, input.words, 'unquoted', at)
      : unescapedInput(span, input.words, how, at)
  return danger.kind === 'html' || danger.kind === 'attribute'
    ? unescapedInput(span, input.words, how, at)
    : unsafePlace(span, input.words, danger.kind, at)
}

function contains(outer: Span, { file, start, end }: Span): boolean {
  return outer.file === file && outer.start <= start && end <= outer.end
}
