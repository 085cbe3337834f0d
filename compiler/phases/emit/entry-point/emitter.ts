/** Emits one entry point of a unit. Combines the parts of an entry point into the kit for tags. */
import type { FilterCall, Node } from '../../../core/tree/ast.ts'
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
} from '../../../core/model/code.ts'
import type { EntryPoint } from '../../../core/model/effects.ts'
import { jobKey } from '../../../core/model/unit.ts'
import { joinValues, optional, type ValueType } from '../../../core/model/value-type.ts'
import type { EmitKit, Jumps } from '../../../language/tags/tag.ts'
import { isBlank } from '../blank.ts'
import { type Coverage, CoverageCounter } from '../coverage.ts'
import { Expressions } from '../expression.ts'
import type { Resolver } from '../resolver.ts'
import { growingFilters } from '../growing.ts'
import { isPlainVariable, Names, variableKey } from '../names.ts'
import { Comparisons } from './narrowing.ts'
import { passedVariables, queryCode, queryVariables, valueCode, writeRender } from './calls.ts'
import { Draft } from './draft.ts'
import { Exits, step } from './exits.ts'
import { Faults } from './faults.ts'
import { writeInclude } from './include.ts'
import { functionHead } from './function-head.ts'
import { type EntryPointInput, isWatched } from './input.ts'
import { Printing } from './printing.ts'

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
  /** How the function uses its variables. */
  readonly uses: VariableUses
  readonly coverage: Coverage
  /** Paths that the function compares in a way that TypeScript rejects. */
  readonly refusedPaths: ReadonlySet<string>
}

const RENDER = ident('r')
/** The jumps of a JavaScript loop that needs no label. */
const UNLABELLED_JUMPS: Jumps = {
  break: (span) => [leave(null, span)],
  continue: (span) => [{ kind: 'continue', label: null, span }],
}

