/** Domains that compute nothing about values: they visit each node and each expression of a template once. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type { Dialect } from '../../core/model/dialect.ts'
import { type Type, UNKNOWN } from '../../core/model/type.ts'
import type { Span } from '../../core/source/span.ts'
import type {
  Accessor,
  Expression,
  FilterCall,
  NamedArgument,
  NameNode,
  TagNode,
  WriteTarget,
} from '../../core/tree/ast.ts'
import { argumentsOf, childrenOf } from '../../core/tree/expressions.ts'
import type {
  AnyTag,
  DetachedKind,
  HaltKind,
  LoopLocal,
  PartialCall,
  QueryUse,
  SiteNote,
} from '../../language/tags/tag.ts'
import type { BranchEffects, Domain, LoopEffects, Place } from './engine.ts'

const NO_EFFECTS: BranchEffects = { take() {}, skip() {} }

/** A visitor with states. Subclasses override what they need. */
export abstract class StatefulVisitor<State> implements Domain<undefined, State> {
  readonly dialect: Dialect
  readonly reports = false
  readonly skipsDead = false
  readonly runsSomeBranch = true
  protected readonly place: Place<State>

  constructor(dialect: Dialect, place: Place<State>) {
    this.dialect = dialect
    this.place = place
  }

  // ---- expressions ----------------------------------------------------------------------------------------------------

  /** Visits an expression; by default, all of its parts. */
  visit(expression: Expression): void {
    if (expression.kind === 'filtered') {
      this.visit(expression.input)
      this.visitFilters(expression.filters)
    } else for (const child of childrenOf(expression)) this.visit(child)
  }

  visitFilters(filters: readonly FilterCall[]): void {
    for (const filter of filters) for (const each of argumentsOf(filter)) this.visit(each)
  }

  visitIndexes(path: readonly Accessor[]): void {
    for (const accessor of path) if (accessor.kind === 'index') this.visit(accessor.value)
  }

  visitArguments(args: readonly NamedArgument[]): void {
    for (const { value } of args) this.visit(value)
  }

  read(expression: Expression): undefined {
    this.visit(expression)
  }

  test(condition: Expression): void {
    this.visit(condition)
  }

  typeOf(): Type {
    return UNKNOWN
  }

  valueOf(): undefined {
    return undefined
  }

  elementOf(): undefined {
    return undefined
  }

  // ---- states and nodes -----------------------------------------------------------------------------------------------

  abstract save(): State
  abstract restore(state: State): void
  abstract join(paths: readonly [State, ...State[]], from: State): void

  text(): void {}

  output({ value }: Parameters<Domain<undefined, State>['output']>[0]): void {
    if (value !== null) this.visit(value)
  }

  tag(_node: TagNode, _tag: AnyTag, check: () => void): void {
    check()
  }

  unreachable(): boolean {
    return true
  }

  branch(condition: Expression | null, _holds: boolean): BranchEffects {
    if (condition !== null) this.visit(condition)
    return NO_EFFECTS
  }

  loop(_locals: readonly LoopLocal[]): LoopEffects<State> {
    return { enter() {}, leave() {}, repeat: () => null, end() {} }
  }

  enterDetached(_kind: DetachedKind, _key: Expression | undefined): void {}
  leaveDetached(_kind: DetachedKind, _before: State): void {}

  halt(_kind: HaltKind, _value: undefined | null): boolean {
    return false
  }

  // ---- writes, calls and notes ----------------------------------------------------------------------------------------

  assign(_name: NameNode): void {}

  write({ path }: WriteTarget, _value: undefined, _push: boolean): void {
    this.visitIndexes(path)
  }

  counter(_name: NameNode): void {}
  register(): void {}

  call({ name, arguments: args, bindingClause }: PartialCall, _node: TagNode): undefined {
    this.visit(name)
    this.visitArguments(args)
    if (bindingClause !== null) this.visit(bindingClause.value)
  }

  job(args: readonly NamedArgument[], _node: TagNode): void {
    this.visitArguments(args)
  }

  query({ name, body, arguments: args, spread, filters }: QueryUse): undefined {
    if (name !== null) this.visit(name)
    if (spread !== null) this.visit(spread)
    this.visitArguments(args)
    this.place.body(body)
    this.visitFilters(filters)
  }

  port(_name: string, _isAsync: boolean): void {}
  note(_note: SiteNote): void {}

  source(_span: Span): string {
    return ''
  }

  report(_diagnostic: Diagnostic): void {}
}

/** A visitor without states. */
export abstract class Visitor extends StatefulVisitor<null> {
  save(): null {
    return null
  }

  restore(): void {}
  join(): void {}
}
