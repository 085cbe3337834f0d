/** `include`: a call that shares its caller's variables, and whose interrupts go on in the caller. */
import type { TagNode } from '../../../core/model/ast.ts'
import {
  assign,
  type Code,
  constant,
  type Entry,
  ident,
  invoke,
  member,
  object,
  property,
  run,
  type Statement,
  typed,
} from '../../../core/model/code.ts'
import type { Effects } from '../../../core/model/effects.ts'
import type { Unit } from '../../../core/model/unit.ts'
import type { EmitKit, PartialCall } from '../../../language/tags/tag.ts'
import { variableEntry } from '../names.ts'
import { LIST_VALUE } from '../../../core/model/value-type.ts'
import { awaiting, baseName, boundName, calleeOf, faceOf, guardsArguments, literalName } from './callee.ts'
import { writeMissing } from './calls.ts'
import type { Draft } from './draft.ts'
import type { Exits } from './exits.ts'
import type { FaceInput } from './input.ts'
import { asShared } from './old-names.ts'
import { behindKey, type Variables } from './variables.ts'

/** The parts of a face that an included partial reaches into. */
export interface Shared {
  readonly draft: Draft
  readonly variables: Variables
  readonly exits: Exits
}

export function writeInclude(input: FaceInput, kit: EmitKit, shared: Shared, call: PartialCall, node: TagNode): void {
  new Include(input, kit, shared, call, node).write()
}

class Include {
  readonly #input: FaceInput
  readonly #kit: EmitKit
  readonly #shared: Shared
  readonly #call: PartialCall
  readonly #node: TagNode

  constructor(input: FaceInput, kit: EmitKit, shared: Shared, call: PartialCall, node: TagNode) {
    this.#input = input
    this.#kit = kit
    this.#shared = shared
    this.#call = call
    this.#node = node
  }

