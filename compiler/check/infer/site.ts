/**
 * What surely holds of the values of every template of a site. What the partials give is inferred from the callees up, what they are given
 * from the callers down: each template is walked twice at the most, and what goes in a circle is unknown.
 */
import { TAGS } from '../../language.ts'
import type { Linked } from '../../model/effects.ts'
import type { TemplateFacts } from '../../model/facts.ts'
import type { Memo } from '../../model/memo.ts'
import type { Operations } from '../../model/operation.ts'
import type { Site } from '../../model/site.ts'
import { NIL, SAFE, type Type, UNKNOWN } from '../../model/type.ts'
import { isBlock } from '../../model/unit.ts'
import { filterTable } from '../../types/filters.ts'
import { join } from '../../types/relate.ts'
import { calleesFirst } from './call-names.ts'
import { type Doing, type Inferred, inferTemplate, type Outside, type Surroundings } from './template.ts'
import { typeKey, typesKey, usedOperations } from './keys.ts'
import type { Piece } from '../piece.ts'
import { rootsOf } from './roots.ts'

/** By file; templates inside front matter, and blocks of `background`, by `file#path`. */
export function inferSite(
  site: Site,
  operations: Operations,
  pieces: readonly Piece[],
  { effects }: Linked,
  memo: Memo,
): ReadonlyMap<string, TemplateFacts> {
  const doings = new Map<string, Doing>()
  const around: Surroundings = {
    site,
    operations,
    tags: TAGS,
    filters: filterTable(site.dialect),
    doing: (file) => doings.get(file),
    effects: (file) => effects.get(file),
  }
  const settings = [site.dialect, site.raise, site.openEntries, site.config.liquidAddOldVariables]
  const infer = (pass: string, piece: Piece, outside: Outside): Inferred => {
    const { template, bound, key } = piece
    const inputs = [
      ...settings,
      template,
      bound,
      outside.parameters,
      outside.isCalled,
      outside.isClosed,
      piece.unit.file.kind,
      ...calleesOf(site, piece, around),
      ...usedOperations(operations, piece),
    ]
    return memo.once(`infer ${pass}`, key, inputs, () => inferTemplate(template, bound, around, outside))
  }

  const order = calleesFirst(site, pieces)
  const called = new Set(
    pieces.flatMap(({ bound }) => bound.calls.map(({ literal }) => site.partials.get(literal ?? ''))),
  )
  for (const piece of order) {
    if (piece.inner !== null || !called.has(piece.unit)) continue
    const { result, mutates, leaves } = infer('up', piece, outsideOf(site, piece, null))
    // One value for equal facts, so that a change ends where no caller sees it.
    const inputs = [typeKey(result), mutates, leaves]
    const doing = memo.once('doing', piece.key, inputs, () => ({ result, mutates, leaves }))
    doings.set(piece.unit.file.path, doing)
  }

  const callers = new Map<string, Map<string, Type>[]>()
  const jobs = jobTargets(site, pieces)
  const roots = rootsOf(site)
  const facts = new Map<string, TemplateFacts>()
  for (const piece of [...order].reverse()) {
    const { path } = piece.unit.file
    const known = effects.get(path)
    const isKnown =
      piece.inner === null &&
      isCalled(site, piece) &&
      site.dialect === 'platform' &&
      !site.openEntries &&
      !roots.has(path) &&
      !jobs.has(path) &&
      known !== undefined &&
      !known.recursive &&
      !known.included &&
      known.open.size === 0
    const passed = isKnown ? joined(callers.get(path) ?? []) : null
    // Equal types are one value, so that what was inferred with them is found again.
    const parameters = passed === null ? null : memo.once('parameters', path, [typesKey(passed)], () => passed)
    const found = infer('down', piece, outsideOf(site, piece, parameters))
    facts.set(piece.key, found.facts)
    for (const call of found.calls)
      callers.set(call.target, [...(callers.get(call.target) ?? []), new Map(call.passed)])
  }
  return facts
}

/** All that a template's inference depends on of those that it calls by their names. */
function calleesOf(site: Site, { bound }: Piece, { doing, effects }: Surroundings): readonly unknown[] {
  return bound.calls.flatMap(({ literal, kind }) => {
    const file = literal === null ? undefined : site.partials.get(literal)?.file.path
    if (file === undefined) return [null]
    const known = kind === 'include' ? effects(file) : undefined
    return [file, doing(file), known?.spills, known?.recursive, [...(known?.frameWrites ?? [])].join(' ')]
  })
}

function isCalled(site: Site, { unit, inner }: Piece): boolean {
  return isBlock(inner) || unit.file.kind === 'partial' || site.layoutParts.has(unit)
}

function outsideOf(site: Site, piece: Piece, parameters: ReadonlyMap<string, Type> | null): Outside {
  const { kind } = piece.unit.file
  const called = isCalled(site, piece)
  const isPlatform = site.dialect === 'platform' && !site.openEntries
  const host = new Map<string, Type>()
  // Templates may change what the host gives, or hand it to those that do.
  if (site.dialect === 'platform') {
    const names = ['context', 'form', 'form_builder', 'data', 'response']
    for (const name of kind === 'partial' ? ['context'] : names) host.set(name, UNKNOWN)
    if (kind === 'layout' && !called && isPlatform) host.set('content_for_layout', SAFE)
  }
  const hasOwnNames = kind === 'page' || kind === 'layout' || kind === 'authorization_policy' || kind === 'migration'
  return {
    parameters,
    isCalled: called,
    isClosed: isPlatform && (called ? parameters !== null : hasOwnNames && piece.inner === null),
    host,
  }
}

/** Files that some job runs, whose arguments are what a queue has kept. */
function jobTargets(site: Site, pieces: readonly Piece[]): ReadonlySet<string> {
  const calls = pieces.flatMap(({ bound }) => bound.calls.filter(({ kind }) => kind === 'background'))
  return new Set(calls.flatMap(({ literal }) => site.partials.get(literal ?? '')?.file.path ?? []))
}

/** The types of names that are passed in some of several calls. */
function joined(calls: readonly ReadonlyMap<string, Type>[]): ReadonlyMap<string, Type> {
  const types = new Map<string, Type>()
  for (const name of new Set(calls.flatMap((call) => [...call.keys()]))) {
    let type = calls[0]?.get(name) ?? NIL
    for (const call of calls.slice(1)) type = join(type, call.get(name) ?? NIL)
    types.set(name, type)
  }
  return types
}
