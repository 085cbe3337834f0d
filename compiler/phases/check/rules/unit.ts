/** Checks one template: a pure function of the template and of what is known around it. */
import { docParamDefault } from '../../../core/diagnostics/codes/documentation/doc-param-default.ts'
import { duplicateDocParam } from '../../../core/diagnostics/codes/documentation/duplicate-doc-param.ts'
import { missingDocParam } from '../../../core/diagnostics/codes/documentation/missing-doc-param.ts'
import { readAfterInclude } from '../../../core/diagnostics/codes/values/read-after-include.ts'
import { undefinedVariable } from '../../../core/diagnostics/codes/values/undefined-variable.ts'
import { unpassedVariable } from '../../../core/diagnostics/codes/calls/unpassed-variable.ts'
import { unreadDocParam } from '../../../core/diagnostics/codes/documentation/unread-doc-param.ts'
import { unknownDocType } from '../../../core/diagnostics/codes/documentation/unknown-doc-type.ts'
import { unusedAssign } from '../../../core/diagnostics/codes/values/unused-assign.ts'
import { unusedDocParam } from '../../../core/diagnostics/codes/documentation/unused-doc-param.ts'
import { variableName } from '../../../core/diagnostics/codes/values/variable-name.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { findNearest } from '../../../core/diagnostics/suggest.ts'
import { shareList, shareMap, shareWords } from '../../../core/model/shared-values.ts'
import { type DocParam, isBlock } from '../../../core/model/unit.ts'
import { translationAt } from '../../../language/settings/translations.ts'
import type { Span } from '../../../core/source/span.ts'
import { DOC_TYPES, docType } from '../../../language/types/from-doc.ts'
import { inContext } from '../../../language/types/old-variables.ts'
import { reportBraces } from './braces.ts'
import { type CheckedUnit, docParams, type TemplateEnvironment, type TemplateInput, type UnitFacts } from './facts.ts'
import { RulesKit } from './kit.ts'
import { Walk } from './walk.ts'
import type { Piece } from '../piece.ts'

export function checkUnit(piece: Piece, env: TemplateEnvironment): CheckedUnit {
  const walk = new Walk(env, piece)
  new RulesKit(walk).body(piece.template.nodes)
  walk.flow.finish()
  if (piece.bound.reads.has('*')) walk.reads.addAll()
  if (piece.inner === null) checkDoc(walk)
  checkNames(walk)
  reportBraces(walk)
  return { facts: factsOf(walk), diagnostics: shareList(walk.findings.diagnostics) }
}

function factsOf(walk: Walk): UnitFacts {
  const inputs = new Map<string, TemplateInput>()
  for (const [name, reads] of walk.reads.free) {
    // That it is also handed to another file says nothing of what this one can do without.
    const needed = reads.needed && !reads.asked
    inputs.set(name, {
      span: reads.span,
      required: needed || (reads.plain && !reads.guarded),
      alternatives: shareList(reads.alternatives ?? []),
      onlyWith: shareList(reads.onlyWith ?? []),
      needed,
      part: reads.part,
    })
  }
  return {
    inputs: shareMap(inputs),
    writes: shareWords(walk.reads.writes),
    readsAll: walk.reads.readsAll || walk.reads.handsOnAll,
    readsRequest: walk.reads.readsRequest,
    result: walk.flow.result,
    returned: walk.flow.returned,
    emptyAt: walk.flow.emptyAt,
    changedKeys: walk.flow.changedKeys,
    halts: walk.flow.halts,
    registers: walk.reads.registers,
    calls: shareList(walk.findings.calls),
    queries: shareList(walk.findings.queries),
    notes: shareList(walk.findings.notes),
    requestReads: shareMap(walk.reads.requestParts),
    visitorReads: shareMap(walk.reads.visitorParts),
    ports: shareMap(walk.findings.ports),
  }
}

function checkNames(walk: Walk): void {
  const { env, piece } = walk
  for (const [name, span] of walk.reads.oddNames) walk.report(variableName(span, name))
  const undefinedNames = walk.isPartial ? [] : undefinedIn(walk)
  if (!walk.reads.readsAll) {
    const isIncluded = env.isIncluded(piece.key)
    for (const [name, span] of walk.reads.setAt) {
      if (walk.reads.isUsed(name) || name.startsWith('_')) continue
      // Whoever includes the template may read what it sets.
      if (isIncluded && (env.namesRead.has(name) || env.namesRead.has('*'))) continue
      const hasSideEffect = walk.findings.hasSideEffectAt(span)
      const diagnostic = unusedAssign(span, name, hasSideEffect)
      walk.findings.reportMissing(hasSideEffect ? { ...diagnostic, severity: 'info' } : diagnostic)
    }
  }
  for (const [name, { span, partial, included }] of walk.reads.afterInclude)
    walk.report(readAfterInclude(span, name, partial, included))
  // A partial's names are its parameters: whether they are passed is checked where it is called.
  for (const each of undefinedNames) walk.findings.reportMissing(each)
}

