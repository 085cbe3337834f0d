/** Facts from checking for the emitter: what is certain about every value of a template, however it is called. Only data. */
import type { Accessor, Expression, FilterCall, Lookup, NameNode } from '../tree/ast.ts'
import type { LinkedEffects } from './effects.ts'
import type { Type } from './type.ts'

/**
 * A node of the tree that has a value: an expression, the variable of a lookup, each step of its path, and each filter (for its result).
 */
export type ValueNode = Expression | NameNode | Accessor | FilterCall

/** The meaning of the name in a lookup. `host`: a value that the host provides by name, such as `context`. */
export type Binding = 'variable' | 'loop' | 'parameter' | 'host' | 'counter' | 'unset'

/** The parameters and the result of a template. */
interface Signature {
  /** The types of the names that callers or the host pass; null if a caller is unknown, so that any name may have any value. */
  readonly parameters: ReadonlyMap<string, Type> | null
  /** The result of a `function` call. */
  readonly result: Type
}

/**
 * Facts about a template. A type does not define the JavaScript representation: an integer may be a bigint, a float an object, and nil
 * is null or, for a variable that was never set, undefined.
 */
export interface TemplateFacts {
  /** The types of values that are always correct when the place is reached. Values that are missing here have an unknown type. */
  readonly types: ReadonlyMap<ValueNode, Type>
  /** Lookups with a single certain meaning. */
  readonly bindings: ReadonlyMap<Lookup, Binding>
  /** The types of all values that a variable of the template can get. Before its first assignment, it has the passed value, or nil. */
  readonly variables: ReadonlyMap<string, Type>
  readonly signature: Signature
}

/** Facts by key (a file or `file#path`), computed on request. */
interface Answers<Answer> {
  get(key: string): Answer | undefined
}

export interface Facts {
  /** The facts of each template, including the values that its callers pass. The same object as long as nothing changes. */
  readonly templates: Answers<TemplateFacts>
  /** The facts that do not depend on the values that callers pass. */
  readonly alone: Answers<TemplateFacts> & {
    /** Returns a stamp of the facts without inferring them. Equal stamps mean equal facts. */
    stamp(key: string): string
  }
  /** Returns the effects of a call of a file as a text. Equal texts mean equal effects. */
  readonly callEffectsKey: (file: string) => string
  /** The names that callers or the host may pass; null if that may be any name. */
  readonly givenNames: Answers<ReadonlySet<string> | null>
  /** The keys of all templates, with callers before the templates that they call by a literal name. */
  readonly order: readonly string[]
  /** The effects of each template, including all that it calls. */
  readonly linkedEffects: LinkedEffects
}
