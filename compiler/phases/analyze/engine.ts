/**
 * Interprets templates: follows their flow through tags, branches, loops and ends, for one domain. The domain decides what is known about a value
 * and about a place. It is the only creator of the tags' `CheckKit`.
 */
import { type Diagnostic, withSubject } from '../../core/diagnostics/diagnostic.ts'
import type { Dialect } from '../../core/model/dialect.ts'
import type { Type } from '../../core/model/type.ts'
import type { Span } from '../../core/source/span.ts'
import type { Expression, NamedArgument, NameNode, Node, TagNode, WriteTarget } from '../../core/tree/ast.ts'
import type {
  AnyTag,
  CheckKit,
  ConditionalBranch,
  DetachedKind,
  HaltKind,
  LoopLocal,
  PartialCall,
  QueryUse,
  SiteNote,
} from '../../language/tags/tag.ts'

type TextNode = Extract<Node, { kind: 'text' }>
type OutputNode = Extract<Node, { kind: 'output' }>

/** Effects of a condition. Each starts in the state after the condition was evaluated. */
export interface BranchEffects {
  /** Applies what is known where the branch runs. */
  take(): void
  /** Applies what is known where the branch does not run. */
  skip(): void
}

export interface LoopEffects<State> {
  /** Called before each iteration. */
  enter(): void
  /** Called after each iteration. */
  leave(): void
  /**
   * Returns the state from which the body is interpreted again; null if that would change nothing. `from`: the state before the iteration.
   * The current state is the one after it. `iteration` counts from 1.
   */
  repeat(from: State, iteration: number): State | null
  /** Called after the last iteration. */
  end(): void
}

/** The place that the interpreter has reached. */
export interface Place<State> {
  /** The current node; null before the first one. */
  readonly node: Node | null
  /** Whether this place is unreachable. */
  readonly isDead: boolean
  /** Number of open loops. */
  readonly loopDepth: number
  /** Whether an enclosing block may not run. */
  readonly isConditional: boolean
  /** Number of open bodies of these tags. */
  readonly open: Readonly<Record<DetachedKind, number>>
  /** The states at each `break` and `continue` of the innermost loop so far. */
  readonly exits: readonly State[]
  /** Records that the innermost loop or its iteration may end here. */
  mayExitLoop(): void
  /** Makes this place reachable or unreachable. */
  setDead(isDead: boolean): void
  /** Interprets code that may not run. */
  conditionally(run: () => void): void
  body(nodes: readonly Node[]): void
}

/** What is computed about a template. `Value`: what is known about a value. `State`: what is known at a place. */
export interface Domain<Value, State> {
  readonly dialect: Dialect
  /** Whether diagnostics are collected. */
  readonly reports: boolean
  /** Whether unreachable nodes are left out. */
  readonly skipsDead: boolean

  // ---- values
  /** Reads a value. `isPassedOn`: nil is accepted, because the value is only passed on. */
  read(expression: Expression, isPassedOn: boolean): Value
  test(condition: Expression): void
  /** Returns the type that tags see. */
  typeOf(value: Value): Type
  /** Returns the value for a type that a tag makes itself. */
  valueOf(type: Type): Value
  /** Returns an element of a value in a loop over it. */
  elementOf(value: Value): Value

  // ---- states
  /** Returns the current state. Later changes do not affect it. */
  save(): State
  restore(state: State): void
  /** Makes the state after alternative paths the current one. `from`: the state before them. */
  join(paths: readonly [State, ...State[]], from: State): void

  // ---- nodes
  text(node: TextNode): void
  output(node: OutputNode): void
  /** Visits a tag. `check` interprets it. */
  tag(node: TagNode, tag: AnyTag, check: () => void): void
  /** Visits an unreachable node. Returns whether the following ones need not be visited in this way. */
  unreachable(node: Node): boolean

  // ---- flow
  /** Evaluates the condition of a branch; null: the branch may always run. `holds`: the value with which it runs. */
  branch(condition: Expression | null, holds: boolean): BranchEffects
  /** Whether a block with an `else` always runs one of its branches. */
  readonly runsSomeBranch: boolean
  loop(locals: readonly LoopLocal[], values: readonly Value[]): LoopEffects<State>
  enterDetached(kind: DetachedKind, key: Expression | undefined): void
  /** Called after the paths through and around the body are joined. */
  leaveDetached(kind: DetachedKind, before: State): void
  /** Ends the template, a loop or an iteration. Returns whether the code after this place is unreachable. */
  halt(kind: HaltKind, value: Value | null): boolean

