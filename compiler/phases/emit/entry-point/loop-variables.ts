/** Manages the variables of the surrounding loops, which hide variables of the frame, and the meaning of `forloop`. */
import { type Code, ident, member, NULL, type Statement } from '../../../core/model/code.ts'
import { UNKNOWN_VALUE } from '../../../core/model/value-type.ts'
import type { Span } from '../../../core/source/span.ts'
import type { LoopFields } from '../../../language/tags/tag.ts'
import { valueOf } from '../value-types.ts'
import { isSetByIncludes } from './callee.ts'
import type { Draft } from './draft.ts'
import type { EntryPointInput } from './input.ts'
import { type Local, type Locals, readOf } from './locals.ts'
import type { SelfView } from './self-view.ts'
import type { VariableUses } from './variable-uses.ts'

/** The meaning of `forloop` and `tablerowloop`: the code of each field, and of the whole object. */
export interface LoopObject {
  readonly name: 'forloop' | 'tablerowloop'
  readonly fields: LoopFields
  readonly whole: () => Code
}

interface LoopLocal extends Local {
  /** The key of the loop variable in the recorded uses of variables. */
  readonly key: string
}

export class LoopVariables {
  readonly #input: EntryPointInput
  readonly #draft: Draft
  readonly #locals: Locals
  readonly #uses: VariableUses
  readonly #scopes: Map<string, LoopLocal>[] = []
  /** For each open loop, the statements that reset the copies of its variables for `self`. */
  readonly #endStatements: Statement[][] = []
  #count = 0
  readonly #objects: LoopObject[] = []

  readonly #view: SelfView | null

  constructor(input: EntryPointInput, draft: Draft, locals: Locals, uses: VariableUses, view: SelfView | null) {
    this.#input = input
    this.#view = view
    this.#draft = draft
    this.#locals = locals
    this.#uses = uses
  }

  /** Returns the object of the innermost loop of this kind; null outside of such loops. */
  findObject(name: string): LoopObject | null {
    return this.#objects.findLast((loop) => loop.name === name) ?? null
  }

  /** Returns a function that returns the surrounding loop object as a value. */
  parent(): () => Code {
    const loop = this.findObject('forloop')
    return () => loop?.whole() ?? this.#includingLoop()
  }

  /** Returns the code of the loop around the `include` of this template; nil if there can be no such loop. */
  #includingLoop(): Code {
    return this.#input.entryPoint === 'shared' ? member(ident('frame'), '$parentloop') : NULL
  }

  hides(name: string): boolean {
    return this.#findLocal(name) !== undefined
  }

  /** Returns the code that reads a loop variable; undefined if no loop variable has the name. `field`: only one of its fields is read. */
  read(name: string, field: boolean): Code | undefined {
    const local = this.#findLocal(name)
    if (local === undefined) return undefined
    this.#uses.read(local.key, this.#draft.blocks, field)
    return readOf(local, field)
  }

  /** Returns the code of a loop variable for an assignment by another template; undefined if no loop variable has the name. */
  copyBackTarget(name: string): Code | undefined {
    const local = this.#findLocal(name)
    if (local === undefined) return undefined
    this.#uses.set(local.key, UNKNOWN_VALUE, this.#draft.blocks)
    return this.read(name, false)
  }

  /** Returns the code of the values of all names that the surrounding loops define. */
  all(): ReadonlyMap<string, Code> {
    const names = this.#scopes.flatMap((scope) => [...scope.keys()])
    const all = new Map(names.map((name) => [name, this.read(name, false) ?? NULL]))
    const loop = this.findObject('forloop')
    return loop === null ? all : all.set('forloop', loop.whole())
  }

  #findLocal(name: string): LoopLocal | undefined {
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name)
  }

  /** Makes a loop variable valid while `body` is emitted. */
  scope(name: string, body: () => void): void {
    const key = `loop ${++this.#count} ${name}`
    this.#scopes.push(new Map([[name, { key, code: NULL, fields: null, isFields: false }]]))
    this.#endStatements.push([])
    body()
    this.#scopes.pop()
    this.#draft.add(...(this.#endStatements.pop() ?? []))
  }

  /** Copies the value of a loop variable to where `self` can read it. */
  #show(name: string, value: Code): void {
    if (this.#view === null) return
    const { begin, end } = this.#view.keep(name, value)
    this.#draft.add(begin)
    this.#endStatements.at(-1)?.push(end)
  }

  /** Declares the variable of the innermost loop with its value in an iteration. */
  item(name: string, value: Code, span: Span): void {
    const scope = this.#scopes.at(-1)
    const known = scope?.get(name)
    if (scope === undefined || known === undefined) return
    const keyword =
      this.#input.context.site.dialect === 'platform' && isSetByIncludes(this.#input, name) ? 'let' : 'const'
    const use = keyword === 'const' ? this.#input.uses.of(known.key) : undefined
    const statements: Statement[] = []
    const type = keyword === 'const' ? valueOf(value) : UNKNOWN_VALUE
    const local = this.#locals.declare({ name, keyword, value, type, use, span, inLoop: true }, statements)
    scope.set(name, { ...local, key: known.key })
    this.#draft.add(...statements)
    if (this.#view !== null) this.#show(name, this.read(name, false) ?? NULL)
  }

  /** Returns the result of `body`, while these values hide variables of the same names. */
  withVariables<Result>(values: ReadonlyMap<string, Code>, body: () => Result): Result {
    const hidingLocals = [...values].map(([name, code]): [string, LoopLocal] => [
      name,
      { key: `loop ${++this.#count} ${name}`, code, fields: null, isFields: false },
    ])
    this.#scopes.push(new Map(hidingLocals))
    const result = body()
    this.#scopes.pop()
    return result
  }

  /** Sets the meaning of the loop object while `body` is emitted. */
  object(loop: LoopObject, body: () => void): void {
    this.#objects.push(loop)
    if (this.#view !== null) this.#show(loop.name, loop.whole())
    body()
    this.#objects.pop()
  }
}
