/** What writes one face of a unit: the function that its tags emit. Joins the parts of a face to the kit that tags see. */
import type {
  Accessor,
  Expression,
  FilterCall,
  NamedArgument,
  NameNode,
  Node,
  TagNode,
  WriteTarget,
} from '../../../core/model/ast.ts'
import {
  assign,
  type Code,
  constant,
  ident,
  invoke,
  give,
  leave,
  member,
  method,
  NOWHERE,
  number,
  parameter,
  run,
  type Statement,
  string,
  type TypeCode,
  typeNamed,
  variable,
} from '../../../core/model/code.ts'
import type { Face } from '../../../core/model/effects.ts'
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
import { typeCodeOf } from '../value-types.ts'
import { Comparisons } from './narrowing.ts'
import { passedCode, queryCode, valueCode, writeRender } from './calls.ts'
import { Draft } from './draft.ts'
import { Exits, type Interrupt, step } from './exits.ts'
import { Faults } from './faults.ts'
import { writeInclude } from './include.ts'
import { type FaceInput, isWatched } from './input.ts'
import { Printing } from './printing.ts'
import { queryVariables } from './query-variables.ts'
import { type FaceSignature, faceKey } from '../signatures.ts'
import type { VariableUses } from './variable-uses.ts'
import { Variables } from './variables.ts'

/** A face's function, and how it is called. */
export interface EmittedFace {
  readonly statement: Statement
  readonly signature: FaceSignature
  /** What is known of what it hands over to other faces one by one, by their keys. */
  readonly handed: ReadonlyMap<string, readonly ValueType[]>
  readonly uses: FaceUses
  readonly coverage: Coverage
  /** Paths that it compares in a way that TypeScript refuses. */
  readonly refused: ReadonlySet<string>
}

/** How a function uses its variables. */
export interface FaceUses {
  readonly uses: VariableUses
  /** It was written by what its text tells of them: how their types depend on what callers hand over, nobody asked. */
  readonly isPredicted: boolean
}

const RENDER = ident('r')
/** How a loop of its own is left, without a label. */
const OWN_LOOP: Jumps = {
  break: (span) => [leave(null, span)],
  continue: (span) => [{ kind: 'continue', label: null, span }],
}

export class FaceEmitter implements EmitKit, Resolver {
  readonly dialect: Dialect
  readonly filters: ReadonlyMap<string, FilterSignature>
  readonly strictVariables: boolean
  readonly scored: boolean
  readonly strictFilters: boolean
  readonly takesHosted: boolean
  readonly resumes: boolean
  readonly render = RENDER
  readonly #input: FaceInput
  readonly #names: Names
  readonly #draft: Draft
  readonly #expressions: Expressions
  readonly #variables: Variables
  readonly #faults: Faults
  readonly #exits: Exits
  readonly #printing: Printing
  /** For each open tag, whether the white space of its bodies is dropped. */
  readonly #dropping: boolean[] = []
  readonly #coverage = new CoverageCounter()
  readonly #handed = new Map<string, readonly ValueType[]>()
  #growing: ReadonlySet<FilterCall> | null = null
  readonly #comparisons: Comparisons

  constructor(input: FaceInput) {
    this.#input = input
    this.#comparisons = new Comparisons(input.refused)
    this.dialect = input.context.site.dialect
    this.filters = input.context.filters
    this.strictVariables = input.context.site.strictVariables
    this.scored = input.context.site.scored
    this.strictFilters = input.context.site.strictFilters
    this.takesHosted = input.context.site.takesHosted
    this.resumes = input.context.resumes
    this.#names = new Names(input.context.runtimeNames)
    this.#draft = new Draft(input)
    this.#expressions = new Expressions(this)
    this.#variables = new Variables(input, this.#draft, this.#names, this.#expressions)
    this.#faults = new Faults(input, this.#draft)
    this.#exits = new Exits(input, this.#draft, this.#names)
    this.#printing = new Printing(input, this.#draft, this.#faults, this.#expressions)
  }