  // ---- writes, calls and notes: as in `CheckKit`
  assign(name: NameNode, value: Value, isDemanded: boolean): void
  write(target: WriteTarget, value: Value, push: boolean): void
  counter(name: NameNode): void
  register(): void
  call(call: PartialCall, node: TagNode): Value
  job(args: readonly NamedArgument[], node: TagNode): void
  query(use: QueryUse): Value
  port(name: string, isAsync: boolean): void
  /** `value`: the value of the note, if it has a type. */
  note(note: SiteNote, value: Value | null): void
  source(span: Span): string
  report(diagnostic: Diagnostic): void
}

/** Interprets templates with these tags. `createDomain` gets the place that the interpreter has reached. */
export class Engine<Value, State, Of extends Domain<Value, State>> implements Place<State> {
  readonly #tags: ReadonlyMap<string, AnyTag>
  readonly domain: Of
  node: Node | null = null
  isDead = false
  readonly open: Record<DetachedKind, number> = { cache: 0, transaction: 0, try: 0, content_for: 0 }
  readonly #kit: CheckKit
  readonly #exits: State[][] = []
  #conditions = 0
  /** The values that the open tags received, with the types by which the tags refer to them. The last ones belong to the innermost tag. */
  readonly #received: { readonly type: Type; readonly value: Value }[] = []
  /** The number of values that outer tags received. */
  #receivedBefore = 0

  constructor(tags: ReadonlyMap<string, AnyTag>, createDomain: (place: Place<State>) => Of) {
    this.#tags = tags
    this.domain = createDomain(this)
    this.#kit = this.#createKit()
  }

  /** Returns the kit for tags. */
  #createKit(): CheckKit {
    const { domain } = this
    return {
      dialect: domain.dialect,
      reports: domain.reports,
      read: (expression, isPassedOn = false) => this.#give(domain.read(expression, isPassedOn)),
      condition: (expression) => domain.test(expression),
      body: (nodes) => this.body(nodes),
      branches: (ways, isExhaustive) => this.#branches(ways, isExhaustive),
      loop: (locals, body) => this.#loop(locals, body),
      detached: (kind, body, key) => this.#detached(kind, body, key),
      element: (type) => this.#give(domain.elementOf(this.#valueOf(type))),
      assign: (name, type, isDemanded = false) => domain.assign(name, this.#valueOf(type), isDemanded),
      write: (target, type, push) => {
        const value = this.#valueOf(type)
        if (target.path.length === 0 && !push) domain.assign(target.name, value, false)
        else domain.write(target, value, push)
      },
      call: (call, node) => this.#give(domain.call(call, node)),
      job: (args, node) => domain.job(args, node),
      query: (use) => this.#give(domain.query(use)),
      counter: (name) => domain.counter(name),
      register: () => domain.register(),
      halt: (kind, value) => this.#halt(kind, value),
      asyncPort: (name) => domain.port(name, true),
      syncPort: (name) => domain.port(name, false),
      note: (note) => domain.note(note, 'type' in note ? this.#valueOf(note.type) : null),
      source: (span) => domain.source(span),
      report: (diagnostic) => domain.report(withSubject(diagnostic)),
    }
  }

  // ---- the place ------------------------------------------------------------------------------------------------------

  get loopDepth(): number {
    return this.#exits.length
  }

  get isConditional(): boolean {
    return this.#conditions > 0
  }

  get exits(): readonly State[] {
    return this.#exits.at(-1) ?? []
  }

  mayExitLoop(): void {
    if (!this.isDead) this.#exits.at(-1)?.push(this.domain.save())
  }

  setDead(isDead: boolean): void {
    this.isDead = isDead
  }

  conditionally(run: () => void): void {
    this.#conditions++
    run()
    this.#conditions--
  }

  // ---- nodes ----------------------------------------------------------------------------------------------------------

  body(nodes: readonly Node[]): void {
    const { node: outer, domain } = this
    let isVisited = this.isDead
    for (const node of nodes) {
      if (this.isDead) {
        if (domain.skipsDead) break
        if (!isVisited) isVisited = domain.unreachable(node)
      }
      this.node = node
      if (node.kind === 'text') domain.text(node)
      else if (node.kind === 'output') domain.output(node)
      else this.#tag(node)
    }
    this.node = outer
  }

  #tag(node: TagNode): void {
    const tag = this.#tags.get(node.name)
    if (tag === undefined) return
    const before = this.#receivedBefore
    this.#receivedBefore = this.#received.length
    this.domain.tag(node, tag, () => tag.check(node, this.#kit))
    this.#received.length = this.#receivedBefore
    this.#receivedBefore = before
  }

  // ---- values ---------------------------------------------------------------------------------------------------------

  /** Gives a value to the current tag, which refers to it by its type. */
  #give(value: Value): Type {
    const type = this.domain.typeOf(value)
    this.#received.push({ type, value })
    return type
  }

  /** Returns the value that a tag refers to. */
  #valueOf(type: Type): Value {
    for (let at = this.#received.length - 1; at >= this.#receivedBefore; at--) {
      const received = this.#received[at]
      if (received?.type === type) return received.value
    }
    return this.domain.valueOf(type)
  }

