/** Follows tainted values through one template and through the templates it calls. */
import {
  type Expression,
  type NamedArgument,
  type NameNode,
  type TagNode,
  unfiltered,
  type WriteTarget,
} from '../../../../core/tree/ast.ts'
import type { Dialect } from '../../../../core/model/dialect.ts'
import type { Operation } from '../../../../core/model/operation.ts'
import { baseName } from '../../../../core/model/outline.ts'
import { shareList, shareMap, shareWords } from '../../../../core/model/shared-values.ts'
import type { FilterSignature } from '../../../../core/model/signature.ts'
import type { Site } from '../../../../core/model/site.ts'
import { markedSpan } from '../../../../core/source/mark.ts'
import type { Span } from '../../../../core/source/span.ts'
import type { Type } from '../../../../core/model/type.ts'
import type { Template, Unit } from '../../../../core/model/unit.ts'
import { case_ } from '../../../../language/tags/case.ts'
import {
  type AnyTag,
  type HaltKind,
  isNodeOf,
  type LoopLocal,
  type PartialCall,
  type QueryUse,
  type SiteNote,
} from '../../../../language/tags/tag.ts'
import { type BranchEffects, type Domain, Engine, type LoopEffects, type Place as EnginePlace } from '../../engine.ts'
import {
  addParameterNames,
  changeTaints,
  ELEMENT,
  elementOf,
  type Flow,
  type Resolver,
  isEmpty,
  join,
  joinTaints,
  NOTHING,
  partAt,
  partOf,
  substitute,
  substituteTaints,
  type Taint,
  taintedFlow,
  textTaints,
  withPart,
} from './flow.ts'
import { parsedFlow } from './json-texts.ts'
import { CONTENT, dangerOf, follow, isInAttribute, type Place, placeAfterOutput } from './places.ts'
import { type Showing, SHOWING_TAGS } from './secrets.ts'
import { passedArguments, calleeArguments, calleeOutput, joinOutputs } from './given.ts'
import { Sinks } from './sinks.ts'
import { queryFlow, sentApiCall } from './sources.ts'
import { CapturedText, type Snapshot, State } from './state.ts'
import type { OutputFormat, Sink, Stored, Summary } from './summary.ts'
import { keyOf, literalText, placeOf, TaintValues } from './values.ts'

/** Loops nested more deeply than this are walked once, because each level doubles the work. */
const MAX_REPEATED_DEPTH = 4

export interface TaintEnvironment {
  readonly site: Pick<Site, 'dialect' | 'config' | 'byFile'>
  readonly partial: (name: string) => Unit | undefined
  readonly apiCall: (name: string) => Unit | undefined
  /** Returns the operation that a tag runs; undefined if it is not known before run time. */
  readonly operationOf: (use: QueryUse) => Operation | undefined
  readonly tags: ReadonlyMap<string, AnyTag>
  readonly filters: ReadonlyMap<string, FilterSignature>
  readonly format: OutputFormat
  /** The parameters of all templates, by name. Reading a parameter adds it. */
  readonly parameters: Map<string, Flow>
  /**
   * Returns the summary of a template that is called at a place in HTML. `format` is passed if the output of the called template is not
   * part of this template's output.
   */
  readonly summaryOf: (key: string, place: Place, format?: OutputFormat) => Summary
  /** Returns the template key of a job's body; null if the body has none. */
  readonly blockOf: (node: TagNode) => string | null
}

/** Returns the summary of a template, without the key, which the caller adds. */
export function summarize(template: Template, place: Place, environment: TaintEnvironment): Omit<Summary, 'key'> {
  const engine = new Engine(environment.tags, (at: EnginePlace<Snapshot>) => new TaintDomain(environment, place, at))
  engine.body(template.nodes)
  return engine.domain.summary()
}

