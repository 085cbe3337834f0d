/** The variables of the loops around the place that is written, which hide those of the frame, and what `forloop` means there. */
import { type Code, ident, member, NULL, type Statement } from '../../../core/model/code.ts'
import { UNKNOWN_VALUE } from '../../../core/model/value-type.ts'
import type { Span } from '../../../core/source/span.ts'
import type { LoopFields } from '../../../language/tags/tag.ts'
import { valueOf } from '../value-types.ts'
import { isSetByIncludes } from './callee.ts'
import type { Draft } from './draft.ts'
import type { FaceInput } from './input.ts'
import { type Local, type Locals, readOf } from './locals.ts'
import type { SelfView } from './self-view.ts'
import type { VariableUses } from './variable-uses.ts'

/** What `forloop` and `tablerowloop` mean: a code for each field, and one for the whole object. */
export interface LoopObject {
  readonly name: 'forloop' | 'tablerowloop'
  readonly fields: LoopFields
  readonly whole: () => Code
}

interface LoopLocal extends Local {
  /** Its name among the uses of variables. */
  readonly key: string
}

export class LoopVariables {
  readonly #input: FaceInput
  readonly #draft: Draft
  readonly #declared: Locals
  readonly #uses: VariableUses
  readonly #scopes: Map<string, LoopLocal>[] = []
  /** For each open loop, what ends the keeping of its variables for `self`. */
  readonly #ends: Statement[][] = []
  #count = 0
  readonly #objects: LoopObject[] = []

  readonly #view: SelfView | null

  constructor(input: FaceInput, draft: Draft, declared: Locals, uses: VariableUses, view: SelfView | null) {
    this.#input = input
    this.#view = view
    this.#draft = draft
    this.#declared = declared
    this.#uses = uses
  }

  /** The object of the innermost loop of that kind. */
  named(name: string): LoopObject | null {
    return this.#objects.findLast((loop) => loop.name === name) ?? null
  }

  /** What makes the loop object around this place a value. */
  parent(): () => Code {
    const loop = this.named('forloop')
    return () => loop?.whole() ?? this.#outer()
  }

  /** The loop around the place that includes the template. */
  #outer(): Code {
    return this.#input.face === 'shared' ? member(ident('frame'), '$parentloop') : NULL
  }

  hides(name: string): boolean {
    return this.#local(name) !== undefined
  }

  /** The code that reads a variable of a loop. `field`: only one of its fields is read. */
  read(name: string, field: boolean): Code | undefined {
    const local = this.#local(name)
    if (local === undefined) return undefined
    this.#uses.read(local.key, this.#draft.blocks, field)
    return readOf(local, field)
  }

  /** The variable of a loop that another template sets. */
  taken(name: string): Code | undefined {
    const local = this.#local(name)
    if (local === undefined) return undefined
    this.#uses.set(local.key, UNKNOWN_VALUE, this.#draft.blocks)
    return this.read(name, false)
  }

  /** All names that loops give, as values. */
  all(): ReadonlyMap<string, Code> {
    const names = this.#scopes.flatMap((scope) => [...scope.keys()])
    const all = new Map(names.map((name) => [name, this.read(name, false) ?? NULL]))
    const loop = this.named('forloop')
    return loop === null ? all : all.set('forloop', loop.whole())
  }

  #local(name: string): LoopLocal | undefined {
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name)
  }

  /** The variable of a loop, valid while `body` is written. */
  scope(name: string, body: () => void): void {
    const key = `loop ${++this.#count} ${name}`
    this.#scopes.push(new Map([[name, { key, code: NULL, fields: null, isFields: false }]]))
    this.#ends.push([])
    body()
    this.#scopes.pop()
    this.#draft.add(...(this.#ends.pop() ?? []))
  }

  /** Keeps what a loop gives, where `self` can show it. */
  #show(name: string, value: Code): void {
    if (this.#view === null) return
    const { begin, end } = this.#view.keep(name, value)
    this.#draft.add(begin)
    this.#ends.at(-1)?.push(end)
  }

  /** Declares the variable of the innermost loop with the value that it has in a turn. */
  item(name: string, value: Code, span: Span): void {
    const scope = this.#scopes.at(-1)
    const known = scope?.get(name)
    if (scope === undefined || known === undefined) return
    const how = this.#input.context.site.dialect === 'platform' && isSetByIncludes(this.#input, name) ? 'let' : 'const'
    const use = how === 'const' ? this.#input.uses.of(known.key) : undefined
    const statements: Statement[] = []
    const type = how === 'const' ? valueOf(value) : UNKNOWN_VALUE
    const local = this.#declared.declare({ name, how, value, type, use, span, inLoop: true }, statements)
    scope.set(name, { ...local, key: known.key })
    this.#draft.add(...statements)
    if (this.#view !== null) this.#show(name, this.read(name, false) ?? NULL)
  }

  /** What `body` gives where these values hide what their names mean around it. */
  within<Result>(values: ReadonlyMap<string, Code>, body: () => Result): Result {
    const hiding = [...values].map(([name, code]): [string, LoopLocal] => [
      name,
      { key: `loop ${++this.#count} ${name}`, code, fields: null, isFields: false },
    ])
    this.#scopes.push(new Map(hiding))
    const result = body()
    this.#scopes.pop()
    return result
  }

  /** What the loop's object means while `body` is written. */
  object(loop: LoopObject, body: () => void): void {
    this.#objects.push(loop)
    if (this.#view !== null) this.#show(loop.name, loop.whole())
    body()
    this.#objects.pop()
  }
}
