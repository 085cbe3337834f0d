/** The checking kit that tags are given, made real over one walk. */
import { droppedReturn } from '../../../core/diagnostics/codes/calls/dropped-return.ts'
import { functionWithoutReturn } from '../../../core/diagnostics/codes/calls/function-without-return.ts'
import { unreachableCode } from '../../../core/diagnostics/codes/values/unreachable-code.ts'
import type { Diagnostic } from '../../../core/diagnostics/diagnostic.ts'
import {
  type Expression,
  type NamedArgument,
  type NameNode,
  type Node,
  type TagNode,
  type WriteTarget,
  unfiltered,
} from '../../../core/model/ast.ts'
import type { Dialect } from '../../../core/model/dialect.ts'
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { Span } from '../../../core/source/span.ts'
import type {
  CheckKit,
  LoopLocal,
  PartialCall,
  QueryUse,
  SiteNote,
  ConditionalBranch,
} from '../../../language/tags/tag.ts'
import { elementOf, isMutable } from '../../../language/types/relate.ts'
import { callBlock, callPartial, returnsNothing } from './calls.ts'
import { checkConstant, namesGiven, namesNotGiven, narrow } from './condition.ts'
import { textsOf, typeOf } from './expression.ts'
import type { FlowBranch } from './flow.ts'
import { isFresh } from './fresh.ts'
import { runQuery } from './queries.ts'
import { inCache, visitorPart } from './shared-caches.ts'
import type { Walk } from './walk.ts'
import { variableOf, writeInto } from './write-target.ts'

export class RulesKit implements CheckKit {
  readonly dialect: Dialect
  readonly #walk: Walk
  /** The value that was read last, by which an assignment of it is known. */
  #lastRead: { readonly expression: Expression; readonly type: Type } | null = null
  /** The result of the query that ran last: a value that nobody else holds. */
  #queryResult: Type | null = null
  /** The part of `context` that a query was given, where that is the visitor's own. */
  #queryVisitor: { readonly type: Type; readonly part: string } | null = null
  /** The tag behind which nothing more runs. */
  #endedBy: { readonly tag: string; readonly span: Span } | null = null

  constructor(walk: Walk) {
    this.#walk = walk
    this.dialect = walk.env.site.dialect
  }

  // ---- nodes and values ---------------------------------------------------------------------------------------------

