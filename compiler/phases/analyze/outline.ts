/** The outline of a template: its variables, calls and possible ends, without types. */
import {
  type Expression,
  type FilterCall,
  type Lookup,
  type NameNode,
  type Node,
  type TagNode,
  type WriteTarget,
  stringOf,
} from '../../core/tree/ast.ts'
import {
  type AssignedForm,
  baseName,
  type Outline,
  type OutlineCall,
  type OutlineQuery,
  type TextPattern,
} from '../../core/model/outline.ts'
import type { Dialect } from '../../core/model/dialect.ts'
import { shareList, shareMap, shareWords } from '../../core/model/shared-values.ts'
import { inlineDocument } from '../../core/model/operation.ts'
import type { Span } from '../../core/source/span.ts'
import { assign } from '../../language/tags/assign.ts'
import { for_ } from '../../language/tags/for.ts'
import {
  type AnyTag,
  type DetachedKind,
  type HaltKind,
  isNodeOf,
  type LoopLocal,
  type PartialCall,
  type QueryUse,
} from '../../language/tags/tag.ts'
import { type BranchEffects, Engine, type LoopEffects, type Place } from './engine.ts'
import { StatefulVisitor } from './visitor.ts'
import { directKey, literalKey } from '../../language/types/accessors.ts'
import { type Blocks, NameUses } from '../../language/types/name-uses.ts'
import { addTo } from '../../core/source/maps.ts'
import { childrenOf } from '../../core/tree/expressions.ts'
import { constantTexts } from './domains/constant-texts.ts'

/** Ports that suspend the template. Other ports return synchronously. */
const SUSPENDING = new Set(['graphql', 'jobs', 'cache', 'transactions', 'sessions', 'forms'])

interface OutlineOptions {
  readonly dialect: Dialect
  readonly tags: ReadonlyMap<string, AnyTag>
  /** Returns whether the filter with this name suspends. */
  readonly suspendingFilter: (name: string) => boolean
}

/**
 * Returns the outline of a template. `parameters` are the names documented as its parameters, or null if no caller passes any. Parameters and names read
 * before they are set are bound first.
 */
export function outlineTemplate(
  nodes: readonly Node[],
  options: OutlineOptions,
  parameters: readonly string[] | null = null,
): Outline {
  const engine = new Engine(
    options.tags,
    (place: Place<OutlineState>) => new OutlineVisitor(options, parameters, place),
  )
  engine.body(nodes)
  return { ...engine.domain.result(), prints: hasOutput(nodes) }
}

/** The value that the current `assign` gives to its variable. */
interface AssignedValue {
  readonly form: AssignedForm
  readonly pattern: TextPattern | null
  /** Whether the variable is certainly set afterwards. */
  readonly isSure: boolean
}

const NO_ASSIGN: AssignedValue = { form: null, pattern: null, isSure: true }

/** What is known at a place: the names that are certainly set, and the open blocks. Immutable. */
interface OutlineState {
  readonly settled: ReadonlySet<string>
  readonly blocks: Blocks
}

class OutlineVisitor extends StatefulVisitor<OutlineState> {
  readonly #options: OutlineOptions
  /** Whether callers pass names to the template. */
  readonly #takesParameters: boolean
  readonly #reads = new Map<string, Span>()
  readonly #writes = new Map<string, number>()
  readonly #uses = new NameUses<AssignedForm>()
  #state: OutlineState = { settled: new Set(), blocks: [] }
  #blockCount = 0
  #loopCount = 0
  readonly #bound: Set<string>
  /** Cached copy of `#bound`; null after a new name was bound. */
  #boundHere: ReadonlySet<string> | null = null
  readonly #patterns = new Map<string, (TextPattern | null)[]>()
  readonly #counters = new Set<string>()
  readonly #calls: OutlineCall[] = []
  readonly #queries: OutlineQuery[] = []
  readonly #halts = new Set<'break' | 'continue'>()
  readonly #loopScopes: Map<string, string>[] = []
  #readsSelf = false
  #asksParent = false
  #registers = false
  #suspends = false
  #returns = false
  #resumes = false

  constructor(options: OutlineOptions, parameters: readonly string[] | null, place: Place<OutlineState>) {
    super(options.dialect, place)
    this.#options = options
    this.#takesParameters = parameters !== null
    this.#bound = new Set(parameters)
  }

  result(): Omit<Outline, 'prints'> {
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
  #withPatterns(call: OutlineCall): OutlineCall {
    const patterns = call.variable === null ? undefined : this.#patterns.get(call.variable)
    if (patterns === undefined) return call
    return patterns.every((each) => each !== null) ? { ...call, patterns: patterns } : { ...call, variable: null }
  }

