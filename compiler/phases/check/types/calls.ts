/** Checks calls of partials: their arguments, and their effects on the caller. */
import { argumentType } from '../rules/calls/argument-type.ts'
import { droppedReturn } from '../rules/calls/dropped-return.ts'
import { duplicateArgument } from '../rules/calls/duplicate-argument.ts'
import { duplicateFunctionArgument } from '../rules/calls/duplicate-function-argument.ts'
import { implicitIncludeArgument } from '../rules/calls/implicit-include-argument.ts'
import { includeCouldBeRender } from '../rules/calls/include-could-be-render.ts'
import { missingArgument } from '../rules/calls/missing-argument.ts'
import { missingInferredArgument } from '../rules/calls/missing-inferred-argument.ts'
import { unknownArgument } from '../rules/calls/unknown-argument.ts'
import { unknownInferredArgument } from '../rules/calls/unknown-inferred-argument.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import type { Expression, NamedArgument, Node, TagNode } from '../../../core/tree/ast.ts'
import { shareList, shareMap } from '../../../core/model/shared-values.ts'
import { NIL, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { jobKey, type Template, type Unit } from '../../../core/model/unit.ts'
import type { Span } from '../../../core/source/span.ts'
import type { PartialCall } from '../../../language/tags/tag.ts'
import { type ChangedKeys, joinKeys, NO_KEYS } from '../../../language/types/changed-keys.ts'
import { docType } from '../../../language/types/from-doc.ts'
import {
  assignable,
  describe,
  elementOf,
  isMutable,
  joinAll,
  members,
  onlyCategory,
} from '../../../language/types/relate.ts'
import { inContext } from '../../../language/types/old-variables.ts'
import type { AnyPartial } from '../../analyze/any-partial.ts'
import { optionalInComments } from '../walk/comment-params.ts'
import { docParams, isMissing, type UnitFacts } from '../walk/facts.ts'
import { type CallTarget, targetsOf } from './call-targets.ts'
import { checkStorable, storedTypes } from './jobs.ts'
import { baseName } from '../../../core/model/outline.ts'
import { typeOf } from './expression.ts'
import { readByOldName, readName } from './names.ts'
import { misspelledArguments } from '../walk/slips.ts'
import { checkWritten } from './shared-arguments.ts'
import type { Walk } from '../walk/walk.ts'

/** Names that loops define. */
const LOOP_NAMES: ReadonlySet<string> = new Set(['forloop', 'tablerowloop'])

interface PassedArguments {
  readonly types: Map<string, Type>
  readonly values: ReadonlyMap<string, { readonly name: Span; readonly value: Expression }>
  /** Variables whose mutable values are passed. */
  readonly roots: readonly string[]
}

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
    for (const { name, unit, facts } of callees)
      for (const misspelled of checkArguments(walk, call, name, unit, facts, passedArguments))
        types.set(misspelled, UNKNOWN)
  }
  walk.findings.addCall({
    kind: call.kind,
    targets: targets.units?.map((target) => target.unit.file.path) ?? null,
    open: targets.open,
    suggested: shareList(targets.suggested),
    passedTypes: shareMap(types),
    visible: call.kind === 'include' && isSure ? collectVisible(walk, callees, types) : NO_NAMES,
    span: call.span,
    // A partial that runs for each element does not run for an empty list.
    certain: walk.flow.isCertain && call.bindingClause?.isForEach !== true,
    inLoop: walk.flow.inLoop || call.bindingClause?.isForEach === true,
    isCached: walk.flow.inCache,
    sharedCache: call.kind === 'background' ? null : walk.flow.sharedCache,
    inTransaction: walk.flow.inTransaction && call.kind !== 'background',
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
  const any = walk.env.anyPartial === null ? null : walk.env.anyPartial.changedKeys
  for (const each of facts) keys = each === undefined ? (any ?? null) : joinKeys(keys, each.changedKeys)
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
  walk.findings.addCall({
    kind: 'background',
    targets: key === null ? [] : [key],
    open: false,
    suggested: [],
    passedTypes: storedTypes(passedArguments.types),
    visible: NO_NAMES,
    span: node.span,
    certain: false,
    inLoop: walk.flow.inLoop,
    isCached: walk.flow.inCache,
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
    const literal = call.name?.kind === 'literal' && call.name.value.type === 'string' ? call.name.value.value : ''
    const name = call.bindingClause.alias?.name ?? baseName(literal)
    const type = readArgument(name, call.bindingClause.value)
    // `for` over a value that is not an array passes the value itself.
    types.set(name, call.bindingClause.isForEach ? elementType(type) : type)
    if (call.bindingClause.isForEach) types.set('forloop', UNKNOWN)
  }
  for (const { name, value } of call.arguments) {
    const first = values.get(name.name)
    if (first !== undefined) {
      walk.report(
        (call.kind === 'function' ? duplicateFunctionArgument : duplicateArgument)(name.span, name.name, first.name),
      )
    }
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
function checkArguments(
  walk: Walk,
  call: PartialCall,
  name: string,
  unit: Unit,
  facts: UnitFacts | undefined,
  passedArguments: PassedArguments,
): Iterable<string> {
  const { template } = unit
  if (template === null || template.isBroken) return []
  if (facts !== undefined && call.kind !== 'function' && call.kind !== 'background' && facts.returned !== null)
    walk.report(droppedReturnOf(call, template, droppedReturn(call.span, name, facts.returned)))
  if (docParams(template).length > 0) return checkDeclared(walk, call, name, template, facts, passedArguments)
  return facts === undefined ? [] : checkInferred(walk, call, name, unit, facts, passedArguments)
}

/**
 * Lowers the diagnostic to an info for an include, because other files may call the included file with `function`, and for a
 * file that prints, because it may be called for its output.
 */
function droppedReturnOf(call: PartialCall, { nodes }: Template, diagnostic: Diagnostic): Diagnostic {
  return call.kind === 'include' || hasOutput(nodes) ? { ...diagnostic, severity: 'info' } : diagnostic
}

/** Returns whether nodes print text or values. */
export function hasOutput(nodes: readonly Node[]): boolean {
  return nodes.some((node) => {
    if (node.kind === 'text') return node.text.trim() !== ''
    if (node.kind === 'output') return node.value !== null
    return (
      PRINTING_TAGS.has(node.name) ||
      (!NON_PRINTING_TAGS.has(node.name) && [node, ...node.branches].some(({ body }) => hasOutput(body)))
    )
  })
}

/** Tags that print. */
const PRINTING_TAGS: ReadonlySet<string> = new Set(['echo', 'print', 'render', 'include', 'form', 'yield'])
/** Tags whose bodies are not printed in place. */
const NON_PRINTING_TAGS: ReadonlySet<string> = new Set(['capture', 'content_for', 'background', 'comment', 'doc'])

function checkDeclared(
  walk: Walk,
  call: PartialCall,
  name: string,
  template: Template,
  facts: UnitFacts | undefined,
  passedArguments: PassedArguments,
): Iterable<string> {
  const declaredParams = new Map(docParams(template).map((param) => [param.name, param]))
  const missing = [...declaredParams.values()].filter(
    (param) =>
      param.required &&
      !passedArguments.types.has(param.name) &&
      (call.kind !== 'include' || isUnset(walk, param.name)),
  )
  const isRead = (key: string) => facts === undefined || facts.readsAll || facts.inputs.has(key) || key === 'context'
  const unknown = new Set([...passedArguments.values.keys()].filter((key) => !declaredParams.has(key) && !isRead(key)))
  const misspellings = misspelledArguments(
    [...unknown],
    missing.map((param) => param.name),
  )
  for (const param of missing) {
    const misspelling = misspellings.get(param.name) ?? null
    walk.report(
      missingArgument(spanOf(passedArguments, misspelling) ?? call.span, name, param.name, param.span, misspelling),
    )
  }
  const unpassed = [...declaredParams.keys()].filter((key) => !passedArguments.types.has(key))
  const misspelled = new Set(misspellings.values())
  for (const [key, { name: span, value }] of passedArguments.values) {
    const param = declaredParams.get(key)
    if (param === undefined) {
      if (unknown.has(key) && !misspelled.has(key)) walk.report(unknownArgument(span, name, key, unpassed))
      continue
    }
    const expected = param.type === null ? null : docType(param.type)
    const type = passedArguments.types.get(key)
    // A value with several possible types may have the expected type here.
    if (expected === null || type === undefined || onlyCategory(type) === null || assignable(type, expected)) continue
    walk.report(argumentType(value.span, name, key, describe(expected), describe(type), param.span))
  }
  return missing.map((param) => param.name)
}

function checkInferred(
  walk: Walk,
  call: PartialCall,
  name: string,
  unit: Unit,
  facts: UnitFacts,
  passedArguments: PassedArguments,
): Iterable<string> {
  const missing =
    call.kind === 'include'
      ? []
      : [...facts.inputs].filter(([key, input]) => !LOOP_NAMES.has(key) && isMissing(key, input, passedArguments.types))
  const unknown = facts.readsAll
    ? []
    : [...passedArguments.values.keys()].filter((key) => !facts.inputs.has(key) && key !== 'context')
  const misspellings = misspelledArguments(
    unknown,
    missing.map(([key]) => key),
  )
  for (const [key, { span, isNeeded }] of missing) {
    const misspelling = misspellings.get(key) ?? null
    // In base Liquid the data of the render may provide the name.
    if (!walk.platform && misspelling === null) continue
    if (misspelling === null && optionalInComments(unit).has(key)) continue
    walk.report(
      missingInferredArgument(
        spanOf(passedArguments, misspelling) ?? call.span,
        name,
        key,
        span,
        isNeeded,
        misspelling,
        inContext(key),
      ),
    )
  }
  const unpassed = [...facts.inputs.keys()].filter((key) => !passedArguments.types.has(key))
  const misspelled = new Set(misspellings.values())
  for (const key of unknown)
    if (!misspelled.has(key)) {
      const diagnostic = unknownInferredArgument(spanOf(passedArguments, key) ?? call.span, name, key, unpassed)
      // An unknown argument that is nil has no effect.
      walk.report(passedArguments.types.get(key)?.kind === 'nil' ? { ...diagnostic, severity: 'info' } : diagnostic)
    }
  return misspellings.keys()
}

function spanOf({ values }: PassedArguments, name: string | null): Span | null {
  return name === null ? null : (values.get(name)?.name ?? null)
}

/** Returns whether a name definitely has no value here. */
function isUnset(walk: Walk, name: string): boolean {
  return walk.env.closed && !walk.isSet(name) && walk.absent(name).kind === 'nil'
}

// ---- what an include does ---------------------------------------------------------------------------------------------

function applyInclude(
  walk: Walk,
  call: PartialCall,
  target: CallTarget | null,
  facts: UnitFacts | undefined,
  passedArguments: PassedArguments,
): void {
  walk.flow.mayEnd(facts?.halts !== false)
  if (facts?.registers !== false) walk.reads.addRegister()
  if (facts?.readsAll === true && walk.env.anyPartial !== null) return applyAnyInclude(walk, walk.env.anyPartial)
  if (facts === undefined || facts.readsAll) {
    walk.reads.addAll()
    walk.flow.overwriteAll()
    if (facts === undefined) return
  }
  const unpassed = [...facts.inputs].filter(([name]) => !passedArguments.types.has(name))
  // The included file reads the caller's own values, which may have more keys after the include than before.
  walk.flow.changedElsewhere(
    unpassed.map(([name]) => name),
    facts.changedKeys,
  )
  const isRoot = !walk.isPartial
  const isDocumented = target === null || (target.unit.template !== null && docParams(target.unit.template).length > 0)
  for (const [name, input] of unpassed) {
    if (walk.isSet(name) || walk.siteTemplate.outline.counters.has(name)) readName(walk, name, call.span, 'test')
    else if (!isRoot) walk.readByInclude(name, call.span, input, passedArguments.types)
    else if (walk.oldKeys(name) !== null) readByOldName(walk, name, input)
    else if (
      input.required &&
      !input.alternatives.some((other) => passedArguments.types.has(other) || walk.isSet(other)) &&
      !isDocumented &&
      !LOOP_NAMES.has(name) &&
      isUnset(walk, name) &&
      !walk.siteTemplate.outline.writes.has(name)
    ) {
      walk.report(implicitIncludeArgument(call.span, target.name, name, input.span))
    }
  }
  const { outline } = walk.siteTemplate
  if (
    walk.platform &&
    target !== null &&
    !facts.readsAll &&
    !facts.halts &&
    !facts.registers &&
    facts.returned === null &&
    unpassed.length === 0 &&
    ![...facts.writes].some((name) => walk.isSet(name) || outline.reads.has(name) || outline.writes.has(name))
  ) {
    walk.report(includeCouldBeRender(call.span, target.name))
  }
  for (const name of facts.writes) {
    walk.reads.addWrite(name)
    if (passedArguments.types.has(name)) continue
    if (walk.flow.local(name) !== undefined) walk.flow.setLocal(name, UNKNOWN)
    else if (walk.flow.variables.has(name)) walk.flow.overwrite(name)
    // A new name stays in the included file. In a partial, the name may be one that its caller passed.
    else if (walk.platform && isRoot) walk.flow.staysInPartial(name, target?.name ?? '', call.span)
    else
      walk.flow.set(name, {
        type: UNKNOWN,
        certain: false,
        span: call.span,
        owned: false,
        partsShared: true,
        cache: null,
        texts: null,
        visitor: null,
      })
  }
}

/** Applies an include with a computed name: any partial may run, so the combined effects of all partials apply. */
function applyAnyInclude(walk: Walk, { reads, writes, changedKeys }: AnyPartial): void {
  walk.flow.mayEnd(true)
  walk.reads.addRegister()
  walk.reads.handOn(reads)
  for (const name of writes) {
    walk.reads.addWrite(name)
    walk.flow.overwrite(name)
  }
  walk.flow.changedElsewhere(
    [...reads].filter((name) => walk.isSet(name)),
    changedKeys,
  )
}

/** Returns the name of a function that has no `return` with a value; null otherwise. A `return` in an included file does not count. */
export function returnsNothing(walk: Walk, call: PartialCall): string | null {
  if (call.kind !== 'function' || call.name.kind !== 'literal' || call.name.value.type !== 'string') return null
  const name = call.name.value.value
  const unit = walk.env.site.partials.get(name)
  const facts = unit === undefined ? undefined : walk.env.facts(unit.file.path)
  if (unit?.template?.isBroken !== false || facts === undefined) return null
  return facts.returned === null ? name : null
}
