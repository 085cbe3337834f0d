/** Checks calls of partials: their arguments, and their effects on the caller. */
import { checkArgumentTypes } from '../rules/calls/argument-type.ts'
import { checkDroppedReturn } from '../rules/calls/dropped-return.ts'
import { checkDuplicateArgument } from '../rules/calls/duplicate-argument.ts'
import { checkDuplicateFunctionArgument } from '../rules/calls/duplicate-function-argument.ts'
import { checkImplicitArgument } from '../rules/calls/implicit-include-argument.ts'
import { checkCouldBeRender } from '../rules/calls/include-could-be-render.ts'
import { missingParams, reportMissingParams } from '../rules/calls/missing-argument.ts'
import { missingInputs, reportMissingInputs } from '../rules/calls/missing-inferred-argument.ts'
import { reportUndeclaredArguments, undeclaredArguments } from '../rules/calls/unknown-argument.ts'
import { reportUnreadArguments, unreadArguments } from '../rules/calls/unknown-inferred-argument.ts'
import { checkStorable } from '../rules/calls/unstorable-argument.ts'
import { checkWritten } from '../rules/values/written-argument.ts'
import { type Expression, type NamedArgument, stringOf, type TagNode } from '../../../core/tree/ast.ts'
import { shareList, shareMap } from '../../../core/model/shared-values.ts'
import { NIL, type Type, UNKNOWN, isUnknown, STRING } from '../../../core/model/type.ts'
import { jobKey } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import type { PartialCall } from '../../../language/tags/tag.ts'
import { type ChangedKeys, joinKeys, NO_KEYS } from '../../../language/types/changed-keys.ts'
import { elementOf, isMutable, joinAll, members } from '../../../language/types/relate.ts'
import type { AnyPartial } from '../../analyze/any-partial.ts'
import { docParams, type UnitFacts } from '../walk/facts.ts'
import type { Callee, KnownCall, PassedArguments } from '../walk/known-call.ts'
import { targetsOf } from './call-targets.ts'
import { baseName } from '../../../core/model/outline.ts'
import { typeOf } from './expression.ts'
import { readByOldName, readName } from './names.ts'
import { foreignVariable } from '../walk/state.ts'
import { misspelledArguments } from '../walk/slips.ts'
import type { Walk } from '../walk/walk.ts'

/** Checks a call and returns the type of its result. */
export function callPartial(walk: Walk, call: PartialCall, node: TagNode): Type {
  const targets = targetsOf(walk, call)
  const callees = targets.units?.map((target) => ({ ...target, facts: walk.env.facts(target.unit.file.path) })) ?? []
  const isSure = !targets.open && callees.length > 0 && call.kind !== 'theme'
  const passedArguments = passArguments(
    walk,
    call,
    (name) => isSure && callees.every(({ facts }) => facts?.inputs.get(name)?.isNeeded === true),
  )
  // A function may be called for its side effects.
  if (call.kind === 'function') walk.findings.addSideEffect()
  if (call.kind === 'background') checkStorable(walk, call.arguments, passedArguments.types)
  const types = new Map(call.kind === 'background' ? storedTypes(passedArguments.types) : passedArguments.types)
  if (!targets.open && call.kind !== 'theme') {
    // A misspelled argument does not tell the type of the parameter.
    for (const callee of callees)
      for (const misspelled of checkArguments(walk, call, callee, passedArguments)) types.set(misspelled, UNKNOWN)
  }
  const place = walk.flow.placeOf(call.span)
  const isForEach = call.bindingClause?.isForEach === true
  walk.findings.calls.push({
    kind: call.kind,
    targets: targets.units?.map((target) => target.unit.file.path) ?? null,
    open: targets.open,
    suggested: shareList(targets.suggested),
    passedTypes: shareMap(types),
    visible: call.kind === 'include' && isSure ? collectVisible(walk, callees, types) : NO_NAMES,
    ...place,
    // A partial that runs for each element does not run for an empty list.
    certain: walk.flow.isCertain && !isForEach,
    inLoop: place.inLoop || isForEach,
    sharedCache: call.kind === 'background' ? null : walk.flow.sharedCache,
    inTransaction: place.inTransaction && call.kind !== 'background',
  })
  const facts = targets.units === null || targets.open ? [undefined] : callees.map((each) => each.facts)
  const [only] = callees
  if (call.kind === 'function' && only !== undefined && callees.length === 1 && isSure)
    checkWritten(walk, call, only, node)
  if (call.kind !== 'background') applyChanges(walk, call, passedArguments, facts)
  if (call.kind === 'include' && facts[0] === undefined && walk.env.anyPartial !== null)
    applyAnyInclude(walk, walk.env.anyPartial)
  else if (call.kind === 'include')
    for (const [at, each] of facts.entries()) applyInclude(walk, call, callees[at] ?? null, each, passedArguments)
  if (call.kind !== 'function') return UNKNOWN
  return joinAll(callees.length === 0 ? [UNKNOWN] : facts.map((each) => each?.result ?? UNKNOWN))
}

