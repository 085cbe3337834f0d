/**
 * The interface of a tag: its grammar, its checks, and the TypeScript that it emits. A tag uses only the grammar class and two small
 * kits, and never a compiler phase. Two walks call the same `check`: one binds names, and sees every type as unknown; the other one infers
 * types and reports.
 */
import type { HostDiagnostic } from '../../core/diagnostics/diagnostic.ts'
import type {
  Expression,
  FilterCall,
  NamedArgument,
  NameNode,
  Node,
  TagNode,
  WriteTarget,
} from '../../core/tree/ast.ts'
import type { Code, Statement, TypeCode } from '../../core/model/code.ts'
import type { TagDocs } from '../../core/model/reference.ts'
import type { EntryPoint } from '../../core/model/effects.ts'
import type { Type } from '../../core/model/type.ts'
import type { ValueType } from '../../core/model/value-type.ts'
import type { Span } from '../../core/source/span.ts'
import type { Dialect } from '../../core/model/dialect.ts'
import type { Grammar } from '../syntax/grammar.ts'
import type { RawBody } from '../syntax/raw.ts'

/** How leftover markup of a tag is treated: as an error, as a warning, or not at all. */
type LeftoverRule = 'error' | 'warning' | 'ignored'

export interface Tag<Markup = unknown, BranchMarkup = unknown> {
  readonly name: string
  /** Older names with the same meaning. Each is reported as deprecated, with `name` as the replacement. */
  readonly aliases?: readonly string[]
  /** The replacement, if the tag itself is deprecated. */
  readonly deprecated?: string
  /** The replacement has the same syntax, so that only the name must change. */
  readonly renamed?: true
  /** An example of correct markup, which is shown if the markup cannot be parsed. */
  readonly usage: string
  /** The documentation for the reference. Absent for tags that are not written in templates. */
  readonly docs?: TagDocs
  /** The shape may depend on the markup: `background` with `=` is inline. */
  readonly shape: 'inline' | 'block' | 'raw' | ShapeOf<Markup>
  /** For the shape `raw`: how the end of the body is searched. */
  readonly raw?: RawBody
  /** The tags that begin a branch of this block, with their grammars. */
  readonly branches?: Readonly<Record<string, (grammar: Grammar) => BranchMarkup>>
  /** Set if the tag is only available in the platform dialect. */
  readonly platform?: true
  readonly leftover?: LeftoverRule
  /**
   * The tag prints nothing: a block that contains only such tags and white space drops its white space. `body`: the tag prints nothing if
   * its
   * bodies print nothing.
   */
  readonly blank?: true | 'body'
  /** The use of the body text: `kept` for later (`capture`), or `data` that is not markup (`parse_json`). Absent: printed in place. */
  readonly content?: 'kept' | 'data'
  grammar(grammar: Grammar): Markup
  check(node: TagNode<Markup, BranchMarkup>, kit: CheckKit): void
  emit(node: TagNode<Markup, BranchMarkup>, kit: EmitKit): void
}

/** The type of a method, as of `check` and `emit`: methods are bivariant, so a registry can contain tags with different markup types. */
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
  /**
   * `render` prints in isolation, `function` returns a value, `include` shares the caller's variables, `theme` searches the theme
   * paths.
   */
  readonly kind: 'render' | 'include' | 'function' | 'background' | 'theme'
  readonly name: Expression
  readonly arguments: readonly NamedArgument[]
  /** `with value as name` or `for list as item`. */
  readonly bindingClause: {
    readonly value: Expression
    readonly alias: NameNode | null
    readonly isForEach: boolean
  } | null
  readonly span: Span
}

/** A query that a template runs. */
export interface QueryUse {
  /** The name of the stored query; null in the block form, whose body is the query. */
  readonly name: Expression | null
  readonly body: readonly Node[]
  /** The variables of the query. */
  readonly arguments: readonly NamedArgument[]
  /** `args`: a hash of variables, or its JSON text. */
  readonly spread: Expression | null
  /** Filters that are applied to the result. */
  readonly filters: readonly FilterCall[]
  readonly span: Span
}

// ---- check ------------------------------------------------------------------------------------------------------------

/** One branch of a block. The first branch with a true condition runs. A branch without a condition may always run. */
export interface ConditionalBranch {
  readonly condition: Expression | null
  /** Set if the condition must be false (`unless`). */
  readonly negated?: boolean
  readonly run: () => void
}

export interface LoopLocal {
  readonly name: string
  /** The place of the name; null for names that the language defines (`forloop`). */
  readonly span: Span | null
  readonly type: Type
}

