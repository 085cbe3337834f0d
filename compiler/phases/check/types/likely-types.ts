/** The types that values of a template probably have: a domain of the interpreter. It reports what the types show to be wrong. */
import { checkReturnToNone } from '../rules/calls/dropped-return.ts'
import { checkEmptyResult, type EmptyCall, emptyCallOf } from '../rules/calls/function-without-return.ts'
import { checkSharedReads, sharedCacheOf } from '../rules/values/cached-visitor.ts'
import { checkReservedName } from '../rules/values/reserved-name.ts'
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
  AnyTag,
  DetachedKind,
  HaltKind,
  LoopLocal,
  PartialCall,
  QueryUse,
  SiteNote,
} from '../../../language/tags/tag.ts'
import { elementOf, isMutable } from '../../../language/types/relate.ts'
import type { BranchEffects, Domain, LoopEffects } from '../../analyze/engine.ts'
import { callBlock, callPartial } from './calls.ts'
import { checkConstant, namesGiven, namesNotGiven, narrow } from './condition.ts'
import { textsOf, typeOf } from './expression.ts'
import type { FlowState } from '../walk/flow.ts'
import { isNewValue } from '../walk/new-values.ts'
import { addFirst } from '../walk/reads.ts'
import { visitorPart } from '../walk/visitor-parts.ts'
import type { Walk } from '../walk/walk.ts'
import { variableOf } from '../walk/literal-text.ts'
import { writeInto } from './write-target.ts'

interface LikelyValue {
  readonly type: Type
  /** The expression that was read; null for other values. */
  readonly source: Expression | null
  /** Whether no variable refers to the value yet. */
  readonly isNew: boolean
  /** The visitor-specific part of `context` that a query received to compute the value; null for other values. */
  readonly visitor: string | null
  /** The call of a function that returns nothing; null for other values. */
  readonly emptyCall: EmptyCall | null
}

/** Checks a query that a template runs, and returns the type of its result. */
export type CheckQuery = (walk: Walk, use: QueryUse) => Type

export class LikelyTypes implements Domain<LikelyValue, FlowState> {
  readonly dialect: Dialect
  readonly reports = true
  readonly skipsDead = false
  readonly runsSomeBranch = true
  readonly walk: Walk
  readonly #checkQuery: CheckQuery
  /** The last tag that ended a path: the code after it is unreachable. */
  #endingTag: { readonly tag: string; readonly span: Span } | null = null

  constructor(walk: Walk, checkQuery: CheckQuery) {
    this.walk = walk
    this.#checkQuery = checkQuery
    this.dialect = walk.env.site.dialect
  }

  // ---- values -------------------------------------------------------------------------------------------------------

  read(expression: Expression, isPassedOn: boolean): LikelyValue {
    const type = typeOf(this.walk, expression, isPassedOn ? 'pass' : 'value', true)
    return { ...this.valueOf(type), source: expression }
  }

  test(condition: Expression): void {
    checkConstant(this.walk, condition, typeOf(this.walk, condition, 'test', false))
  }

  typeOf({ type }: LikelyValue): Type {
    return type
  }

  valueOf(type: Type): LikelyValue {
    return { type, source: null, isNew: false, visitor: null, emptyCall: null }
  }

  elementOf({ type }: LikelyValue): LikelyValue {
    return this.valueOf(elementOf(type))
  }

  // ---- states and nodes ---------------------------------------------------------------------------------------------

  save(): FlowState {
    return this.walk.flow.save()
  }

  restore(state: FlowState): void {
    this.walk.flow.restore(state)
  }

  join(paths: readonly FlowState[], from: FlowState): void {
    this.walk.flow.join(paths, from)
  }

  text(): void {}

  output({ value }: Parameters<Domain<LikelyValue, FlowState>['output']>[0]): void {
    if (value !== null) typeOf(this.walk, value, 'value', false)
  }

  tag(_node: TagNode, _tag: AnyTag, check: () => void): void {
    check()
  }

