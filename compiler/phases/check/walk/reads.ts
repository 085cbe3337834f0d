/** Records the names that a template reads and sets, and its reads of the request. */
import type { NameNode } from '../../../core/tree/ast.ts'
import type { Span } from '../../../core/source/span.ts'
import type { ImpliedPresence } from './flow.ts'

/** A name that is definitely nil: the place of its first read, and whether every read of it has a `default`. */
export interface UndefinedRead {
  readonly span: Span
  readonly replaced: boolean
}

/**
 * The purpose of a read: `value` needs a value that is not nil, `test` tests for a value, `default` replaces nil, `pass` passes the value
 * to another file, and `need` fails without a value.
 */
export type ReadPurpose = 'value' | 'test' | 'default' | 'pass' | 'need'

/** Reads of a name that this template does not set before. */
export interface FreeReads {
  readonly span: Span
  /** Whether the name is not set on any path before some read. */
  readonly isForeign: boolean
  /** Whether some read is a `value` or a `need`. */
  readonly hasPlainRead: boolean
  /** Whether some read is a `test`, a `default` or a `pass`. */
  readonly hasGuardedRead: boolean
  /** Whether some read is a `need`. */
  readonly isNeeded: boolean
  /** Whether some read is a `test` or a `default`. */
  readonly hasTest: boolean
  /** Names that are absent wherever this name needs a value; null if it never needs one. */
  readonly alternatives: readonly string[] | null
  /** Names that are present wherever this name needs a value; null if it never needs one. */
  readonly onlyWith: readonly string[] | null
  /** The first read through `default`. */
  readonly defaulted: Span | null
  /** The part of the request that the name may refer to, from the first read that is not a test. */
  readonly part: string | null
}

type Mutable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/** A read of a name that only an included partial has set. */
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
  readonly #namedAt = new Map<string, Span>()
  readonly #tested = new Set<string>()
  readonly #request = new Map<string, Span>()
  readonly #visitor = new Map<string, Span>()
  readonly #misspelt = new Set<string>()
  #readsAll = false
  #handsOnAll = false
  #readsRequest = false
  #registers = false

  // ---- names of the frame -----------------------------------------------------------------------------------------

  /** Names that are read without being set before. */
  get free(): ReadonlyMap<string, FreeReads> {
    return this.#free
  }

  /** Records a read of a name that the template may not have set. `foreign`: the name is not set on any path. */
  addFree(
    name: string,
    span: Span,
    use: ReadPurpose,
    foreign: boolean,
    { givenNames, notGiven }: ImpliedPresence,
  ): void {
    let reads = this.#free.get(name)
    if (reads === undefined) {
      reads = {
        span,
        isForeign: false,
        hasPlainRead: false,
        hasGuardedRead: false,
        isNeeded: false,
        hasTest: false,
        alternatives: null,
        onlyWith: null,
        defaulted: null,
        part: null,
      }
      this.#free.set(name, reads)
    }
    if (foreign) reads.isForeign = true
    if (use === 'value' || use === 'need') {
      reads.hasPlainRead = true
      reads.alternatives = intersect(reads.alternatives, notGiven)
      reads.onlyWith = intersect(reads.onlyWith, givenNames)
    } else reads.hasGuardedRead = true
    if (use === 'need') reads.isNeeded = true
    if (use === 'test' || use === 'default') reads.hasTest = true
    if (use === 'default') reads.defaulted ??= span
  }

  isUsed(name: string): boolean {
    return this.#used.has(name)
  }

  use(name: string): void {
    this.#used.add(name)
  }

  /** Records that a variable is set to the hash or array of another variable. `other` is null if the variable is set to any other value. */
  alias(name: string, other: string | null, span: Span): void {
    for (const [one, { name: of }] of this.#aliases) if (of === name) this.#aliases.delete(one)
    if (other === null || other === name) this.#aliases.delete(name)
    else this.#aliases.set(name, { name: other, span })
  }

  /** Returns the variable from which another one got its value. */
  aliasOf(name: string): { readonly name: string; readonly span: Span } | undefined {
    return this.#aliases.get(name)
  }

  /** Names that are set, with the place of the first assignment. */
  get setAt(): ReadonlyMap<string, Span> {
    return this.#setAt
  }

  /** Records that the template sets the name. */
  addSet({ name, span }: NameNode): void {
    this.#writes.add(name)
    if (!this.#setAt.has(name)) this.#setAt.set(name, span)
  }

  /** Names that the template, or a file that it includes, sets in the frame. */
  get writes(): ReadonlySet<string> {
    return this.#writes
  }

  /** Records that an included file sets the name. */
  addWrite(name: string): void {
    this.#writes.add(name)
  }

  /** Names that are definitely nil where they are read, with the first read. */
  get undefined(): ReadonlyMap<string, UndefinedRead> {
    return this.#undefined
  }

  /** @param replaced whether a `default` replaces a nil value */
  addUndefined(name: string, span: Span, replaced: boolean): void {
    const first = this.#undefined.get(name)
    this.#undefined.set(name, { span: first?.span ?? span, replaced: replaced && first?.replaced !== false })
  }

  /** Reads of names that an included partial sets only for itself. */
  get afterInclude(): ReadonlyMap<string, ReadAfterInclude> {
    return this.#afterInclude
  }

  addAfterInclude(name: string, span: Span, partial: string, included: Span): void {
    if (!this.#afterInclude.has(name)) this.#afterInclude.set(name, { span, partial, included })
  }

  /** The names of variables, also of loops, with the place where each is set first. */
  get namedAt(): ReadonlyMap<string, Span> {
    return this.#namedAt
  }

  /** Records the name of a variable. */
  addName({ name, span }: NameNode): void {
    if (!this.#namedAt.has(name)) this.#namedAt.set(name, span)
  }

  /** Returns whether some test or `default` reads a part of a value. The part is passed as source text. */
  isTested(part: string): boolean {
    return this.#tested.has(part)
  }

  addTested(part: string): void {
    this.#tested.add(part)
  }

  /** Whether any name of the frame may be read or set. */
  get readsAll(): boolean {
    return this.#readsAll
  }

  addAll(): void {
    this.#readsAll = true
  }

  /** Whether the template passes its whole frame to an unknown file whose possible reads are known. */
  get handsOnAll(): boolean {
    return this.#handsOnAll
  }

  /** Records that an unknown file sees the frame and reads some of these names. */
  handOn(names: Iterable<string>): void {
    this.#handsOnAll = true
    for (const name of names) this.#used.add(name)
  }

  /** Records a misspelled name. Returns whether it is the first read of the name. */
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

  /** Parts of `context` that do not exist everywhere, with the first read of each that is not a test. */
  get requestParts(): ReadonlyMap<string, Span> {
    return this.#request
  }

  addRequestPart(part: string, span: Span): void {
    if (!this.#request.has(part)) this.#request.set(part, span)
  }

  /** Records that a name that the template has not set may refer to this part of the request. */
  addFreePart(name: string, part: string): void {
    const reads = this.#free.get(name)
    if (reads !== undefined) reads.part ??= part
  }

  /** Parts of `context` that belong to one visitor, with the first read of each. */
  get visitorParts(): ReadonlyMap<string, Span> {
    return this.#visitor
  }

  addVisitorPart(part: string, span: Span): void {
    if (!this.#visitor.has(part)) this.#visitor.set(part, span)
  }
}

/** Returns the names that a new read has in common with the earlier reads. `before` is null if there are none. */
function intersect(before: readonly string[] | null, names: readonly string[]): readonly string[] {
  return before === null ? [...names] : before.filter((name) => names.includes(name))
}
