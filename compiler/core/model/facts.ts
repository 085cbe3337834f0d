/** What checking finds out for the emitter: what surely holds of every value of a template, however it is reached. Data only. */
import type { Accessor, Expression, FilterCall, Lookup, NameNode } from './ast.ts'
import type { Linked } from './effects.ts'
import type { Type } from './type.ts'

/**
 * A part of the tree that stands for a value: an expression, the variable at its head, each step of its path, and each filter for what
 * it gives.
 */
export type ValueNode = Expression | NameNode | Accessor | FilterCall

/** What the name at the head of a lookup means: `host` is what the site's host gives by a name, as `context`. */
export type Binding = 'variable' | 'loop' | 'parameter' | 'host' | 'counter' | 'unset'

/** What a template takes from its callers and gives to them. */
export interface Signature {
  /** Types of the names that its callers or the host pass; null where a caller is not known, so that any name may have any value. */
  readonly parameters: ReadonlyMap<string, Type> | null
  /** What `function` gets. */
  readonly result: Type
}

/**
 * A type says what a value is, not how JavaScript keeps it: an integer may be a bigint, a float an object, and nil is null or, for a
 * variable that was never set, undefined.
 */
export interface TemplateFacts {
  /** The type of every value each time that its place is reached. What is not in here is of an unknown type. */
  readonly types: ReadonlyMap<ValueNode, Type>
  /** Lookups of which one meaning is sure. */
  readonly bindings: ReadonlyMap<Lookup, Binding>
  /** The types of all values that a variable of the template is ever given. Before the first of them it is what its callers pass, or nil. */
  readonly variables: ReadonlyMap<string, Type>
  readonly signature: Signature
}

/** What is found out by a key, a file or `file#path`, when it is asked for. */
export interface Answers<Answer> {
  get(key: string): Answer | undefined
}

export interface Facts {
  /** What is known of each template with what its callers hand over. The same value while nothing in it changes. */
  readonly templates: Answers<TemplateFacts>
  /** What is known of it whatever its callers hand over. */
  readonly alone: Answers<TemplateFacts>
  /** Names that its callers or the host may hand over; null where that may be any. */
  readonly given: Answers<ReadonlySet<string> | null>
  /** The keys of all templates, callers before what they call by a literal name. */
  readonly order: readonly string[]
  /** What running each template does, over all that it calls. */
  readonly linked: Linked
}