  // ---- expressions ----------------------------------------------------------------------------------------------------

  override tag(node: TagNode, _tag: AnyTag, check: () => void): void {
    if (resumesLoop(node)) this.#resumes = true
    check()
  }

  /** A bare key of a hash reads a variable only if its name is bound elsewhere. The emitter decides whether that is so. */
  override visit(expression: Expression): void {
    if (expression.kind === 'lookup') this.#lookup(expression)
    super.visit(expression)
  }

  override visitFilters(filters: readonly FilterCall[]): void {
    if (filters.some(({ name }) => this.#options.suspendingFilter(name.name))) this.#suspends = true
    super.visitFilters(filters)
  }

  #lookup({ name, path }: Lookup): void {
    const [first] = path
    const key = literalKey(first)
    if (name !== null) {
      this.#readName(name, directKey(first) !== null)
      if (name.name === 'forloop' && this.#isLoopVariable('forloop') && (key === null || key === 'parentloop'))
        this.#asksParent = true
    }
    // In base Liquid, `[name]` and `self` can refer to any variable, so the whole frame is kept.
    if (name === null || (name.name === 'self' && this.dialect === 'liquid')) {
      if (key !== null) this.#readName({ name: key, span: this.#nodeSpan() }, directKey(path[1]) !== null)
      else {
        this.#reads.set('*', this.#nodeSpan())
        this.#readsSelf = true
        this.#registers = true
      }
    }
  }

  #nodeSpan(): Span {
    return this.place.node?.span ?? { file: '', start: 0, end: 0 }
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
    if (loopVariable !== undefined) return this.#uses.read(loopVariable, this.#state.blocks, field)
    this.#uses.read(name, this.#state.blocks, field)
    if (!this.#reads.has(name)) this.#reads.set(name, span)
    if (this.#takesParameters) this.#bind(name)
  }

  #writeName(name: string, { form, pattern, isSure }: AssignedValue): void {
    this.#uses.set(name, form, this.#state.blocks)
    addTo(this.#patterns, name, pattern)
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
    const { settled } = this.#state
    if (!settled.has(name)) this.#state = { ...this.#state, settled: new Set(settled).add(name) }
  }

  // ---- control flow -------------------------------------------------------------------------------------------------

  save(): OutlineState {
    return this.#state
  }

  restore(state: OutlineState): void {
    this.#state = state
  }

  join([first, ...others]: readonly [OutlineState, ...OutlineState[]], { blocks }: OutlineState): void {
    const isEverywhere = (name: string) => others.every(({ settled }) => settled.has(name))
    const settled = others.some((each) => each.settled !== first.settled)
      ? new Set([...first.settled].filter(isEverywhere))
      : first.settled
    this.#state = { settled, blocks }
  }

  #enterBlock(): void {
    this.#state = { ...this.#state, blocks: [...this.#state.blocks, ++this.#blockCount] }
  }

  override branch(condition: Expression | null): BranchEffects {
    const { blocks } = this.#state
    this.#enterBlock()
    if (condition !== null) this.visit(condition)
    return {
      take() {},
      skip: () => {
        this.#state = { ...this.#state, blocks }
      },
    }
  }

  override loop(locals: readonly LoopLocal[]): LoopEffects<OutlineState> {
    const number = ++this.#loopCount
    const before = this.#state
    for (const local of locals) this.#bind(local.name)
    return {
      enter: () => {
        this.#loopScopes.push(new Map(locals.map(({ name }) => [name, `loop ${number} ${name}`])))
        this.#enterBlock()
      },
      leave: () => void this.#loopScopes.pop(),
      repeat: () => null,
      end: () => this.restore(before),
    }
  }

  override enterDetached(): void {
    this.#enterBlock()
  }

  override leaveDetached(_kind: DetachedKind, before: OutlineState): void {
    this.restore(before)
  }

  override halt(kind: HaltKind, value: undefined | null): boolean {
    if (kind !== 'return') {
      if (this.#loopScopes.length === 0) this.#halts.add(kind)
    } else if (value !== null) this.#returns = true
    return false
  }

  // ---- writes -------------------------------------------------------------------------------------------------------

  override assign({ name }: NameNode): void {
    this.#writeName(name, assignedBy(this.place.node))
  }

  override write({ name, path }: WriteTarget): void {
    this.#readName(name, false)
    this.visitIndexes(path)
  }

  override counter(name: NameNode): void {
    this.#counters.add(name.name)
    this.#registers = true
  }

  override register(): void {
    this.#registers = true
  }

  // ---- calls and queries --------------------------------------------------------------------------------------------

  override call(call: PartialCall): undefined {
    this.visit(call.name)
    const literalPartialName = stringOf(call.name)
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
      nameSpan: call.name.span,
      literal: literalPartialName,
      patterns: namePattern === null || literalPartialName !== null ? null : [namePattern],
      variable: literalPartialName === null ? this.#certainVariable(call.name) : null,
      passedNames: shareWords(passedNames),
      hidden: shareWords(new Set(this.#loopScopes.flatMap((scope) => [...scope.keys()]))),
      inLoop: this.#loopScopes.length > 0,
      boundBefore: (this.#boundHere ??= shareWords(new Set(this.#bound))),
    })
  }

  #passedNames(call: PartialCall, literal: string | null): ReadonlySet<string> {
    const names = new Set<string>()
    for (const { name, value } of call.arguments) {
      this.visit(value)
      names.add(name.name)
    }
    if (call.bindingClause !== null) {
      this.visit(call.bindingClause.value)
      names.add(call.bindingClause.alias?.name ?? baseName(literal ?? ''))
      if (call.kind !== 'include' && call.bindingClause.isForEach) names.add('forloop')
    }
    return names
  }

  /** Returns the variable that a name is read from, if only this template can have set it. */
  #certainVariable(name: Expression): string | null {
    if (name.kind !== 'lookup' || name.name === null || name.path.length > 0) return null
    const variable = name.name.name
    return !this.#isLoopVariable(variable) && this.#state.settled.has(variable) ? variable : null
  }

  override query(use: QueryUse): undefined {
    super.query(use)
    const { name, body } = use
    const inline = name === null ? inlineDocument(body) : null
    if (name !== null) this.#queries.push({ kind: 'stored', literal: stringOf(name) })
    else if (inline !== null) this.#queries.push({ kind: 'inline', span: inline.span })
  }

  override port(name: string, isAsync: boolean): void {
    if (isAsync && SUSPENDING.has(name)) this.#suspends = true
  }
}

function assignedBy(node: Node | null): AssignedValue {
  if (node?.kind !== 'tag' || !isNodeOf(assign, node, 'value')) return NO_ASSIGN
  const { value } = node.markup
  return { form: formOf(value), pattern: derivePattern(value), isSure: isSureName(value) }
}

function formOf(value: Expression): AssignedForm {
  if (value.kind === 'literal') return { literal: value.value }
  if (value.kind !== 'filtered') return null
  const last = value.filters.at(-1)
  return last === undefined ? formOf(value.input) : { filter: last.name.name }
}

function resumesLoop(node: TagNode): boolean {
  if (!isNodeOf(for_, node, 'arguments')) return false
  return node.markup.arguments.some(
    ({ name, value }) => name.name === 'offset' && value.kind === 'lookup' && value.name?.name === 'continue',
  )
}

// ---- whether a template prints -------------------------------------------------------------------------------------

/** Tags that print. */
const PRINTING_TAGS: ReadonlySet<string> = new Set(['echo', 'print', 'render', 'include', 'form', 'yield'])
/** Tags whose bodies are not printed in place. */
const NON_PRINTING_TAGS: ReadonlySet<string> = new Set(['capture', 'content_for', 'background', 'comment', 'doc'])

/** Returns whether nodes print text or values. */
function hasOutput(nodes: readonly Node[]): boolean {
  return nodes.some((node) => {
    if (node.kind === 'text') return node.text.trim() !== ''
    if (node.kind === 'output') return node.value !== null
    return (
      PRINTING_TAGS.has(node.name) ||
      (!NON_PRINTING_TAGS.has(node.name) && [node, ...node.branches].some(({ body }) => hasOutput(body)))
    )
  })
}

// ---- patterns of computed names ------------------------------------------------------------------------------------

/** Returns the pattern of possible values; null if nothing is known about the value. */
function derivePattern(expression: Expression): TextPattern | null {
  const texts = constantTexts(expression, () => null)
  return texts?.length === 1 ? (texts[0] ?? null) : null
}

/** Returns true if the expression cannot fail. If an expression fails, the variable keeps its old value. */
function isSureName(expression: Expression): boolean {
  const { kind } = expression
  if (kind === 'filtered') {
    const joinsTexts = expression.filters.every(
      ({ name, positional, named }) =>
        (name.name === 'append' || name.name === 'prepend') && positional.length === 1 && named.length === 0,
    )
    if (!joinsTexts) return false
  } else if (kind !== 'literal' && kind !== 'lookup' && kind !== 'interpolation') return false
  return childrenOf(expression).every(isSureName)
}