/** Tags whose body may not run, or whose effects may be discarded. */
export type DetachedKind = 'cache' | 'transaction' | 'try' | 'content_for'

export type HaltKind = 'break' | 'continue' | 'return'

/** Information from a tag about other files or about the whole request. */
export type SiteNote =
  | { readonly kind: 'link'; readonly path: Expression }
  | { readonly kind: 'content-for'; readonly name: Expression }
  /** `otherwise` is printed if no content is set. */
  | { readonly kind: 'yield'; readonly name: Expression; readonly otherwise: Expression | null }
  | { readonly kind: 'export'; readonly namespace: Expression | null; readonly name: string; readonly type: Type }
  | { readonly kind: 'session'; readonly name: string; readonly type: Type }
  | { readonly kind: 'headers'; readonly value: Expression }
  /** A value that is printed into text that is parsed as JSON. */
  | { readonly kind: 'json'; readonly body: readonly Node[] }
  | { readonly kind: 'rollback'; readonly span: Span }
  /** The element of the current form. */
  | { readonly kind: 'form' }
  | { readonly kind: 'include-form'; readonly name: Expression; readonly arguments: readonly NamedArgument[] }

export interface CheckKit {
  readonly dialect: Dialect
  /** Whether diagnostics are collected. If not, a tag can skip what only reports. */
  readonly reports: boolean
  /**
   * Reads a value, marks its variables as used and returns its type. `isPassedOn`: nil is accepted, because the value is only passed on.
   */
  read(expression: Expression, isPassedOn?: boolean): Type
  condition(expression: Expression): void
  body(nodes: readonly Node[]): void
  /** Checks branches that exclude each other. `exhaustive`: one of them always runs, because there is an `else`. */
  branches(ways: readonly ConditionalBranch[], exhaustive: boolean): void
  /** Checks a body that runs any number of times. The locals hide outer variables. */
  loop(locals: readonly LoopLocal[], body: () => void): void
  /** Checks a body that may not run, or whose effects may be discarded. `key`: the key of a `cache` tag. */
  detached(kind: DetachedKind, body: () => void, key?: Expression): void
  /** Returns the type of an element in a loop over the type. */
  element(type: Type): Type
  /** Sets a variable. `demanded`: the syntax of the tag requires the variable, so it does not have to be read. */
  assign(name: NameNode, type: Type, demanded?: boolean): void
  /** Writes to a key (`h['a'] = v`) or, with `push`, to the end of an array. A plain name without `push` is the same as `assign`. */
  write(target: WriteTarget, value: Type, push: boolean): void
  /** Calls a partial and returns the type of its result. */
  call(call: PartialCall, node: TagNode): Type
  /** Records a body that runs later, as a separate template that gets only these arguments. */
  job(args: readonly NamedArgument[], node: TagNode): void
  /** Runs a query and returns the type of its result after its filters. */
  query(use: QueryUse): Type
  /** Records a counter of `increment` or `decrement`. */
  counter(name: NameNode): void
  /** Marks state of the render that is shared with included partials: `cycle`, `ifchanged` and `offset: continue`. */
  register(): void
  halt(kind: HaltKind, value: Type | null): void
  /** Records that the tag calls an async port of the host, so that its file is async. */
  asyncPort(name: string): void
  /** Records that the tag calls a port of the host that is not async. */
  syncPort(port: string): void
  note(note: SiteNote): void
  source(span: Span): string
  report(diagnostic: HostDiagnostic): void
}

// ---- emit -------------------------------------------------------------------------------------------------------------

/** How `break` and `continue` of a loop are emitted. */
export interface Jumps {
  readonly break: (span: Span | null) => readonly Statement[]
  readonly continue: (span: Span | null) => readonly Statement[]
}

/** The code of each field of a loop object, created only when the field is read, because most loops read none. */
export type LoopFields = Readonly<Record<string, () => Code>>