export class EntryPointEmitter {
  readonly #input: EntryPointInput
  readonly #kit: EmitKit & Resolver
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
    this.#names = new Names(input.context.runtimeNames, input.outline)
    this.#draft = new Draft(input)
    this.#kit = this.#createKit()
    this.#expressions = new Expressions(this.#kit)
    this.#variables = new Variables(input, this.#draft, this.#names, this.#expressions)
    this.#faults = new Faults(input, this.#draft)
    this.#results = new ResultTypes((js) => this.#variables.isUnchangedParameter(js))
    this.#exits = new Exits(input, this.#draft, this.#names, this.#results)
    this.#printing = new Printing(input, this.#draft, this.#faults, this.#expressions)
  }

  // ---- the function ---------------------------------------------------------------------------------------------------

  emit(): EmittedEntryPoint {
    const { entryPoint, name, outline, effects, nodes, parameters } = this.#input
    this.#body(nodes)
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
    if (watch !== null) body.push(constant(watch, method(RENDER, 'begin', this.#input.imports.unit)))
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
      uses: this.#variables.uses,
      coverage: this.#coverage.coverage,
      refusedPaths: this.#comparisons.findRefusedPaths(body),
    }
  }

  /** The number of values that callers would pass as separate arguments, known after the function is emitted. */
  get parameterCount(): number {
    const { parameters, uses } = this.#variables
    return parameters.filter(({ name }) => uses.of(name)?.begins !== true).length
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
    return run(invoke(this.#input.imports.use('setOwn'), ident('frame'), string(key), value))
  }

  #visit(nodes: readonly Node[]): void {
    for (const node of nodes) {
      this.#faults.node = node
      if (node.kind === 'text') this.#draft.text(node.text)
      else if (node.kind === 'output') {
        if (node.value !== null) this.#printing.output(node.value, node.span)
      } else {
        const { tags } = this.#input.context
        const tag = tags.get(node.name)
        // The white space of a block is dropped if no branch prints anything.
        this.#dropStack.push(tag?.blank === 'body' && isBlank(node, tags))
        tag?.emit(node, this.#kit)
        this.#dropStack.pop()
        // Nodes after a jump in the same body never run.
        if (node.name === 'break' || node.name === 'continue' || (node.name === 'return' && !this.#faults.isGuarding))
          return
      }
    }
  }

  #body(nodes: readonly Node[]): void {
    const remaining = this.#dropStack.at(-1) ? nodes.filter((node) => node.kind !== 'text') : nodes
    if (this.#input.context.site.scored) this.#draft.add(run(method(RENDER, 'score', number(remaining.length))))
    this.#visit(remaining)
  }

  // ---- the kit --------------------------------------------------------------------------------------------------------

  /**
   * Returns the kit for tags and expressions. It is created before the parts that need it, so it finds all parts when it is used. It has no
   * accessors: in V8, each object with its own accessor function gets a new hidden class, which takes longer than all else here.
   */
  #createKit(): EmitKit & Resolver {
    const input = this.#input
    const { context, imports, effects, outline } = input
    const { site } = context
    const { dialect, strictVariables, scored, strictFilters, takesHosted } = site
    const kit: EmitKit & Resolver = {
      dialect,
      strictVariables,
      scored,
      strictFilters,
      takesHosted,
      filters: context.filters,
      resumes: context.resumes,
      render: RENDER,

      // Places in the template, and names of the module.
      unit: () => imports.unit,
      alone: !effects.included && !outline.calls.some((call) => call.kind === 'include'),
      line: (span) => number(context.line(span.file, span.start)),
      source: (span) => context.source(span.file, span.start, span.end),
      fresh: (hint) => this.#names.fresh(hint),
      keep: (hint, value, span) => this.#variables.constant(hint, value, span),
      use: (name) => imports.use(name),
      type: (name) => imports.type(name),
      useFilter: (signature) => imports.filter(signature),
      host: (name) => imports.host(name),
      job: (node) => {
        const unit = site.byFile.get(node.span.file)
        return string((unit === undefined ? null : jobKey(unit, node)) ?? node.span.file)
      },
      asyncPort: (name, tag) => method(RENDER, 'port', string(name), string(tag)),

      // Statements and printing.
      add: (statement) => this.#draft.add(statement),
      block: (write) => this.#draft.block(write),
      branch: (write) => this.#draft.branch(write),
      body: (nodes) => this.#body(nodes),
      text: (text) => this.#draft.text(text),
      print: (code, span) => this.#printing.print(code, span),
      output: (expression, span) => this.#printing.output(expression, span),
      printedCode: (expression) => this.#printing.text(expression),

      // Faults and jumps.
      guard: (isFallible, span, write) => this.#faults.guard(isFallible, span, write),
      tried: (body) => this.#faults.writeTry(body),
      attemptCode: (filter, signature, callee, args) => this.#faults.attemptCode(filter, signature, callee, args),
      capture: (hint, body, after) => this.#exits.capture(hint, this.#faults.node?.span ?? null, body, after),
      closure: (body, after) => this.#exits.closure(false, body, after),
      within: (body, after) => this.#faults.writeKept(() => this.#exits.closure(true, body, after)),
      turn: (body, jumps = UNLABELLED_JUMPS) => this.#exits.iteration(body, jumps),
      halt: (kind, value, span) => this.#exits.halt(kind, value, span),

      // Variables.
      variable: (name, path) => this.#variables.variable(name, path),
      passedVariable: (name) => this.#variables.passedVariable(name),
      isKnownName: (name) => this.#variables.knows(name),
      isSupplied: (name) => this.#variables.isSupplied(name),
      self: () => this.#variables.self(),
      assign: (name, code, span) => this.#variables.assign(name.name, code, span),
      store: (target, code, push, span) => this.#variables.store(target, code, push, span),
      scope: (name, body) => this.#variables.loops.scope(name, body),
      item: (name, value, span) => this.#variables.loops.item(name, value, span),
      loopObject: (name, fields, whole, body) => this.#variables.loops.object({ name, fields, whole }, body),
      parentLoop: () => this.#variables.loops.parent(),
      registers: () => this.#variables.registers(),
      local: (hint, key) => this.#variables.local(hint, key),
      variables: (args, query) => queryVariables(input, kit, this.#variables, args, query),

      // Values.
      value: (expression) => this.#expressions.value(expression),
      condition: (expression) => this.#expressions.condition(expression),
      equals: (local, subject, value) => this.#expressions.equal(subject, () => local, value),
      fallible: (expression) => this.#expressions.fallible(expression),
      guards: (...expressions) =>
        this.#faults.isGuarding && expressions.some((each) => this.#expressions.fallible(each)),
      filtered: (code, filters) => this.#expressions.filtered(code, filters),
      named: (args) => this.#expressions.named({ named: args }),
      items: (expression) => this.#expressions.items(expression),
      isComparable: (one, other) => this.#comparisons.record(one, other),
      factOf: (node) => input.types()?.get(node),
      count: (kind, isTyped) => this.#coverage.count(kind, isTyped),
      canGrow: (filter) => this.#canGrow(filter),

      // Calls.
      handsOver: (file, entryPoint, values) => this.#handsOver(file, entryPoint, values),
      call: (call, node) => {
        if (call.kind !== 'include') return writeRender(input, kit, call, node)
        const shared = { draft: this.#draft, variables: this.#variables, exits: this.#exits }
        writeInclude(input, kit, shared, call, node)
      },
      valueCall: (call) => valueCode(input, kit, call),
      passed: (args) => passedVariables(input, kit, args),
      query: (query, variables, span) => queryCode(input, kit, query, variables, span),
    }
    return kit
  }

  #handsOver(file: string, entryPoint: EntryPoint, values: readonly ValueType[]): void {
    const key = entryPointKey(file, entryPoint)
    const known = this.#passedTypes.get(key)
    this.#passedTypes.set(
      key,
      known === undefined ? values : values.map((each, at) => joinValues(each, known[at] ?? each)),
    )
  }

  #canGrow(filter: FilterCall): boolean {
    if (filter.name.name !== 'array_add' && filter.name.name !== 'add_to_array') return false
    const { entryPoint, effects, outline, nodes } = this.#input
    // Included partials share the variables.
    if (entryPoint === 'shared' || effects.spills || outline.calls.some((call) => call.kind === 'include')) return false
    this.#growingFilters ??= growingFilters(nodes)
    return this.#growingFilters.has(filter)
  }
}
