/** The checking kit that tags are given, made real over one walk. */
import { droppedReturn } from '../../diagnostics/codes/calls/dropped-return.ts'
import { functionWithoutReturn } from '../../diagnostics/codes/calls/function-without-return.ts'
import { invalidWriteTarget } from '../../diagnostics/codes/values/invalid-write-target.ts'
import { unreachableCode } from '../../diagnostics/codes/values/unreachable-code.ts'
import type { Accessor, Expression, Node, TagNode, WriteTarget } from '../../model/ast.ts'
import { type Type, UNKNOWN } from '../../model/type.ts'
import type { Span } from '../../source/span.ts'
import type { CheckKit, PartialCall, Way } from '../../tags/tag.ts'
import { element, property } from '../../types/lookup.ts'
import { asPart, type Category, categories, describe, elementOf, join, members } from '../../types/relate.ts'
import { callBlock, callPartial, returnsNothing } from './calls.ts'
import { checkConstant, namesGiven, namesNotGiven, narrow } from './condition.ts'
import { textsOf, typeOf } from './expression.ts'
import { isFresh } from './fresh.ts'
import { runQuery } from './queries.ts'
import { inCache, visitorPart } from './shared-caches.ts'
import type { FlowBranch } from './flow.ts'
import type { Walk } from './walk.ts'

export function checkKit(walk: Walk): CheckKit {
  let last: { readonly expression: Expression; readonly type: Type } | null = null
  let made: Type | null = null
  let left: { readonly tag: string; readonly span: Span } | null = null

  const read: CheckKit['read'] = (expression, handsOn = false) => {
    const type = typeOf(walk, expression, handsOn ? 'pass' : 'value', true)
    last = { expression, type }
    return type
  }

  const condition = (expression: Expression): void => {
    checkConstant(walk, expression, typeOf(walk, expression, 'test', false))
  }

  const body = (nodes: readonly Node[]): void => {
    const { dead } = walk.flow
    let reported = dead
    for (const node of nodes) {
      if (walk.flow.dead && !reported && isWorthRunning(node)) {
        reported = true
        if (left !== null) walk.findings.reportDead(unreachableCode(node.span, left.tag, left.span))
      }
      visit(node)
    }
  }

  /** White space and comments may stand anywhere. */
  const isWorthRunning = (node: Node): boolean => {
    if (node.kind === 'text') return node.text.trim() !== ''
    return node.kind === 'output' || node.raw === null || walk.env.tags.get(node.name)?.blank === undefined
  }

  const visit = (node: Node): void => {
    if (node.kind === 'text') return
    walk.flow.at(node.span)
    if (node.kind === 'output') {
      if (node.value !== null) typeOf(walk, node.value, 'value', false)
      return
    }
    walk.env.tags.get(node.name)?.check(node as TagNode<never, never>, kit)
    // The tag's body has moved the place on.
    walk.flow.at(node.span)
  }

  const ways = (all: readonly Way[], exhaustive: boolean): void => {
    const branches = all.map((way): FlowBranch => {
      const holds = way.negated !== true
      const told = way.condition
      return {
        enter() {
          if (told !== null) condition(told)
        },
        run() {
          if (told !== null) narrow(walk, told, holds)
          way.run()
        },
        pass() {
          if (told !== null) narrow(walk, told, !holds)
        },
        says: (taken) => ({
          given: told === null ? [] : namesGiven(walk, told, taken ? holds : !holds),
          notGiven: told === null ? [] : namesNotGiven(walk, told, taken ? holds : !holds),
        }),
      }
    })
    walk.flow.branch(branches, exhaustive)
  }

  const loop: CheckKit['loop'] = (locals, run) => {
    for (const { name, span } of locals) if (span !== null) walk.checkName({ name, span })
    const mark = walk.findings.mark()
    walk.flow.loop(
      locals.map(({ name, type }) => [name, type] as const),
      run,
      () => walk.findings.rewind(mark),
    )
  }

  const detached: CheckKit['detached'] = (kind, run, key) => {
    const { place } = walk.flow
    if (kind === 'content_for') run()
    else if (kind === 'cache') walk.flow.cached(() => (key === undefined ? run() : inCache(walk, place, key, run)))
    else walk.flow.unsure(kind, run)
  }

  const assign: CheckKit['assign'] = (name, type, demanded = false) => {
    if (demanded && !walk.reads.setAt.has(name.name)) walk.reads.use(name.name)
    const nothing = walk.findings.nothing(type)
    // A result that nobody reads is a call for its effects.
    if (nothing !== undefined && walk.piece.bound.reads.has(name.name)) {
      walk.report(functionWithoutReturn(nothing.span, nothing.partial))
    }
    const source = last?.type === type ? last.expression : null
    const own = made === type
    last = null
    made = null
    walk.set(
      name,
      nothing === undefined ? type : UNKNOWN,
      own || (source !== null && isFresh(walk, source)),
      source === null ? null : textsOf(walk, source, type),
      // A value that was read before this tag may be of the same type.
      source === null || source.span.start < walk.flow.place.start ? null : visitorPart(walk, source),
    )
  }

  const kit: CheckKit = {
    dialect: walk.env.site.dialect,
    read,
    condition,
    body,
    ways,
    loop,
    detached,
    element: elementOf,
    assign,
    write(target, value, push) {
      if (target.path.length === 0 && !push) assign(target.name, value)
      else writeInto(walk, target, value, push)
    },
    call(call: PartialCall): Type {
      const result = callPartial(walk, call)
      const partial = returnsNothing(walk, call)
      if (partial === null) return result
      const nothing: Type = { kind: 'nil' }
      walk.findings.addNothing(nothing, call.span, partial)
      return nothing
    },
    job(args, node) {
      callBlock(walk, args, node)
    },
    query(use) {
      for (const node of use.body) visit(node)
      const result = runQuery(walk, use)
      // Each run gives a value of its own.
      if (use.filters.length === 0) made = result
      return result
    },
    counter() {
      walk.reads.addRegister()
    },
    register() {
      walk.reads.addRegister()
    },
    halt(kind, value) {
      const { flow } = walk
      const tag = walk.source(flow.place).match(/[a-z_]+/)?.[0] ?? kind
      if (kind === 'return') {
        if (value === null || value.kind === 'nil') flow.givesNothing()
        else if (!flow.dead) {
          flow.gives(value)
          if (!walk.isPartial) walk.report(droppedReturn(flow.place, null, null))
        }
      }
      if (!flow.dead) left = { tag, span: flow.place }
      flow.interrupt(kind)
    },
    port(name) {
      walk.findings.addPort(name)
    },
    offered(name) {
      walk.findings.addPort(name)
    },
    note(note) {
      walk.findings.addNote(note)
    },
    source: (span) => walk.source(span),
    report: (diagnostic) => walk.report(diagnostic),
  }
  return kit
}

