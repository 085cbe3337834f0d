/**
 * The check phase: types of every value over the whole site, and what is wrong with it. Each template is checked alone against
 * what is known of the others; what is learned is only ever made more exact, so that every round is right and few are enough.
 */
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts'
import { TAGS } from '../language.ts'
import type { Bound } from '../model/bound.ts'
import type { FormatClass } from '../model/effects.ts'
import type { Facts } from '../model/facts.ts'
import { type Memo, NO_MEMO } from '../model/memo.ts'
import type { PageSettings } from '../model/settings.ts'
import type { UnitParameter } from '../model/signature.ts'
import type { Operations } from '../model/operation.ts'
import type { Site } from '../model/site.ts'
import { NEVER, NIL, SAFE, type Type, UNKNOWN } from '../model/type.ts'
import { isBlock, type Template, type Unit } from '../model/unit.ts'
import { type FileKind, lineStarts, position } from '../source/file.ts'
import { contextType } from '../types/context.ts'
import { filterTable } from '../types/filters.ts'
import { docType } from '../types/from-doc.ts'
import { join, same } from '../types/relate.ts'
import { calledByName, calleesFirst, callsAbsentModule, staticallyIncluded } from './infer/call-names.ts'
import { calledFacts, faceKey, siteInputs } from './rules/dependencies.ts'
import {
  type CheckedUnit,
  docParams,
  type FaceSignature,
  type TemplateInput,
  type OutgoingCall,
  type SiteEnvironment,
  type UnitFacts,
} from './rules/facts.ts'
import { rememberedEffects } from './infer/effects.ts'
import { entriesOf } from './infer/entries.ts'
import { inferSite } from './infer/site.ts'
import { oldNames } from './rules/old-names.ts'
import { notificationTypes, RESPONSE } from './rules/notification-types.ts'
import { checkRecursion, checkRollbacks, reachOf, type Reach, runByPages } from './rules/reach.ts'
import { type RequestValues, requestValues } from './rules/request-values.ts'
import { checkSite } from './rules/site-rules.ts'
import { checkTranslations } from './rules/translations.ts'
import { checkUnit } from './rules/unit.ts'
import { typeKey, typesKey, usedOperations } from './infer/keys.ts'
import type { Piece } from './piece.ts'
import { rootsOf } from './infer/roots.ts'

export interface Checked {
  /** What surely holds of the site's templates, for the emitter. */
  readonly facts: Facts
  /** Whether something can run or read the file: pages, jobs, forms, mails and what they call. */
  readonly reached: (file: string) => boolean
  /** Whether a page of the site surely comes to what the file says: its own, and those that it names without computing. */
  readonly runByPages: (file: string) => boolean
  /** What the partials take and give, by file. */
  readonly faces: ReadonlyMap<string, FaceSignature>
}

/** Rounds over the templates, one for each partial that a value is handed on through; what is not known by then stays unknown. */
const ROUNDS = 8

/**
 * Checks a linked site and adds what it finds to the report. `bounds` has the names of every template: by file, and by
 * `file#path` for Liquid in settings. `memo` remembers what was found in templates around which nothing changed. `format` is the one in
 * which the host renders units by their names, where the site allows that.
 */