  write(): void {
    const kit = this.#kit
    const call = this.#call
    const { span } = this.#node
    const { draft, exits } = this.#shared
    const callee = calleeOf(this.#input, call)
    if (callee === null) return writeMissing(kit, call, span)
    kit.guard(kit.dialect === 'liquid' || callee === 'computed' || guardsArguments(kit, call), span, () => {
      if (kit.dialect === 'liquid') kit.add(run(invoke(kit.use('refuseIsolated'), kit.render), span))
      const value = call.bound === null ? this.#named() : kit.value(call.bound.value)
      if (value === null) return this.#once(callee, this.#arguments(false), null)
      const as = call.bound === null && callee !== 'computed' ? baseName(call) : boundName(call)
      const items = kit.keep('items', typed(invoke(kit.use('includeItems'), value), LIST_VALUE), span)
      const passed = this.#arguments(true)
      const item = kit.fresh('item')
      const each = () => {
        const body = kit.block(() => this.#once(callee, passed, [as, ident(item)]))
        kit.add({ kind: 'for-of', name: item, of: items, body, span })
      }
      // The partial may end a loop around this one.
      exits.labelled('each', draft.target, each, () => {})
    })
    for (const statement of this.#shared.variables.shownAgain()) kit.add(statement)
  }

  /** Base Liquid hands on the variable that is called like the partial, also without `with`. */
  #named(): Code | null {
    const kit = this.#kit
    if (kit.dialect !== 'liquid') return null
    const { name, span } = this.#call
    const literal = literalName(this.#call)
    if (literal !== null) return kit.value({ kind: 'lookup', name: { name: literal, span }, path: [], span })
    const visible = this.#shared.variables.everything(new Map())
    return invoke(kit.use('own'), visible, invoke(kit.use('str'), kit.value(name)))
  }

  /** The arguments, each worked out once. In base Liquid one may read those in front of it. `repeats`: the partial runs any number of times. */
  #arguments(repeats: boolean): ReadonlyMap<string, Code> {
    const kit = this.#kit
    const { loops } = this.#shared.variables
    const args = this.#call.arguments
    const passed = new Map<string, Code>()
    for (const [at, { name, value }] of args.entries()) {
      const inOrder = kit.dialect === 'liquid'
      const code = inOrder ? loops.within(passed, () => kit.value(value)) : kit.value(value)
      const isAgain = inOrder && (repeats || at < args.length - 1) && value.kind !== 'literal'
      passed.set(name.name, isAgain ? kit.keep(name.name, code, name.span) : code)
    }
    return passed
  }

  #once(
    callee: Unit | 'computed',
    args: ReadonlyMap<string, Code>,
    bound: readonly [string | null, Code] | null,
  ): void {
    const kit = this.#kit
    const { span } = this.#node
    const { variables, exits } = this.#shared
    const effects = callee === 'computed' ? null : (this.#input.context.effects.get(callee.file.path) ?? null)
    const open = effects === null || effects.spills
    const passed = new Map<string, Code>()
    const hand = (name: string, code: Code) => passed.set(name, asShared(this.#input, name, code))
    for (const [name, code] of args) hand(name, code)
    if (bound !== null && bound[0] !== null) hand(bound[0], bound[1])
    const frame = kit.fresh('frame')
    const entries = open ? variables.everything(passed) : this.#entries(effects, passed)
    kit.add(constant(frame, entries, span, kit.type('Scope')))
    const restore = bound !== null && bound[0] === null ? this.#bindNamed(ident(frame), bound[1]) : null
    const code =
      callee === 'computed'
        ? invoke(kit.use('includeNamed'), kit.render, kit.value(this.#call.name), ident(frame))
        : invoke(faceOf(this.#input, callee, 'shared'), kit.render, ident(frame))
    kit.print(awaiting(this.#input, this.#call, code), span)
    if (restore !== null) kit.add(restore)
    this.#takeBack(open ? variables.known() : [...effects.frameWrites], ident(frame), passed)
    // A `return` ends the partial alone.
    exits.carryOut(effects === null ? ['break', 'continue'] : effects.halts, member(ident(frame), '$halt'), null)
  }

  /** Sets the variable named like a partial of a computed name. Gives what undoes it: to the caller it is none. */
  #bindNamed(frame: Code, value: Code): Statement {
    const kit = this.#kit
    const { span } = this.#node
    const [as, before] = [kit.fresh('as'), kit.fresh('before')]
    const bind = kit.use('bindNamed')
    kit.add(constant(as, invoke(kit.use('namedLike'), kit.value(this.#call.name)), span))
    kit.add(constant(before, invoke(bind, frame, ident(as), value), span))
    return run(invoke(bind, frame, ident(as), ident(before)), span)
  }

  /** The variables that the partial reads or sets. */
  #entries(effects: Effects, passed: ReadonlyMap<string, Code>): Code {
    const { dialect } = this.#kit
    const { variables } = this.#shared
    const list: Entry[] = []
    for (const name of effects.frame) {
      if (name === 'context' && dialect === 'platform' && !passed.has(name)) continue
      // What it counts itself stands behind the variable there.
      const own = effects.counters.has(name) ? (variables.hiding(name) ?? variables.framed(name)) : null
      list.push(variableEntry(name, passed.get(name) ?? own ?? variables.handed(name)))
      // What hides the name here keeps hiding it in the partial, while assignments go to the variable behind it.
      if (dialect === 'liquid' && this.#shadowed(name, passed) && effects.frameWrites.has(name))
        list.push(property(behindKey(name), variables.framed(name)))
    }
    if (effects.registers) list.push(property('$registers', variables.registers()))
    if (effects.asksParent) list.push(property('$parentloop', variables.loops.parent()()))
    return object(list)
  }

  /** Sets the caller's variables to what the partial made of them. */
  #takeBack(names: readonly string[], frame: Code, passed: ReadonlyMap<string, Code>): void {
    const { variables } = this.#shared
    const call = this.#input.bound.calls.find((each) => each.node === this.#node)
    for (const name of names) {
      const inPlatform = this.#kit.dialect === 'platform'
      if (inPlatform && (passed.has(name) || call?.boundBefore.has(name) !== true)) continue
      const to = variables.taken(name, inPlatform)
      const behind = !inPlatform && this.#shadowed(name, passed)
      const from = behind ? member(frame, behindKey(name)) : variables.member(frame, name)
      this.#kit.add(assign(to, from, this.#node.span))
    }
  }

  #shadowed(name: string, passed: ReadonlyMap<string, Code>): boolean {
    return passed.has(name) || this.#shared.variables.hides(name)
  }
}
