/** Emits `include`, a call that shares the variables of its caller. Interrupts in the partial continue in the caller. */
import { type TagNode, stringOf } from '../../../core/tree/ast.ts'
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
import { hiddenKey, variableEntry } from '../names.ts'
import { LIST_VALUE } from '../../../core/model/value-type.ts'
import { withAwait, baseName, boundName, calleeOf, entryPointOf, guardsArguments } from './callee.ts'
import { writeMissing } from './calls.ts'
import type { Draft } from './draft.ts'
import type { Exits } from './exits.ts'
import type { EntryPointInput } from './input.ts'
import { asShared, unsetToNil } from './old-names.ts'
import type { Variables } from './variables.ts'

/** The parts of an entry point that an included partial needs. */
export interface EntryPointParts {
  readonly draft: Draft
  readonly variables: Variables
  readonly exits: Exits
}

export function writeInclude(
  input: EntryPointInput,
  kit: EmitKit,
  parts: EntryPointParts,
  call: PartialCall,
  node: TagNode,
): void {
  new Include(input, kit, parts, call, node).write()
}

class Include {
  readonly #input: EntryPointInput
  readonly #kit: EmitKit
  readonly #parts: EntryPointParts
  readonly #call: PartialCall
  readonly #node: TagNode

  constructor(input: EntryPointInput, kit: EmitKit, parts: EntryPointParts, call: PartialCall, node: TagNode) {
    this.#input = input
    this.#kit = kit
    this.#parts = parts
    this.#call = call
    this.#node = node
  }

