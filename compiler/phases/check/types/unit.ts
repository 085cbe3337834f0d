/** Checks one template. The result depends only on the template and its environment. */
import { docParamDefault } from '../rules/documentation/doc-param-default.ts'
import { duplicateDocParam } from '../rules/documentation/duplicate-doc-param.ts'
import { missingDocParam } from '../rules/documentation/missing-doc-param.ts'
import { readAfterInclude } from '../rules/values/read-after-include.ts'
import { describeUndefined } from '../rules/values/undefined-variable.ts'
import { unpassedVariable } from '../rules/calls/unpassed-variable.ts'
import { unreadDocParam } from '../rules/documentation/unread-doc-param.ts'
import { unknownDocType } from '../rules/documentation/unknown-doc-type.ts'
import { unusedAssign } from '../rules/values/unused-assign.ts'
import { unusedDocParam } from '../rules/documentation/unused-doc-param.ts'
import { variableName } from '../rules/values/variable-name.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { findNearest } from '../../../core/diagnostics/suggest.ts'
import { shareList, shareMap, shareWords } from '../../../core/model/shared-values.ts'
import { type DocParam, isBlock } from '../../../core/model/unit.ts'
import { markedSpan } from '../../../core/source/mark.ts'
import type { Span } from '../../../core/source/span.ts'
import { DOC_TYPES, docType } from '../../../language/types/from-doc.ts'
import { reportBraces } from '../rules/misleading/single-quoted-braces.ts'
import {
  type CheckedUnit,
  docParams,
  type TemplateEnvironment,
  type TemplateInput,
  type UnitFacts,
} from '../walk/facts.ts'
import { Engine, type Place } from '../../analyze/engine.ts'
import type { FlowState } from '../walk/flow.ts'
import { quotedTextAt } from '../walk/quoted-text.ts'
import { type CheckQuery, LikelyTypes } from './likely-types.ts'
import { Walk } from '../walk/walk.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'

export function checkUnit(siteTemplate: SiteTemplate, env: TemplateEnvironment, checkQuery: CheckQuery): CheckedUnit {
  const engine = new Engine(
    env.tags,
    (place: Place<FlowState>) => new LikelyTypes(new Walk(env, siteTemplate, place), checkQuery),
  )
  engine.body(siteTemplate.template.nodes)
  const { walk } = engine.domain
  walk.flow.finish()
  if (siteTemplate.outline.reads.has('*')) walk.reads.addAll()
  if (siteTemplate.inner === null) checkDoc(walk)
  checkNames(walk)
  reportBraces(walk)
  return { facts: factsOf(walk), diagnostics: shareList(walk.findings.diagnostics) }
}