export function check(
  site: Site,
  operations: Operations,
  report: Report,
  bounds: ReadonlyMap<string, Bound>,
  memo: Memo = NO_MEMO,
  format: FormatClass = 'html',
): Checked {
  const linked = rememberedEffects(site, bounds, entriesOf(site, format), memo)
  const pieces = piecesOf(site, bounds)
  const byFile = new Map<string, Piece[]>()
  for (const piece of pieces) {
    byFile.set(piece.unit.file.path, [...(byFile.get(piece.unit.file.path) ?? []), piece])
    // A block of `background` is called by its own key.
    if (isBlock(piece.inner)) byFile.set(piece.key, [piece])
  }
  const roots = rootsOf(site)
  const checked = new Map<string, CheckedUnit>()
  const callLists = new Map<string, readonly OutgoingCall[]>()
  const callsOf = (file: string): readonly OutgoingCall[] => {
    let calls = callLists.get(file)
    if (calls === undefined) {
      const own = byFile.get(file) ?? []
      const [only] = own
      calls =
        own.length === 1 && only !== undefined
          ? (checked.get(only.key)?.facts.calls ?? [])
          : own.flatMap((piece) => checked.get(piece.key)?.facts.calls ?? [])
      callLists.set(file, calls)
    }
    return calls
  }
  /** Of what runs when the file does, and of a block by its own key. */
  const ownFacts = (key: string): readonly UnitFacts[] =>
    (byFile.get(key) ?? [])
      .filter((piece) => piece.key === key || !isBlock(piece.inner))
      .flatMap((piece) => checked.get(piece.key)?.facts ?? [])

  const included = staticallyIncluded(site, pieces)
  let reach: Reach | null = null
  const shared: SiteEnvironment = {
    site,
    operations,
    tags: TAGS,
    filters: filterTable(site.dialect),
    partialNames: [...site.partials.keys()],
    facts: (file) => checked.get(file)?.facts,
    isIncluded: (file) => included === null || included.has(file) || reach?.included.has(file) === true,
  }
  const params = new Map<string, ReadonlyMap<string, Type>>()
  const environments = new Map<Piece, ReadonlyMap<string, Type>>()
  let requests: RequestValues | null = null
  const lacksModule = callsAbsentModule(site, pieces)
  const sent = notificationTypes(site, operations, memo)
  const called = calledByName(site, pieces)
  /** Whether others call the file with names that it does not know: one beside layouts may be such a file, too. */
  const isCalled = ({ file }: Unit) => file.kind === 'partial' || (file.kind === 'layout' && called.has(file.path))
  const oldNamesOf = oldNames(site, pieces)
  const common = memo.once('check site', '', siteInputs(site), () => ({}))
  /** Facts as callers see them: the same value for the same facts, so that a change ends where nobody sees it. */
  const seen = new Map<string, UnitFacts>()
  const turns = new Map<Piece, number>()
  const run = (piece: Piece): void => {
    const { path } = piece.unit.file
    const readsRequest = checked.get(piece.key)?.facts.readsRequest === true
    const values = readsRequest ? requests : null
    const globals =
      (values === null ? environments.get(piece) : undefined) ?? globalsOf(site, piece, values, sent.get(path))
    if (values === null) environments.set(piece, globals)
    const isJob = isBlock(piece.inner)
    const isPartial = !isJob && isCalled(piece.unit)
    const passed = isPartial || isJob ? (params.get(piece.key) ?? null) : null
    const closed =
      isJob || (site.dialect === 'platform' && !site.openEntries && (isPartial ? passed !== null : isClosedKind(piece)))
    const turn = (turns.get(piece) ?? 0) + 1
    turns.set(piece, turn)
    const inputs = [
      common,
      piece.unit,
      piece.template,
      piece.bound,
      isPartial,
      oldNamesOf(piece),
      passed,
      closed,
      values,
      shared.isIncluded(piece.key),
      site.formSchemas.get(path),
      typeKey(sent.get(path) ?? UNKNOWN),
      ...calledFacts(site, piece, seen),
      ...usedOperations(operations, piece),
    ]
    const found = memo.once(`check ${turn}`, piece.key, inputs, () =>
      checkUnit(piece, { ...shared, globals, isPartial, oldNames: oldNamesOf(piece), params: passed, closed }),
    )
    checked.set(piece.key, found)
    callLists.delete(piece.unit.file.path)
    if (!isPartial) return
    const face = memo.once(`face ${turn}`, piece.key, [found], () => faceKey(found.facts))
    seen.set(
      piece.key,
      memo.once(`seen ${turn}`, piece.key, [face], () => found.facts),
    )
  }

  const order = calleesFirst(site, pieces)
  for (const piece of order) run(piece)
  // Units of a cycle were checked before what they call was known.
  const positions = new Map(order.map((piece, at) => [piece.key, at]))
  for (const piece of order.filter((each) => callsUnordered(each, positions, callsOf))) run(piece)
  for (let round = 1; round < ROUNDS; round++) {
    const now = reachOf(site, roots, callsOf)
    reach = now
    const dirty = new Set<Piece>()
    for (const [file, fresh] of passedTypes(site, now, callsOf)) {
      // Equal types are one value, so that what was found with them is found again.
      const types = memo.once(`passed ${round}`, file, [typesKey(fresh)], () => fresh)
      const before = params.get(file)
      if (before !== undefined && sameTypes(before, types)) continue
      params.set(file, types)
      for (const piece of byFile.get(file) ?? []) dirty.add(piece)
    }
    // What is not there may set names of its own.
    if (round === 1 && site.dialect === 'platform' && !site.openEntries && !lacksModule) {
      const found = requestValues(pieces.flatMap((piece) => checked.get(piece.key)?.facts ?? []))
      if (found !== null) {
        requests = memo.once('request values', '', [typeKey(found.exports), typeKey(found.session)], () => found)
        for (const piece of pieces) if (checked.get(piece.key)?.facts.readsRequest === true) dirty.add(piece)
      }
    }
    // Callers first, so that what they pass is known in the same round.
    const changedResults = new Set<string>()
    for (const piece of [...order].reverse()) {
      if (!dirty.has(piece)) continue
      const before = checked.get(piece.key)?.facts
      run(piece)
      const after = checked.get(piece.key)?.facts
      if (before !== undefined && after !== undefined && !sameFace(before, after))
        changedResults.add(piece.unit.file.path)
    }
    if (dirty.size === 0) break
    for (const piece of order) {
      if (!callsAny(callsOf(piece.unit.file.path), changedResults)) continue
      const before = checked.get(piece.key)?.facts
      run(piece)
      const after = checked.get(piece.key)?.facts
      if (before !== undefined && after !== undefined && !sameFace(before, after))
        changedResults.add(piece.unit.file.path)
    }
  }

  const final = reachOf(site, roots, callsOf)
  const add = (diagnostics: Iterable<Diagnostic>): void => {
    for (const each of diagnostics) report.add(each)
  }
  const misread = syntaxErrors(report, site)
  for (const piece of pieces) add((checked.get(piece.key)?.diagnostics ?? []).filter((each) => !misread(each)))
  if (site.dialect === 'platform') {
    add(checkRecursion(site, (file) => checked.get(file)?.facts))
    add(checkRollbacks(site, roots, ownFacts))
    add(
      checkSite({
        site,
        operations,
        tags: TAGS,
        pieces,
        memo,
        reach: final,
        roots,
        lacksModule,
        factsOf: (piece) => checked.get(piece.key)?.facts ?? null,
      }),
    )
    add(
      memo.once(
        'check translations',
        '',
        site.units.filter((unit) => unit.file.kind === 'translation'),
        () => checkTranslations(site),
      ),
    )
  }
  return {
    facts: { templates: inferSite(site, operations, pieces, linked, memo), linked },
    reached: (file) => {
      const kind = site.byFile.get(file)?.file.kind
      return site.openEntries || (kind !== 'partial' && kind !== 'layout') || final.reached.has(file)
    },
    runByPages: runByPages(site, callsOf, (file) => ownFacts(file).flatMap((facts) => facts.queries)),
    faces: facesOf(site, checked, params),
  }
}

