/**
 * The contract of a tag: its grammar, what it means to the checker, and the TypeScript it becomes. A tag sees the grammar
 * class and two narrow kits, never a phase. The same `check` serves two walks: the one that binds names (every type is
 * unknown there) and the one that infers types and reports.
 */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import type {
  Expression,
  FilterCall,
  NamedArgument,
  NameNode,
  Node,
  TagNode,
  WriteTarget,
} from '../../core/model/ast.ts'
import type { Code, Statement, TypeCode } from '../../core/model/code.ts'
import type { TagDocs } from '../../core/model/reference.ts'
import type { Face } from '../../core/model/effects.ts'
import type { Type } from '../../core/model/type.ts'
import type { ValueType } from '../../core/model/value-type.ts'
import type { Span } from '../../core/source/span.ts'
import type { Dialect } from '../../core/model/dialect.ts'
import type { Grammar } from '../syntax/grammar.ts'
import type { RawBody } from '../syntax/raw.ts'

/** What a tag's leftover markup is: an error, or stray text that living sites hold. */
export type LeftoverRule = 'error' | 'warning' | 'ignored'

export interface Tag<Markup = unknown, BranchMarkup = unknown> {
  readonly name: string
  /** Older names with the same meaning; each is reported as deprecated in favour of `name`. */
  readonly aliases?: readonly string[]
  /** What to write instead, when the tag itself is deprecated. */
  readonly deprecated?: string
  /** It is written as that one is, so that the word alone is to be changed. */
  readonly renamed?: true
  /** One line of markup that is right: shown when the markup cannot be read. */
  readonly usage: string
  /** For the reference. Absent: no author writes this tag. */
  readonly docs?: TagDocs
  /** `block` may depend on the markup (`background` with `=` is inline). */
  readonly shape: 'inline' | 'block' | 'raw' | ShapeOf<Markup>
  /** Only with shape `raw`. */
  readonly raw?: RawBody
  /** Tags that open a branch of this block, with their own grammar. */
  readonly branches?: Readonly<Record<string, (grammar: Grammar) => BranchMarkup>>
  /** Only in the platform's dialect. */
  readonly platform?: true
  readonly leftover?: LeftoverRule
  /**
   * Prints nothing: a block of nothing but such tags and white space drops its white space. `body`: prints nothing when its
   * bodies do.
   */
  readonly blank?: true | 'body'
  /** Where the text of the body goes: kept for later (`capture`), or read as data that is no markup (`parse_json`). Absent: printed where it stands. */
  readonly content?: 'kept' | 'data'
  grammar(grammar: Grammar): Markup
  check(node: TagNode<Markup, BranchMarkup>, kit: CheckKit): void
  emit(node: TagNode<Markup, BranchMarkup>, kit: EmitKit): void
}

/** The type of a method, as of `check` and `emit`: methods are bivariant, so a registry can hold tags of different markup. */
type ShapeOf<Markup> = { of(markup: Markup): 'inline' | 'block' }['of']

export type AnyTag = Tag

export function tag<Markup = undefined, BranchMarkup = undefined>(
  definition: Tag<Markup, BranchMarkup>,
): Tag<Markup, BranchMarkup> {
  return definition
}

/**
 * Returns whether a node was made by this tag's grammar. A host can replace a tag by another one of the same name, so the parts of the
 * markup that the caller reads are looked for.
 */
export function isNodeOf<Markup extends object, BranchMarkup>(
  { name }: Tag<Markup, BranchMarkup>,
  node: TagNode,
  ...parts: readonly (keyof Markup)[]
): node is TagNode<Markup, BranchMarkup> {
  const { markup } = node
  return node.name === name && typeof markup === 'object' && markup !== null && parts.every((part) => part in markup)
}

// ---- calls of partials ------------------------------------------------------------------------------------------------

export interface PartialCall {
  /** `render` prints isolated, `function` gives a value, `include` shares the caller's names, `theme` searches the theme paths. */
  readonly kind: 'render' | 'include' | 'function' | 'background' | 'theme'
  readonly name: Expression
  readonly arguments: readonly NamedArgument[]
  /** `with value as name`, `for list as item`. */
  readonly bound: { readonly value: Expression; readonly as: NameNode | null; readonly each: boolean } | null
  readonly span: Span
}

/** A query that a template runs. */
export interface QueryUse {
  /** Null in the form whose body is the query. */
  readonly name: Expression | null
  readonly body: readonly Node[]
  /** The variables. */
  readonly arguments: readonly NamedArgument[]
  /** `args`: a hash of variables, or its JSON text. */
  readonly spread: Expression | null
  /** Filters that act on the result. */
  readonly filters: readonly FilterCall[]
  readonly span: Span
}

