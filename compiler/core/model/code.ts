/** Emitted code as data: expressions, statements and types of TypeScript, with functions to build them. The printer formats them. */
import type { Span } from '../source/span.ts'
import type { Printed } from './printed.ts'
import type { ValueType } from './value-type.ts'

interface Annotated {
  /** The known type of the value. */
  readonly type?: ValueType
  /** The place in a template from which the value comes. The printer adds a source map entry for it. */
  readonly span?: Span
}

export type BinaryOperator =
  | '??'
  | '||'
  | '&&'
  | '&'
  | 'in'
  | '==='
  | '!=='
  | '<'
  | '>'
  | '<='
  | '>='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'

/** An expression. */
export type Code = Annotated &
  (
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'null' | 'undefined' }
    | { readonly kind: 'boolean'; readonly value: boolean }
    | { readonly kind: 'number'; readonly value: number | bigint }
    | { readonly kind: 'string'; readonly value: string }
    /** Texts, and the expressions between them. */
    | { readonly kind: 'template'; readonly parts: readonly (string | Code)[] }
    | { readonly kind: 'list'; readonly items: readonly Code[] }
    | { readonly kind: 'object'; readonly entries: readonly Entry[] }
    /** `object.name`, or `object?.name` if it is `optional`. */
    | { readonly kind: 'member'; readonly object: Code; readonly name: string; readonly optional: boolean }
    | { readonly kind: 'element'; readonly object: Code; readonly index: Code }
    | { readonly kind: 'call' | 'new'; readonly callee: Code; readonly arguments: readonly Code[] }
    /** `...value` as an argument. */
    | { readonly kind: 'spread'; readonly value: Code }
    | { readonly kind: 'not' | 'await'; readonly value: Code }
    | { readonly kind: 'increment'; readonly target: Code; readonly prefix: boolean }
    | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Code; readonly right: Code }
    | { readonly kind: 'choice'; readonly test: Code; readonly yes: Code; readonly no: Code }
    | { readonly kind: 'assign'; readonly operator: '=' | '+='; readonly target: Code; readonly value: Code }
    | {
        readonly kind: 'arrow'
        readonly async: boolean
        readonly parameters: readonly Parameter[]
        readonly body: Code | readonly Statement[]
      }
  )

/** An entry of an object literal. */
export type Entry =
  | { readonly kind: 'property'; readonly key: string; readonly value: Code }
  | { readonly kind: 'getter'; readonly key: string; readonly value: Code }
  | { readonly kind: 'spread'; readonly value: Code }

export type TypeCode =
  /** A named type: `string`, `Promise<string>`. */
  | { readonly kind: 'named'; readonly name: string; readonly of: readonly TypeCode[] }
  | { readonly kind: 'union'; readonly of: readonly TypeCode[] }
  /** `readonly of[]`, or `of[]` if it is mutable. */
  | { readonly kind: 'list'; readonly of: TypeCode; readonly isMutable: boolean }

export interface Parameter {
  readonly name: string
  readonly type: TypeCode | null
  readonly rest?: true
  /** What is printed if the body of the function does not use the parameter: its name with an underscore, or nothing if it is the last. */
  readonly ifUnused?: 'underscore' | 'nothing'
}

export interface TypeParameter {
  readonly name: string
  /** The type that it extends; null if it may be any type. */
  readonly bound: TypeCode | null
}

/** The origin of a statement that does not come from a template. */
export const NOWHERE = 'nowhere'

export type Origin = Span | typeof NOWHERE

interface Located {
  /** The origin of the statement; null if it is the same as that of the statement before. */
  readonly span: Origin | null
}

export interface Variable {
  readonly name: string
  readonly type: TypeCode | null
  /** The initial value; absent if the variable is set later. */
  readonly value?: Code
}

/** The first branch has a test; a branch without a test comes last. A body with one statement is on the line of its test. */
export interface Branch extends Located {
  readonly test: Code | null
  readonly body: readonly Statement[] | Statement
}

export interface Handler extends Located {
  readonly body: readonly Statement[]
}

export type FunctionStatement = Extract<Statement, { kind: 'function' }>