export interface EmitKit {
  readonly dialect: Dialect
  /** Whether the code counts what it renders and assigns. */
  readonly scored: boolean
  /** The render object, which most runtime functions need. */
  readonly render: Code
  /** The path of the template, a constant of the module. */
  unit(): Code
  /** The 1-based line of a place, as a literal for faults. */
  line(span: Span): Code
  /** Emits printing of text from the template. */
  text(text: string): void
  /** Emits printing of `code`, a string that needs no escaping. */
  print(code: Code, span: Span): void
  /** Emits printing of a value like `{{ }}`, escaped for the format. */
  output(expression: Expression, span: Span): void
  add(statement: Statement): void
  /** Returns the statements that `write` emits. */
  block(write: () => void): readonly Statement[]
  /** Like `block`, for one of several branches of a tag. Each begins in the HTML context of the beginning of the tag. */
  branch(write: () => void): readonly Statement[]
  /** Returns an unused name for a constant or variable of this function, similar to `hint`. */
  fresh(hint: string): string
  /** Stores a value in a constant of this function with a name similar to `hint`, and returns its code. */
  keep(hint: string, value: Code, span: Span): Code
  /** Imports a value of the runtime. */
  use(name: string): Code
  value(expression: Expression): Code
  /** Returns the code of a value as a list, for a loop. */
  items(expression: Expression): Code
  /** Returns the code of a value as a JavaScript boolean. */
  condition(expression: Expression): Code
  /** Returns the code that compares a value in a local variable with another one, like `==`. */
  equals(local: Code, subject: Expression, value: Expression): Code
  /** Imports a function of the library host. */
  host(name: string): Code
  /** Imports a type of the runtime. */
  type(name: string): TypeCode
  /** Returns the code of the named arguments as a hash. */
  named(args: readonly NamedArgument[]): Code
  /** Returns the code of the named arguments as variables of a stored query, or of the document in `body`. */
  variables(
    args: readonly NamedArgument[],
    query: { readonly name: Expression } | { readonly body: readonly Node[] },
  ): Code
  /** Returns the code of the named arguments as variables of another template. */
  passed(args: readonly NamedArgument[]): Code
  /** Returns whether the evaluation can raise a fault. */
  fallible(expression: Expression): boolean
  /** Returns whether the evaluation of any of them can raise a fault that `guard` handles here. */
  guards(...expressions: readonly Expression[]): boolean
  body(nodes: readonly Node[]): void
  /** Runs `write` so that a fault in it prints its text and the render continues, if the error mode requires that. */
  guard(isFallible: boolean, span: Span, write: () => void): void
  /** Emits `body` so that its text goes to a new local variable. Interrupts in it take effect after the code from `after`. */
  capture(hint: string, body: () => void, after: (text: Code) => void): void
  /** Like `capture`, with an async closure that returns the text. */
  closure(body: () => void, after: (closure: Code) => void): void
  /** Like `closure`, with a closure that prints directly, so that its text stays if it fails. */
  within(body: () => void, after: (closure: Code) => void): void
  assign(name: NameNode, code: Code, span: Span): void
  /** Emits an assignment to a variable, to a key in a hash or array, or to the end of an array. */
  store(target: WriteTarget, code: Code, push: boolean, span: Span): void
  /** Emits the body of a `try`. Faults in it contain their own line. */
  tried(body: () => void): void
  /** Makes the variable of a loop valid while `body` is emitted. `body` declares it. */
  scope(name: string, body: () => void): void
  /** Declares the variable of the innermost loop with its value in an iteration. */
  item(name: string, value: Code, span: Span): void
  /**
   * Emits the body of a JavaScript loop and counts the step. `jumps`: how `break` and `continue` are emitted, if not as in JavaScript.
   */
  turn(body: () => void, jumps?: Jumps): void
  /** Whether any loop in the site continues where another one stopped (`offset: continue`). */
  readonly resumes: boolean
  /** Sets the meaning of `forloop` and `tablerowloop` while `body` is emitted. */
  loopObject(name: 'forloop' | 'tablerowloop', fields: LoopFields, whole: () => Code, body: () => void): void
  /** Returns a function that emits the surrounding loop object as a value. */
  parentLoop(): () => Code
  /** Emits a query with its variables and returns the code of its result. `document`: the text of the block form. */
  query(query: { readonly name: Expression } | { readonly document: Code }, variables: Code, span: Span): Code
  call(call: PartialCall, node: TagNode): void
  /** Records the known types of the values that a call passes one by one. */
  handsOver(file: string, entryPoint: EntryPoint, values: readonly ValueType[]): void
  /** Emits a `function` call and returns the code of its result. */
  valueCall(call: PartialCall, node: TagNode): Code
  halt(kind: HaltKind, value: Code | null, span: Span): void
  registers(): Code
  /** Whether no other file shares the counters and cycles of this file. */
  readonly alone: boolean
  /** Returns the code of the printed text of a value, for places that print one of several values. */
  printedCode(expression: Expression): Code
  /** Returns `code` with filters applied. */
  filtered(code: Code, filters: readonly FilterCall[]): Code
  /** Returns a counter of this function that starts at 0. Calls with the same key share it. */
  local(hint: string, key: string): Code
  /** Returns the name of the template made from the body of the tag, as a literal. */
  job(node: TagNode): Code
  asyncPort(name: string, tag: string): Code
  source(span: Span): string
}