// ---- check ------------------------------------------------------------------------------------------------------------

/** One way a block may go. The first whose condition holds runs; one without a condition always may. */
export interface Way {
  readonly condition: Expression | null
  /** The condition must be false (`unless`). */
  readonly negated?: boolean
  readonly run: () => void
}

export interface LoopLocal {
  readonly name: string
  /** Null for names that the language gives (`forloop`). */
  readonly span: Span | null
  readonly type: Type
}

/** What a tag says that concerns other files, or the request as a whole. */
export type SiteNote =
  | { readonly kind: 'link'; readonly path: Expression }
  | { readonly kind: 'content-for'; readonly name: Expression }
  /** `otherwise` is printed where nothing fills it. */
  | { readonly kind: 'yield'; readonly name: Expression; readonly otherwise: Expression | null }
  | { readonly kind: 'export'; readonly namespace: Expression | null; readonly name: string; readonly type: Type }
  | { readonly kind: 'session'; readonly name: string; readonly type: Type }
  | { readonly kind: 'headers'; readonly value: Expression }
  /** What is printed into a text that is read as JSON. */
  | { readonly kind: 'json'; readonly body: readonly Node[] }
  | { readonly kind: 'rollback'; readonly span: Span }
  /** The element of the form that is shown. */
  | { readonly kind: 'form' }
  | { readonly kind: 'include-form'; readonly name: Expression; readonly arguments: readonly NamedArgument[] }

export interface CheckKit {
  readonly dialect: Dialect
  /** Reads a value: its names count as used. Gives its type. `handsOn`: nil serves as well, since nothing is done with it here. */
  read(expression: Expression, handsOn?: boolean): Type
  condition(expression: Expression): void
  body(nodes: readonly Node[]): void
  /** Ways that exclude each other. `exhaustive`: one of them surely runs (there is an `else`). */
  ways(ways: readonly Way[], exhaustive: boolean): void
  /** A body that runs any number of times, with names that hide outer ones. */
  loop(locals: readonly LoopLocal[], body: () => void): void
  /** A body that may not run, or whose effects may be kept elsewhere. `key`: of a `cache`. */
  detached(kind: 'cache' | 'transaction' | 'try' | 'content_for', body: () => void, key?: Expression): void
  /** The type of one element of what a loop goes over. */
  element(type: Type): Type
  /** `demanded`: the tag cannot be written without the name, so that nobody needs to read it. */
  assign(name: NameNode, type: Type, demanded?: boolean): void
  /** A write into a place (`h['a'] = v`) or, with `push`, at the end of an array. A bare name without push is `assign`. */
  write(target: WriteTarget, value: Type, push: boolean): void
  /** A call of a partial; gives the type of its result. */
  call(call: PartialCall, node: TagNode): Type
  /** A tag whose body runs later, as a template of its own that sees only these arguments. */
  job(args: readonly NamedArgument[], node: TagNode): void
  /** A query; gives the type of its result, behind its filters. */
  query(use: QueryUse): Type
  /** `increment` and `decrement`. */
  counter(name: NameNode): void
  /** State that lives per render and is shared with included partials: cycle, ifchanged, `offset: continue`. */
  register(): void
  halt(kind: 'break' | 'continue' | 'return', value: Type | null): void
  /** The tag reaches a port of the host, so its unit suspends. */
  port(name: string): void
  /** The tag reaches a port without suspending. */
  offered(port: string): void
  note(note: SiteNote): void
  source(span: Span): string
  report(diagnostic: Diagnostic): void
}

// ---- emit -------------------------------------------------------------------------------------------------------------

/** How `break` and `continue` of a loop are written. */
export interface Jumps {
  readonly break: (span: Span | null) => readonly Statement[]
  readonly continue: (span: Span | null) => readonly Statement[]
}

/** Codes for the fields of a loop's object by their names, each made where it is read: most loops read none. */
export type LoopFields = Readonly<Record<string, () => Code>>

