/** Follows what comes from outside through one template, and through what it calls. */
import {
  type Expression,
  type NamedArgument,
  type NameNode,
  type Node,
  type TagNode,
  unfiltered,
  type WriteTarget,
} from '../../../core/model/ast.ts'
import { shareList, shareMap, shareWords } from '../../../core/model/shared-values.ts'
import { baseName } from '../../../core/model/bound.ts'
import type { Dialect } from '../../../core/model/dialect.ts'
import { inlineKey, type Operations, storedNamed } from '../../../core/model/operation.ts'
import type { FilterSignature } from '../../../core/model/signature.ts'
import type { Site } from '../../../core/model/site.ts'
import type { Type } from '../../../core/model/type.ts'
import type { Template } from '../../../core/model/unit.ts'
import { case_ } from '../../../language/tags/case.ts'
import {
  type CheckKit,
  isNodeOf,
  type LoopLocal,
  type PartialCall,
  type QueryUse,
  type SiteNote,
  type Tag,
  type ConditionalBranch,
} from '../../../language/tags/tag.ts'
import { CHANGES } from './changes.ts'
import {
  addGivenNames,
  changedTaints,
  ELEMENT,
  elementOf,
  type Flow,
  type Given,
  isEmpty,
  join,
  joinTaints,
  NOTHING,
  partAt,
  partOf,
  substituted,
  substitutedTaints,
  type Taint,
  tainted,
  textTaints,
  withPart,
} from './flow.ts'
import { parsedFlow } from './json-texts.ts'
import { CONTENT, dangerOf, follow, isInAttribute, type Place, printed } from './places.ts'
import type { Showing } from './secrets.ts'
import { givenAlone, givenBy, printedBy, printedWith } from './given.ts'
import { Sinks } from './sinks.ts'
import { queryFlow, sentBy } from './sources.ts'
import { Kept, type Snapshot, State } from './state.ts'
import type { OutputFormat, Sink, Stored, Summary } from './summary.ts'
import { keyOf, literalText, placeOf, TaintValues } from './values.ts'

/** Tags that hand values to others who can read them. */
const SHOWING: Readonly<Record<string, Showing>> = { log: 'log', redirect_to: 'redirect', response_headers: 'header' }

/** Loops in each other of which each doubles the work. */
const DEEP = 4

export interface TaintEnvironment {
  readonly site: Site
  readonly operations: Operations
  readonly tags: ReadonlyMap<string, Tag>
  readonly filters: ReadonlyMap<string, FilterSignature>
  readonly format: OutputFormat
  /** What another template does that is called at a place in HTML; `format` where its output is not a part of this one's. */
  readonly summaryOf: (key: string, place: Place, format?: OutputFormat) => Summary
  /** The key of the template that a job's body is. */
  readonly blockOf: (node: TagNode) => string | null
}

/** The summary of a template, but for its key: that names what was asked for, which the caller knows. */
export function summarize(template: Template, place: Place, environment: TaintEnvironment): Omit<Summary, 'key'> {
  return new TaintWalk(environment, place).run(template.nodes)
}

class TaintWalk implements CheckKit {
  readonly dialect: Dialect
  readonly #environment: TaintEnvironment
  readonly #state: State
  readonly #values: TaintValues
  /** What the types stand for that tags are handed: each is a new value. */
  readonly #carried = new Map<Type, Flow>()
  readonly #sinks = new Sinks()
  readonly #stored: Stored[] = []
  /** By the template that is called, and where in HTML. */
  readonly #calls = new Map<string, Map<string, Flow>>()
  #printed: readonly Taint[] = []
  /** What templates that are called print. */
  readonly #printedThere: (() => readonly Taint[])[] = []
  #result: Flow | null = null
  /** What is written into values that callers gave, by their names. */
  readonly #changes = new Map<string, Flow>()
  /** Texts that are being kept, the innermost last. */
  readonly #kept: Kept[] = []
  /** Tags around this place whose text becomes a variable. */
  #captures = 0
  /** The text that is printed now is data, not markup. */
  #data = 0
  #node: TagNode | null = null
  /** Ways on which a loop was left, the innermost last. */
  readonly #exits: Snapshot[][] = []
  /** The subject of a `case`, and the branch that comes next. */
  #case: { readonly node: TagNode; at: number } | null = null

  constructor(environment: TaintEnvironment, place: Place) {
    this.#environment = environment
    this.dialect = environment.site.dialect
    this.#state = new State(place)
    const { filters, site } = environment
    this.#values = new TaintValues({ filters, safeTranslate: site.config.safeTranslate }, this.#state)
  }