  write(): void {
    const kit = this.#kit
    const call = this.#call
    const { span } = this.#node
    const { draft, exits } = this.#parts
    const callee = calleeOf(this.#input, call)
    if (callee === null) return writeMissing(kit, call, span)
    kit.guard(kit.dialect === 'liquid' || callee === 'computed' || guardsArguments(kit, call), span, () => {
      if (kit.dialect === 'liquid') kit.add(run(invoke(kit.use('refuseIsolated'), kit.render), span))
      const value = call.bindingClause === null ? this.#implicitValue() : kit.value(call.bindingClause.value)
      if (value === null) return this.#writeCall(callee, this.#arguments(false), null)
      const as = call.bindingClause === null && callee !== 'computed' ? baseName(call) : boundName(call)
      const items = kit.keep('items', typed(invoke(kit.use('includeItems'), value), LIST_VALUE), span)
      const args = this.#arguments(true)
      const item = kit.fresh('item')
      const each = () => {
        const body = kit.block(() => this.#writeCall(callee, args, [as, ident(item)]))
        kit.add({ kind: 'for-of', name: item, iterable: items, body, span })
      }
      // The partial may leave a surrounding loop.
      exits.writeLabelled('each', draft.target, each, () => {})
    })
    for (const statement of this.#parts.variables.showAgain()) kit.add(statement)
  }

  /** Returns the variable with the name of the partial, which base Liquid passes even without `with`; null in other dialects. */
  #implicitValue(): Code | null {
    const kit = this.#kit
    if (kit.dialect !== 'liquid') return null
    const { name, span } = this.#call
    const literal = stringOf(this.#call.name)
    if (literal !== null) return kit.value({ kind: 'lookup', name: { name: literal, span }, path: [], span })
    const visible = this.#parts.variables.allVariables(new Map())
    return invoke(kit.use('own'), visible, invoke(kit.use('str'), kit.value(name)))
  }

  /**
   * Returns the arguments, each evaluated once. In base Liquid, an argument can read the ones before it. `repeats`: the partial may run
   * several times.
   */
  #arguments(repeats: boolean): ReadonlyMap<string, Code> {
    const kit = this.#kit
    const { loops } = this.#parts.variables
    const args = this.#call.arguments
    const passedValues = new Map<string, Code>()
    for (const [at, { name, value }] of args.entries()) {
      const isOrdered = kit.dialect === 'liquid'
      const code = isOrdered ? loops.withVariables(passedValues, () => kit.value(value)) : kit.value(value)
      const isReadAgain = isOrdered && (repeats || at < args.length - 1) && value.kind !== 'literal'
      passedValues.set(name.name, isReadAgain ? kit.keep(name.name, code, name.span) : code)
    }
    return passedValues
  }

  #writeCall(
    callee: Unit | 'computed',
    args: ReadonlyMap<string, Code>,
    bound: readonly [string | null, Code] | null,
  ): void {
    const kit = this.#kit
    const { span } = this.#node
    const { variables, exits } = this.#parts
    const effects = callee === 'computed' ? null : (this.#input.context.effects.get(callee.file.path) ?? null)
    const isOpen = effects === null || effects.spills
    const passedValues = new Map<string, Code>()
    // An argument hides a counter, even if its value is nil.
    const { counters } = effects ?? this.#input.effects
    const pass = (name: string, code: Code) =>
      passedValues.set(name, counters.has(name) ? unsetToNil(this.#input, code) : asShared(this.#input, name, code))
    for (const [name, code] of args) pass(name, code)
    if (bound !== null && bound[0] !== null) pass(bound[0], bound[1])
    const frame = kit.fresh('frame')
    const entries = isOpen ? variables.allVariables(passedValues) : this.#entries(effects, passedValues)
    kit.add(constant(frame, entries, span, kit.type('Scope')))
    const restore = bound !== null && bound[0] === null ? this.#bindNamed(ident(frame), bound[1]) : null
    const code =
      callee === 'computed'
        ? invoke(kit.use('includeNamed'), kit.render, kit.value(this.#call.name), ident(frame))
        : invoke(entryPointOf(this.#input, callee, 'shared'), kit.render, ident(frame))
    kit.print(withAwait(this.#input, this.#call, code), span)
    if (restore !== null) kit.add(restore)
    this.#copyBack(isOpen ? variables.knownNames() : [...effects.frameWrites], ident(frame), passedValues)
    // A `return` only ends the partial.
    exits.writeInterrupts(effects === null ? ['break', 'continue'] : effects.halts, member(ident(frame), '$halt'), null)
  }

  /** Sets the variable with the name of a computed partial. Returns the statement that restores it, because the caller must not see it. */
  #bindNamed(frame: Code, value: Code): Statement {
    const kit = this.#kit
    const { span } = this.#node
    const [as, textBefore] = [kit.fresh('as'), kit.fresh('before')]
    const bind = kit.use('bindNamed')
    kit.add(constant(as, invoke(kit.use('namedLike'), kit.value(this.#call.name)), span))
    kit.add(constant(textBefore, invoke(bind, frame, ident(as), value), span))
    return run(invoke(bind, frame, ident(as), ident(textBefore)), span)
  }

  /** Returns the object with the variables that the partial reads or sets. */
  #entries(effects: Effects, passedValues: ReadonlyMap<string, Code>): Code {
    const { dialect } = this.#kit
    const { variables } = this.#parts
    const list: Entry[] = []
    for (const name of effects.frame) {
      if (name === 'context' && dialect === 'platform' && !passedValues.has(name)) continue
      // A counter in the partial is read only if this variable is not set.
      const counted = effects.counters.has(name)
        ? (variables.hidingVariable(name) ?? variables.frameVariable(name))
        : null
      list.push(variableEntry(name, passedValues.get(name) ?? counted ?? variables.passedVariable(name)))
      // A variable that hides the name here also hides it in the partial. Assignments in the partial set the hidden variable.
      if (dialect === 'liquid' && this.#isHidden(name, passedValues) && effects.frameWrites.has(name))
        list.push(property(hiddenKey(name), variables.frameVariable(name)))
    }
    if (effects.registers || effects.counters.size > 0) list.push(property('$registers', variables.registers()))
    if (effects.asksParent) list.push(property('$parentloop', variables.loops.parent()()))
    return object(list)
  }

  /** Copies the assigned variables from the frame of the partial to the variables of the caller. */
  #copyBack(names: readonly string[], frame: Code, passedValues: ReadonlyMap<string, Code>): void {
    const { variables } = this.#parts
    const call = this.#input.outline.calls.find((each) => each.nameSpan.start === this.#call.name.span.start)
    for (const name of names) {
      const isPlatform = this.#kit.dialect === 'platform'
      if (isPlatform && (passedValues.has(name) || call?.boundBefore.has(name) !== true)) continue
      const to = variables.copyBackTarget(name, isPlatform)
      const isHidden = !isPlatform && this.#isHidden(name, passedValues)
      const from = isHidden ? member(frame, hiddenKey(name)) : variables.member(frame, name)
      this.#kit.add(assign(to, from, this.#node.span))
    }
  }

  #isHidden(name: string, passedValues: ReadonlyMap<string, Code>): boolean {
    return passedValues.has(name) || this.#parts.variables.hides(name)
  }
}
