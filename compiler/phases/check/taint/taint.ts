/** Finds where a site prints what comes from outside so that it is more than text. */
import { shownSecret } from '../../../core/diagnostics/codes/security/shown-secret.ts'
import { unescapedInput } from '../../../core/diagnostics/codes/security/unescaped-input.ts'
import { unsafePlace } from '../../../core/diagnostics/codes/security/unsafe-place.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Language } from '../../../language/language.ts'
import type { Linked } from '../../../core/model/effects.ts'
import type { Memo } from '../../../core/model/memo.ts'
import type { Operations } from '../../../core/model/operation.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Steps } from '../../../core/model/steps.ts'
import type { FileKind } from '../../../core/source/file.ts'
import type { Span } from '../../../core/source/span.ts'
import { isBlock } from '../../../core/model/unit.ts'
import { formatClass } from '../../../language/settings/format.ts'
import { oldVariableOf } from '../../../language/types/old-variables.ts'
import type { Piece } from '../piece.ts'
import { HAZARD } from './changes.ts'
import {
  type Flow,
  type Given,
  isEmpty,
  join,
  mayShow,
  NOTHING,
  partAt,
  substituted,
  substitutedTaints,
  type Taint,
  threatens,
} from './flow.ts'
import { CONTENT, type Place, SCRIPT } from './places.ts'
import { Summaries } from './summaries.ts'
import { isForAnother, isSeen } from './secrets.ts'
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
  /** The key of the template. */
  readonly key: string
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
  const enter = (file: string, { key, format, place }: Entrance) =>
    entered.push({ file, summary: summaries.of(key, format, place) })
  for (const [at, piece] of pieces.entries()) {
    const entrance = entranceOf(site, piece)
    if (entrance !== null) enter(piece.unit.file.path, entrance)
    yield { doing: 'Following values through', share: { done: at + 1, of: pieces.length, things: 'template' } }
  }
  // What only computed names reach is entered with values of which nothing is known.
  for (const { unit, inner } of pieces) {
    const { kind, path } = unit.file
    if (inner !== null || kind !== 'partial' || summaries.has(path)) continue
    if (linked.effects.get(path)?.formats.has('html') === true)
      enter(path, { key: path, format: 'html', place: CONTENT })
  }
  return yield* foundIn(site, yield* templatesReached(site, summaries.callersFirst(), entered))
}

/** Templates that are looked at in one step. */
const IN_A_ROW = 50

function* foundIn(site: Site, reached: readonly Reached[]): Steps<readonly Diagnostic[]> {
  const kept = keptIn(storesOf(reached))
  const found = new Map<string, Diagnostic>()
  for (const [at, { summary, given }] of reached.entries()) {
    if (at % IN_A_ROW === 0) yield
    for (const sink of summary.sinks) {
      const taints = substitutedTaints(substitutedTaints(sink.taints, given), kept)
      const diagnostic = taints.length === 0 ? null : diagnosticOf(site, sink, taints)
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

/** How the host renders a template by itself; null for one that only others run. */
function entranceOf(site: Site, { key, unit, inner }: Piece): Entrance | null {
  const { kind, format } = unit.file
  if (inner !== null) {
    if (isBlock(inner)) return null
    return { key, format: kind === 'api_call' ? 'sent' : 'unseen', place: CONTENT }
  }
  if (unit.template === null) return null
  if (unit.settings.kind === 'page') return { key, ...outputOf(unit.settings.format) }
  if (kind === 'layout') return site.layoutParts.has(unit) ? null : { key, ...outputOf(format ?? 'html') }
  const given = GIVEN[kind]
  return given === undefined ? null : { key, format: given, place: CONTENT }
}

/** How the output of files is written that the host runs besides pages. */
const GIVEN: Readonly<Partial<Record<FileKind, OutputFormat>>> = {
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

/** What the host gives to a template that it renders. */
function renderedWith(site: Site, file: string, name: string, path: readonly string[]): Flow {
  const kind = site.byFile.get(file)?.file.kind
  const at: Span = { file, start: 0, end: 0 }
  if ((kind === 'form' || kind === 'email') && (name === 'form' || name === 'form_builder')) return formFlow(path, at)
  const old = kind === 'partial' ? null : oldVariableOf(site, name)
  return old === null ? NOTHING : contextFlow([...old, ...path], ['context', ...old, ...path].join('.'), at)
}

function keptIn(stores: ReadonlyMap<string, Flow>): Given {
  return ({ kind, name, path }) => {
    if (kind !== 'store') return NOTHING
    if (name !== 'constants') return partAt(stores.get(name) ?? NOTHING, path)
    return path.length === 0 ? NOTHING : contextFlow([name, ...path], ['context', name, ...path].join('.'), NOWHERE)
  }
}

const NOWHERE: Span = { file: '', start: 0, end: 0 }

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

function diagnosticOf(site: Site, { span, how, format, danger }: Sink, taints: readonly Taint[]): Diagnostic | null {
  const source = (taint: Taint | undefined) => (taint?.origin.kind === 'source' ? taint.origin : null)
  const elsewhere = (at: Span) => (at.end === at.start || contains(span, at) ? null : at)
  const address = how === 'sent' ? addressOf(site, span.file) : ''
  const isShown = (taint: Taint) => {
    const { words = '', secret } = source(taint) ?? {}
    if (secret === undefined || !mayShow(taint)) return false
    return how === 'sent' ? isForAnother(words, address) : isSeen(secret, how, format)
  }
  const secret = source(taints.find(isShown))
  if (secret !== null) return shownSecret(span, secret.words, how, elsewhere(secret.span))
  if (danger === null || (how !== 'output' && how !== 'print')) return null
  const isInput = (taint: Taint) => {
    const origin = source(taint)
    return origin !== null && (origin.secret === undefined || origin.secret === 'given')
  }
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

/** Where an API call is sent, where that is written; the empty text where it is computed. */
function addressOf(site: Site, path: string): string {
  const { settings } = site.byFile.get(path) ?? {}
  const text = settings?.kind === 'api_call' ? (settings.to?.text ?? '') : ''
  return text.includes('{') ? '' : text
}

function contains(outer: Span, { file, start, end }: Span): boolean {
  return outer.file === file && outer.start <= start && end <= outer.end
}