export type Statement =
  | (Located &
      (
        | { readonly kind: 'run'; readonly code: Code }
        | {
            readonly kind: 'declare'
            readonly keyword: 'const' | 'let'
            readonly variables: readonly Variable[]
            readonly exported?: true
          }
        /** `const { a, b } = from`. */
        | { readonly kind: 'take'; readonly names: readonly string[]; readonly from: Code }
        | { readonly kind: 'return'; readonly value: Code | null }
        | { readonly kind: 'break' | 'continue'; readonly label: string | null }
        | {
            readonly kind: 'for'
            readonly variables: readonly Variable[]
            readonly test: Code
            readonly step: Code
            readonly body: readonly Statement[]
          }
        | {
            readonly kind: 'for-of'
            readonly name: string
            readonly iterable: Code
            readonly body: readonly Statement[]
          }
        | { readonly kind: 'label'; readonly label: string; readonly body: readonly Statement[] }
        | {
            readonly kind: 'try'
            readonly body: readonly Statement[]
            readonly error: string
            readonly handler: Handler
            readonly last: Handler | null
          }
        | {
            readonly kind: 'function'
            /** The lines of its docstring. */
            readonly doc?: readonly string[]
            readonly name: string
            readonly async: boolean
            readonly typeParameters?: readonly TypeParameter[]
            readonly parameters: readonly Parameter[]
            readonly result: TypeCode | null
            readonly body: readonly Statement[]
            /** `default`: `export default function`. */
            readonly exported?: true | 'default'
          }
      ))
  | { readonly kind: 'if'; readonly branches: readonly Branch[] }
  | {
      readonly kind: 'import'
      readonly names: readonly string[]
      readonly types: readonly string[]
      readonly from: string
    }
  | { readonly kind: 'export'; readonly names: readonly string[] }
  | { readonly kind: 'export-default'; readonly value: Code }
  | { readonly kind: 'comment'; readonly text: string }
  /** Statements that are already printed. */
  | { readonly kind: 'printed'; readonly printed: Printed }
  /** An empty line. */
  | { readonly kind: 'blank' }

// ---- expressions ------------------------------------------------------------------------------------------------------

export const NULL: Code = { kind: 'null' }
export const UNDEFINED: Code = { kind: 'undefined' }
export const TRUE: Code = { kind: 'boolean', value: true }
export const FALSE: Code = { kind: 'boolean', value: false }
export const BLANK: Statement = { kind: 'blank' }

/** An identifier: of a variable, a parameter or an import. */
export function ident(name: string): Code {
  return { kind: 'name', name }
}

export function string(value: string): Code {
  return { kind: 'string', value }
}

export function number(value: number | bigint): Code {
  return { kind: 'number', value }
}

export function boolean(value: boolean): Code {
  return value ? TRUE : FALSE
}

export function template(parts: readonly (string | Code)[]): Code {
  return { kind: 'template', parts }
}

export function list(items: readonly Code[]): Code {
  return { kind: 'list', items }
}

export function object(entries: readonly Entry[] | Readonly<Record<string, Code>>): Code {
  if (isList(entries)) return { kind: 'object', entries }
  return { kind: 'object', entries: Object.entries(entries).map(([key, value]) => property(key, value)) }
}

function isList<Item>(value: readonly Item[] | object): value is readonly Item[] {
  return Array.isArray(value)
}

export function property(key: string, value: Code): Entry {
  return { kind: 'property', key, value }
}

export function getter(key: string, value: Code): Entry {
  return { kind: 'getter', key, value }
}

/** `...value` in an object. */
export function all(value: Code): Entry {
  return { kind: 'spread', value }
}

/** `object.name`. */
export function member(object: Code, name: string): Code {
  return { kind: 'member', object, name, optional: false }
}

/** `object?.name`. */
export function maybe(object: Code, name: string): Code {
  return { kind: 'member', object, name, optional: true }
}

export function element(object: Code, index: Code): Code {
  return { kind: 'element', object, index }
}

export function invoke(callee: Code, ...args: readonly Code[]): Code {
  return { kind: 'call', callee, arguments: args }
}

/** `object.name(…)`. */
export function method(object: Code, name: string, ...args: readonly Code[]): Code {
  return invoke(member(object, name), ...args)
}

/** `new callee(…)`. */
export function create(callee: Code, ...args: readonly Code[]): Code {
  return { kind: 'new', callee, arguments: args }
}

/** `...value` as an argument. */
export function spread(value: Code): Code {
  return { kind: 'spread', value }
}

/** `await value`. */
export function settled(value: Code): Code {
  return { kind: 'await', value, ...(value.type === undefined ? {} : { type: value.type }) }
}