  run(nodes: readonly Node[]): Omit<Summary, 'key'> {
    this.body(nodes)
    const sinks = this.#sinks.all
    const calls = [...this.#calls].map(([callee, given]) => ({ callee, given }))
    const needs = new Set<string>()
    for (const { taints } of sinks) addGivenNames(tainted(taints), needs)
    for (const { flow } of this.#stored) addGivenNames(flow, needs)
    let brings = false
    for (const { given } of calls) for (const flow of given.values()) if (addGivenNames(flow, needs)) brings = true
    return {
      face: {
        result: this.#result ?? NOTHING,
        frame: this.#state.variables,
        changes: shareMap(this.#changes),
        needs: shareWords(needs),
        printed: printedWith(this.#printed, this.#printedThere),
        exit: this.#state.place,
      },
      sinks: shareList(sinks),
      stored: shareList(this.#stored),
      calls: shareList(calls),
      brings,
    }
  }

  // ---- nodes ------------------------------------------------------------------------------------------------------

  body(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (this.#state.dead) return
      if (node.kind === 'text') this.#text(node.text)
      else if (node.kind === 'output') {
        if (node.value !== null) this.#print(this.#values.read(node.value), 'output', node)
      } else this.#visit(node)
    }
  }

  #visit(node: TagNode): void {
    const tag = this.#environment.tags.get(node.name)
    if (tag === undefined) return
    if (node.raw !== null) {
      if (tag.blank === undefined) this.#text(node.raw)
      return
    }
    const [outer, outerCase] = [this.#node, this.#case]
    this.#node = node
    this.#case = node.name === 'case' ? { node, at: 0 } : null
    if (tag.content === undefined) tag.check(node, this)
    else {
      const isCapture = node.name === 'capture'
      if (isCapture) this.#captures++
      this.#keep(tag.content === 'data', () => tag.check(node, this))
      if (isCapture) this.#captures--
    }
    this.#node = outer
    this.#case = outerCase
  }

  /** Runs a tag whose text is kept. */
  #keep(isData: boolean, run: () => void): void {
    const { place } = this.#state
    this.#state.place = CONTENT
    this.#kept.push(new Kept())
    if (isData) this.#data++
    run()
    if (isData) this.#data--
    this.#kept.pop()
    this.#state.place = place
  }

  #text(text: string): void {
    this.#state.place = follow(this.#state.place, text)
    this.#kept.at(-1)?.pieces.push(text)
  }

  #print(flow: Flow, how: 'output' | 'print', { span }: { readonly span: Sink['span'] }): void {
    const { format } = this.#environment
    const { place } = this.#state
    const change =
      how === 'print' || format === 'plain' || format === 'script' || format === 'sent'
        ? CHANGES.print
        : isInAttribute(place)
          ? CHANGES.outputInAttribute
          : CHANGES.output
    const taints = isEmpty(flow) ? [] : changedTaints(textTaints(flow), change)
    if (this.#data === 0 && format !== 'unseen') {
      if (format === 'sent') this.#show(span, 'sent', taints)
      else {
        const danger = format === 'plain' ? null : dangerOf(place)
        // What is captured is a value, which is seen where that is.
        this.#sinks.add({ span, how, format: this.#captures > 0 ? 'unseen' : format, danger, taints })
      }
    }
    this.#emitted(taints)
    this.#state.place = printed(place)
  }

  #emitted(taints: readonly Taint[]): void {
    const kept = this.#kept.at(-1)
    if (kept !== undefined) kept.pieces.push(taints)
    else this.#printed = joinTaints(this.#printed, taints)
  }

  /** A place where secrets must not come to, and any other text may. */
  #show(span: Sink['span'], how: Showing, taints: readonly Taint[]): void {
    this.#sinks.add({ span, how, format: this.#environment.format, danger: null, taints })
  }

  // ---- values -----------------------------------------------------------------------------------------------------

