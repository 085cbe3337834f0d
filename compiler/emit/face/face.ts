/** One face of a unit: the function that its tags write. Joins the parts of a face to the kit that tags see. */
import type {
  Accessor,
  Expression,
  FilterCall,
  NamedArgument,
  NameNode,
  Node,
  TagNode,
  Target,
} from '../../model/ast.ts'
import type { Dialect } from '../../model/dialect.ts'
import type { FilterSignature } from '../../model/signature.ts'
import { jobKey } from '../../model/unit.ts'
import type { Span } from '../../source/span.ts'
import type { Code, EmitKit, PartialCall } from '../../tags/tag.ts'
import { isBlank } from '../blank.ts'
import { Expressions, type Resolver } from '../expression.ts'
import { growingFilters } from '../growing.ts'
import { Names, variableMember } from '../names.ts'
import { annotation, quoted, type Writer } from '../writer.ts'
import { passedCode, queryCode, valueCode, writeRender } from './calls.ts'
import { Draft } from './draft.ts'
import { Exits, type Interrupt } from './exits.ts'
import { Faults } from './faults.ts'
import { writeInclude } from './include.ts'
import { type FaceInput, hasEpilogue } from './input.ts'
import { Printing } from './printing.ts'
import { queryVariables } from './query-variables.ts'
import { Variables } from './variables.ts'

/** Writes a face's function. */
export function emitFace(input: FaceInput, out: Writer): void {
  new FaceEmitter(input).write(out)
}

class FaceEmitter implements EmitKit, Resolver {
  readonly dialect: Dialect
  readonly filters: ReadonlyMap<string, FilterSignature>
  readonly resumes: boolean
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
  #growing: ReadonlySet<FilterCall> | null = null

  constructor(input: FaceInput) {
    this.#input = input
    this.dialect = input.context.site.dialect
    this.filters = input.context.filters
    this.resumes = input.context.resumes
    this.#names = new Names(input.context.runtimeNames)
    this.#draft = new Draft(input)
    this.#expressions = new Expressions(this)
    this.#variables = new Variables(input, this.#draft, this.#names, this.#expressions)
    this.#faults = new Faults(input, this.#draft)
    this.#exits = new Exits(input, this.#draft, this.#names)
    this.#printing = new Printing(input, this.#draft, this.#faults, this.#variables, this.#expressions)
  }

  // ---- the function ---------------------------------------------------------------------------------------------------