/** Whether the template around a block of `background` has a variable of the name. */
function setsAround({ piece }: Walk, name: string): boolean {
  return new RegExp(`\\b(?:assign|capture|function|graphql|parse_json|for|tablerow)\\s+${name}\\b`).test(
    piece.unit.file.text,
  )
}

/** Names that nothing sets. A variable that one of them was meant to be counts as read. */
function undefinedIn(walk: Walk): readonly Diagnostic[] {
  const names = [...walk.reads.undefined].filter(([name]) => !walk.flow.includeWrites.has(name))
  return names.map(([name, { span, replaced }]) => {
    if (isBlock(walk.piece.inner) && setsAround(walk, name)) return unpassedVariable(span, name)
    const text = inContext(name) ?? asText(walk, span)
    const idle = [...walk.reads.setAt.keys()].filter((each) => !walk.reads.isUsed(each))
    const meant = text === null ? (findNearest(name, idle) ?? findNearest(name, walk.reads.setAt.keys())) : null
    if (meant !== null) walk.reads.use(meant)
    const set = meant === null ? null : (walk.reads.setAt.get(meant) ?? null)
    const diagnostic = undefinedVariable(span, name, [...walk.reads.setAt.keys(), 'context'], text, set)
    // A file that is copied from site to site may keep a `default` for what another site gives.
    return replaced && meant === null && text === null ? { ...diagnostic, severity: 'info' } : diagnostic
  })
}

function checkDoc(walk: Walk): void {
  const params = docParams(walk.piece.template)
  const doc = walk.piece.template.doc
  if (doc === null || params.length === 0) return
  for (const { span, corrected: meant } of doc.mistakes) {
    const written = walk.piece.unit.file.text.slice(span.start, span.end)
    walk.report(unreadDocParam(span, written, meant))
  }
  const declared = new Map<string, DocParam>()
  for (const param of params) {
    const first = declared.get(param.name)
    if (first !== undefined) walk.report(duplicateDocParam(param.span, param.name, first.span))
    else declared.set(param.name, param)
    if (param.type !== null && docType(param.type) === null)
      walk.report(unknownDocType(param.typeSpan ?? param.span, param.type, DOC_TYPES))
  }
  const foreign = foreignReads(walk, declared)
  const unread = [...declared.keys()].filter(
    (name) => walk.reads.free.get(name) === undefined && !walk.reads.isUsed(name),
  )
  // A parameter that nothing reads and a name that nothing declares are one slip.
  const misspellings = new Map([...foreign.keys()].map((name) => [name, findNearest(name, unread)]))
  for (const param of declared.values()) {
    const reads = walk.reads.free.get(param.name)
    if (reads === undefined && !walk.reads.isUsed(param.name)) {
      const isMisspelled = [...misspellings.values()].includes(param.name)
      if (!walk.reads.readsAll && !isMisspelled) walk.findings.reportMissing(unusedDocParam(param.span, param.name))
    } else if (param.required && reads !== undefined && reads.defaulted !== null) {
      walk.report(docParamDefault(reads.defaulted, param.name, param.span))
    }
  }
  for (const [name, span] of foreign) {
    const suggestion =
      misspellings.get(name) ??
      findNearest(name, [...declared.keys(), ...walk.piece.bound.writes.keys()]) ??
      asText(walk, span)
    if (suggestion !== null) walk.reads.use(suggestion)
    walk.report(missingDocParam(span, name, doc.span, suggestion))
  }
}

/** Names that a partial reads from its caller without declaring them. */
function foreignReads(walk: Walk, declared: ReadonlyMap<string, DocParam>): ReadonlyMap<string, Span> {
  if (!walk.isPartial || walk.env.isIncluded(walk.piece.key)) return new Map()
  return new Map(
    [...walk.reads.free].flatMap(([name, reads]): readonly [string, Span][] =>
      declared.has(name) || !reads.foreign || walk.piece.bound.writes.has(name) ? [] : [[name, reads.span]],
    ),
  )
}

/** Tags and filters that take a name as a text. */
const TAKES_NAME =
  /(?:\bcontent_for\s+|\byield\s+|\|\s*(?:map|sort|sort_natural|where|find|has|sum|compact|uniq|array_map|array_sort_by|array_group_by)\s*:\s*)$/
const WITH_PATH = /^[a-z_][\w./-]*/i

/** A name that was meant as a text, in quotes: a path of an asset, a key of a translation, the name of a property. */
function asText(walk: Walk, span: Span): string | null {
  const before = walk.source({ ...span, start: Math.max(0, span.start - 60), end: span.start })
  const behind = walk.source({ ...span, end: span.start + 200 })
  const path = WITH_PATH.exec(behind)?.[0] ?? ''
  if (TAKES_NAME.test(before) && /^\w+$/.test(path)) return `'${path}'`
  const filter = /^\s*\|\s*(\w+)/.exec(behind.slice(path.length))?.[1] ?? ''
  if (/^asset_/.test(filter) && walk.env.site.assets.has(path)) return `'${path}'`
  const isKey =
    /^(?:t|translate)$/.test(filter) &&
    [...walk.env.site.translations.values()].some((tree) => translationAt(tree, path) !== null)
  return isKey ? `'${path}'` : null
}