// ---- writes into places -----------------------------------------------------------------------------------------------

const CONTAINERS: ReadonlySet<Category> = new Set(['hash', 'list'])

function writeInto(walk: Walk, target: WriteTarget, value: Type, push: boolean): void {
  const { name, path } = target
  const root = walk.name(name.name, name.span, 'value')
  const indexes = path.map((accessor) =>
    accessor.kind === 'index' ? typeOf(walk, accessor.value, 'value', false) : null,
  )
  const steps = push ? path.length : path.length - 1
  let container = root
  for (let at = 0; at < steps; at++) {
    if (!checkContainer(walk, target, at, container, indexes[at] ?? null)) return
    container = partOf(container, path[at] as Accessor)
  }
  const allowed = push
    ? checkList(walk, target, container)
    : checkContainer(walk, target, steps, container, indexes[steps] ?? null)
  if (allowed) walk.change(name, written(root, path, value, push))
}

function partOf(type: Type, accessor: Accessor): Type {
  const key = keyOf(accessor)
  if (key === null) return element(type)
  const found = property(type, key, false)
  return found.missing === null ? found.type : { kind: 'nil' }
}

function keyOf(accessor: Accessor): string | null {
  if (accessor.kind === 'key') return accessor.name
  return accessor.value.kind === 'literal' && accessor.value.value.type === 'string' ? accessor.value.value.value : null
}

/** The text of the target up to the container that the accessor at `at` goes into. */
function containerText(walk: Walk, target: WriteTarget, at: number): string {
  return walk.source({ ...target.span, end: target.path[at - 1]?.span.end ?? target.name.span.end })
}

/** Whether a write through the accessor at `at` can succeed; reports where it surely fails. */
function checkContainer(walk: Walk, target: WriteTarget, at: number, container: Type, index: Type | null): boolean {
  const found = categories(container)
  if (found === null || found.size === 0) return true
  let list = true
  for (const category of found) {
    if (category !== 'list') list = false
    if (!CONTAINERS.has(category)) continue
    if (category === 'hash') return true
  }
  const accessor = target.path[at] as Accessor
  if (list) {
    // An array takes integers only.
    const text = keyOf(accessor) !== null || (index !== null && members(index).every((each) => each.kind === 'string'))
    if (text) refuse(walk, target, at, 'hash', container)
    return !text
  }
  if (found.has('list')) return true
  refuse(walk, target, at, 'hash or an array', container)
  return false
}

function checkList(walk: Walk, target: WriteTarget, container: Type): boolean {
  const found = categories(container)
  if (found === null || found.size === 0 || found.has('list')) return true
  refuse(walk, target, target.path.length, 'array', container)
  return false
}

function refuse(walk: Walk, target: WriteTarget, at: number, expected: string, container: Type): void {
  walk.findings.reportFault(
    invalidWriteTarget(target.span, containerText(walk, target, at), expected, describe(container)),
  )
}

/** The type of a value into which something was written at a path. */
function written(type: Type, path: readonly Accessor[], value: Type, push: boolean): Type {
  const [accessor, ...rest] = path
  if (accessor === undefined)
    return push && type.kind === 'list' ? { kind: 'list', of: join(type.of, asPart(value)) } : UNKNOWN
  const inner = (part: Type): Type => (rest.length === 0 && !push ? asPart(value) : written(part, rest, value, push))
  const key = keyOf(accessor)
  if (type.kind === 'list') return { kind: 'list', of: join(type.of, inner(type.of)) }
  if (type.kind !== 'record') return UNKNOWN
  if (key === null) return { kind: 'hash', of: UNKNOWN }
  return { ...type, fields: new Map(type.fields).set(key, inner(type.fields.get(key) ?? UNKNOWN)) }
}
