/** Emits one entry point of a unit. Combines the parts of an entry point into the kit for tags. */
import type {
  Accessor,
  Expression,
  FilterCall,
  NamedArgument,
  NameNode,
  Node,
  TagNode,
  WriteTarget,
} from '../../../core/tree/ast.ts'
import {
  assign,
  type Code,
  constant,
  type FunctionStatement,
  ident,
  invoke,
  give,
  leave,
  member,
  method,
  NOWHERE,
  number,
  run,
  type Statement,
  string,
  type TypeCode,
} from '../../../core/model/code.ts'
import type { EntryPoint } from '../../../core/model/effects.ts'
import type { ValueNode } from '../../../core/model/facts.ts'
import type { Type } from '../../../core/model/type.ts'
import type { Dialect } from '../../../core/model/dialect.ts'
import type { FilterSignature } from '../../../core/model/signature.ts'
import { jobKey } from '../../../core/model/unit.ts'
import { joinValues, optional, type ValueType } from '../../../core/model/value-type.ts'
import type { Span } from '../../../core/source/span.ts'
import type { EmitKit, Jumps, LoopFields, PartialCall } from '../../../language/tags/tag.ts'
import { isBlank } from '../blank.ts'
import { type CountedKind, type Coverage, CoverageCounter } from '../coverage.ts'
import { Expressions } from '../expression.ts'
import type { Resolver, SelfCode } from '../resolver.ts'
import { growingFilters } from '../growing.ts'
import { isPlainVariable, Names, variableKey } from '../names.ts'
import { Comparisons } from './narrowing.ts'
import { passedVariables, queryCode, valueCode, writeRender } from './calls.ts'
import { Draft } from './draft.ts'
import { Exits, type Interrupt, step } from './exits.ts'
import { Faults } from './faults.ts'
import { writeInclude } from './include.ts'
import { functionHead } from './function-head.ts'
import { type EntryPointInput, isWatched } from './input.ts'
import { Printing } from './printing.ts'
import { queryVariables } from './query-variables.ts'
import { type PartialSignature, entryPointKey } from '../signatures.ts'
import { ResultTypes } from './result-type.ts'
import type { VariableUses } from './variable-uses.ts'
import { Variables } from './variables.ts'

/** The function of an entry point and its signature. The function may still have unused variables. */
export interface EmittedEntryPoint {
  readonly statement: FunctionStatement
  readonly signature: PartialSignature
  /** The known types of the values that the function passes to other entry points as separate arguments, by entry point key. */
  readonly passedTypes: ReadonlyMap<string, readonly ValueType[]>
  readonly uses: EntryPointUses
  readonly coverage: Coverage
  /** Paths that the function compares in a way that TypeScript rejects. */
  readonly refusedPaths: ReadonlySet<string>
}

/** How a function uses its variables. */
export interface EntryPointUses {
  readonly uses: VariableUses
  /** Whether the function was emitted with predicted uses of variables, which do not tell how types depend on values from callers. */
  readonly isPredicted: boolean
}

const RENDER = ident('r')
/** The jumps of a JavaScript loop that needs no label. */
const UNLABELLED_JUMPS: Jumps = {
  break: (span) => [leave(null, span)],
  continue: (span) => [{ kind: 'continue', label: null, span }],
}

export class EntryPointEmitter implements EmitKit, Resolver {
  readonly dialect: Dialect
  readonly filters: ReadonlyMap<string, FilterSignature>
  readonly strictVariables: boolean
  readonly scored: boolean
  readonly strictFilters: boolean
  readonly takesHosted: boolean
  readonly resumes: boolean
  readonly render = RENDER
  readonly #input: EntryPointInput
  readonly #names: Names
  readonly #draft: Draft
  readonly #expressions: Expressions
  readonly #variables: Variables
  readonly #faults: Faults
  readonly #results: ResultTypes
  readonly #exits: Exits
  readonly #printing: Printing
  /** For each open tag, whether the white space in its bodies is dropped. */
  readonly #dropStack: boolean[] = []
  readonly #coverage = new CoverageCounter()
  readonly #passedTypes = new Map<string, readonly ValueType[]>()
  #growingFilters: ReadonlySet<FilterCall> | null = null
  readonly #comparisons: Comparisons