/** Whether a finding stands on a line with a syntax error, which is the likelier cause of it. */
function syntaxErrors(report: Report, site: Site): (diagnostic: Diagnostic) => boolean {
  const lines = new Map<string, { readonly starts: readonly number[]; readonly lines: Set<number> }>()
  for (const { severity, span } of report.all) {
    const text = severity === 'error' ? site.byFile.get(span.file)?.file.text : undefined
    if (text === undefined) continue
    let known = lines.get(span.file)
    if (known === undefined) {
      known = { starts: lineStarts(text), lines: new Set() }
      lines.set(span.file, known)
    }
    known.lines.add(position(known.starts, span.start).line)
  }
  return ({ span }) => {
    const known = lines.get(span.file)
    return known?.lines.has(position(known.starts, span.start).line) === true
  }
}

// ---- templates and their order ----------------------------------------------------------------------------------------

function piecesOf(site: Site, bounds: ReadonlyMap<string, Bound>): readonly Piece[] {
  const pieces: Piece[] = []
  const add = (unit: Unit, template: Template, inner: string | null) => {
    const key = inner === null ? unit.file.path : `${unit.file.path}#${inner}`
    const bound = bounds.get(key)
    if (bound !== undefined) pieces.push({ key, unit, template, inner, bound })
  }
  for (const unit of site.units) {
    if (unit.template !== null) add(unit, unit.template, null)
    for (const [inner, template] of unit.inner) add(unit, template, inner)
  }
  return pieces
}