const NO_NAMES: ReadonlyMap<string, Type> = new Map()

/** Collects the variables that included files read, with their types at the place of the call. */
function collectVisible(
  walk: Walk,
  files: readonly { readonly facts: UnitFacts | undefined }[],
  passedTypes: ReadonlyMap<string, Type>,
): ReadonlyMap<string, Type> {
  const names = new Set(files.flatMap(({ facts }) => [...(facts?.inputs.keys() ?? [])]))
  return new Map(
    [...names].flatMap((name) => (passedTypes.has(name) || !walk.isSet(name) ? [] : [[name, walk.typeNow(name)]])),
  )
}

/** Applies the keys that the possible callees write into the values passed to them. */
function applyChanges(
  walk: Walk,
  call: PartialCall,
  { roots }: PassedArguments,
  facts: readonly (UnitFacts | undefined)[],
): void {
  // Only an include sees the variables of its caller; other callees see their arguments only.
  if (roots.length === 0 && call.kind !== 'include') return
  let keys: ChangedKeys = NO_KEYS
  for (const each of facts) keys = each === undefined ? walk.env.anyKeys : joinKeys(keys, each.changedKeys)
  if (keys?.size !== 0) walk.flow.changedElsewhere(roots, keys)
}

/** Checks the block form of `background`: a separate template that sees only these arguments. */
export function callBlock(walk: Walk, args: readonly NamedArgument[], node: TagNode): void {
  const key = jobKey(walk.siteTemplate.unit, node)
  const passedArguments = passArguments(
    walk,
    { kind: 'background', name: null, arguments: args, bindingClause: null },
    () => false,
  )
  checkStorable(walk, args, passedArguments.types)
  walk.findings.calls.push({
    kind: 'background',
    targets: key === null ? [] : [key],
    open: false,
    suggested: [],
    passedTypes: storedTypes(passedArguments.types),
    visible: NO_NAMES,
    ...walk.flow.placeOf(node.span),
    certain: false,
    sharedCache: null,
    inTransaction: false,
  })
}

// ---- arguments --------------------------------------------------------------------------------------------------------

/** A call. `name` is null when the call names no file. */
type CallSite = Pick<PartialCall, 'kind' | 'arguments' | 'bindingClause'> & { readonly name: Expression | null }

/** Type-checks the arguments of a call. `isNeeded`: the callee fails without the argument. */
function passArguments(walk: Walk, call: CallSite, isNeeded: (name: string) => boolean): PassedArguments {
  const types = new Map<string, Type>()
  const values = new Map<string, { name: Span; value: Expression }>()
  const roots: string[] = []
  const readArgument = (name: string, value: Expression): Type => {
    const type = typeOf(walk, value, isNeeded(name) ? 'need' : 'pass', true)
    const root = value.kind === 'lookup' ? value.name?.name : undefined
    // Only a mutable value can be changed by the callee.
    if (root !== undefined && isMutable(type)) roots.push(root)
    return type
  }
  if (call.bindingClause !== null) {
    const name = call.bindingClause.alias?.name ?? baseName(stringOf(call.name) ?? '')
    const type = readArgument(name, call.bindingClause.value)
    // `for` over a value that is not an array passes the value itself.
    types.set(name, call.bindingClause.isForEach ? elementType(type) : type)
    if (call.bindingClause.isForEach) types.set('forloop', UNKNOWN)
  }
  for (const { name, value } of call.arguments) {
    const first = values.get(name.name)
    checkDuplicateArgument(walk, call.kind, name, first?.name)
    checkDuplicateFunctionArgument(walk, call.kind, name, first?.name)
    types.set(name.name, readArgument(name.name, value))
    values.set(name.name, { name: first?.name ?? name.span, value })
  }
  return { types, values, roots }
}

function elementType(type: Type): Type {
  const knownType = members(type).filter((member) => member.kind !== 'nil')
  if (knownType.length === 0 || knownType.some((member) => member.kind !== 'list')) return UNKNOWN
  // A nil list is passed as nil.
  return joinAll([...knownType.map(elementOf), ...(knownType.length < members(type).length ? [NIL] : [])])
}

/** Reports wrong arguments. Returns the missing names that are reported as misspelled. */
function checkArguments(walk: Walk, call: PartialCall, callee: Callee, passed: PassedArguments): Iterable<string> {
  const { template } = callee.unit
  if (template === null || template.isBroken) return []
  const declared = new Map(docParams(template).map((param) => [param.name, param]))
  const known: KnownCall = { ...callee, call, declared, passed }
  checkDroppedReturn(walk, known)
  if (declared.size > 0) return checkDeclared(walk, known)
  return callee.facts === undefined ? [] : checkInferred(walk, known, callee.facts)
}