  unreachable(node: Node): boolean {
    if (!this.#hasEffect(node)) return false
    if (this.#endingTag !== null)
      this.walk.findings.reportDead(unreachableCode(node.span, this.#endingTag.tag, this.#endingTag.span))
    return true
  }

  /** Returns false for white space and comments, which are not reported as unreachable. */
  #hasEffect(node: Node): boolean {
    if (node.kind === 'text') return node.text.trim() !== ''
    return node.kind === 'output' || node.raw === null || this.walk.env.tags.get(node.name)?.blank === undefined
  }

  // ---- control flow -------------------------------------------------------------------------------------------------

  branch(condition: Expression | null, holds: boolean): BranchEffects {
    if (condition === null) return { take() {}, skip() {} }
    const { walk } = this
    this.test(condition)
    const apply = (isTrue: boolean) => {
      walk.flow.imply({
        givenNames: namesGiven(walk, condition, isTrue),
        notGiven: namesNotGiven(walk, condition, isTrue),
      })
      narrow(walk, condition, isTrue)
    }
    return { take: () => apply(holds), skip: () => apply(!holds) }
  }

  loop(locals: readonly LoopLocal[]): LoopEffects<FlowState> {
    const { flow, findings, env } = this.walk
    for (const { name, span, type } of locals) {
      if (span === null) continue
      checkReservedName(this.walk, { name, span })
      addFirst(this.walk.reads.namedAt, name, span)
      env.observer?.set({ name, span }, type)
    }
    return flow.loop(locals, findings.mark())
  }

  enterDetached(kind: DetachedKind, key: Expression | undefined): void {
    const { flow } = this.walk
    if (kind === 'cache') flow.enterCache(key === undefined ? null : sharedCacheOf(this.walk, flow.span, key))
    else if (kind !== 'content_for') flow.enterFallible()
  }

  leaveDetached(kind: DetachedKind): void {
    const { flow } = this.walk
    if (kind === 'cache') {
      const shared = flow.leaveCache()
      if (shared !== null) checkSharedReads(this.walk, shared)
    } else if (kind !== 'content_for') flow.leaveFallible()
  }

  halt(kind: HaltKind, value: LikelyValue | null): boolean {
    const { flow } = this.walk
    const tag = this.source(flow.span).match(/[a-z_]+/)?.[0] ?? kind
    if (kind === 'return') this.#return(value)
    if (!flow.dead) this.#endingTag = { tag, span: flow.span }
    flow.interrupt(kind)
    return true
  }

  #return(value: LikelyValue | null): void {
    const { flow } = this.walk
    // An unset name is reported where it is read, so this `return` counts as a `return` with a value.
    const isUnset = value?.type.kind === 'nil' && value.source !== null && unfiltered(value.source).kind === 'lookup'
    if (value === null || (value.type.kind === 'nil' && !isUnset)) flow.addEmptyResult()
    else if (!flow.dead) {
      flow.addResult(isUnset ? UNKNOWN : value.type)
      if (!isUnset) checkReturnToNone(this.walk)
    }
  }

  // ---- writes -------------------------------------------------------------------------------------------------------

  assign(name: NameNode, { type, source, isNew, visitor, emptyCall }: LikelyValue, isDemanded: boolean): void {
    const { walk } = this
    if (isDemanded && !walk.reads.setAt.has(name.name)) walk.reads.used.add(name.name)
    if (emptyCall !== null) checkEmptyResult(walk, name.name, emptyCall)
    walk.reads.alias(name.name, isMutable(type) && source !== null ? variableOf(source) : null, name.span)
    checkReservedName(walk, name)
    walk.set(
      name,
      emptyCall === null ? type : UNKNOWN,
      isNew || (source !== null && isNewValue(walk, source)),
      source === null ? null : textsOf(walk, source, type),
      source === null ? visitor : visitorPart(walk, source),
    )
  }

  write(target: WriteTarget, { type, source }: LikelyValue, push: boolean): void {
    writeInto(this.walk, target, type, push, source !== null && isNewValue(this.walk, source))
  }

  counter(): void {
    this.walk.reads.registers = true
  }

  register(): void {
    this.walk.reads.registers = true
  }

  // ---- calls and queries --------------------------------------------------------------------------------------------

  call(call: PartialCall, node: TagNode): LikelyValue {
    const result = callPartial(this.walk, call, node)
    const emptyCall = emptyCallOf(this.walk, call)
    return emptyCall === null ? this.valueOf(result) : { ...this.valueOf({ kind: 'nil' }), emptyCall }
  }

  job(args: readonly NamedArgument[], node: TagNode): void {
    callBlock(this.walk, args, node)
  }

  query(use: QueryUse): LikelyValue {
    this.walk.place.body(use.body)
    const type = this.#checkQuery(this.walk, use)
    const [visitor] = use.arguments.flatMap(({ value }) => visitorPart(this.walk, value) ?? [])
    return { ...this.valueOf(type), isNew: use.filters.length === 0, visitor: visitor ?? null }
  }

  port(name: string): void {
    this.walk.findings.addPort(name)
  }

  // ---- findings -----------------------------------------------------------------------------------------------------

  note(note: SiteNote): void {
    this.walk.findings.addNote(note)
  }

  source(span: Span): string {
    return this.walk.source(span)
  }

  report(diagnostic: Diagnostic): void {
    this.walk.report(diagnostic)
  }
}
