/** Which names a template reads and sets, and what it reads of the request. */
import type { NameNode } from '../../../core/model/ast.ts'
import type { Span } from '../../../core/source/span.ts'
import type { ImpliedPresence } from './flow.ts'

/**
 * Why a value is read: `value` needs one that is not nil, `test` asks whether there is one, `default` replaces nil, `pass` hands it
 * to another file, and `need` fails without a value.
 */
/** A name that is surely nil: where it is read first, and whether every read of it has a `default`. */
export interface UndefinedRead {
  readonly span: Span
  readonly replaced: boolean
}

export type ReadPurpose = 'value' | 'test' | 'default' | 'pass' | 'need'

/** Reads of a name that this template does not set before. */
export interface FreeReads {
  readonly span: Span
  /** Some read is one that no write of this template reaches. */
  readonly foreign: boolean
  readonly plain: boolean
  readonly guarded: boolean
  /** Some read is one of a value that something fails without. */
  readonly needed: boolean
  /** Some read asks whether there is a value, or replaces it. */
  readonly asked: boolean
  /** Names that are not given wherever a value of this one is needed; null where none is. */
  readonly alternatives: readonly string[] | null
  /** Names that are given wherever a value of this one is needed; null where none is. */
  readonly onlyWith: readonly string[] | null
  /** The first read through `default`. */
  readonly defaulted: Span | null
  /** The part of the request that it may mean, from the first read that is no test. */
  readonly part: string | null
}

const RESERVED: ReadonlySet<string> = new Set(['true', 'false', 'nil', 'null', 'empty', 'blank'])
const SNAKE_CASE = /^[a-z0-9_]+$/

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

export interface ReadAfterInclude {
  readonly span: Span
  readonly partial: string
  readonly included: Span
}

export class Reads {
  readonly #free = new Map<string, Mutable<FreeReads>>()
  readonly #undefined = new Map<string, UndefinedRead>()
  readonly #used = new Set<string>()
  readonly #setAt = new Map<string, Span>()
  readonly #aliases = new Map<string, { readonly name: string; readonly span: Span }>()
  readonly #writes = new Set<string>()
  readonly #afterInclude = new Map<string, ReadAfterInclude>()
  readonly #oddNames = new Map<string, Span>()
  readonly #tested = new Set<string>()
  readonly #request = new Map<string, Span>()
  readonly #visitor = new Map<string, Span>()
  readonly #misspelt = new Set<string>()
  #readsAll = false
  #handsOnAll = false
  #readsRequest = false
  #registers = false

  // ---- names of the frame -----------------------------------------------------------------------------------------

  /** Names that are read and not set before. */
  get free(): ReadonlyMap<string, FreeReads> {
    return this.#free
  }

  /** A read of a name that the template may not have set. `foreign`: it has not on any way. */
  addFree(name: string, span: Span, use: ReadPurpose, foreign: boolean, { given, notGiven }: ImpliedPresence): void {
    let reads = this.#free.get(name)
    if (reads === undefined) {
      reads = {
        span,
        foreign: false,
        plain: false,
        guarded: false,
        needed: false,
        asked: false,
        alternatives: null,
        onlyWith: null,
        defaulted: null,
        part: null,
      }
      this.#free.set(name, reads)
    }
    if (foreign) reads.foreign = true
    if (use === 'value' || use === 'need') {
      reads.plain = true
      reads.alternatives = common(reads.alternatives, notGiven)
      reads.onlyWith = common(reads.onlyWith, given)
    } else reads.guarded = true
    if (use === 'need') reads.needed = true
    if (use === 'test' || use === 'default') reads.asked = true
    if (use === 'default') reads.defaulted ??= span
  }

  isUsed(name: string): boolean {
    return this.#used.has(name)
  }

  use(name: string): void {
    this.#used.add(name)
  }