  // ---- the function ---------------------------------------------------------------------------------------------------

  emit(uses: VariableUses, isPredicted = false): EmittedFace {
    const { face, name, bound, effects, nodes, imports, parameters } = this.#input
    this.body(nodes)
    const written = this.#draft.statements
    const watch = isWatched(this.#input) ? this.#names.fresh('span') : null
    const epilogue = this.#epilogue(watch)
    const { sinks } = this.#draft
    const { head, body: own, alwaysGives } = this.#exits.ending(written, (type) => this.#typeOf(type))
    const body: Statement[] = []
    if (effects.recursive) body.push(run(method(RENDER, 'enter')))
    else if (bound.calls.length > 0) body.push(step(number(0)))
    body.push(...this.#faults.head, ...this.#printing.head, ...this.#variables.head())
    if (watch !== null) body.push(constant(watch, method(RENDER, 'begin', this.unit)))
    body.push(...head)
    if (face !== 'value') body.push(variable('out', string('')))
    body.push(...own)
    body.push(...epilogue)
    const endsWithout = body.at(-1)?.kind !== 'return'
    if (endsWithout) body.push(give(face === 'value' ? this.#exits.kept : this.#draft.printed))
    const mayBeNil = this.#exits.usesResult ? !alwaysGives : endsWithout
    const given = mayBeNil ? optional(this.#exits.result) : this.#exits.result
    const result = face === 'value' ? this.#typeOf(given) : typeNamed('string')
    const handed = parameters === null ? null : this.#variables.parameters
    const statement: Statement = {
      kind: 'function',
      name,
      async: effects.suspends,
      parameters: [
        parameter('r', imports.type('Render')),
        ...(handed === null
          ? [parameter(face === 'shared' ? 'frame' : 'scope', imports.type('Scope'))]
          : handed.map(({ js, type }) => parameter(js, this.#typeOf(type)))),
        ...(sinks ? [parameter('sink', typeNamed('Uint8Array')), parameter('written', typeNamed('number'))] : []),
      ],
      result: sinks ? typeNamed('number') : effects.suspends ? typeNamed('Promise', result) : result,
      body,
      exported: true,
      // What fails before the first tag, as a recursion without an end, is this file's all the same.
      span: (nodes.find(({ kind }) => kind !== 'text') ?? nodes[0])?.span ?? NOWHERE,
    }
    return {
      statement,
      signature: { parameters: handed, result: given },
      handed: this.#handed,
      uses: { uses, isPredicted },
      coverage: this.#coverage.coverage,
      refused: this.#comparisons.refusedIn(body),
    }
  }

  /** How the function uses its variables. */
  get uses(): VariableUses {
    return this.#variables.uses
  }

  /** How many values the callers would hand over one by one, now that the uses of variables are known. */
  get parameterCount(): number {
    return this.#variables.parameters.filter(({ name }) => this.uses.of(name)?.begins !== true).length
  }

  #typeOf(type: ValueType): TypeCode {
    return typeCodeOf(type, (name) => this.#input.imports.type(name))
  }

  /** What the function does behind its body: gives back the caller's variables, and its place in a recursion, and tells its end. */
  #epilogue(watch: string | null): readonly Statement[] {
    const { face, effects } = this.#input
    const names = face === 'shared' ? [...effects.frameWrites] : []
    const back = names.map((name) => this.#givenBack(name, this.#variables.framed(name)))
    if (effects.recursive) back.push(run(method(RENDER, 'leave')))
    if (watch !== null) back.push(run(method(RENDER, 'end', ident(watch))))
    return back
  }

  /** Hands a variable's value to the caller. TypeScript knows names of the prototype as something else. */
  #givenBack(name: string, value: Code): Statement {
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
        // The white space of a block is dropped when nothing in all of its branches prints.
        this.#dropping.push(tag?.blank === 'body' && isBlank(node, tags))
        tag?.emit(node as TagNode<never, never>, this)
        this.#dropping.pop()
        // What follows a jump in the same body never runs.
        if (node.name === 'break' || node.name === 'continue' || (node.name === 'return' && !this.#faults.guarding))
          return
      }
    }
  }

  body(nodes: readonly Node[]): void {
    const kept = this.#dropping.at(-1) ? nodes.filter((node) => node.kind !== 'text') : nodes
    if (this.scored) this.add(run(method(RENDER, 'score', number(kept.length))))
    this.#visit(kept)
  }

  // ---- places in the template, names of the module --------------------------------------------------------------------

  get unit(): Code {
    return this.#input.imports.unit
  }

  get alone(): boolean {
    const { effects, bound } = this.#input
    return !effects.included && !bound.calls.some((call) => call.kind === 'include')
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
    return string((unit === undefined ? null : jobKey(unit, node.body)) ?? node.span.file)
  }

  port(name: string, tag: string): Code {
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

  printed(expression: Expression): Code {
    return this.#printing.text(expression)
  }

  // ---- faults and jumps -----------------------------------------------------------------------------------------------

  guard(fallible: boolean, span: Span, write: () => void): void {
    this.#faults.guard(fallible, span, write)
  }

  tried(body: () => void): void {
    this.#faults.tried(body)
  }

  rejecting(filter: FilterCall, signature: FilterSignature, called: Code, args: readonly Code[]): Code | null {
    return this.#faults.rejecting(filter, signature, called, args)
  }

  capture(hint: string, body: () => void, after: (text: Code) => void): void {
    this.#exits.capture(hint, body, after)
  }

  closure(body: () => void, after: (closure: Code) => void): void {
    this.#exits.closure(false, body, after)
  }

  within(body: () => void, after: (closure: Code) => void): void {
    this.#faults.kept(() => this.#exits.closure(true, body, after))
  }

  turn(body: () => void, jumps: Jumps = OWN_LOOP): void {
    this.#exits.turn(body, jumps)
  }

  halt(kind: Interrupt, value: Code | null, span: Span): void {
    this.#exits.halt(kind, value, span)
  }

  // ---- variables ------------------------------------------------------------------------------------------------------

  variable(name: string, path: readonly Accessor[]): ReturnType<Variables['variable']> {
    return this.#variables.variable(name, path)
  }

  handed(name: string): Code {
    return this.#variables.handed(name)
  }

  knows(name: string): boolean {
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

  handsOver(file: string, face: Face, values: readonly ValueType[]): void {
    const key = faceKey(file, face)
    const known = this.#handed.get(key)
    this.#handed.set(key, known === undefined ? values : values.map((each, at) => joinValues(each, known[at] ?? each)))
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
    return this.#faults.guarding && expressions.some((each) => this.#expressions.fallible(each))
  }

  filtered(code: Code, filters: readonly FilterCall[]): Code {
    return this.#expressions.filtered(code, filters)
  }

  named(args: readonly NamedArgument[]): Code {
    return this.#expressions.named({ named: args })
  }

  comparable(one: Code, other: Code): boolean {
    return this.#comparisons.take(one, other)
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

  grows(filter: FilterCall): boolean {
    if (filter.name.name !== 'array_add' && filter.name.name !== 'add_to_array') return false
    const { face, effects, bound, nodes } = this.#input
    // What is included shares the variables.
    if (face === 'shared' || effects.spills || bound.calls.some((call) => call.kind === 'include')) return false
    this.#growing ??= growingFilters(nodes)
    return this.#growing.has(filter)
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
    return passedCode(this.#input, this, args)
  }

  query(query: { readonly name: Expression } | { readonly document: Code }, variables: Code, span: Span): Code {
    return queryCode(this.#input, this, query, variables, span)
  }
}
