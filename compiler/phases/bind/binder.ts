/** The tree walk that binds names. It finds a template's variables, calls and possible ends, but does not infer types. */
import type {
  Accessor,
  Expression,
  FilterCall,
  Lookup,
  NamedArgument,
  NameNode,
  Node,
  TagNode,
  WriteTarget,
} from '../../core/tree/ast.ts'
import { baseName, type BindResult, type BoundCall, type BoundQuery, type NamePattern } from '../../core/model/bound.ts'
import type { Dialect } from '../../core/model/dialect.ts'
import { shareList, shareMap, shareWords } from '../../core/model/shared-values.ts'
import { inlineDocument } from '../../core/model/operation.ts'
import { type Type, UNKNOWN } from '../../core/model/type.ts'
import type { Span } from '../../core/source/span.ts'
import { assign } from '../../language/tags/assign.ts'
import { for_ } from '../../language/tags/for.ts'
import {
  type CheckKit,
  isNodeOf,
  type LoopLocal,
  type PartialCall,
  type QueryUse,
  type Tag,
  type ConditionalBranch,
} from '../../language/tags/tag.ts'
import { directKey } from '../../language/types/accessors.ts'
import { type Blocks, NameUses } from '../../language/types/name-uses.ts'
import { isSureName, derivePattern } from './name-pattern.ts'

/** Ports that suspend the template. Other ports return synchronously. */
const SUSPENDING = new Set(['graphql', 'jobs', 'cache', 'transactions', 'sessions', 'forms'])

interface BindOptions {
  readonly dialect: Dialect
  readonly tags: ReadonlyMap<string, Tag>
  /** Returns whether the filter with this name suspends. */
  readonly suspendingFilter: (name: string) => boolean
}

/**
 * Binds a template. `parameters` are the names documented as its parameters, or null if no caller passes any. Parameters and names read
 * before they are set are bound first.
 */
export function bindTemplate(
  nodes: readonly Node[],
  options: BindOptions,
  parameters: readonly string[] | null = null,
): BindResult {
  const binder = new Binder(options, parameters)
  binder.body(nodes)
  return binder.result()
}

/** The value that the current `assign` gives to its variable. */
interface AssignedValue {
  /** The expression; null if the value is not written as an expression. */
  readonly value: Expression | null
  readonly pattern: NamePattern | null
  /** Whether the variable is certainly set afterwards. */
  readonly isSure: boolean
}

const NO_ASSIGN: AssignedValue = { value: null, pattern: null, isSure: true }

class Binder implements CheckKit {
  readonly dialect: Dialect
  readonly #options: BindOptions
  /** Whether callers pass names to the template. */
  readonly #takesParameters: boolean
  readonly #reads = new Map<string, Span>()
  readonly #writes = new Map<string, number>()
  readonly #uses = new NameUses<Expression | null>()
  #blocks: Blocks = []
  #blockCount = 0
  #loopCount = 0
  readonly #bound: Set<string>
  /** Cached copy of `#bound`; null after a new name was bound. */
  #boundHere: ReadonlySet<string> | null = null
  readonly #patterns = new Map<string, (NamePattern | null)[]>()
  /** Names that the template has certainly set before the current node. Immutable: adding a name creates a new set. */
  #certainlySet: ReadonlySet<string> = new Set()
  readonly #counters = new Set<string>()
  readonly #calls: BoundCall[] = []
  readonly #queries: BoundQuery[] = []
  readonly #halts = new Set<'break' | 'continue'>()
  readonly #loopScopes: Map<string, string>[] = []
  #readsSelf = false
  #asksParent = false
  #registers = false
  #suspends = false
  #returns = false
  #resumes = false
  #nodeSpan: Span = { file: '', start: 0, end: 0 }
  #assigned = NO_ASSIGN

  constructor(options: BindOptions, parameters: readonly string[] | null) {
    this.dialect = options.dialect
    this.#options = options
    this.#takesParameters = parameters !== null
    this.#bound = new Set(parameters)
  }