/** Whether a template calls one that comes behind it, which was not known when it was checked. */
function callsUnordered(
  piece: Piece,
  positions: ReadonlyMap<string, number>,
  callsOf: (file: string) => readonly OutgoingCall[],
): boolean {
  const at = positions.get(piece.key) ?? 0
  return callsOf(piece.unit.file.path).some(
    (call) => call.targets === null || call.targets.some((target) => (positions.get(target) ?? -1) >= at),
  )
}

function callsAny(calls: readonly OutgoingCall[], files: ReadonlySet<string>): boolean {
  return files.size > 0 && calls.some((call) => call.targets?.some((target) => files.has(target)) === true)
}

// ---- what is known from outside ---------------------------------------------------------------------------------------

/** Kinds of files that see nothing but what they set themselves and what the host gives by name. */
function isClosedKind(piece: Piece): boolean {
  const { kind } = piece.unit.file
  if (isNotification(kind)) return true
  return (
    (kind === 'page' || kind === 'layout' || kind === 'authorization_policy' || kind === 'migration') &&
    piece.inner === null
  )
}

function isNotification(kind: FileKind): boolean {
  return kind === 'email' || kind === 'sms' || kind === 'api_call'
}

/** What a form was sent, over the parameters of the request. */
const SENT_PARAMS: Type = { kind: 'hash', of: UNKNOWN }

/** `sent`: what a notification is given. */
function globalsOf(
  site: Site,
  piece: Piece,
  requests: RequestValues | null,
  sent: Type | undefined,
): ReadonlyMap<string, Type> {
  if (site.dialect === 'liquid') return new Map()
  const isJob = isBlock(piece.inner)
  const { kind } = piece.unit.file
  const page = kind === 'page' && !isJob ? (piece.unit.settings as PageSettings) : null
  // The library's context is what its caller says.
  const globals = new Map<string, Type>([['context', site.openEntries ? UNKNOWN : contextType(page, requests)]])
  const unknown = (...names: string[]) => {
    for (const name of names) globals.set(name, UNKNOWN)
  }
  if (isJob) return globals
  if (kind === 'layout') {
    globals.set('content_for_layout', SAFE)
    // A mail's layout sees what the mail does.
    unknown('form', 'data')
  } else if (kind === 'form') {
    const form = site.formSchemas.get(piece.unit.file.path)?.type ?? UNKNOWN
    globals.set('form', form).set('form_builder', form)
    if (piece.inner?.split('.')[0] === 'defaultPayload') globals.set('params', SENT_PARAMS)
  } else if (isNotification(kind)) {
    const form = sent ?? UNKNOWN
    globals.set('form', form).set('data', form)
    if (kind === 'api_call' && piece.inner === 'callback') globals.set('response', RESPONSE)
  }
  return globals
}