function factsOf(walk: Walk): UnitFacts {
  const inputs = new Map<string, TemplateInput>()
  const { text } = walk.siteTemplate.unit.file
  const marked = (span: Span | null) => (span === null ? null : markedSpan(span, text))
  for (const [name, reads] of walk.reads.free) {
    // A test or a `default` makes the name optional. Passing it to another file does not.
    const isNeeded = reads.isNeeded && !reads.hasTest
    inputs.set(name, {
      span: markedSpan(reads.span, text),
      required: isNeeded || (reads.hasPlainRead && !reads.hasGuardedRead),
      alternatives: shareList(reads.alternatives ?? []),
      onlyWith: shareList(reads.onlyWith ?? []),
      isNeeded,
      accessedPart: reads.part,
    })
  }
  return {
    inputs: shareMap(inputs),
    writes: shareWords(walk.reads.writes),
    readsAll: walk.reads.readsAll || walk.reads.handsOnAll,
    readsRequest: walk.reads.readsRequest,
    result: walk.flow.result,
    returned: marked(walk.flow.returned),
    emptyAt: marked(walk.flow.emptyAt),
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

/** Reports names that are misspelled, undefined or unused. */
function checkNames(walk: Walk): void {
  const { env, siteTemplate } = walk
  for (const [name, span] of walk.reads.oddNames) walk.report(variableName(span, name))
  const undefinedDiagnostics = walk.isPartial ? [] : checkUndefined(walk)
  if (!walk.reads.readsAll) {
    const isIncluded = env.isIncluded(siteTemplate.key)
    for (const [name, span] of walk.reads.setAt) {
      if (walk.reads.isUsed(name) || name.startsWith('_')) continue
      // A template that includes this one may read the names that it sets.
      if (isIncluded && (env.namesRead.has(name) || env.namesRead.has('*'))) continue
      const hasSideEffect = walk.findings.hasSideEffectAt(span)
      const diagnostic = unusedAssign(span, name, hasSideEffect)
      walk.findings.reportMissing(hasSideEffect ? { ...diagnostic, severity: 'info' } : diagnostic)
    }
  }
  for (const [name, { span, partial, included }] of walk.reads.afterInclude)
    walk.report(readAfterInclude(span, name, partial, included))
  // In a partial, unset names are parameters. Missing arguments are reported at the call.
  for (const diagnostic of undefinedDiagnostics) walk.findings.reportMissing(diagnostic)
}

/** Returns whether the template around a `background` block sets a variable of the name. */
function isSetOutside({ siteTemplate }: Walk, name: string): boolean {
  return new RegExp(`\\b(?:assign|capture|function|graphql|parse_json|for|tablerow)\\s+${name}\\b`).test(
    siteTemplate.unit.file.text,
  )
}

/** Creates diagnostics for undefined names. */
function checkUndefined(walk: Walk): readonly Diagnostic[] {
  const names = [...walk.reads.undefined].filter(([name]) => !walk.flow.includeWrites.has(name))
  return names.map(([name, read]) => {
    if (isBlock(walk.siteTemplate.inner) && isSetOutside(walk, name)) return unpassedVariable(read.span, name)
    return describeUndefined(walk, name, read)
  })
}

/** Checks the `doc` tag of a template against the names that the template reads. */
function checkDoc(walk: Walk): void {
  const params = docParams(walk.siteTemplate.template)
  const doc = walk.siteTemplate.template.doc
  if (doc === null || params.length === 0) return
  for (const { span, corrected: meantName } of doc.mistakes) {
    const writtenText = walk.siteTemplate.unit.file.text.slice(span.start, span.end)
    walk.report(unreadDocParam(span, writtenText, meantName))
  }
  const declaredParams = new Map<string, DocParam>()
  for (const param of params) {
    const first = declaredParams.get(param.name)
    if (first !== undefined) walk.report(duplicateDocParam(param.span, param.name, first.span))
    else declaredParams.set(param.name, param)
    if (param.type !== null && docType(param.type) === null)
      walk.report(unknownDocType(param.typeSpan ?? param.span, param.type, DOC_TYPES))
  }
  const undeclared = collectUndeclared(walk, declaredParams)
  const unread = [...declaredParams.keys()].filter(
    (name) => walk.reads.free.get(name) === undefined && !walk.reads.isUsed(name),
  )
  // An unread parameter and a similar undeclared name are reported as one mistake.
  const misspellings = new Map([...undeclared.keys()].map((name) => [name, findNearest(name, unread)]))
  for (const param of declaredParams.values()) {
    const reads = walk.reads.free.get(param.name)
    if (reads === undefined && !walk.reads.isUsed(param.name)) {
      const isMisspelled = [...misspellings.values()].includes(param.name)
      if (!walk.reads.readsAll && !isMisspelled) walk.findings.reportMissing(unusedDocParam(param.span, param.name))
    } else if (param.required && reads !== undefined && reads.defaulted !== null) {
      walk.report(docParamDefault(reads.defaulted, param.name, param.span))
    }
  }
  for (const [name, span] of undeclared) {
    const suggestion =
      misspellings.get(name) ??
      findNearest(name, [...declaredParams.keys(), ...walk.siteTemplate.outline.writes.keys()]) ??
      quotedTextAt(walk, span)
    if (suggestion !== null) walk.reads.use(suggestion)
    walk.report(missingDocParam(span, name, doc.span, suggestion))
  }
}

/** Returns the undeclared names that a partial reads from its caller. */
function collectUndeclared(walk: Walk, declaredParams: ReadonlyMap<string, DocParam>): ReadonlyMap<string, Span> {
  if (!walk.isPartial || walk.env.isIncluded(walk.siteTemplate.key)) return new Map()
  return new Map(
    [...walk.reads.free].flatMap(([name, reads]): readonly [string, Span][] =>
      declaredParams.has(name) || !reads.isForeign || walk.siteTemplate.outline.writes.has(name)
        ? []
        : [[name, reads.span]],
    ),
  )
}