  result(): BindResult {
    return {
      reads: shareMap(this.#reads),
      writes: shareMap(this.#writes),
      uses: this.#uses.all(),
      counters: shareWords(this.#counters),
      readsSelf: this.#readsSelf,
      asksParent: this.#asksParent,
      registers: this.#registers,
      calls: shareList(this.#calls.map((call) => this.#withPatterns(call))),
      queries: shareList(this.#queries),
      suspends: this.#suspends,
      halts: shareWords(this.#halts),
      returns: this.#returns,
      resumes: this.#resumes,
    }
  }

  // Adds name patterns to a call. A variable's pattern covers all of its assignments, including later ones in a loop.
  #withPatterns(call: BoundCall): BoundCall {
    const patterns = call.variable === null ? undefined : this.#patterns.get(call.variable)
    if (patterns === undefined) return call
    return patterns.every((each) => each !== null) ? { ...call, patterns: patterns } : { ...call, variable: null }
  }

  // ---- nodes and values ---------------------------------------------------------------------------------------------

  body(nodes: readonly Node[]): void {
    for (const node of nodes) this.#visit(node)
  }

  #visit(node: Node): void {
    if (node.kind === 'text') return
    this.#nodeSpan = node.span
    this.#assigned = assignedBy(node)
    if (node.kind === 'output') {
      if (node.value !== null) this.condition(node.value)
      return
    }
    const tag = this.#options.tags.get(node.name)
    if (tag === undefined) return
    if (resumesLoop(node)) this.#resumes = true
    tag.check(node, this)
  }

  read(expression: Expression): Type {
    this.condition(expression)
    return UNKNOWN
  }

  condition(expression: Expression): void {
    switch (expression.kind) {
      case 'literal':
        return
      case 'lookup':
        return this.#lookup(expression)
      case 'range':
        this.condition(expression.from)
        this.condition(expression.to)
        return
      case 'interpolation':
        for (const part of expression.parts) if (typeof part !== 'string') this.condition(part)
        return
      case 'hash':
        // A bare key reads a variable only if its name is bound elsewhere. The emitter decides whether that is so.
        for (const { key, value } of expression.entries) {
          if (key.kind === 'computed') this.condition(key.value)
          this.condition(value)
        }
        return
      case 'array':
        for (const item of expression.items) this.condition(item)
        return
      case 'comparison':
      case 'logical':
        this.condition(expression.left)
        this.condition(expression.right)
        return
      case 'filtered':
        this.condition(expression.input)
        this.#filters(expression.filters)
    }
  }

  #lookup({ name, path }: Lookup): void {
    const [first] = path
    const key = first?.kind === 'key' ? first.name : first === undefined ? null : literalName(first.value)
    if (name !== null) {
      this.#readName(name, directKey(first) !== null)
      if (name.name === 'forloop' && this.#isLoopVariable('forloop') && (key === null || key === 'parentloop'))
        this.#asksParent = true
    }
    // In base Liquid, `[name]` and `self` can refer to any variable, so the whole frame is kept.
    if (name === null || (name.name === 'self' && this.dialect === 'liquid')) {
      if (key !== null) this.#readName({ name: key, span: this.#nodeSpan }, directKey(path[1]) !== null)
      else {
        this.#reads.set('*', this.#nodeSpan)
        this.#readsSelf = true
        this.#registers = true
      }
    }
    this.#indexes(path)
  }

  #indexes(path: readonly Accessor[]): void {
    for (const accessor of path) if (accessor.kind === 'index') this.condition(accessor.value)
  }

  #filters(filters: readonly FilterCall[]): void {
    for (const filter of filters) {
      if (this.#options.suspendingFilter(filter.name.name)) this.#suspends = true
      for (const value of filter.positional) this.condition(value)
      for (const { value } of filter.named) this.condition(value)
    }
  }

  /** Returns the internal name of a loop variable; undefined for a name of the frame. */
  #loopVariable(name: string): string | undefined {
    return this.#loopScopes.findLast((scope) => scope.has(name))?.get(name)
  }

  #isLoopVariable(name: string): boolean {
    return this.#loopVariable(name) !== undefined
  }

  /** `field`: only a field of the value is read. */
  #readName({ name, span }: NameNode, field: boolean): void {
    const loopVariable = this.#loopVariable(name)
    if (loopVariable !== undefined) return this.#uses.read(loopVariable, this.#blocks, field)
    this.#uses.read(name, this.#blocks, field)
    if (!this.#reads.has(name)) this.#reads.set(name, span)
    if (this.#takesParameters) this.#bind(name)
  }

  #writeName(name: string, { value, pattern, isSure }: AssignedValue): void {
    this.#uses.set(name, value, this.#blocks)
    const patterns = this.#patterns.get(name)
    if (patterns === undefined) this.#patterns.set(name, [pattern])
    else patterns.push(pattern)
    this.#writes.set(name, (this.#writes.get(name) ?? 0) + 1)
    this.#bind(name)
    if (isSure) this.#settle(name)
  }

  #bind(name: string): void {
    if (this.#bound.has(name)) return
    this.#bound.add(name)
    this.#boundHere = null
  }

  #settle(name: string): void {
    if (!this.#certainlySet.has(name)) this.#certainlySet = new Set(this.#certainlySet).add(name)
  }

  // ---- control flow -------------------------------------------------------------------------------------------------

  /** Calls `run` for code that may be skipped or may end early. Returns the names that are certainly set after the code. */
  #runMaybe(run: () => void): ReadonlySet<string> {
    const setBefore = this.#certainlySet
    const blocks = this.#blocks
    this.#blocks = [...blocks, ++this.#blockCount]
    run()
    const setAfter = this.#certainlySet
    this.#certainlySet = setBefore
    this.#blocks = blocks
    return setAfter
  }