  constructor(input: EntryPointInput) {
    this.#input = input
    this.#comparisons = new Comparisons(input.refusedPaths)
    this.dialect = input.context.site.dialect
    this.filters = input.context.filters
    this.strictVariables = input.context.site.strictVariables
    this.scored = input.context.site.scored
    this.strictFilters = input.context.site.strictFilters
    this.takesHosted = input.context.site.takesHosted
    this.resumes = input.context.resumes
    this.#names = new Names(input.context.runtimeNames, input.outline)
    this.#draft = new Draft(input)
    this.#expressions = new Expressions(this)
    this.#variables = new Variables(input, this.#draft, this.#names, this.#expressions)
    this.#faults = new Faults(input, this.#draft)
    this.#results = new ResultTypes((js) => this.#variables.isUnchangedParameter(js))
    this.#exits = new Exits(input, this.#draft, this.#names, this.#results)
    this.#printing = new Printing(input, this.#draft, this.#faults, this.#expressions)
  }

  // ---- the function ---------------------------------------------------------------------------------------------------

  emit(uses: VariableUses, isPredicted = false): EmittedEntryPoint {
    const { entryPoint, name, outline, effects, nodes, parameters } = this.#input
    this.body(nodes)
    const text = this.#draft.takeResult()
    const { statements } = this.#draft
    const watch = isWatched(this.#input) ? this.#names.fresh('span') : null
    const epilogue = this.#epilogue(watch)
    const { usesSink } = this.#draft
    const { head, body: ownStatements, isAlwaysSet } = this.#exits.finish(statements)
    const body: Statement[] = []
    if (effects.recursive) body.push(run(method(RENDER, 'enter')))
    else if (outline.calls.length > 0) body.push(step(number(0)))
    body.push(...this.#faults.head, ...this.#printing.head, ...this.#variables.head())
    if (watch !== null) body.push(constant(watch, method(RENDER, 'begin', this.unit)))
    body.push(...head, ...this.#draft.head, ...ownStatements, ...epilogue)
    const hasNoReturn = body.at(-1)?.kind !== 'return'
    if (hasNoReturn) body.push(give(entryPoint === 'value' ? this.#exits.resultCode : text))
    const mayBeNil = this.#exits.usesResult ? !isAlwaysSet : hasNoReturn
    const ownResult = this.#results.result
    const resultType = mayBeNil ? { ...ownResult, type: optional(ownResult.type) } : ownResult
    const parameterUses = parameters === null ? null : this.#variables.parameters
    const statement: FunctionStatement = {
      kind: 'function',
      name,
      async: effects.suspends,
      ...functionHead(this.#input, parameterUses, resultType, usesSink),
      body,
      exported: true,
      // A fault before the first tag, such as infinite recursion, must have a place in this file.
      span: (nodes.find(({ kind }) => kind !== 'text') ?? nodes[0])?.span ?? NOWHERE,
    }
    return {
      statement,
      signature: {
        parameters: parameterUses,
        result: resultType.type,
        returned: (parameterUses ?? []).flatMap(({ js }, at) => (resultType.returned.includes(js) ? [at] : [])),
      },
      passedTypes: this.#passedTypes,
      uses: { uses, isPredicted },
      coverage: this.#coverage.coverage,
      refusedPaths: this.#comparisons.findRefusedPaths(body),
    }
  }

  /** The uses of the variables, complete after the function is emitted. */
  get uses(): VariableUses {
    return this.#variables.uses
  }

  /** The number of values that callers would pass as separate arguments, known after the function is emitted. */
  get parameterCount(): number {
    return this.#variables.parameters.filter(({ name }) => this.uses.of(name)?.begins !== true).length
  }

  /** Returns the statements after the body: they return variables to the caller, leave the recursion, and end the measurement. */
  #epilogue(watch: string | null): readonly Statement[] {
    const { entryPoint, effects } = this.#input
    const names = entryPoint === 'shared' ? [...effects.frameWrites] : []
    const statements = names.map((name) => this.#copyToFrame(name, this.#variables.frameVariable(name)))
    if (effects.recursive) statements.push(run(method(RENDER, 'leave')))
    if (watch !== null) statements.push(run(method(RENDER, 'end', ident(watch))))
    return statements
  }

  /** Copies the value of a variable to the frame of the caller. Properties of the object prototype have another type in TypeScript. */
  #copyToFrame(name: string, value: Code): Statement {
    const key = variableKey(name)
    if (isPlainVariable(name)) return assign(member(ident('frame'), key), value)
    return run(invoke(this.use('setOwn'), ident('frame'), string(key), value))
  }

  #visit(nodes: readonly Node[]): void {
    for (const node of nodes) {
      this.#faults.node = node
      if (node.kind === 'text') this.text(node.text)
      else if (node.kind === 'output') {
        if (node.value !== null) this.output(node.value, node.span)
      } else {
        const { tags } = this.#input.context
        const tag = tags.get(node.name)
        // The white space of a block is dropped if no branch prints anything.
        this.#dropStack.push(tag?.blank === 'body' && isBlank(node, tags))
        tag?.emit(node, this)
        this.#dropStack.pop()
        // Nodes after a jump in the same body never run.
        if (node.name === 'break' || node.name === 'continue' || (node.name === 'return' && !this.#faults.isGuarding))
          return
      }
    }
  }

  body(nodes: readonly Node[]): void {
    const remaining = this.#dropStack.at(-1) ? nodes.filter((node) => node.kind !== 'text') : nodes
    if (this.scored) this.add(run(method(RENDER, 'score', number(remaining.length))))
    this.#visit(remaining)
  }

  // ---- places in the template, names of the module --------------------------------------------------------------------

  get unit(): Code {
    return this.#input.imports.unit
  }

  get alone(): boolean {
    const { effects, outline } = this.#input
    return !effects.included && !outline.calls.some((call) => call.kind === 'include')
  }

  line(span: Span): Code {
    return number(this.#input.context.line(span.file, span.start))
  }

  source(span: Span): string {
    return this.#input.context.source(span.file, span.start, span.end)
  }

  fresh(hint: string): string {
    return this.#names.fresh(hint)
  }

  keep(hint: string, value: Code, span: Span): Code {
    return this.#variables.constant(hint, value, span)
  }

  use(name: string): Code {
    return this.#input.imports.use(name)
  }

  type(name: string): TypeCode {
    return this.#input.imports.type(name)
  }

  useFilter(signature: FilterSignature): Code {
    return this.#input.imports.filter(signature)
  }

  host(name: string): Code {
    return this.#input.imports.host(name)
  }

  job(node: TagNode): Code {
    const unit = this.#input.context.site.byFile.get(node.span.file)
    return string((unit === undefined ? null : jobKey(unit, node)) ?? node.span.file)
  }

  asyncPort(name: string, tag: string): Code {
    return method(RENDER, 'port', string(name), string(tag))
  }

  // ---- statements and printing ----------------------------------------------------------------------------------------

  add(statement: Statement): void {
    this.#draft.add(statement)
  }

  block(write: () => void): readonly Statement[] {
    return this.#draft.block(write)
  }

  branch(write: () => void): readonly Statement[] {
    return this.#draft.branch(write)
  }

  text(text: string): void {
    this.#draft.text(text)
  }

  print(code: Code, span: Span): void {
    this.#printing.print(code, span)
  }

  output(expression: Expression, span: Span): void {
    this.#printing.output(expression, span)
  }

  printedCode(expression: Expression): Code {
    return this.#printing.text(expression)
  }

  // ---- faults and jumps -----------------------------------------------------------------------------------------------

  guard(isFallible: boolean, span: Span, write: () => void): void {
    this.#faults.guard(isFallible, span, write)
  }

  tried(body: () => void): void {
    this.#faults.writeTry(body)
  }

  attemptCode(filter: FilterCall, signature: FilterSignature, callee: Code, args: readonly Code[]): Code | null {
    return this.#faults.attemptCode(filter, signature, callee, args)
  }

  capture(hint: string, body: () => void, after: (text: Code) => void): void {
    this.#exits.capture(hint, this.#faults.node?.span ?? null, body, after)
  }

  closure(body: () => void, after: (closure: Code) => void): void {
    this.#exits.closure(false, body, after)
  }

  within(body: () => void, after: (closure: Code) => void): void {
    this.#faults.writeKept(() => this.#exits.closure(true, body, after))
  }

  turn(body: () => void, jumps: Jumps = UNLABELLED_JUMPS): void {
    this.#exits.iteration(body, jumps)
  }

  halt(kind: Interrupt, value: Code | null, span: Span): void {
    this.#exits.halt(kind, value, span)
  }

  // ---- variables ------------------------------------------------------------------------------------------------------

  variable(name: string, path: readonly Accessor[]): ReturnType<Variables['variable']> {
    return this.#variables.variable(name, path)
  }

  passedVariable(name: string): Code {
    return this.#variables.passedVariable(name)
  }

  isKnownName(name: string): boolean {
    return this.#variables.knows(name)
  }

  self(): SelfCode {
    return this.#variables.self()
  }

  assign(name: NameNode, code: Code, span: Span): void {
    this.#variables.assign(name.name, code, span)
  }

  store(target: WriteTarget, code: Code, push: boolean, span: Span): void {
    this.#variables.store(target, code, push, span)
  }

  scope(name: string, body: () => void): void {
    this.#variables.loops.scope(name, body)
  }

  item(name: string, value: Code, span: Span): void {
    this.#variables.loops.item(name, value, span)
  }

  handsOver(file: string, entryPoint: EntryPoint, values: readonly ValueType[]): void {
    const key = entryPointKey(file, entryPoint)
    const known = this.#passedTypes.get(key)
    this.#passedTypes.set(
      key,
      known === undefined ? values : values.map((each, at) => joinValues(each, known[at] ?? each)),
    )
  }

  loopObject(name: 'forloop' | 'tablerowloop', fields: LoopFields, whole: () => Code, body: () => void): void {
    this.#variables.loops.object({ name, fields, whole }, body)
  }

  parentLoop(): () => Code {
    return this.#variables.loops.parent()
  }

  registers(): Code {
    return this.#variables.registers()
  }

  local(hint: string, key: string): Code {
    return this.#variables.local(hint, key)
  }

  // ---- values ---------------------------------------------------------------------------------------------------------

  value(expression: Expression): Code {
    return this.#expressions.value(expression)
  }

  condition(expression: Expression): Code {
    return this.#expressions.condition(expression)
  }

  equals(local: Code, subject: Expression, value: Expression): Code {
    return this.#expressions.equal(subject, () => local, value)
  }

  fallible(expression: Expression): boolean {
    return this.#expressions.fallible(expression)
  }

  guards(...expressions: readonly Expression[]): boolean {
    return this.#faults.isGuarding && expressions.some((each) => this.#expressions.fallible(each))
  }

  filtered(code: Code, filters: readonly FilterCall[]): Code {
    return this.#expressions.filtered(code, filters)
  }

  named(args: readonly NamedArgument[]): Code {
    return this.#expressions.named({ named: args })
  }

  isComparable(one: Code, other: Code): boolean {
    return this.#comparisons.record(one, other)
  }

  factOf(node: ValueNode): Type | undefined {
    return this.#input.types()?.get(node)
  }

  items(expression: Expression): Code {
    return this.#expressions.items(expression)
  }

  count(kind: CountedKind, isTyped: boolean): void {
    this.#coverage.count(kind, isTyped)
  }

  isSupplied(name: string): boolean {
    return this.#variables.isSupplied(name)
  }

  variables(
    args: readonly NamedArgument[],
    query: { readonly name: Expression } | { readonly body: readonly Node[] },
  ): Code {
    return queryVariables(this.#input, this, this.#variables, args, query)
  }

  canGrow(filter: FilterCall): boolean {
    if (filter.name.name !== 'array_add' && filter.name.name !== 'add_to_array') return false
    const { entryPoint, effects, outline, nodes } = this.#input
    // Included partials share the variables.
    if (entryPoint === 'shared' || effects.spills || outline.calls.some((call) => call.kind === 'include')) return false
    this.#growingFilters ??= growingFilters(nodes)
    return this.#growingFilters.has(filter)
  }

  // ---- calls ----------------------------------------------------------------------------------------------------------

  call(call: PartialCall, node: TagNode): void {
    if (call.kind !== 'include') return writeRender(this.#input, this, call, node)
    const shared = { draft: this.#draft, variables: this.#variables, exits: this.#exits }
    writeInclude(this.#input, this, shared, call, node)
  }

  valueCall(call: PartialCall): Code {
    return valueCode(this.#input, this, call)
  }

  passed(args: readonly NamedArgument[]): Code {
    return passedVariables(this.#input, this, args)
  }

  query(query: { readonly name: Expression } | { readonly document: Code }, variables: Code, span: Span): Code {
    return queryCode(this.#input, this, query, variables, span)
  }
}