  body(nodes: readonly Node[]): void {
    const { flow, findings } = this.#walk
    let reported = flow.dead
    for (const node of nodes) {
      if (flow.dead && !reported && this.#isWorthRunning(node)) {
        reported = true
        if (this.#endedBy !== null)
          findings.reportDead(unreachableCode(node.span, this.#endedBy.tag, this.#endedBy.span))
      }
      this.#visit(node)
    }
  }

  /** White space and comments may stand anywhere. */
  #isWorthRunning(node: Node): boolean {
    if (node.kind === 'text') return node.text.trim() !== ''
    return node.kind === 'output' || node.raw === null || this.#walk.env.tags.get(node.name)?.blank === undefined
  }

  #visit(node: Node): void {
    if (node.kind === 'text') return
    const { flow, env } = this.#walk
    flow.moveTo(node.span)
    if (node.kind === 'output') {
      if (node.value !== null) typeOf(this.#walk, node.value, 'value', false)
      return
    }
    env.tags.get(node.name)?.check(node, this)
    // The tag's body has moved the place on.
    flow.moveTo(node.span)
  }

  read(expression: Expression, handsOn = false): Type {
    const type = typeOf(this.#walk, expression, handsOn ? 'pass' : 'value', true)
    this.#lastRead = { expression, type }
    return type
  }

  condition(expression: Expression): void {
    checkConstant(this.#walk, expression, typeOf(this.#walk, expression, 'test', false))
  }

  element(type: Type): Type {
    return elementOf(type)
  }

  // ---- control flow -------------------------------------------------------------------------------------------------

  branches(all: readonly ConditionalBranch[], exhaustive: boolean): void {
    this.#walk.flow.branch(
      all.map((way) => this.#branchOf(way)),
      exhaustive,
    )
  }

  #branchOf({ condition, negated, run }: ConditionalBranch): FlowBranch {
    if (condition === null) return { evaluate() {}, run, skip() {}, implies: () => ({ given: [], notGiven: [] }) }
    const walk = this.#walk
    const holds = negated !== true
    return {
      evaluate: () => this.condition(condition),
      run() {
        narrow(walk, condition, holds)
        run()
      },
      skip: () => narrow(walk, condition, !holds),
      implies: (taken) => ({
        given: namesGiven(walk, condition, taken ? holds : !holds),
        notGiven: namesNotGiven(walk, condition, taken ? holds : !holds),
      }),
    }
  }

  loop(locals: readonly LoopLocal[], run: () => void): void {
    const { flow, findings } = this.#walk
    for (const { name, span, type } of locals) {
      if (span === null) continue
      this.#walk.checkName({ name, span })
      this.#walk.env.observer?.set({ name, span }, type)
    }
    const mark = findings.mark()
    flow.loop(
      locals.map(({ name, type }) => [name, type] as const),
      run,
      () => findings.rewind(mark),
    )
  }

  detached(kind: 'cache' | 'transaction' | 'try' | 'content_for', run: () => void, key?: Expression): void {
    const { flow } = this.#walk
    const { span: cacheSpan } = flow
    if (kind === 'content_for') run()
    else if (kind === 'cache') flow.cached(() => (key === undefined ? run() : inCache(this.#walk, cacheSpan, key, run)))
    else flow.mayFail(kind, run)
  }

  halt(kind: 'break' | 'continue' | 'return', value: Type | null): void {
    const { flow } = this.#walk
    const tag = this.source(flow.span).match(/[a-z_]+/)?.[0] ?? kind
    if (kind === 'return') this.#return(value)
    if (!flow.dead) this.#endedBy = { tag, span: flow.span }
    flow.interrupt(kind)
  }

  #return(value: Type | null): void {
    const { flow } = this.#walk
    const read = this.#lastRead?.type === value ? this.#lastRead.expression : null
    // A name that nothing sets is told where it is read: a value was meant to be returned.
    const isUnset = value?.kind === 'nil' && read !== null && unfiltered(read).kind === 'lookup'
    if (value === null || (value.kind === 'nil' && !isUnset)) flow.addEmptyResult()
    else if (!flow.dead) {
      flow.addResult(isUnset ? UNKNOWN : value)
      if (!isUnset && !this.#walk.isPartial) this.report(droppedReturn(flow.span, null, null))
    }
  }

  // ---- writes -------------------------------------------------------------------------------------------------------

  assign(name: NameNode, type: Type, demanded = false): void {
    const walk = this.#walk
    if (demanded && !walk.reads.setAt.has(name.name)) walk.reads.use(name.name)
    const nothing = walk.findings.emptyResult(type)
    // A result that nobody reads is a call for its effects.
    if (nothing !== undefined && walk.piece.bound.reads.has(name.name)) {
      walk.report(functionWithoutReturn(nothing.span, nothing.partial))
    }
    const source = this.#lastRead?.type === type ? this.#lastRead.expression : null
    const isQueryResult = this.#queryResult === type
    const ofQuery = this.#queryVisitor?.type === type ? this.#queryVisitor.part : null
    this.#lastRead = null
    this.#queryResult = null
    this.#queryVisitor = null
    walk.reads.alias(name.name, isMutable(type) && source !== null ? variableOf(source) : null, name.span)
    walk.set(
      name,
      nothing === undefined ? type : UNKNOWN,
      isQueryResult || (source !== null && isFresh(walk, source)),
      source === null ? null : textsOf(walk, source, type),
      // A value that was read before this tag may be of the same type.
      source === null || source.span.start < walk.flow.span.start ? ofQuery : visitorPart(walk, source),
    )
  }

  write(target: WriteTarget, value: Type, push: boolean): void {
    if (target.path.length === 0 && !push) this.assign(target.name, value)
    else {
      const source = this.#lastRead?.type === value ? this.#lastRead.expression : null
      writeInto(this.#walk, target, value, push, source !== null && isFresh(this.#walk, source))
    }
  }

  counter(): void {
    this.#walk.reads.addRegister()
  }

  register(): void {
    this.#walk.reads.addRegister()
  }

  // ---- calls and queries --------------------------------------------------------------------------------------------

  call(call: PartialCall, node: TagNode): Type {
    const result = callPartial(this.#walk, call, node)
    const partial = returnsNothing(this.#walk, call)
    if (partial === null) return result
    const nothing: Type = { kind: 'nil' }
    this.#walk.findings.addEmptyResult(nothing, call.span, partial)
    return nothing
  }

  job(args: readonly NamedArgument[], node: TagNode): void {
    callBlock(this.#walk, args, node)
  }

  query(use: QueryUse): Type {
    for (const node of use.body) this.#visit(node)
    const result = runQuery(this.#walk, use)
    if (use.filters.length === 0) this.#queryResult = result
    const [part] = use.arguments.flatMap(({ value }) => visitorPart(this.#walk, value) ?? [])
    if (part !== undefined) this.#queryVisitor = { type: result, part }
    return result
  }

  port(name: string): void {
    this.#walk.findings.addPort(name)
  }

  offered(name: string): void {
    this.#walk.findings.addPort(name)
  }

  // ---- findings -----------------------------------------------------------------------------------------------------

  note(note: SiteNote): void {
    this.#walk.findings.addNote(note)
  }

  source(span: Span): string {
    return this.#walk.source(span)
  }

  report(diagnostic: Diagnostic): void {
    this.#walk.report(diagnostic)
  }
}