  branches(ways: readonly ConditionalBranch[], exhaustive: boolean): void {
    const ends = ways.map((way) =>
      this.#runMaybe(() => {
        if (way.condition !== null) this.condition(way.condition)
        way.run()
      }),
    )
    const [first, ...rest] = ends
    if (exhaustive && first !== undefined)
      for (const name of first) if (rest.every((end) => end.has(name))) this.#settle(name)
  }

  loop(locals: readonly LoopLocal[], body: () => void): void {
    const number = ++this.#loopCount
    this.#loopScopes.push(new Map(locals.map(({ name }) => [name, `loop ${number} ${name}`])))
    for (const local of locals) this.#bind(local.name)
    this.#runMaybe(body)
    this.#loopScopes.pop()
  }

  detached(_kind: string, body: () => void): void {
    this.#runMaybe(body)
  }

  halt(kind: 'break' | 'continue' | 'return', value: Type | null): void {
    if (kind === 'return') {
      if (value !== null) this.#returns = true
    } else if (this.#loopScopes.length === 0) this.#halts.add(kind)
  }

  // ---- writes -------------------------------------------------------------------------------------------------------

  assign(name: NameNode): void {
    this.#writeName(name.name, NO_ASSIGN)
  }

  write({ name, path }: WriteTarget, _value: Type, push: boolean): void {
    if (path.length === 0 && !push) return this.#writeName(name.name, this.#assigned)
    this.#readName(name, false)
    this.#indexes(path)
  }

  counter(name: NameNode): void {
    this.#counters.add(name.name)
    this.#registers = true
  }

  register(): void {
    this.#registers = true
  }

  // ---- calls and queries --------------------------------------------------------------------------------------------

  call(call: PartialCall, node: TagNode): Type {
    this.condition(call.name)
    const literalPartialName = literalName(call.name)
    // Base Liquid passes the variable that has the partial's name.
    if (
      this.dialect === 'liquid' &&
      call.kind === 'include' &&
      call.bindingClause === null &&
      literalPartialName !== null
    )
      this.#readName({ name: literalPartialName, span: call.span }, false)
    const namePattern = derivePattern(call.name)
    // Arguments may read names, which are bound before the call.
    const passedNames = this.#passedNames(call, literalPartialName)
    this.#calls.push({
      kind: call.kind,
      name: call.name,
      literal: literalPartialName,
      patterns: namePattern === null || literalPartialName !== null ? null : [namePattern],
      variable: literalPartialName === null ? this.#certainVariable(call.name) : null,
      passedNames: shareWords(passedNames),
      hidden: shareWords(new Set(this.#loopScopes.flatMap((scope) => [...scope.keys()]))),
      inLoop: this.#loopScopes.length > 0,
      boundBefore: (this.#boundHere ??= shareWords(new Set(this.#bound))),
      node,
    })
    return UNKNOWN
  }

  #passedNames(call: PartialCall, literal: string | null): ReadonlySet<string> {
    const names = new Set<string>()
    for (const { name, value } of call.arguments) {
      this.condition(value)
      names.add(name.name)
    }
    if (call.bindingClause !== null) {
      this.condition(call.bindingClause.value)
      names.add(call.bindingClause.alias?.name ?? baseName(literal ?? ''))
      if (call.kind !== 'include' && call.bindingClause.isForEach) names.add('forloop')
    }
    return names
  }

  /** Returns the variable that a name is read from, if only this template can have set it. */
  #certainVariable(name: Expression): string | null {
    if (name.kind !== 'lookup' || name.name === null || name.path.length > 0) return null
    const variable = name.name.name
    return !this.#isLoopVariable(variable) && this.#certainlySet.has(variable) ? variable : null
  }

  job(args: readonly NamedArgument[]): void {
    for (const { value } of args) this.condition(value)
  }

  query({ name, body, arguments: args, spread, filters }: QueryUse): Type {
    if (name !== null) this.condition(name)
    if (spread !== null) this.condition(spread)
    for (const { value } of args) this.condition(value)
    this.body(body)
    this.#filters(filters)
    const inline = name === null ? inlineDocument(body) : null
    if (name !== null) this.#queries.push({ kind: 'stored', literal: literalName(name) })
    else if (inline !== null) this.#queries.push({ kind: 'inline', span: inline.span })
    return UNKNOWN
  }

  asyncPort(name: string): void {
    if (SUSPENDING.has(name)) this.#suspends = true
  }

  // ---- methods that only the checker needs -------------------------------------------------------------------------------

  element(): Type {
    return UNKNOWN
  }

  syncPort(): void {}

  note(): void {}

  source(): string {
    return ''
  }

  report(): void {}
}

function assignedBy(node: Node): AssignedValue {
  if (node.kind !== 'tag' || !isNodeOf(assign, node, 'value')) return NO_ASSIGN
  const { value } = node.markup
  return { value, pattern: derivePattern(value), isSure: isSureName(value) }
}

function literalName(name: Expression): string | null {
  return name.kind === 'literal' && name.value.type === 'string' ? name.value.value : null
}

function resumesLoop(node: TagNode): boolean {
  if (!isNodeOf(for_, node, 'arguments')) return false
  return node.markup.arguments.some(
    ({ name, value }) => name.name === 'offset' && value.kind === 'lookup' && value.name?.name === 'continue',
  )
}