/** Types of what all callers pass, for the partials of which all callers are known. */
function passedTypes(
  site: Site,
  reach: Reach,
  callsOf: (file: string) => readonly OutgoingCall[],
): ReadonlyMap<string, ReadonlyMap<string, Type>> {
  const callsTo = new Map<string, OutgoingCall[]>()
  if (site.dialect === 'liquid') return new Map()
  for (const unit of site.units) {
    for (const call of callsOf(unit.file.path)) {
      for (const target of call.targets ?? []) {
        // The library may render any file with names of its own, but a block only ever runs for its tag.
        if (site.openEntries && site.byFile.has(target)) continue
        const known = callsTo.get(target)
        if (known === undefined) callsTo.set(target, [call])
        else known.push(call)
      }
    }
  }
  const passed = new Map<string, ReadonlyMap<string, Type>>()
  for (const [file, calls] of callsTo) {
    // An include gives the partial its caller's names too.
    if (reach.open.has(file) || reach.included.has(file)) continue
    const types = new Map<string, Type>()
    for (const call of calls) {
      for (const name of call.passed.keys()) {
        if (!types.has(name)) types.set(name, joinedType(calls, name))
      }
    }
    passed.set(file, types)
  }
  return passed
}

function joinedType(calls: readonly OutgoingCall[], name: string): Type {
  let type: Type = NEVER
  for (const call of calls) {
    type = join(type, call.passed.get(name) ?? NIL)
    if (type.kind === 'unknown') break
  }
  return type
}

function sameTypes(a: ReadonlyMap<string, Type>, b: ReadonlyMap<string, Type>): boolean {
  if (a.size !== b.size) return false
  for (const [name, type] of a) {
    const other = b.get(name)
    if (other === undefined || !same(type, other)) return false
  }
  return true
}

/** Whether callers see no difference. */
function sameFace(a: UnitFacts, b: UnitFacts): boolean {
  return (
    a.mutates === b.mutates &&
    a.readsAll === b.readsAll &&
    a.halts === b.halts &&
    a.inputs.size === b.inputs.size &&
    [...a.inputs].every(([name, input]) => sameInput(input, b.inputs.get(name))) &&
    a.writes.size === b.writes.size &&
    same(a.result, b.result)
  )
}

function sameInput(a: TemplateInput, b: TemplateInput | undefined): boolean {
  return (
    a.required === b?.required &&
    a.needed === b.needed &&
    a.part === b.part &&
    a.instead.join(' ') === b.instead.join(' ') &&
    a.onlyWith.join(' ') === b.onlyWith.join(' ')
  )
}

function facesOf(
  site: Site,
  checked: ReadonlyMap<string, CheckedUnit>,
  params: ReadonlyMap<string, ReadonlyMap<string, Type>>,
): ReadonlyMap<string, FaceSignature> {
  const faces = new Map<string, FaceSignature>()
  for (const unit of new Set(site.partials.values())) {
    const file = unit.file.path
    const facts = checked.get(file)?.facts
    if (facts === undefined || unit.template === null) continue
    const passed = params.get(file)
    const declared = new Map(docParams(unit.template).map((param) => [param.name, param]))
    const parameters: UnitParameter[] = []
    for (const param of declared.values()) {
      const type = passed?.get(param.name) ?? (param.type === null ? null : docType(param.type)) ?? UNKNOWN
      parameters.push({ name: param.name, type, required: param.required, declared: true, span: param.span })
    }
    for (const [name, input] of facts.inputs) {
      if (!declared.has(name))
        parameters.push({
          name,
          type: passed?.get(name) ?? UNKNOWN,
          required: input.required,
          declared: false,
          span: input.span,
        })
    }
    faces.set(file, { parameters, result: facts.result })
  }
  return faces
}
