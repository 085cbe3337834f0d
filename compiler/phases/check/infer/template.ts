/** What surely holds of the values of one template: a pure function of the template and of what is known around it. */
import type { Accessor, Expression, Node, WriteTarget } from '../../../core/model/ast.ts'
import { baseName } from '../../../core/model/bound.ts'
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

/** What a template does to those that call it. */
export interface Doing {
  /** What `function` gets. */
  readonly result: Type
  /** May change in place what others hold. */
  readonly mutates: boolean
  /** May end the file that includes it, or a loop of it. */
  readonly leaves: boolean
}

/** A call of a partial by its name, with the types of what is passed. */
interface KnownCall {
  readonly target: string
  readonly passed: ReadonlyMap<string, Type>
}

export interface Inferred extends Doing {
  readonly facts: TemplateFacts
  readonly calls: readonly KnownCall[]
}

export interface Surroundings {
  readonly site: Site
  readonly operations: Operations
  readonly tags: ReadonlyMap<string, Tag>
  readonly filters: ReadonlyMap<string, FilterSignature>
  /** What is known of a file that is called; undefined while it is not. */
  readonly doing: (file: string) => Doing | undefined
  readonly effects: (file: string) => Effects | undefined
  /** Names that the template, or what it includes, counts. */
  readonly counters: ReadonlySet<string>
}

export interface Outside {
  /** Types of what every caller passes; null where a caller is not known. */
  readonly parameters: ReadonlyMap<string, Type> | null
  /** Others call the template. */
  readonly isCalled: boolean
  /** A name that nothing sets is surely nil. */
  readonly isClosed: boolean
  /** What the host gives by a name. */
  readonly host: ReadonlyMap<string, Type>
}