  // ---- flow -----------------------------------------------------------------------------------------------------------

  /** Interprets a body from a state. Returns the state after it; null if the end is unreachable. */
  #run(from: State, body: () => void): State | null {
    const wasDead = this.isDead
    this.domain.restore(from)
    body()
    const end = this.isDead && !wasDead ? null : this.domain.save()
    this.isDead = wasDead
    return end
  }

  /** Continues after alternative paths. The place is unreachable if none of them continues. */
  #join(ends: readonly (State | null)[], from: State): void {
    const [first, ...others] = ends.filter((end) => end !== null)
    if (first === undefined) {
      this.domain.restore(from)
      this.isDead = true
    } else this.domain.join([first, ...others], from)
  }

  #branches(branches: readonly ConditionalBranch[], isExhaustive: boolean): void {
    const { domain } = this
    const from = domain.save()
    const ends: (State | null)[] = []
    const outerConditions = this.#conditions
    let otherwise = from
    for (const { condition, negated, run } of branches) {
      domain.restore(otherwise)
      const effects = domain.branch(condition, negated !== true)
      // The first condition is always evaluated.
      this.#conditions = outerConditions + 1
      otherwise = domain.save()
      const end = this.#run(otherwise, () => {
        effects.take()
        run()
      })
      ends.push(end)
      domain.restore(otherwise)
      effects.skip()
      otherwise = domain.save()
    }
    this.#conditions = outerConditions
    this.#join(isExhaustive && domain.runsSomeBranch ? ends : [...ends, otherwise], from)
  }

  #loop(locals: readonly LoopLocal[], body: () => void): void {
    const { domain } = this
    const effects = domain.loop(
      locals,
      locals.map(({ type }) => this.#valueOf(type)),
    )
    let from = domain.save()
    this.#conditions++
    for (let iteration = 1; ; iteration++) {
      this.#exits.push([])
      const end = this.#run(from, () => {
        effects.enter()
        body()
        effects.leave()
      })
      const exits = this.#exits.pop() ?? []
      this.#join([end, ...exits], from)
      const next = this.isDead && end === null && exits.length === 0 ? null : effects.repeat(from, iteration)
      if (next === null) break
      from = next
    }
    this.#conditions--
    effects.end()
  }

  #detached(kind: DetachedKind, body: () => void, key?: Expression): void {
    const { domain } = this
    const before = domain.save()
    this.open[kind]++
    domain.enterDetached(kind, key)
    if (kind === 'content_for') body()
    else {
      // Only the body of a `cache` may not run at all.
      const isMaybe = kind === 'cache'
      if (isMaybe) this.#conditions++
      const end = this.#run(domain.save(), body)
      if (isMaybe) this.#conditions--
      this.#join([end, before], before)
    }
    this.open[kind]--
    domain.leaveDetached(kind, before)
  }

  #halt(kind: HaltKind, value: Type | null): void {
    const isEnd = this.domain.halt(kind, value === null ? null : this.#valueOf(value))
    if (!isEnd) return
    if (kind !== 'return') this.mayExitLoop()
    this.isDead = true
  }
}