/** The negation of a boolean. */
export function not(value: Code): Code {
  if (value.kind === 'boolean') return boolean(!value.value)
  if (value.kind === 'not') return value.value
  if (value.kind === 'binary' && value.operator === '===') return { ...value, operator: '!==' }
  if (value.kind === 'binary' && value.operator === '!==') return { ...value, operator: '===' }
  return { kind: 'not', value }
}

export function binary(left: Code, operator: BinaryOperator, right: Code): Code {
  return { kind: 'binary', operator, left, right }
}

/** `test ? yes : no`. */
export function choice(test: Code, yes: Code, no: Code): Code {
  return { kind: 'choice', test, yes, no }
}

export function arrow(
  parameters: readonly Parameter[],
  body: Code | readonly Statement[],
  { async = false }: { readonly async?: boolean } = {},
): Code {
  return { kind: 'arrow', async, parameters, body }
}

/** `++target`. */
export function stepped(target: Code): Code {
  return { kind: 'increment', target, prefix: true }
}

/** `target++`. */
export function counted(target: Code): Code {
  return { kind: 'increment', target, prefix: false }
}

/** Returns the code with a known type. */
export function typed(code: Code, type: ValueType): Code {
  // The most frequent kinds are copied field by field, because a generic copy is many times slower.
  if (code.span === undefined) {
    if (code.kind === 'call') return { kind: code.kind, callee: code.callee, arguments: code.arguments, type }
    if (code.kind === 'name') return { kind: code.kind, name: code.name, type }
    if (code.kind === 'member')
      return { kind: code.kind, object: code.object, name: code.name, optional: code.optional, type }
  }
  return { ...code, type }
}

/** Returns the code with its place in a template. */
export function placed(code: Code, span: Span): Code {
  // Most printed values are function calls.
  if (code.kind === 'call') {
    const { kind, callee, arguments: args, type } = code
    return type === undefined ? { kind, callee, arguments: args, span } : { kind, callee, arguments: args, type, span }
  }
  return { ...code, span }
}

export function typeNamed(name: string, ...args: readonly TypeCode[]): TypeCode {
  return { kind: 'named', name, of: args }
}

export function typeUnion(...members: readonly TypeCode[]): TypeCode {
  return { kind: 'union', of: members.flatMap((each) => (each.kind === 'union' ? each.of : [each])) }
}

/** `readonly element[]`, or `element[]` if it is mutable. */
export function typeList(element: TypeCode, isMutable = false): TypeCode {
  return { kind: 'list', of: element, isMutable }
}

export function parameter(name: string, type: TypeCode | null = null, ifUnused?: Parameter['ifUnused']): Parameter {
  return ifUnused === undefined ? { name, type } : { name, type, ifUnused }
}

// ---- statements -------------------------------------------------------------------------------------------------------

export function run(code: Code, span: Origin | null = null): Statement {
  return { kind: 'run', code, span }
}

/** `target = value`. */
export function assign(target: Code, value: Code, span: Origin | null = null): Statement {
  return run({ kind: 'assign', operator: '=', target, value }, span)
}

/** `target += value`. */
export function append(target: Code, value: Code, span: Origin | null = null): Statement {
  return run({ kind: 'assign', operator: '+=', target, value }, span)
}

/** `const name: type = value`. */
export function constant(
  name: string,
  value: Code,
  span: Origin | null = null,
  type: TypeCode | null = null,
): Statement {
  return declare('const', name, value, span, type)
}

/** `let name: type = value`. */
export function variable(
  name: string,
  value: Code,
  span: Origin | null = null,
  type: TypeCode | null = null,
): Statement {
  return declare('let', name, value, span, type)
}

export function declare(
  keyword: 'const' | 'let',
  name: string,
  value: Code,
  span: Origin | null = null,
  type: TypeCode | null = null,
): Statement {
  return { kind: 'declare', keyword, variables: [{ name, type, value }], span }
}

/** `return value`. */
export function give(value: Code | null, span: Origin | null = null): Statement {
  return { kind: 'return', value, span }
}

/** `break`, or `break label`. */
export function leave(label: string | null, span: Origin | null = null): Statement {
  return { kind: 'break', label, span }
}

/** Statements that are already printed. */
export function asPrinted(printedModule: Printed): Statement {
  return { kind: 'printed', printed: printedModule }
}

export function branch(test: Code | null, body: Branch['body'], span: Origin | null = null): Branch {
  return { test, body, span }
}

/** `if (test) …`, with more branches after it. */
export function when(first: Branch, ...others: readonly Branch[]): Statement {
  return { kind: 'if', branches: [first, ...others] }
}