/** Infers the types of a template. `key` is the file, or `file#path` for a template in its settings. */
export function inferTemplate(template: Template, around: Surroundings, outside: Outside): Inferred {
  const { site, filters, operations, tags, counters } = around
  const { parameters, host, isClosed } = outside
  const absent = (name: string): Type => {
    const given = host.get(name)
    if (given !== undefined) return given
    // On some sites such names mean what `context` has.
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
  const flow = new SureFlow(absent)
  const values = new Values({ site, filters, bindingOf }, flow)
  const calls: KnownCall[] = []
  const result: { type: Type; endsWithout: boolean } = { type: NEVER, endsWithout: false }
  let leaves = false
  /** Making the value of the tag at hand may fail, and the template then goes on behind it. */
  let mayFail = false
  let fresh: Type | null = null
  let last: { readonly expression: Expression; readonly type: Type } | null = null

  /** Whether the template goes on behind what fails: its fault is printed. In a `try` nothing goes on. */
  const keeps = (): boolean => mayFail && !site.raise && values.tries === 0
  const { dialect, strictVariables, strictFilters } = site
  const registry = { dialect, filters, strictVariables, strictFilters }
  const fallible = (expression: Expression): boolean => isFallible(expression, registry)

  const read = (expression: Expression): Type => {
    const type = values.typeOf(expression, true)
    mayFail ||= fallible(expression)
    last = { expression, type }
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
    last = null
    fresh = null
    tags.get(node.name)?.check(node, kit)
    mayFail = outer
    last = null
    fresh = null
  }

  const assign = (name: string, type: Type): void => {
    const isOwned = fresh === type || (last?.type === type && values.isFresh(last.expression))
    flow.set(name, type.kind === 'never' ? UNKNOWN : type, isOwned, keeps())
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
    branches(ways, exhaustive) {
      flow.branch(
        ways.map(({ condition, negated, run }) => {
          const holds = negated !== true
          const by = (name: string, isTrue: boolean) => flow.narrow(name, isTrue ? truthy : falsy)
          return {
            enter() {
              if (condition !== null) values.typeOf(condition, false)
            },
            run() {
              if (condition !== null) narrow(condition, holds, by)
              run()
            },
            pass() {
              if (condition !== null) narrow(condition, !holds, by)
            },
          }
        }),
        // A condition that fails where faults are printed is none of the ways.
        exhaustive && (site.raise || values.tries > 0),
      )
    },
    loop(locals, body) {
      flow.loop(
        locals.map(({ name, span, type }) => ({
          name,
          type: type.kind === 'never' ? UNKNOWN : type,
          fixed: span === null,
        })),
        body,
      )
    },
    detached(kind, body) {
      if (kind === 'content_for') return body()
      if (kind === 'try') values.tries++
      flow.unsure(body)
      if (kind === 'try') values.tries--
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
        if (value === null) result.endsWithout = true
        else result.type = join(result.type, value)
        leaves = true
        if (keeps()) result.endsWithout = true
        else flow.end()
      } else if (!flow.exit()) {
        leaves = true
        result.endsWithout = true
      }
    },
    port() {
      mayFail = true
    },
    offered() {
      mayFail = true
    },
    note() {},
    source: () => '',
    report() {},
  }

  // ---- writes into places -----------------------------------------------------------------------------------------

  const writeInto = ({ name, path }: WriteTarget, value: Type, push: boolean): void => {
    const root = values.named(name)
    for (const accessor of path) if (accessor.kind === 'index') values.typeOf(accessor.value, false)
    const isNew = !isMutable(value) || fresh === value || (last?.type === value && values.isFresh(last.expression))
    flow.change(name.name, written(root, path, value, push), !site.raise || values.tries > 0)
    // From here on somebody else may hold a part of it.
    if (!isNew) flow.share(name.name)
  }

  // ---- calls ------------------------------------------------------------------------------------------------------

  const callPartial = (call: PartialCall): Type => {
    values.typeOf(call.name, false)
    const passed = new Map<string, Type>()
    const literal = literalKey(call.name)
    if (call.bound !== null) {
      const type = values.typeOf(call.bound.value, true)
      const name = call.bound.as?.name ?? baseName(literal ?? '')
      passed.set(name, call.bound.each ? eachOf(type) : type)
      if (call.bound.each) passed.set('forloop', UNKNOWN)
    }
    const earlier = new Map<string, Type>()
    const readsEarlier = call.kind === 'include' && site.dialect === 'liquid'
    for (const { name, value } of call.arguments) {
      const read = () => values.typeOf(value, true)
      earlier.set(name.name, readsEarlier ? flow.within(earlier, read) : read())
    }
    for (const [name, type] of earlier) passed.set(name, type)
    const unit = literal === null || call.kind === 'theme' ? undefined : site.partials.get(literal)
    // What runs later is given copies.
    if (call.kind === 'background') return UNKNOWN
    const file = unit?.file.path
    const doing = file === undefined ? undefined : around.doing(file)
    if (file !== undefined) calls.push({ target: file, passed })
    if (doing?.mutates !== false) flow.forget()
    if (call.kind === 'include') included(file, doing, passed)
    return call.kind === 'function' && doing !== undefined ? doing.result : UNKNOWN
  }

  const included = (file: string | undefined, doing: Doing | undefined, passed: ReadonlyMap<string, Type>): void => {
    const effects = file === undefined ? undefined : around.effects(file)
    // It may hold on to whatever it reads by its name.
    flow.shareAll()
    if (effects === undefined || effects.spills || effects.recursive) flow.overwriteAll()
    else {
      for (const name of effects.frameWrites) if (site.dialect === 'liquid' || !passed.has(name)) flow.overwrite(name)
    }
    if (doing?.leaves === false) return
    leaves = true
    // A `return` in it is one of this template, with a value that is not looked for here.
    result.type = UNKNOWN
    result.endsWithout = true
    flow.mayExit()
  }

  // ---- queries ----------------------------------------------------------------------------------------------------

  const runQuery = (use: QueryUse): Type => {
    if (use.name !== null) values.typeOf(use.name, false)
    if (use.spread !== null) values.typeOf(use.spread, true)
    for (const { value } of use.arguments) values.typeOf(value, true)
    for (const node of use.body) visit(node)
    mayFail = true
    last = null
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
    // Each run gives a value of its own.
    if (use.filters.length === 0) fresh = type
    return values.chain(type, use.filters, null)
  }

  for (const node of template.nodes) visit(node)
  const isValue = result.type.kind !== 'never' && flow.dead && !result.endsWithout
  const type = isValue ? result.type : join(result.type, NIL)
  return {
    facts: {
      types: values.types,
      bindings: values.bindings,
      variables: flow.given,
      signature: { parameters: isClosed ? new Map([...host, ...(parameters ?? [])]) : null, result: type },
    },
    calls,
    result: type,
    mutates: flow.hasForgotten,
    leaves,
  }
}

/** What is passed for each element of a value; what is no list is passed as it is. */
function eachOf(type: Type): Type {
  const isList = members(type).every(({ kind }) => kind === 'list')
  return isList ? elementOf(type) : UNKNOWN
}

/** The type of a value into which something was written at a path. */
function written(type: Type, path: readonly Accessor[], value: Type, push: boolean): Type {
  const [accessor, ...rest] = path
  if (accessor === undefined)
    return push && type.kind === 'list' ? { kind: 'list', of: join(type.of, asPart(value)) } : UNKNOWN
  const inner = (part: Type): Type => (rest.length === 0 && !push ? asPart(value) : written(part, rest, value, push))
  const key = accessor.kind === 'key' ? accessor.name : literalKey(accessor.value)
  // A write behind the end of a list fills it with nil.
  if (type.kind === 'list') return { kind: 'list', of: join(join(type.of, inner(type.of)), NIL) }
  if (type.kind !== 'record') return UNKNOWN
  if (key === null) return { kind: 'hash', of: UNKNOWN }
  return { ...type, fields: new Map(type.fields).set(key, inner(type.fields.get(key) ?? UNKNOWN)) }
}
