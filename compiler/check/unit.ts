/** Checks one template: a pure function of the template and of what is known around it. */
import { docParamDefault } from '../diagnostics/codes/doc-param-default.ts'
import { duplicateDocParam } from '../diagnostics/codes/duplicate-doc-param.ts'
import { missingDocParam } from '../diagnostics/codes/missing-doc-param.ts'
import { readAfterInclude } from '../diagnostics/codes/read-after-include.ts'
import { undefinedVariable } from '../diagnostics/codes/undefined-variable.ts'
import { unknownDocType } from '../diagnostics/codes/unknown-doc-type.ts'
import { unusedAssign } from '../diagnostics/codes/unused-assign.ts'
import { unusedDocParam } from '../diagnostics/codes/unused-doc-param.ts'
import { variableName } from '../diagnostics/codes/variable-name.ts'
import { NIL } from '../model/type.ts'
import type { DocParam } from '../model/unit.ts'
import { DOC_TYPES, docType } from '../types/from-doc.ts'
import { inContext } from '../types/old-variables.ts'
import { join } from '../types/relate.ts'
import { reportBraces } from './braces.ts'
import { type CheckedUnit, docParams, type Environment, type Input, type Piece, type UnitFacts } from './facts.ts'
import { checkKit } from './kit.ts'
import { Walk } from './walk.ts'

export function checkUnit(piece: Piece, env: Environment): CheckedUnit {
  const walk = new Walk(env, piece)
  checkKit(walk).body(piece.template.nodes)
  if (!walk.dead) walk.endsWithout = true
  walk.dead = false
  if (piece.bound.reads.has('*')) walk.readsAll = true
  checkNames(walk)
  reportBraces(walk)
  if (piece.inner === null) checkDoc(walk)
  return { facts: factsOf(walk), diagnostics: walk.diagnostics }
}

function factsOf(walk: Walk): UnitFacts {
  const inputs = new Map<string, Input>()
  for (const [name, reads] of walk.free) {
    // That it is also handed to another file says nothing of what this one can do without.
    const needed = reads.needed && !reads.asked
    inputs.set(name, {
      span: reads.span,
      required: needed || (reads.plain && !reads.guarded),
      needed,
      part: reads.part,
    })
  }
  return {
    inputs,
    writes: walk.writes,
    readsAll: walk.readsAll,
    readsRequest: walk.readsRequest,
    result: walk.endsWithout || walk.result.kind === 'never' ? join(walk.result, NIL) : walk.result,
    returned: walk.returned,
    mayReturn: walk.mayReturn,
    mutates: walk.mutates,
    halts: walk.halts,
    registers: walk.registers,
    calls: walk.calls,
    queries: walk.queries,
    notes: walk.notes,
    requestReads: walk.requestReads,
    visitorReads: walk.visitorReads,
    ports: walk.ports,
  }
}

function checkNames(walk: Walk): void {
  const { env, piece } = walk
  for (const [name, span] of walk.oddNames) walk.report(variableName(span, name))
  if (!walk.readsAll && !env.isIncluded(piece.key)) {
    for (const [name, span] of walk.setAt) {
      if (!walk.used.has(name) && !name.startsWith('_')) walk.reportMissing(unusedAssign(span, name))
    }
  }
  for (const [name, { span, partial, included }] of walk.readAfterInclude)
    walk.report(readAfterInclude(span, name, partial, included))
  // A partial's names are its parameters: whether they are passed is checked where it is called.
  if (walk.isPartial) return
  for (const [name, span] of walk.undefined_) {
    if (!walk.includeWrites.has(name))
      walk.reportMissing(undefinedVariable(span, name, walk.setAt.keys(), inContext(name)))
  }
}

function checkDoc(walk: Walk): void {
  const params = docParams(walk.piece.template)
  const doc = walk.piece.template.doc
  if (doc === null || params.length === 0) return
  const declared = new Map<string, DocParam>()
  for (const param of params) {
    const first = declared.get(param.name)
    if (first !== undefined) walk.report(duplicateDocParam(param.span, param.name, first.span))
    else declared.set(param.name, param)
    if (param.type !== null && docType(param.type) === null)
      walk.report(unknownDocType(param.typeSpan ?? param.span, param.type, DOC_TYPES))
  }
  for (const param of declared.values()) {
    const reads = walk.free.get(param.name)
    if (reads === undefined && !walk.used.has(param.name)) {
      if (!walk.readsAll) walk.reportMissing(unusedDocParam(param.span, param.name))
    } else if (param.required && reads !== undefined && reads.defaulted !== null) {
      walk.report(docParamDefault(reads.defaulted, param.name, param.span))
    }
  }
  if (!walk.isPartial || walk.env.isIncluded(walk.piece.key)) return
  for (const [name, reads] of walk.free) {
    if (declared.has(name) || !reads.foreign || walk.piece.bound.writes.has(name)) continue
    walk.report(missingDocParam(reads.span, name, doc.span))
  }
}