  /** A variable is given the hash or array of another one; null for any other value. */
  alias(name: string, other: string | null, span: Span): void {
    for (const [one, { name: of }] of this.#aliases) if (of === name) this.#aliases.delete(one)
    if (other === null || other === name) this.#aliases.delete(name)
    else this.#aliases.set(name, { name: other, span })
  }

  /** The other name of a variable's value. */
  aliasOf(name: string): { readonly name: string; readonly span: Span } | undefined {
    return this.#aliases.get(name)
  }

  /** Names that are set, with the first place. */
  get setAt(): ReadonlyMap<string, Span> {
    return this.#setAt
  }

  /** The template sets the name. */
  addSet({ name, span }: NameNode): void {
    this.#writes.add(name)
    if (!this.#setAt.has(name)) this.#setAt.set(name, span)
  }

  /** Names that the template, or what it includes, sets in the frame. */
  get writes(): ReadonlySet<string> {
    return this.#writes
  }

  /** What the template includes sets the name. */
  addWrite(name: string): void {
    this.#writes.add(name)
  }

  /** Names that are surely nil where they are read, with the first read. */
  get undefined(): ReadonlyMap<string, UndefinedRead> {
    return this.#undefined
  }

  /** @param replaced whether a `default` replaces the value */
  addUndefined(name: string, span: Span, replaced: boolean): void {
    const first = this.#undefined.get(name)
    this.#undefined.set(name, { span: first?.span ?? span, replaced: replaced && first?.replaced !== false })
  }

  /** Reads of names that an included partial has kept to itself. */
  get afterInclude(): ReadonlyMap<string, ReadAfterInclude> {
    return this.#afterInclude
  }

  addAfterInclude(name: string, span: Span, partial: string, included: Span): void {
    if (!this.#afterInclude.has(name)) this.#afterInclude.set(name, { span, partial, included })
  }

  /** Names that are not in snake_case. */
  get oddNames(): ReadonlyMap<string, Span> {
    return this.#oddNames
  }

  /** Notes the spelling of a name that is set. Gives whether it is a word of the language. */
  addName({ name, span }: NameNode, isPlatform: boolean): boolean {
    const isReserved = RESERVED.has(name)
    if (isReserved) this.#used.add(name)
    if (isPlatform && !SNAKE_CASE.test(name) && !this.#oddNames.has(name)) this.#oddNames.set(name, span)
    return isReserved
  }

  /** Whether a test or a default somewhere asks for this part of a value, as it is written. */
  isTested(part: string): boolean {
    return this.#tested.has(part)
  }

  addTested(part: string): void {
    this.#tested.add(part)
  }

  /** Any name of the frame may be read or set. */
  get readsAll(): boolean {
    return this.#readsAll
  }

  addAll(): void {
    this.#readsAll = true
  }

  /** Whether it hands all names of its frame to files that read known names of them. */
  get handsOnAll(): boolean {
    return this.#handsOnAll
  }

  /** A file that is not known, and reads some of these names, sees the frame. */
  handOn(names: Iterable<string>): void {
    this.#handsOnAll = true
    for (const name of names) this.#used.add(name)
  }

  /** Gives whether it is the first read of the name. */
  addMisspelt(name: string): boolean {
    const isFirst = !this.#misspelt.has(name)
    this.#misspelt.add(name)
    return isFirst
  }

  /** Whether counters or cycles are used, which an include shares. */
  get registers(): boolean {
    return this.#registers
  }

  addRegister(): void {
    this.#registers = true
  }

  // ---- the request ------------------------------------------------------------------------------------------------

  /** Whether `context.exports` or `context.session` is read. */
  get readsRequest(): boolean {
    return this.#readsRequest
  }

  addRequest(): void {
    this.#readsRequest = true
  }

  /** Parts of `context` that are not everywhere, with the first read of each that is no test. */
  get requestParts(): ReadonlyMap<string, Span> {
    return this.#request
  }

  addRequestPart(part: string, span: Span): void {
    if (!this.#request.has(part)) this.#request.set(part, span)
  }

  /** A free name may mean this part of the request. */
  addFreePart(name: string, part: string): void {
    const reads = this.#free.get(name)
    if (reads !== undefined) reads.part ??= part
  }

  /** Parts of `context` that are the visitor's own, with the first read of each. */
  get visitorParts(): ReadonlyMap<string, Span> {
    return this.#visitor
  }

  addVisitorPart(part: string, span: Span): void {
    if (!this.#visitor.has(part)) this.#visitor.set(part, span)
  }
}

/** The names that a further read has in common with those before it; null stands for no read before. */
function common(before: readonly string[] | null, names: readonly string[]): readonly string[] {
  return before === null ? [...names] : before.filter((name) => names.includes(name))
}
