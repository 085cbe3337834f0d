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

/** A read of a name that only an included partial has set. */
export interface ReadAfterInclude {
  readonly span: Span
  readonly partial: string
  readonly included: Span
}

export class Reads {
  // ---- names of the frame -----------------------------------------------------------------------------------------

  /** Names that are read without being set before. */
  readonly free = new Map<string, FreeReads>()
  readonly used = new Set<string>()
  /** Names that are set, with the place of the first assignment. */
  readonly setAt = new Map<string, Span>()
  /** Names that the template, or a file that it includes, sets in the frame. */
  readonly writes = new Set<string>()
  /** Names that are definitely nil where they are read, with the first read. */
  readonly undefined = new Map<string, UndefinedRead>()
  /** Reads of names that an included partial sets only for itself. */
  readonly afterInclude = new Map<string, ReadAfterInclude>()
  /** The names of variables, also of loops, with the place where each is set first. */
  readonly namedAt = new Map<string, Span>()
  /** Parts of values that some test or `default` reads, as source texts. */
  readonly tested = new Set<string>()
  /** Misspelled names that were read. */
  readonly misspelt = new Set<string>()
  /** Whether any name of the frame may be read or set. */
  readsAll = false
  /** Whether the template passes its whole frame to an unknown file whose possible reads are known. */
  handsOnAll = false
  /** Whether counters or cycles are used, which an include shares. */
  registers = false
  readonly #aliases = new Map<string, { readonly name: string; readonly span: Span }>()

  /** Records a read of a name that the template may not have set. `foreign`: the name is not set on any path. */
  addFree(
    name: string,
    span: Span,
    use: ReadPurpose,
    foreign: boolean,
    { givenNames, notGiven }: ImpliedPresence,
  ): void {
    const before = this.free.get(name)
    const isPlain = use === 'value' || use === 'need'
    this.free.set(name, {
      span: before?.span ?? span,
      isForeign: foreign || before?.isForeign === true,
      hasPlainRead: isPlain || before?.hasPlainRead === true,
      hasGuardedRead: !isPlain || before?.hasGuardedRead === true,
      isNeeded: use === 'need' || before?.isNeeded === true,
      hasTest: use === 'test' || use === 'default' || before?.hasTest === true,
      alternatives: isPlain ? intersect(before?.alternatives, notGiven) : (before?.alternatives ?? null),
      onlyWith: isPlain ? intersect(before?.onlyWith, givenNames) : (before?.onlyWith ?? null),
      defaulted: before?.defaulted ?? (use === 'default' ? span : null),
      part: before?.part ?? null,
    })
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

  /** Records that the template sets the name. */
  addSet({ name, span }: NameNode): void {
    this.writes.add(name)
    addFirst(this.setAt, name, span)
  }

  /** @param replaced whether a `default` replaces a nil value */
  addUndefined(name: string, span: Span, replaced: boolean): void {
    const first = this.undefined.get(name)
    this.undefined.set(name, { span: first?.span ?? span, replaced: replaced && first?.replaced !== false })
  }

  /** Records that an unknown file sees the frame and reads some of these names. */
  handOn(names: Iterable<string>): void {
    this.handsOnAll = true
    for (const name of names) this.used.add(name)
  }

  // ---- the request ------------------------------------------------------------------------------------------------

  /** Whether `context.exports` or `context.session` is read. */
  readsRequest = false
  /** Parts of `context` that do not exist everywhere, with the first read of each that is not a test. */
  readonly requestParts = new Map<string, Span>()
  /** Parts of `context` that belong to one visitor, with the first read of each. */
  readonly visitorParts = new Map<string, Span>()

  /** Records that a name that the template has not set may refer to this part of the request. */
  addFreePart(name: string, part: string): void {
    const reads = this.free.get(name)
    if (reads !== undefined) this.free.set(name, { ...reads, part: reads.part ?? part })
  }
}

/** Keeps the first value of each name. */
export function addFirst<Value>(values: Map<string, Value>, name: string, value: Value): void {
  if (!values.has(name)) values.set(name, value)
}

/** Returns the names that a new read has in common with the earlier reads, if there are any. */
function intersect(before: readonly string[] | null | undefined, names: readonly string[]): readonly string[] {
  return before == null ? [...names] : before.filter((name) => names.includes(name))
}
