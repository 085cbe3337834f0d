/** `include`: a call that shares its caller's variables, and whose interrupts go on in the caller. */
import type { TagNode } from '../../model/ast.ts'
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
} from '../../model/code.ts'
import type { BoundCall } from '../../model/bound.ts'
import type { Effects } from '../../model/effects.ts'
import type { Unit } from '../../model/unit.ts'
import type { EmitKit, PartialCall } from '../../tags/tag.ts'
import { variableEntry } from '../names.ts'
import { awaiting, baseName, boundName, calleeOf, faceOf, guardsArguments } from './callee.ts'
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
    const bound = call.bound ?? this.#implied(callee)
    kit.guard(kit.dialect === 'liquid' || callee === 'computed' || guardsArguments(kit, call), span, () => {
      if (kit.dialect === 'liquid') kit.add(run(invoke(kit.use('refuseIsolated'), kit.render), span))
      if (bound === null) return this.#once(callee, null)
      const as = call.bound === null ? baseName(call) : boundName(call)
      const item = kit.fresh('item')
      const each = () => {
        const of = invoke(kit.use('includeItems'), kit.value(bound.value))
        const body = kit.block(() => this.#once(callee, [as, ident(item)]))
        kit.add({ kind: 'for-of', name: item, of, body, span })
      }
      // The partial may end a loop around this one.
      exits.labelled('each', draft.target, each, () => {})
    })
  }

  /** Base Liquid binds a variable named like the partial also without `with`, and goes over it when it is an array. */
  #implied(callee: Unit | 'computed'): PartialCall['bound'] {
    if (this.#kit.dialect !== 'liquid' || callee === 'computed') return null
    const { span, arguments: args } = this.#call
    const name = baseName(this.#call)
    const reads = this.#input.context.effects.get(callee.file.path)?.frame.has(name) === true
    if (!reads || args.some((each) => each.name.name === name)) return null
    return { value: { kind: 'lookup', name: { name, span }, path: [], span }, as: null, each: false }
  }

  #once(callee: Unit | 'computed', bound: readonly [string | null, Code] | null): void {
    const kit = this.#kit
    const { span } = this.#node
    const { variables, exits } = this.#shared
    const effects = callee === 'computed' ? null : (this.#input.context.effects.get(callee.file.path) as Effects)
    const open = effects === null || effects.spills
    const passed = new Map<string, Code>()
    const hand = (name: string, code: Code) => passed.set(name, asShared(this.#input, name, code))
    for (const { name, value } of this.#call.arguments) hand(name.name, kit.value(value))
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
    return object(list)
  }

  /** Sets the caller's variables to what the partial made of them. */
  #takeBack(names: readonly string[], frame: Code, passed: ReadonlyMap<string, Code>): void {
    const { variables } = this.#shared
    const { boundBefore } = this.#input.bound.calls.find((each) => each.node === this.#node) as BoundCall
    for (const name of names) {
      const inPlatform = this.#kit.dialect === 'platform'
      if (inPlatform && (passed.has(name) || !boundBefore.has(name))) continue
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
