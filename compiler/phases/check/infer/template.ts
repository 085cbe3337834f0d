/** Infers the types that are certain in one template: a pure function of the template and its environment. */
import type { Accessor, Expression, Node, WriteTarget } from '../../../core/tree/ast.ts'
import { baseName } from '../../../core/model/outline.ts'
import type { Effects } from '../../../core/model/effects.ts'
import type { Binding, TemplateFacts } from '../../../core/model/facts.ts'
import { inlineKey, type Operations, storedNamed } from '../../../core/model/operation.ts'
import type { FilterSignature } from '../../../core/model/signature.ts'
import type { Site } from '../../../core/model/site.ts'
import { INTEGER, NEVER, NIL, type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { Template } from '../../../core/model/unit.ts'
import type { CheckKit, PartialCall, QueryUse, Tag } from '../../../language/tags/tag.ts'
import { isFallible } from '../../../language/types/fallible.ts'
import { asPart, elementOf, falsy, isMutable, join, members, truthy } from '../../../language/types/relate.ts'
import { oldVariableOf } from '../../../language/types/old-variables.ts'
import { SureFlow } from './sure-flow.ts'
import { narrow } from './narrow.ts'
import { literalKey, Values } from './values.ts'

/** The effects of a call of a template on its caller. */
export interface CallEffects {
  /** The type of the value that the tag `function` receives. */
  readonly result: Type
  /** Whether the template may change a value of the caller in place. */
  readonly mayMutate: boolean
  /** Whether the template may end the file that includes it, or a loop of that file. */
  readonly mayLeave: boolean
}

/** A call of a partial by a literal name, with the types of the arguments. */
interface KnownCall {
  readonly target: string
  readonly passedTypes: ReadonlyMap<string, Type>
}

export interface Inferred extends CallEffects {
  readonly facts: TemplateFacts
  readonly calls: readonly KnownCall[]
}

export interface Surroundings {
  readonly site: Site
  readonly operations: Operations
  readonly tags: ReadonlyMap<string, Tag>
  readonly filters: ReadonlyMap<string, FilterSignature>
  /** Returns the effects of a call of a file; undefined while they are unknown. */
  readonly callEffects: (file: string) => CallEffects | undefined
  readonly effects: (file: string) => Effects | undefined
  /** Names that are counters in the template or in the files that it includes. */
  readonly counters: ReadonlySet<string>
}

export interface Outside {
  /** Types of the arguments that every caller passes; null if some caller is unknown. */
  readonly parameters: ReadonlyMap<string, Type> | null
  /** Whether other templates call the template. */
  readonly isCalled: boolean
  /** Whether a name that neither the template nor a caller sets is certainly nil. */
  readonly isClosed: boolean
  /** Types of the values that the host sets, by name. */
  readonly host: ReadonlyMap<string, Type>
}

/** Infers the types of a template. */
export function inferTemplate(template: Template, surroundings: Surroundings, outside: Outside): Inferred {
  const { site, filters, operations, tags, counters } = surroundings
  const { parameters, host, isClosed } = outside
  const absentType = (name: string): Type => {
    const hostType = host.get(name)
    if (hostType !== undefined) return hostType
    // On some sites, an unset name is an alias of a part of `context`.
    if (oldVariableOf(site, name) !== null) return UNKNOWN
    if (counters.has(name)) return site.dialect === 'platform' && isClosed ? join(INTEGER, NIL) : UNKNOWN
    return parameters?.get(name) ?? (isClosed ? NIL : UNKNOWN)
  }
  const bindingOf = (name: string): Binding | null => {
    if (host.has(name)) return 'host'
    if (oldVariableOf(site, name) !== null) return null
    if (counters.has(name)) return isClosed ? 'counter' : null
    if (outside.isCalled) return parameters === null ? null : parameters.has(name) ? 'parameter' : 'unset'
    return isClosed ? 'unset' : null
  }
  const flow = new SureFlow(absentType)
  const values = new Values({ site, filters, bindingOf }, flow)
  const calls: KnownCall[] = []
  const result: { type: Type; mayEndWithoutValue: boolean } = { type: NEVER, mayEndWithoutValue: false }
  let mayLeave = false
  /** Whether the value of the current tag may fail, in which case the template continues without that value. */
  let mayFail = false
  let freshType: Type | null = null
  let lastRead: { readonly expression: Expression; readonly type: Type } | null = null

  /** Returns whether the template continues after a failure, because the fault is printed. In a `try` it does not continue. */
  const keepsOldValue = (): boolean => mayFail && !site.raise && values.tryDepth === 0
  const { dialect, strictVariables, strictFilters } = site
  const registry = { dialect, filters, strictVariables, strictFilters }
  const canFail = (expression: Expression): boolean => isFallible(expression, registry)

  const read = (expression: Expression): Type => {
    const type = values.typeOf(expression, true)
    mayFail ||= canFail(expression)
    lastRead = { expression, type }
    return type
  }

  const visit = (node: Node): void => {
    if (node.kind === 'text') return
    if (node.kind === 'output') {
      if (node.value !== null) values.typeOf(node.value, false)
      return
    }
    const outer = mayFail
    mayFail = false
    lastRead = null
    freshType = null
    tags.get(node.name)?.check(node, kit)
    mayFail = outer
    lastRead = null
    freshType = null
  }

  const assign = (name: string, type: Type): void => {
    const isOwned = freshType === type || (lastRead?.type === type && values.isFresh(lastRead.expression))
    flow.set(name, type.kind === 'never' ? UNKNOWN : type, isOwned, keepsOldValue())
  }

  const kit: CheckKit = {
    dialect: site.dialect,
    read,
    condition(expression) {
      values.typeOf(expression, false)
    },
    body(nodes) {
      for (const node of nodes) visit(node)
    },
    branches(alternatives, exhaustive) {
      flow.branch(
        alternatives.map(({ condition, negated, run }) => {
          const holds = negated !== true
          const narrowName = (name: string, isTrue: boolean) => flow.narrow(name, isTrue ? truthy : falsy)
          return {
            enter() {
              if (condition !== null) values.typeOf(condition, false)
            },
            run() {
              if (condition !== null) narrow(condition, holds, narrowName)
              run()
            },
            pass() {
              if (condition !== null) narrow(condition, !holds, narrowName)
            },
          }
        }),
        // If faults are printed, a condition that fails selects no branch.
        exhaustive && (site.raise || values.tryDepth > 0),
      )
    },
    loop(locals, body) {
      flow.loop(
        locals.map(({ name, span, type }) => ({
          name,
          type: type.kind === 'never' ? UNKNOWN : type,
          isFixed: span === null,
        })),
        body,
      )
    },
    detached(kind, body) {
      if (kind === 'content_for') return body()
      if (kind === 'try') values.tryDepth++
      flow.runUncertain(body)
      if (kind === 'try') values.tryDepth--
    },
    element: elementOf,
    assign(name, type) {
      assign(name.name, type)
    },
    write(target, value, push) {
      if (target.path.length === 0 && !push) assign(target.name.name, value)
      else writeInto(target, value, push)
    },
    call(call) {
      mayFail = true
      return callPartial(call)
    },
    job(args) {
      mayFail = true
      for (const { value } of args) values.typeOf(value, false)
    },
    query(use) {
      mayFail = true
      return runQuery(use)
    },
    counter() {},
    register() {},
    halt(kind, value) {
      if (kind === 'return') {
        if (value === null) result.mayEndWithoutValue = true
        else result.type = join(result.type, value)
        mayLeave = true
        if (keepsOldValue()) result.mayEndWithoutValue = true
        else flow.end()
      } else if (!flow.exitLoop()) {
        mayLeave = true
        result.mayEndWithoutValue = true
      }
    },
    asyncPort() {
      mayFail = true
    },
    syncPort() {
      mayFail = true
    },
    note() {},
    source: () => '',
    report() {},
  }

  // ---- writes into places -----------------------------------------------------------------------------------------

  const writeInto = ({ name, path }: WriteTarget, value: Type, push: boolean): void => {
    const root = values.typeOfTarget(name)
    for (const accessor of path) if (accessor.kind === 'index') values.typeOf(accessor.value, false)
    const isNew =
      !isMutable(value) || freshType === value || (lastRead?.type === value && values.isFresh(lastRead.expression))
    flow.change(name.name, typeAfterWrite(root, path, value, push), !site.raise || values.tryDepth > 0)
    // From here on, another value may refer to a part of this one.
    if (!isNew) flow.share(name.name)
  }

  // ---- calls ------------------------------------------------------------------------------------------------------

  const callPartial = (call: PartialCall): Type => {
    values.typeOf(call.name, false)
    const passedTypes = new Map<string, Type>()
    const literal = literalKey(call.name)
    if (call.bindingClause !== null) {
      const type = values.typeOf(call.bindingClause.value, true)
      const name = call.bindingClause.alias?.name ?? baseName(literal ?? '')
      passedTypes.set(name, call.bindingClause.isForEach ? elementArgument(type) : type)
      if (call.bindingClause.isForEach) passedTypes.set('forloop', UNKNOWN)
    }
    const earlierArguments = new Map<string, Type>()
    const readsEarlier = call.kind === 'include' && site.dialect === 'liquid'
    for (const { name, value } of call.arguments) {
      const read = () => values.typeOf(value, true)
      earlierArguments.set(name.name, readsEarlier ? flow.withLocals(earlierArguments, read) : read())
    }
    for (const [name, type] of earlierArguments) passedTypes.set(name, type)
    const unit = literal === null || call.kind === 'theme' ? undefined : site.partials.get(literal)
    // A job receives copies.
    if (call.kind === 'background') return UNKNOWN
    const file = unit?.file.path
    const callEffects = file === undefined ? undefined : surroundings.callEffects(file)
    if (file !== undefined) calls.push({ target: file, passedTypes })
    if (callEffects?.mayMutate !== false) flow.forget()
    if (call.kind === 'include') noteInclude(file, callEffects, passedTypes)
    return call.kind === 'function' && callEffects !== undefined ? callEffects.result : UNKNOWN
  }

  const noteInclude = (
    file: string | undefined,
    callEffects: CallEffects | undefined,
    passedTypes: ReadonlyMap<string, Type>,
  ): void => {
    const effects = file === undefined ? undefined : surroundings.effects(file)
    // The included file may keep a reference to any value that it reads by name.
    flow.shareAll()
    if (effects === undefined || effects.spills || effects.recursive) flow.overwriteAll()
    else {
      for (const name of effects.frameWrites)
        if (site.dialect === 'liquid' || !passedTypes.has(name)) flow.overwrite(name)
    }
    if (callEffects?.mayLeave === false) return
    mayLeave = true
    // A `return` in the included file ends this template, with a value that is not inferred here.
    result.type = UNKNOWN
    result.mayEndWithoutValue = true
    flow.mayExitLoop()
  }

  // ---- queries ----------------------------------------------------------------------------------------------------

  const runQuery = (use: QueryUse): Type => {
    if (use.name !== null) values.typeOf(use.name, false)
    if (use.spread !== null) values.typeOf(use.spread, true)
    for (const { value } of use.arguments) values.typeOf(value, true)
    for (const node of use.body) visit(node)
    mayFail = true
    lastRead = null
    const [text] = use.body
    const literal = use.name === null ? null : literalKey(use.name)
    const operation =
      use.name === null
        ? text?.kind === 'text' && use.body.every(({ kind }) => kind === 'text')
          ? operations.inline.get(inlineKey(text.span))
          : undefined
        : literal === null
          ? undefined
          : storedNamed(operations, literal)
    const type = operation?.result ?? UNKNOWN
    // Each run returns a new value.
    if (use.filters.length === 0) freshType = type
    return values.typeAfterFilters(type, use.filters, null)
  }

  for (const node of template.nodes) visit(node)
  const alwaysReturnsValue = result.type.kind !== 'never' && flow.isDead && !result.mayEndWithoutValue
  const type = alwaysReturnsValue ? result.type : join(result.type, NIL)
  return {
    facts: {
      types: values.types,
      bindings: values.bindings,
      variables: flow.assignedTypes,
      signature: { parameters: isClosed ? new Map([...host, ...(parameters ?? [])]) : null, result: type },
    },
    calls,
    result: type,
    mayMutate: flow.hasForgotten,
    mayLeave,
  }
}

/** Returns the type that is passed for each element of a list; unknown for a value that may not be a list. */
function elementArgument(type: Type): Type {
  const isList = members(type).every(({ kind }) => kind === 'list')
  return isList ? elementOf(type) : UNKNOWN
}

/** Returns the type of a value after a write to a path in it. */
function typeAfterWrite(type: Type, path: readonly Accessor[], value: Type, push: boolean): Type {
  const [accessor, ...rest] = path
  if (accessor === undefined)
    return push && type.kind === 'list' ? { kind: 'list', element: join(type.element, asPart(value)) } : UNKNOWN
  const typeOfPart = (part: Type): Type =>
    rest.length === 0 && !push ? asPart(value) : typeAfterWrite(part, rest, value, push)
  const key = accessor.kind === 'key' ? accessor.name : literalKey(accessor.value)
  // A write beyond the end of a list fills the gap with nil.
  if (type.kind === 'list') return { kind: 'list', element: join(join(type.element, typeOfPart(type.element)), NIL) }
  if (type.kind !== 'record') return UNKNOWN
  if (key === null) return { kind: 'hash', element: UNKNOWN }
  return { ...type, fields: new Map(type.fields).set(key, typeOfPart(type.fields.get(key) ?? UNKNOWN)) }
}