export interface EmitKit {
  readonly dialect: Dialect
  /** Whether the code counts what it renders and assigns. */
  readonly scored: boolean
  /** The render, which most functions of the runtime take. */
  readonly render: Code
  /** The template's path, a constant of the module. */
  readonly unit: Code
  /** 1-based line of a place, as the literal that faults carry. */
  line(span: Span): Code
  /** Prints text that the author wrote. */
  text(text: string): void
  /** Prints what `code` gives, a string that needs no escaping. */
  print(code: Code, span: Span): void
  /** Prints a value as `{{ }}` does, escaped for the format. */
  output(expression: Expression, span: Span): void
  add(statement: Statement): void
  /** The statements that `write` writes. */
  block(write: () => void): readonly Statement[]
  /** `block` for one of several ways of a tag: each begins where the tag began in the HTML. */
  branch(write: () => void): readonly Statement[]
  /** A new name for a constant or variable of this function, like `hint`. */
  fresh(hint: string): string
  /** Keeps a value in a constant of this function, called like `hint`, and gives its code. */
  keep(hint: string, value: Code, span: Span): Code
  /** Makes a value of the runtime available. */
  use(name: string): Code
  value(expression: Expression): Code
  /** A value as a list, which a loop goes over. */
  items(expression: Expression): Code
  /** A value as a JavaScript boolean. */
  condition(expression: Expression): Code
  /** Whether a value that is kept in a local equals another, as `==` does. */
  equals(local: Code, subject: Expression, value: Expression): Code
  /** Makes a function of the library's host available. */
  host(name: string): Code
  /** Makes a type of the runtime available. */
  type(name: string): TypeCode
  /** The named arguments as a hash. */
  named(args: readonly NamedArgument[]): Code
  /** The named arguments as the variables of a stored query, or of the document in `body`. */
  variables(
    args: readonly NamedArgument[],
    query: { readonly name: Expression } | { readonly body: readonly Node[] },
  ): Code
  /** The named arguments as the variables of another template. */
  passed(args: readonly NamedArgument[]): Code
  /** Whether evaluating can raise a fault. */
  fallible(expression: Expression): boolean
  /** Whether evaluating any of them can raise a fault that is answered here, by `guard`, and not raised. */
  guards(...expressions: readonly Expression[]): boolean
  body(nodes: readonly Node[]): void
  /** Runs `write` so that a fault in it prints its text in place and the render goes on, where the mode says so. */
  guard(fallible: boolean, span: Span, write: () => void): void
  /** Emits `body` so that its text goes to a new local; interrupts in it are carried out behind what `after` writes. */
  capture(hint: string, body: () => void, after: (text: Code) => void): void
  /** The same with an async closure that gives its text. */
  closure(body: () => void, after: (closure: Code) => void): void
  /** The same with one that prints where the tag stands, so that its text stays when it fails. */
  within(body: () => void, after: (closure: Code) => void): void
  assign(name: NameNode, code: Code, span: Span): void
  /** Writes a variable, a place in a hash or array, or onto an array. */
  store(target: WriteTarget, code: Code, push: boolean, span: Span): void
  /** The body of a `try`: faults in it carry their own line. */
  tried(body: () => void): void
  /** The variable of a loop, valid while `body` is emitted, which declares it. */
  scope(name: string, body: () => void): void
  /** Declares the variable of the innermost loop with the value that it has in a turn. */
  item(name: string, value: Code, span: Span): void
  /** The body of a JavaScript loop: counts the step; `jumps` says how break and continue are written, if not as JavaScript's own. */
  turn(body: () => void, jumps?: Jumps): void
  /** Whether a loop somewhere in the site goes on where another stopped (`offset: continue`). */
  readonly resumes: boolean
  /** The expression that `forloop` and `tablerowloop` mean while `body` is emitted. */
  loopObject(name: 'forloop' | 'tablerowloop', fields: LoopFields, whole: () => Code, body: () => void): void
  /** What makes the loop object around this place a value. */
  parentLoop(): () => Code
  /** A query with its variables: gives the code of its result hash. `document` is the text of the form without a name. */
  query(query: { readonly name: Expression } | { readonly document: Code }, variables: Code, span: Span): Code
  call(call: PartialCall, node: TagNode): void
  /** Notes what is known of the values that a call hands over one by one. */
  handsOver(file: string, face: Face, values: readonly ValueType[]): void
  /** A `function` call: gives the code of its result. */
  valueCall(call: PartialCall, node: TagNode): Code
  halt(kind: 'break' | 'continue' | 'return', value: Code | null, span: Span): void
  registers(): Code
  /** Whether no other unit shares this unit's counters and cycles. */
  readonly alone: boolean
  /** The text that a value prints as, for places that print one of several. */
  printed(expression: Expression): Code
  /** `code` with filters applied. */
  filtered(code: Code, filters: readonly FilterCall[]): Code
  /** A counter of this function, from 0 on; all that ask with the same key share it. */
  local(hint: string, key: string): Code
  /** The name of the template that the tag's body is, as a literal. */
  job(node: TagNode): Code
  port(name: string, tag: string): Code
  source(span: Span): string
}