function checkDeclared(walk: Walk, known: KnownCall): Iterable<string> {
  const missing = missingParams(walk, known)
  const undeclared = undeclaredArguments(known)
  const names = missing.map(({ name }) => name)
  const misspellings = misspelledArguments(undeclared, names)
  reportMissingParams(walk, known, missing, misspellings)
  reportUndeclaredArguments(walk, known, undeclared, new Set(misspellings.values()))
  checkArgumentTypes(walk, known)
  return names
}

function checkInferred(walk: Walk, known: KnownCall, facts: UnitFacts): Iterable<string> {
  const missing = missingInputs(known, facts)
  const unread = unreadArguments(known, facts)
  const misspellings = misspelledArguments(unread, missing.keys())
  reportMissingInputs(walk, known, missing, misspellings)
  reportUnreadArguments(walk, known, facts, unread, new Set(misspellings.values()))
  return misspellings.keys()
}

// ---- what an include does ---------------------------------------------------------------------------------------------

function applyInclude(
  walk: Walk,
  call: PartialCall,
  target: Callee | null,
  facts: UnitFacts | undefined,
  passedArguments: PassedArguments,
): void {
  walk.flow.mayEnd(facts?.halts !== false)
  if (facts?.registers !== false) walk.reads.registers = true
  if (facts?.readsAll === true && walk.env.anyPartial !== null) return applyAnyInclude(walk, walk.env.anyPartial)
  if (facts === undefined || facts.readsAll) {
    walk.reads.readsAll = true
    walk.flow.overwriteAll()
    if (facts === undefined) return
  }
  const unpassed = [...facts.inputs].filter(([name]) => !passedArguments.types.has(name))
  // The included file reads the caller's own values, which may have more keys after the include than before.
  walk.flow.changedElsewhere(
    unpassed.map(([name]) => name),
    facts.changedKeys,
  )
  for (const [name, input] of unpassed) {
    if (walk.isSet(name) || walk.siteTemplate.outline.counters.has(name)) readName(walk, name, call.span, 'test')
    else if (walk.isPartial) walk.readByInclude(name, call.span, input, passedArguments.types)
    else if (walk.oldKeys(name) !== null) readByOldName(walk, name, input)
    else if (target !== null) checkImplicitArgument(walk, call.span, target, passedArguments, name, input)
  }
  if (target !== null) checkCouldBeRender(walk, call.span, target.name, facts, unpassed.length)
  for (const name of facts.writes) {
    walk.reads.writes.add(name)
    if (passedArguments.types.has(name)) continue
    if (walk.flow.local(name) !== undefined) walk.flow.setLocal(name, UNKNOWN)
    else if (walk.flow.variables.has(name)) walk.flow.overwrite(name)
    // A new name stays in the included file. In a partial, the name may be one that its caller passed.
    else if (walk.platform && !walk.isPartial)
      walk.flow.includeWrites.set(name, { partial: target?.name ?? '', span: call.span })
    else walk.flow.set(name, foreignVariable(UNKNOWN, call.span))
  }
}

/** Applies an include with a computed name: any partial may run, so the combined effects of all partials apply. */
function applyAnyInclude(walk: Walk, { reads, writes, changedKeys }: AnyPartial): void {
  walk.flow.mayEnd(true)
  walk.reads.registers = true
  walk.reads.handOn(reads)
  for (const name of writes) {
    walk.reads.writes.add(name)
    walk.flow.overwrite(name)
  }
  walk.flow.changedElsewhere(
    [...reads].filter((name) => walk.isSet(name)),
    changedKeys,
  )
}

// ---- arguments of jobs, which are stored as JSON until the job runs ---------------------------------------------------

/** Returns the types of values after they are restored from the queue. */
function storedTypes(types: ReadonlyMap<string, Type>): ReadonlyMap<string, Type> {
  return new Map([...types].map(([name, type]) => [name, storedType(type)]))
}

function storedType(type: Type): Type {
  switch (type.kind) {
    case 'string':
      return type.literal === undefined ? STRING : { kind: 'string', literal: type.literal }
    // Times are stored as text.
    case 'date':
    case 'time':
    case 'range':
      return UNKNOWN
    case 'list':
      return { kind: 'list', element: storedType(type.element) }
    case 'hash':
      return { kind: 'hash', element: storedType(type.element) }
    case 'record':
      return { ...type, fields: new Map([...type.fields].map(([name, element]) => [name, storedType(element)])) }
    case 'union':
      return type.members.some((each) => isUnknown(storedType(each))) ? UNKNOWN : type
    default:
      return type
  }
}