  write(out: Writer): void {
    const { face, bound, effects, nodes } = this.#input
    this.#visit(nodes)
    this.#draft.writer.flush()
    const epilogue = this.#epilogue()
    // What fails before the first tag, as a recursion without an end, is this file's all the same.
    out.block(this.#signature(), (nodes.find(({ kind }) => kind !== 'text') ?? nodes[0])?.span ?? null, () => {
      if (effects.recursive) out.statement('r.enter()', null)
      else if (bound.calls.length > 0) out.statement('if ((++r.steps & 1023) === 0) r.tick(0)', null)
      for (const line of [...this.#faults.head, ...this.#printing.head, ...this.#variables.head()])
        out.statement(line, null)
      if (this.#exits.usesResult) out.statement(`let result${annotation(': Liquid')} = null`, null)
      if (face !== 'value') out.statement("let out = ''", null)
      if (this.#exits.usesLabel) out.block('body:', null, () => out.append(this.#draft.writer))
      else out.append(this.#draft.writer)
      for (const line of epilogue) out.statement(line, null)
      if (face !== 'value') {
        if (hasEpilogue(this.#input) || !endsWithReturn(out)) out.statement(`return ${this.#draft.printed}`, null)
      } else if (this.#exits.usesResult) out.statement('return result', null)
      else if (!endsWithReturn(out)) out.statement('return null', null)
    })
  }

  #signature(): string {
    const { face, name, effects, imports } = this.#input
    const { sinks } = this.#draft
    const keyword = effects.suspends ? 'async function' : 'function'
    const result = face === 'value' ? 'Liquid' : 'string'
    const type = sinks ? 'number' : effects.suspends ? `Promise<${result}>` : result
    if (face === 'value') imports.types.add('Liquid')
    const parameters = [
      `r${imports.type('Render')}`,
      `${face === 'shared' ? 'frame' : 'scope'}${imports.type('Scope')}`,
      ...(sinks ? [`sink${annotation(': Uint8Array')}`, `written${annotation(': number')}`] : []),
    ]
    return `${annotation('export ')}${keyword} ${name}(${parameters.join(', ')})${annotation(`: ${type}`)}`
  }

  /** What the function does behind its body: gives back the caller's variables, and its place in a recursion. */
  #epilogue(): readonly string[] {
    const { face, effects } = this.#input
    const names = face === 'shared' ? [...effects.frameWrites] : []
    const lines = names.map((name) => `frame${variableMember(name)} = ${this.#variables.framed(name)}`)
    return effects.recursive ? [...lines, 'r.leave()'] : lines
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
    this.#visit(this.#dropping.at(-1) ? nodes.filter((node) => node.kind !== 'text') : nodes)
  }

  // ---- places in the template, names of the module --------------------------------------------------------------------

  get unit(): Code {
    return this.#input.imports.unit
  }

  get alone(): boolean {
    const { effects, bound } = this.#input
    return !effects.included && !bound.calls.some((call) => call.kind === 'include')
  }

  line(span: Span): number {
    return this.#input.context.line(span.file, span.start)
  }

  source(span: Span): string {
    return this.#input.context.source(span.file, span.start, span.end)
  }

  fresh(hint: string): string {
    return this.#names.fresh(hint)
  }

  use(name: string): Code {
    return this.#input.imports.use(name)
  }

  type(name: string): Code {
    return this.#input.imports.type(name)
  }

  useFilter(signature: FilterSignature): Code {
    return this.#input.imports.filter(signature)
  }

  job(node: TagNode): Code {
    const unit = this.#input.context.site.byFile.get(node.span.file)
    return quoted((unit === undefined ? null : jobKey(unit, node.body)) ?? node.span.file)
  }

  port(name: string, tag: string): Code {
    return `r.port(${quoted(name)}, ${quoted(tag)})`
  }

  // ---- statements and printing ----------------------------------------------------------------------------------------

  statement(code: string, span: Span): void {
    this.#draft.statement(code, span)
  }

  block(head: string, span: Span, body: () => void, tail = ''): void {
    this.#draft.block(head, span, body, tail)
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
    return this.#printing.printed(expression)
  }

  // ---- faults and jumps -----------------------------------------------------------------------------------------------

  guard(fallible: boolean, span: Span, write: () => void): void {
    this.#faults.guard(fallible, span, write)
  }

  tried(body: () => void): void {
    this.#faults.tried(body)
  }

  rejecting(filter: FilterCall, signature: FilterSignature): Code | null {
    return this.#faults.rejecting(filter, signature)
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

  turn(body: () => void, jumps = { break: 'break', continue: 'continue' }): void {
    this.#exits.turn(body, jumps)
  }

  halt(kind: Interrupt, value: Code | null, span: Span): void {
    this.#exits.halt(kind, value, span)
  }

  // ---- variables ------------------------------------------------------------------------------------------------------

  variable(name: string, path: readonly Accessor[]): { readonly code: Code; readonly used: number } {
    return this.#variables.variable(name, path)
  }

  handed(name: string): Code {
    return this.#variables.handed(name)
  }

  knows(name: string): boolean {
    return this.#variables.knows(name)
  }

  everything(): Code {
    return this.#variables.everything(new Map())
  }

  assign(name: NameNode, code: Code, span: Span): void {
    this.#variables.assign(name.name, code, span)
  }

  store(target: Target, code: Code, push: boolean, span: Span): void {
    this.#variables.store(target, code, push, span)
  }

  declares(name: string): 'const' | 'let' {
    return this.#variables.declares(name)
  }

  scope(names: readonly string[], body: (js: readonly string[]) => void): void {
    this.#variables.scope(names, body)
  }

  loopObject(
    name: 'forloop' | 'tablerowloop',
    fields: Readonly<Record<string, Code>>,
    whole: () => Code,
    body: () => void,
  ): void {
    this.#variables.loopObject({ name, fields, whole }, body)
  }

  parentLoop(): Code {
    return this.#variables.parentLoop()
  }

  counter(name: NameNode): Code {
    return this.#variables.counter(name.name)
  }

  registers(): Code {
    return this.#variables.registers()
  }

  data(name: string): Code {
    return this.#variables.data(name)
  }

  local(hint: string, initial: Code): Code {
    return this.#variables.local(hint, initial)
  }

  // ---- values ---------------------------------------------------------------------------------------------------------

  value(expression: Expression): Code {
    return this.#expressions.value(expression)
  }

  condition(expression: Expression): Code {
    return this.#expressions.condition(expression)
  }

  not(code: Code): Code {
    return this.#expressions.not(code)
  }

  equals(local: Code, subject: Expression, value: Expression): Code {
    return this.#expressions.equal(subject, () => local, value)
  }

  fallible(expression: Expression): boolean {
    return this.#expressions.fallible(expression)
  }

  quoted(text: string): Code {
    return quoted(text)
  }

  filtered(code: Code, filters: readonly FilterCall[]): Code {
    return this.#expressions.filtered(code, filters)
  }

  named(args: readonly NamedArgument[]): Code | null {
    return args.length === 0 ? null : this.#expressions.named({ named: args })
  }

  isSupplied(name: string): boolean {
    return this.#variables.isSupplied(name)
  }

  variables(
    args: readonly NamedArgument[],
    query: { readonly name: Expression } | { readonly body: readonly Node[] },
  ): Code | null {
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

function endsWithReturn(writer: Writer): boolean {
  return /^\s*return\b/.test(writer.lines.at(-1) ?? '')
}