class TaintDomain implements Domain<Flow, Snapshot> {
  readonly dialect: Dialect
  readonly reports = false
  readonly skipsDead = true
  readonly runsSomeBranch = true
  readonly #environment: TaintEnvironment
  readonly #state: State
  readonly #values: TaintValues
  readonly #sinks = new Sinks()
  readonly #storedValues: Stored[] = []
  /** Argument values, by the callee's summary key and by parameter name. */
  readonly #calls = new Map<string, Map<string, Flow>>()
  #printedTaints: readonly Taint[] = []
  /** Functions that return the taints of what callees print. */
  readonly #calleeOutputs: (() => readonly Taint[])[] = []
  #result: Flow | null = null
  /** The values that are written into values that callers passed, by parameter name. */
  readonly #changes = new Map<string, Flow>()
  /** Texts that are being captured, the innermost last. */
  readonly #capturedTexts: CapturedText[] = []
  /** Number of open `capture` tags. */
  #captureDepth = 0
  /** Number of open tags whose content is data, not markup. */
  #dataDepth = 0
  readonly #at: EnginePlace<Snapshot>
  /** The open `case` tag and the index of its next branch. */
  #case: { readonly node: TagNode; at: number } | null = null

  constructor(environment: TaintEnvironment, place: Place, at: EnginePlace<Snapshot>) {
    this.#at = at
    this.#environment = environment
    this.dialect = environment.site.dialect
    this.#state = new State(place, environment.parameters)
    const { filters, site } = environment
    const { safeTranslate } = site.config
    this.#values = new TaintValues(
      { filters, safeTranslate, placeOfRead: (span) => this.#placeOfRead(span) },
      this.#state,
    )
  }

  #placeOfRead(span: Span): Span {
    return markedSpan(span, this.#environment.site.byFile.get(span.file)?.file.text ?? '')
  }

  summary(): Omit<Summary, 'key'> {
    const sinks = this.#sinks.sinks
    const calls = [...this.#calls].map(([callee, argumentFlows]) => ({ callee, argumentFlows }))
    const needs = new Set<string>()
    for (const { taints } of sinks) addParameterNames(taintedFlow(taints), needs)
    for (const { flow } of this.#storedValues) addParameterNames(flow, needs)
    let addsTaints = false
    for (const { argumentFlows } of calls)
      for (const flow of argumentFlows.values()) if (addParameterNames(flow, needs)) addsTaints = true
    return {
      forCallers: {
        result: this.#result ?? NOTHING,
        frame: this.#state.variables,
        changes: shareMap(this.#changes),
        neededNames: shareWords(needs),
        printed: joinOutputs(this.#printedTaints, this.#calleeOutputs),
        exit: this.#state.place,
      },
      sinks: shareList(sinks),
      storedFlows: shareList(this.#storedValues),
      calls: shareList(calls),
      addsTaints,
    }
  }

  // ---- nodes ------------------------------------------------------------------------------------------------------

  text({ text }: { readonly text: string }): void {
    this.#addText(text)
  }

  output(node: Parameters<Domain<Flow, Snapshot>['output']>[0]): void {
    if (node.value !== null) this.#print(this.#values.read(node.value), 'output', node)
  }

  tag(node: TagNode, tag: AnyTag, check: () => void): void {
    if (node.raw !== null) {
      if (tag.blank === undefined) this.#addText(node.raw)
      return
    }
    const outerCase = this.#case
    this.#case = node.name === 'case' ? { node, at: 0 } : null
    if (tag.content === undefined) check()
    else {
      const isCapture = node.name === 'capture'
      if (isCapture) this.#captureDepth++
      this.#capture(tag.content === 'data', check)
      if (isCapture) this.#captureDepth--
    }
    this.#case = outerCase
  }

  unreachable(): boolean {
    return true
  }

  /** Walks a tag whose content is captured. */
  #capture(isData: boolean, run: () => void): void {
    const { place } = this.#state
    this.#state.place = CONTENT
    this.#capturedTexts.push(new CapturedText())
    if (isData) this.#dataDepth++
    run()
    if (isData) this.#dataDepth--
    this.#capturedTexts.pop()
    this.#state.place = place
  }

  #addText(text: string): void {
    this.#state.place = follow(this.#state.place, text)
    this.#capturedTexts.at(-1)?.pieces.push(text)
  }

  #print(flow: Flow, showing: 'output' | 'print', { span }: { readonly span: Sink['span'] }): void {
    const { format } = this.#environment
    const { place } = this.#state
    const change =
      showing === 'print' || format === 'plain' || format === 'script' || format === 'sent'
        ? 'print'
        : isInAttribute(place)
          ? 'outputInAttribute'
          : 'output'
    const taints = isEmpty(flow) ? [] : changeTaints(textTaints(flow), change)
    if (this.#dataDepth === 0 && format !== 'unseen') {
      if (format === 'sent') this.#addSecretSink(span, 'sent', taints)
      else {
        const danger = format === 'plain' ? null : dangerOf(place)
        // Captured text is not checked here, but where the captured value is printed.
        this.#sinks.add({ span, showing, format: this.#captureDepth > 0 ? 'unseen' : format, danger, taints })
      }
    }
    this.#addOutput(taints)
    this.#state.place = placeAfterOutput(place)
  }

  #addOutput(taints: readonly Taint[]): void {
    const captured = this.#capturedTexts.at(-1)
    if (captured !== undefined) captured.pieces.push(taints)
    else this.#printedTaints = joinTaints(this.#printedTaints, taints)
  }

  /** Adds a place where secrets must not be shown, but any other text may be shown. */
  #addSecretSink(span: Sink['span'], showing: Showing, taints: readonly Taint[]): void {
    this.#sinks.add({ span, showing, format: this.#environment.format, danger: null, taints })
  }

