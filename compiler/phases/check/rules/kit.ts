/** Implements the check kit of tags for a walk over a template. */
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
} from '../../../core/tree/ast.ts'
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
  /** The value that was read last. Its type identifies it in a later assignment. */
  #lastRead: { readonly expression: Expression; readonly type: Type } | null = null
  /** The result of the last query. No variable refers to it yet. */
  #queryResult: Type | null = null
  /** The visitor-specific part of `context` that was passed to a query, with the type of its result. */
  #queryVisitor: { readonly type: Type; readonly part: string } | null = null
  /** The last tag that ended a path: the code after it is unreachable. */
  #endingTag: { readonly tag: string; readonly span: Span } | null = null

  constructor(walk: Walk) {
    this.#walk = walk
    this.dialect = walk.env.site.dialect
  }

  // ---- nodes and values ---------------------------------------------------------------------------------------------

  body(nodes: readonly Node[]): void {
    const { flow, findings } = this.#walk
    let isReported = flow.dead
    for (const node of nodes) {
      if (flow.dead && !isReported && this.#hasEffect(node)) {
        isReported = true
        if (this.#endingTag !== null)
          findings.reportDead(unreachableCode(node.span, this.#endingTag.tag, this.#endingTag.span))
      }
      this.#visit(node)
    }
  }

  /** Returns false for white space and comments, which are not reported as unreachable. */
  #hasEffect(node: Node): boolean {
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
    // Moves back to the tag, because the walk of its body has moved the current place.
    flow.moveTo(node.span)
  }

  read(expression: Expression, isPassedOn = false): Type {
    const type = typeOf(this.#walk, expression, isPassedOn ? 'pass' : 'value', true)
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

  branches(branches: readonly ConditionalBranch[], isExhaustive: boolean): void {
    this.#walk.flow.runBranches(
      branches.map((branch) => this.#branchOf(branch)),
      isExhaustive,
    )
  }

  #branchOf({ condition, negated, run }: ConditionalBranch): FlowBranch {
    if (condition === null) return { evaluate() {}, run, skip() {}, implies: () => ({ givenNames: [], notGiven: [] }) }
    const walk = this.#walk
    const requiredTruth = negated !== true
    return {
      evaluate: () => this.condition(condition),
      run() {
        narrow(walk, condition, requiredTruth)
        run()
      },
      skip: () => narrow(walk, condition, !requiredTruth),
      implies: (taken) => ({
        givenNames: namesGiven(walk, condition, taken ? requiredTruth : !requiredTruth),
        notGiven: namesNotGiven(walk, condition, taken ? requiredTruth : !requiredTruth),
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
    flow.runLoop(
      locals.map(({ name, type }) => [name, type] as const),
      run,
      () => findings.rewind(mark),
    )
  }

  detached(kind: 'cache' | 'transaction' | 'try' | 'content_for', run: () => void, key?: Expression): void {
    const { flow } = this.#walk
    const { span: cacheSpan } = flow
    if (kind === 'content_for') run()
    else if (kind === 'cache')
      flow.runCached(() => (key === undefined ? run() : inCache(this.#walk, cacheSpan, key, run)))
    else flow.runFallible(kind, run)
  }

  halt(kind: 'break' | 'continue' | 'return', value: Type | null): void {
    const { flow } = this.#walk
    const tag = this.source(flow.span).match(/[a-z_]+/)?.[0] ?? kind
    if (kind === 'return') this.#return(value)
    if (!flow.dead) this.#endingTag = { tag, span: flow.span }
    flow.interrupt(kind)
  }

  #return(value: Type | null): void {
    const { flow } = this.#walk
    const expression = this.#lastRead?.type === value ? this.#lastRead.expression : null
    // An unset name is reported where it is read, so this `return` counts as a `return` with a value.
    const isUnset = value?.kind === 'nil' && expression !== null && unfiltered(expression).kind === 'lookup'
    if (value === null || (value.kind === 'nil' && !isUnset)) flow.addEmptyResult()
    else if (!flow.dead) {
      flow.addResult(isUnset ? UNKNOWN : value)
      if (!isUnset && !this.#walk.isPartial) this.report(droppedReturn(flow.span, null, null))
    }
  }

  // ---- writes -------------------------------------------------------------------------------------------------------

  assign(name: NameNode, type: Type, isRequired = false): void {
    const walk = this.#walk
    if (isRequired && !walk.reads.setAt.has(name.name)) walk.reads.use(name.name)
    const emptyResult = walk.findings.emptyResult(type)
    // Not reported if the result is never read, because the function is then called for its side effects.
    if (emptyResult !== undefined && walk.siteTemplate.outline.reads.has(name.name)) {
      walk.report(functionWithoutReturn(emptyResult.span, emptyResult.partial))
    }
    const source = this.#lastRead?.type === type ? this.#lastRead.expression : null
    const isQueryResult = this.#queryResult === type
    const queryVisitorPart = this.#queryVisitor?.type === type ? this.#queryVisitor.part : null
    this.#lastRead = null
    this.#queryResult = null
    this.#queryVisitor = null
    walk.reads.alias(name.name, isMutable(type) && source !== null ? variableOf(source) : null, name.span)
    walk.set(
      name,
      emptyResult === undefined ? type : UNKNOWN,
      isQueryResult || (source !== null && isFresh(walk, source)),
      source === null ? null : textsOf(walk, source, type),
      // If the last read came before this tag, the value only shares its type object.
      source === null || source.span.start < walk.flow.span.start ? queryVisitorPart : visitorPart(walk, source),
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
    const emptyResult: Type = { kind: 'nil' }
    this.#walk.findings.addEmptyResult(emptyResult, call.span, partial)
    return emptyResult
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

  asyncPort(name: string): void {
    this.#walk.findings.addPort(name)
  }

  syncPort(name: string): void {
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