  #carry(flow: Flow): Type {
    const type: Type = { kind: 'unknown' }
    if (flow !== NOTHING) this.#carried.set(type, flow)
    return type
  }

  #flowOf(type: Type): Flow {
    return this.#carried.get(type) ?? NOTHING
  }

  read(expression: Expression): Type {
    const flow = this.#values.read(expression)
    const node = this.#node
    if (node?.name === 'echo') this.#print(flow, 'output', node)
    else if (node?.name === 'print') this.#print(flow, 'print', node)
    else if (node !== null) {
      const how = SHOWING[node.name]
      if (how !== undefined) this.#show(node.span, how, textTaints(flow))
    }
    return this.#carry(flow)
  }

  condition(): void {}

  element(type: Type): Type {
    return this.#carry(elementOf(this.#flowOf(type)))
  }

  assign(name: NameNode, type: Type): void {
    const kept = this.#kept.at(-1)
    if (this.#node?.name === 'capture' && kept !== undefined) this.#state.set(name.name, kept.flow)
    else if (this.#node?.name === 'parse_json' && kept !== undefined)
      this.#state.set(name.name, parsedFlow(kept.pieces))
    else this.#state.set(name.name, this.#flowOf(type))
  }

  write({ name, path }: WriteTarget, value: Type, push: boolean): void {
    const flow = this.#flowOf(value)
    if (path.length === 0 && !push) return this.#state.set(name.name, flow)
    const keys = path.map((accessor) => {
      const key = keyOf(accessor)
      return key !== null && /^-?\d+$/.test(key) ? null : key
    })
    const at = push ? [...keys, null] : keys
    const known = this.#state.isSet(name.name) ? this.#state.variable(name.name) : NOTHING
    this.#noteChange(name.name, (before) => withPart(before, at, flow))
    this.#state.set(name.name, withPart(known, at, flow))
  }

  /** Notes what is written into a value that callers gave: they have it too. */
  #noteChange(name: string, change: (before: Flow) => Flow): void {
    const before = this.#changes.get(name)
    if (before !== undefined || !this.#state.isSet(name)) this.#changes.set(name, change(before ?? NOTHING))
  }

  // ---- control flow -----------------------------------------------------------------------------------------------

  branches(ways: readonly ConditionalBranch[], exhaustive: boolean): void {
    const ends: Snapshot[] = []
    let before = this.#state.snapshot()
    for (const { condition, negated, run } of ways) {
      this.#state.enter(before)
      const holds = negated !== true
      const otherwise = condition === null ? [] : this.#values.proofs(condition, !holds)
      if (condition !== null) this.#prove(this.#values.proofs(condition, holds))
      this.#proveCase()
      run()
      if (!this.#state.dead) ends.push(this.#state.snapshot())
      this.#state.enter(before)
      this.#prove(otherwise)
      before = this.#state.snapshot()
    }
    this.#state.meet(exhaustive ? ends : [...ends, before])
  }

  #prove(proofs: ReturnType<TaintValues['proofs']>): void {
    for (const { place, change } of proofs) this.#state.prove(place, change)
  }

  /** A branch of a `case` runs for the values that it names. */
  #proveCase(): void {
    if (this.#case === null || this.#node !== this.#case.node) return
    const { node } = this.#case
    if (!isNodeOf(case_, node, 'subject')) return
    const branch = node.branches[this.#case.at++]
    const { subject } = node.markup
    const values = branch?.markup?.values
    const place = subject.kind === 'lookup' ? placeOf(subject) : null
    if (place === null || values === undefined) return
    if (values.every((value) => isEmpty(this.#values.read(value)))) this.#state.prove(place, CHANGES.clean)
  }

  loop(locals: readonly LoopLocal[], run: () => void): void {
    const outer = locals.map(
      ({ name }) => [name, this.#state.isSet(name) ? this.#state.variable(name) : undefined] as const,
    )
    const exits: Snapshot[] = []
    this.#exits.push(exits)
    // What one turn leaves, the next one finds. Loops far within others are gone through often enough by these.
    const turns = this.#exits.length > DEEP ? 1 : 2
    for (let turn = 0; turn < turns && !this.#state.dead; turn++) {
      for (const { name, type } of locals) this.#state.set(name, this.#flowOf(type))
      const before = this.#state.snapshot()
      run()
      this.#state.meet([...(this.#state.dead ? [] : [this.#state.snapshot()]), ...exits, before])
      exits.length = 0
      if (this.#state.isAs(before, locals)) break
    }
    this.#exits.pop()
    for (const [name, flow] of outer) this.#state.restore(name, flow)
  }

  detached(kind: 'cache' | 'transaction' | 'try' | 'content_for', run: () => void): void {
    const before = this.#state.snapshot()
    run()
    if (kind === 'content_for') return
    this.#state.meet(this.#state.dead ? [before] : [this.#state.snapshot(), before])
  }

  halt(kind: 'break' | 'continue' | 'return', value: Type | null): void {
    if (kind === 'return' && value !== null) {
      const flow = this.#flowOf(value)
      this.#result = this.#result === null ? flow : join(this.#result, flow)
    } else if (kind !== 'return') this.#exits.at(-1)?.push(this.#state.snapshot())
    this.#state.dead = true
  }

  // ---- calls and queries ------------------------------------------------------------------------------------------

  call(call: PartialCall): Type {
    const literal = literalText(call.name)
    const unit = literal === null || call.kind === 'theme' ? undefined : this.#environment.site.partials.get(literal)
    const passed = new Map<string, Flow>()
    if (call.bound !== null) {
      const flow = this.#values.read(call.bound.value)
      passed.set(call.bound.as?.name ?? baseName(literal ?? ''), call.bound.each ? partOf(flow, ELEMENT) : flow)
    }
    for (const { name, value } of call.arguments) passed.set(name.name, this.#values.read(value))
    const isPrinted = call.kind !== 'function' && call.kind !== 'background'
    if (unit === undefined || call.kind === 'background') {
      if (isPrinted) this.#state.place = printed(this.#state.place)
      else if (unit !== undefined) this.#handOver(unit.file.path, 'unseen', givenAlone(passed))
      return this.#carry(NOTHING)
    }
    const { place } = this.#state
    const { key, face } = this.#environment.summaryOf(unit.file.path, isPrinted ? place : CONTENT)
    // An include sees the variables as they are now.
    const seen = call.kind === 'include' ? new Map(this.#state.variables) : null
    const givenAs = givenBy(passed, seen, this.#state)
    const given: Given = (origin) => (origin.kind === 'store' ? null : partAt(givenAs(origin.name), origin.path))
    this.#give(key, face.needs, givenAs)
    if (isPrinted) {
      // A text that is kept is a value at once.
      if (this.#kept.length > 0) this.#emitted(substitutedTaints(face.printed(), given))
      else this.#printedThere.push(printedBy(face, passed, seen, this.#state))
      this.#state.place = face.exit
    }
    for (const { name, value } of face.changes.size === 0 ? [] : call.arguments) {
      const change = face.changes.get(name.name)
      const bare = unfiltered(value)
      if (change === undefined || bare.kind !== 'lookup' || bare.name === null || bare.path.length > 0) continue
      const flow = substituted(change, given)
      this.#noteChange(bare.name.name, (before) => join(before, flow))
      this.#state.set(bare.name.name, join(passed.get(name.name) ?? NOTHING, flow))
    }
    if (call.kind === 'include') {
      const written = [...face.frame].filter(([name]) => !passed.has(name))
      const flows = written.map(([name, flow]) => [name, substituted(flow, given)] as const)
      for (const [name, flow] of flows) this.#state.set(name, flow)
    }
    return this.#carry(call.kind === 'function' ? substituted(face.result, given) : NOTHING)
  }

  /** Adds to what a template is given that is called. */
  #give(callee: string, needs: ReadonlySet<string>, givenAs: (name: string) => Flow): void {
    let given = this.#calls.get(callee)
    for (const name of needs) {
      const flow = givenAs(name)
      if (isEmpty(flow)) continue
      if (given === undefined) this.#calls.set(callee, (given = new Map()))
      const known = given.get(name)
      given.set(name, known === undefined ? flow : join(known, flow))
    }
  }

  /** What runs later, or elsewhere, is given these values. */
  #handOver(key: string, format: OutputFormat, givenAs: (name: string) => Flow): void {
    const summary = this.#environment.summaryOf(key, CONTENT, format)
    this.#give(summary.key, summary.face.needs, givenAs)
  }

  job(args: readonly NamedArgument[], node: TagNode): void {
    const passed = new Map(args.map(({ name, value }) => [name.name, this.#values.read(value)]))
    const key = this.#environment.blockOf(node)
    if (key !== null) this.#handOver(key, 'unseen', givenAlone(passed))
  }

  query(use: QueryUse): Type {
    const { operations } = this.#environment
    const [text] = use.body
    const literal = use.name === null ? null : literalText(use.name)
    const operation =
      use.name === null
        ? text?.kind === 'text' && use.body.every(({ kind }) => kind === 'text')
          ? operations.inline.get(inlineKey(text.span))
          : undefined
        : literal === null
          ? undefined
          : storedNamed(operations, literal)
    if (operation === undefined) return this.#carry(NOTHING)
    const sent = sentBy(operation)
    const receiver = sent === null ? undefined : this.#environment.site.apiCalls.get(sent.name)
    if (sent !== null && receiver !== undefined) {
      const given = use.arguments.find(({ name }) => name.name === sent.variable)
      const data = given === undefined ? NOTHING : this.#values.read(given.value)
      this.#handOver(receiver.file.path, 'sent', (name) => (name === 'data' ? data : NOTHING))
    }
    const flow = queryFlow(operation, use.span)
    return this.#carry(use.filters.reduce<Flow>((given, filter) => this.#values.filter(given, filter, null), flow))
  }

  // ---- the rest ---------------------------------------------------------------------------------------------------

  note(note: SiteNote): void {
    if (note.kind === 'yield' && note.otherwise !== null)
      this.#print(this.#values.read(note.otherwise), 'print', note.otherwise)
    else if (note.kind === 'session') this.#store(`session.${note.name}`, this.#flowOf(note.type))
    else if (note.kind === 'export') {
      const namespace = note.namespace === null ? null : literalText(note.namespace)
      if (namespace !== null) this.#store(`exports.${namespace}.${note.name}`, this.#flowOf(note.type))
    }
  }

  #store(name: string, flow: Flow): void {
    if (!isEmpty(flow)) this.#stored.push({ name, flow })
  }

  counter(): void {}
  register(): void {}
  port(): void {}
  offered(): void {}
  source(): string {
    return ''
  }
  report(): void {}
}