  // ---- values -----------------------------------------------------------------------------------------------------

  /** Returns a new type for each flow, because tags refer to a value by its type. */
  typeOf(): Type {
    return { kind: 'unknown' }
  }

  valueOf(): Flow {
    return NOTHING
  }

  elementOf(flow: Flow): Flow {
    return elementOf(flow)
  }

  test(): void {}

  /** The current tag; null outside of tags. */
  get #tag(): TagNode | null {
    return this.#at.node?.kind === 'tag' ? this.#at.node : null
  }

  read(expression: Expression): Flow {
    const flow = this.#values.read(expression)
    const node = this.#tag
    if (node?.name === 'echo') this.#print(flow, 'output', node)
    else if (node?.name === 'print') this.#print(flow, 'print', node)
    else if (node !== null) {
      const showing = SHOWING_TAGS[node.name]
      if (showing !== undefined) this.#addSecretSink(node.span, showing, textTaints(flow))
    }
    return flow
  }

  // ---- writes -----------------------------------------------------------------------------------------------------

  assign(name: NameNode, flow: Flow): void {
    const captured = this.#capturedTexts.at(-1)
    if (this.#tag?.name === 'capture' && captured !== undefined) this.#state.set(name.name, captured.flow)
    else if (this.#tag?.name === 'parse_json' && captured !== undefined)
      this.#state.set(name.name, parsedFlow(captured.pieces))
    else this.#state.set(name.name, flow)
  }

  write({ name, path }: WriteTarget, flow: Flow, push: boolean): void {
    const keys = path.map((accessor) => {
      const key = keyOf(accessor)
      return key !== null && /^-?\d+$/.test(key) ? null : key
    })
    const at = push ? [...keys, null] : keys
    const knownFlow = this.#state.isSet(name.name) ? this.#state.variable(name.name) : NOTHING
    this.#noteChange(name.name, (earlierFlow) => withPart(earlierFlow, at, flow))
    this.#state.set(name.name, withPart(knownFlow, at, flow))
  }

  /** Notes what is written into a value that a caller passed, because the caller sees the change. */
  #noteChange(name: string, change: (earlierFlow: Flow) => Flow): void {
    const earlierFlow = this.#changes.get(name)
    if (earlierFlow !== undefined || !this.#state.isSet(name)) this.#changes.set(name, change(earlierFlow ?? NOTHING))
  }

  // ---- control flow -----------------------------------------------------------------------------------------------

  save(): Snapshot {
    return this.#state.snapshot()
  }

  restore(state: Snapshot): void {
    this.#state.enter(state)
  }

  join(paths: readonly [Snapshot, ...Snapshot[]]): void {
    this.#state.meet(paths)
  }

  branch(condition: Expression | null, holds: boolean): BranchEffects {
    const proofs = (truth: boolean) => (condition === null ? [] : this.#values.proofs(condition, truth))
    const [taken, skipped] = [proofs(holds), proofs(!holds)]
    return {
      take: () => {
        this.#prove(taken)
        this.#proveCase()
      },
      skip: () => this.#prove(skipped),
    }
  }

  #prove(proofs: ReturnType<TaintValues['proofs']>): void {
    for (const { place, change } of proofs) this.#state.prove(place, change)
  }

  /** Applies what a branch of a `case` proves: the subject equals one of the values of the branch. */
  #proveCase(): void {
    if (this.#case === null || this.#tag !== this.#case.node) return
    const { node } = this.#case
    if (!isNodeOf(case_, node, 'subject')) return
    const branch = node.branches[this.#case.at++]
    const { subject } = node.markup
    const values = branch?.markup?.values
    const place = subject.kind === 'lookup' ? placeOf(subject) : null
    if (place === null || values === undefined) return
    if (values.every((value) => isEmpty(this.#values.read(value)))) this.#state.prove(place, 'clean')
  }

  loop(locals: readonly LoopLocal[], flows: readonly Flow[]): LoopEffects<Snapshot> {
    const outer = locals.map(
      ({ name }) => [name, this.#state.isSet(name) ? this.#state.variable(name) : undefined] as const,
    )
    // The second iteration starts with the state after the first. A deeply nested loop is walked once per call, because the loops around it
    // already repeat it.
    const iterations = this.#at.loopDepth >= MAX_REPEATED_DEPTH ? 1 : 2
    return {
      enter: () => {
        for (const [at, { name }] of locals.entries()) this.#state.set(name, flows[at] ?? NOTHING)
      },
      leave() {},
      repeat: (from, iteration) => {
        this.#state.meet([this.#state.snapshot(), from])
        return iteration >= iterations || this.#state.isUnchangedSince(from, locals) ? null : this.#state.snapshot()
      },
      end: () => {
        for (const [name, flow] of outer) this.#state.restore(name, flow)
      },
    }
  }

  enterDetached(): void {}
  leaveDetached(): void {}

  halt(kind: HaltKind, flow: Flow | null): boolean {
    if (kind === 'return' && flow !== null) this.#result = this.#result === null ? flow : join(this.#result, flow)
    return true
  }

  // ---- calls and queries ------------------------------------------------------------------------------------------

  call(call: PartialCall): Flow {
    const literal = literalText(call.name)
    const unit = literal === null || call.kind === 'theme' ? undefined : this.#environment.partial(literal)
    const passedFlows = new Map<string, Flow>()
    if (call.bindingClause !== null) {
      const flow = this.#values.read(call.bindingClause.value)
      passedFlows.set(
        call.bindingClause.alias?.name ?? baseName(literal ?? ''),
        call.bindingClause.isForEach ? partOf(flow, ELEMENT) : flow,
      )
    }
    for (const { name, value } of call.arguments) passedFlows.set(name.name, this.#values.read(value))
    const isPrinted = call.kind !== 'function' && call.kind !== 'background'
    if (unit === undefined || call.kind === 'background') {
      if (isPrinted) this.#state.place = placeAfterOutput(this.#state.place)
      else if (unit !== undefined) this.#passDetached(unit.file.path, 'unseen', passedArguments(passedFlows))
      return NOTHING
    }
    const { place } = this.#state
    const { key, forCallers } = this.#environment.summaryOf(unit.file.path, isPrinted ? place : CONTENT)
    // An include sees the variables as they are at the call.
    const sharedVariables = call.kind === 'include' ? new Map(this.#state.variables) : null
    const argumentOf = calleeArguments(passedFlows, sharedVariables, this.#state)
    const resolve: Resolver = (origin) =>
      origin.kind === 'store' ? null : partAt(argumentOf(origin.name), origin.path)
    this.#addArguments(key, forCallers.neededNames, argumentOf)
    if (isPrinted) {
      // Captured text is needed immediately, as a value. Other output is computed on demand.
      if (this.#capturedTexts.length > 0) this.#addOutput(substituteTaints(forCallers.printed(), resolve))
      else this.#calleeOutputs.push(calleeOutput(forCallers, passedFlows, sharedVariables, this.#state))
      this.#state.place = forCallers.exit
    }
    for (const { name, value } of forCallers.changes.size === 0 ? [] : call.arguments) {
      const change = forCallers.changes.get(name.name)
      const bareExpression = unfiltered(value)
      if (
        change === undefined ||
        bareExpression.kind !== 'lookup' ||
        bareExpression.name === null ||
        bareExpression.path.length > 0
      )
        continue
      const flow = substitute(change, resolve)
      this.#noteChange(bareExpression.name.name, (earlierFlow) => join(earlierFlow, flow))
      this.#state.set(bareExpression.name.name, join(passedFlows.get(name.name) ?? NOTHING, flow))
    }
    if (call.kind === 'include') {
      const includedVariables = [...forCallers.frame].filter(([name]) => !passedFlows.has(name))
      const flows = includedVariables.map(([name, flow]) => [name, substitute(flow, resolve)] as const)
      for (const [name, flow] of flows) this.#state.set(name, flow)
    }
    return call.kind === 'function' ? substitute(forCallers.result, resolve) : NOTHING
  }

  /** Adds the values of the arguments that the callee needs. */
  #addArguments(callee: string, needs: ReadonlySet<string>, argumentOf: (name: string) => Flow): void {
    let knownArguments = this.#calls.get(callee)
    for (const name of needs) {
      const flow = argumentOf(name)
      if (isEmpty(flow)) continue
      if (knownArguments === undefined) this.#calls.set(callee, (knownArguments = new Map()))
      const knownFlow = knownArguments.get(name)
      knownArguments.set(name, knownFlow === undefined ? flow : join(knownFlow, flow))
    }
  }

  /** Passes values to a template that runs later or elsewhere. */
  #passDetached(key: string, format: OutputFormat, argumentOf: (name: string) => Flow): void {
    const summary = this.#environment.summaryOf(key, CONTENT, format)
    this.#addArguments(summary.key, summary.forCallers.neededNames, argumentOf)
  }

  job(args: readonly NamedArgument[], node: TagNode): void {
    const passedFlows = new Map(args.map(({ name, value }) => [name.name, this.#values.read(value)]))
    const key = this.#environment.blockOf(node)
    if (key !== null) this.#passDetached(key, 'unseen', passedArguments(passedFlows))
  }

  query(use: QueryUse): Flow {
    const operation = this.#environment.operationOf(use)
    if (operation === undefined) return NOTHING
    const apiCall = sentApiCall(operation)
    const receiver = apiCall === null ? undefined : this.#environment.apiCall(apiCall.name)
    if (apiCall !== null && receiver !== undefined) {
      const argument = use.arguments.find(({ name }) => name.name === apiCall.variable)
      const data = argument === undefined ? NOTHING : this.#values.read(argument.value)
      this.#passDetached(receiver.file.path, 'sent', (name) => (name === 'data' ? data : NOTHING))
    }
    const flow = queryFlow(operation, this.#placeOfRead(use.span))
    return use.filters.reduce<Flow>((current, filter) => this.#values.filter(current, filter, null), flow)
  }

  // ---- notes about tags ------------------------------------------------------------------------------------------------------

  note(note: SiteNote, flow: Flow | null): void {
    if (note.kind === 'yield' && note.otherwise !== null)
      this.#print(this.#values.read(note.otherwise), 'print', note.otherwise)
    else if (note.kind === 'session') this.#store(`session.${note.name}`, flow ?? NOTHING)
    else if (note.kind === 'export') {
      const namespace = note.namespace === null ? null : literalText(note.namespace)
      if (namespace !== null) this.#store(`exports.${namespace}.${note.name}`, flow ?? NOTHING)
    }
  }

  #store(name: string, flow: Flow): void {
    if (!isEmpty(flow)) this.#storedValues.push({ name, flow })
  }

  counter(): void {}
  register(): void {}
  port(): void {}
  source(): string {
    return ''
  }
  report(): void {}
}
