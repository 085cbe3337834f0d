/** Checks one template. The result depends only on the template and its environment. */
import { checkDefault } from '../rules/documentation/doc-param-default.ts'
import { checkDuplicateParam } from '../rules/documentation/duplicate-doc-param.ts'
import { reportUndeclared, undeclaredNames } from '../rules/documentation/missing-doc-param.ts'
import { checkReadsAfterInclude } from '../rules/values/read-after-include.ts'
import { describeUndefined } from '../rules/values/undefined-variable.ts'
import { unpassedOf } from '../rules/calls/unpassed-variable.ts'
import { checkMistakes } from '../rules/documentation/unread-doc-param.ts'
import { checkDocType } from '../rules/documentation/unknown-doc-type.ts'
import { checkUnusedAssigns } from '../rules/values/unused-assign.ts'
import { checkUnused, isUnread } from '../rules/documentation/unused-doc-param.ts'
import { checkVariableNames } from '../rules/values/variable-name.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import { findNearest } from '../../../core/diagnostics/suggest.ts'
import { shareList, shareMap, shareWords } from '../../../core/model/shared-values.ts'
import type { DocParam } from '../../../core/model/unit.ts'
import { markedSpan } from '../../../core/source/mark.ts'
import type { Span } from '../../../core/source/span.ts'
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
  if (siteTemplate.outline.reads.has('*')) walk.reads.readsAll = true
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
  checkVariableNames(walk)
  // In a partial, unset names are parameters. Missing arguments are reported at the call.
  const undefinedDiagnostics = walk.isPartial ? [] : checkUndefined(walk)
  checkUnusedAssigns(walk)
  checkReadsAfterInclude(walk)
  for (const diagnostic of undefinedDiagnostics) walk.findings.reportMissing(diagnostic)
}

/** Creates diagnostics for undefined names. */
function checkUndefined(walk: Walk): readonly Diagnostic[] {
  const names = [...walk.reads.undefined].filter(([name]) => !walk.flow.includeWrites.has(name))
  return names.map(([name, read]) => {
    return unpassedOf(walk, name, read.span) ?? describeUndefined(walk, name, read)
  })
}

/** Checks the `doc` tag of a template against the names that the template reads. */
function checkDoc(walk: Walk): void {
  const params = docParams(walk.siteTemplate.template)
  const doc = walk.siteTemplate.template.doc
  if (doc === null || params.length === 0) return
  checkMistakes(walk, doc)
  const declared = new Map<string, DocParam>()
  for (const param of params) {
    const first = declared.get(param.name)
    checkDuplicateParam(walk, param, first)
    if (first === undefined) declared.set(param.name, param)
    checkDocType(walk, param)
  }
  const undeclared = undeclaredNames(walk, declared)
  const unread = [...declared.keys()].filter((name) => isUnread(walk, name))
  // An unread parameter and a similar undeclared name are reported as one mistake.
  const misspellings = new Map([...undeclared.keys()].map((name) => [name, findNearest(name, unread)]))
  const misspelled = new Set(misspellings.values())
  for (const param of declared.values()) {
    checkUnused(walk, param, misspelled.has(param.name))
    checkDefault(walk, param)
  }
  for (const [name, span] of undeclared)
    reportUndeclared(walk, name, span, doc.span, declared, misspellings.get(name) ?? null)
}
