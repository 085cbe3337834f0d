/** Converts the planner's problems to diagnostics with positions in the document. */
import { withAbsentModule } from '../../core/diagnostics/absent-modules.ts'
import { deprecatedQueryField } from '../../core/diagnostics/codes/queries/deprecated-query-field.ts'
import { graphqlInvalid } from '../../core/diagnostics/codes/queries/graphql-invalid.ts'
import { graphqlNotServed } from '../../core/diagnostics/codes/queries/graphql-not-served.ts'
import { graphqlSyntax } from '../../core/diagnostics/codes/queries/graphql-syntax.ts'
import { propertyValueType } from '../../core/diagnostics/codes/queries/property-value-type.ts'
import { queryVariableType } from '../../core/diagnostics/codes/queries/query-variable-type.ts'
import { unknownTable } from '../../core/diagnostics/codes/queries/unknown-table.ts'
import { unknownTableProperty } from '../../core/diagnostics/codes/queries/unknown-table-property.ts'
import { unusedVariable } from '../../core/diagnostics/codes/queries/unused-variable.ts'
import { unservedQuery } from '../../core/diagnostics/codes/queries/unserved-query.ts'
import type { Diagnostic, Fix, Severity, Subject } from '../../core/diagnostics/diagnostic.ts'
import type { Mistake, Operation, SourceRange, SyntaxStop, Problem, DataSchema } from '../../core/model/operation.ts'
import type { Span } from '../../core/source/span.ts'
import {
  fixFor,
  isWrappedWhereUsed,
  meantOperation,
  parserMessage,
  type QueryContext,
  withoutCascades,
} from './query-hints.ts'
import type { TableSpans } from '../../language/types/from-graphql.ts'

/** Undeclared properties that the site can write; null if it can write any property. */
export type WritableProperties = ReadonlySet<string> | null

/** Uses of an undeclared property that make the result of the query wrong if the property is never set. */
const FAILING_USES: ReadonlySet<string> = new Set(['aggregate', 'join', 'literal'])

/** What the diagnostics of a site's queries depend on. */
interface QuerySite {
  readonly tables: TableSpans
  readonly modules: ReadonlySet<string>
  readonly writable: WritableProperties
  /** The severity for variables with mismatched types; null if the site turns these diagnostics off. */
  readonly mismatch: Severity | null
  /** The same for a single value that is passed instead of a list. */
  readonly singleValue: Severity | null
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' }

export function problemDiagnostics(
  { analysis, span }: Operation,
  context: QueryContext,
  site: QuerySite,
): readonly Diagnostic[] {
  const diagnostics = withoutCascades(analysis.problems, context).flatMap((problem) => {
    // Not reported for a site without declared tables, because every undeclared property is stored there.
    if (problem.undeclared !== undefined && context.data.tables.length === 0) return []
    // Not reported for users if no user property is declared, because undeclared properties of users are then stored. A module, for
    // example, does not declare them.
    if (problem.undeclared !== undefined && (problem.table ?? null) === null && problem.knownNames?.length === 0)
      return []
    if (problem.stop !== undefined && isAboutBrackets(problem.stop)) {
      const openBrace = findOpenBrace(context.document)
      if (openBrace !== null)
        return [
          graphqlSyntax(
            spanInFile(span, openBrace.lastToken),
            `The \`${openBrace.bracket}\` of line ${openBrace.line} is never closed.`,
            { hint: `Close it: a \`${CLOSING[openBrace.bracket]}\` is missing.` },
            spanInFile(span, openBrace.position),
          ),
        ]
    }
    const wrongKey = findWrongKey(problem.mistake, context.document, context.data)
    const [fix, range] =
      wrongKey === null
        ? [fixFor(problem, context), findChangeRange(problem, context)]
        : [{ hint: `The property takes \`${wrongKey.key}\`.` }, wrongKey.position]
    return toDiagnostic(problem, fix, spanInFile(span, range), site)
  })
  for (const { name, reason, range } of analysis.deprecated)
    diagnostics.push(deprecatedQueryField(spanInFile(span, range), name, reason))
  if (analysis.problems.every(({ code }) => code !== 'syntax' && code !== 'invalid'))
    for (const { name, range } of findUnusedVariables(analysis, context.document))
      diagnostics.push(unusedVariable(spanInFile(span, findBareUse(name, context.document) ?? range), name))
  for (const { unserved } of analysis.needs)
    for (const { reason, range } of unserved) diagnostics.push(unservedQuery(spanInFile(span, range), reason))
  return diagnostics
}

/** Returns whether the parser found a bracket or the end, or needs the end of a list type. */
function isAboutBrackets({ found, open }: SyntaxStop): boolean {
  return /^(?:<EOF>|[(){}\]])$/.test(found) || /^\(\[+$/.test(open)
}

/** Returns the range that the change in a hint replaces. */
function findChangeRange({ range, mistake, stop }: Problem, context: QueryContext): SourceRange | null {
  const { document, schema } = context
  if (range === null) return null
  if (stop !== undefined) {
    const text = /^'[^'\n]*'/.exec(document.slice(range.start))
    return text === null ? findExpectedPosition(range, stop, document) : { ...range, end: range.start + text[0].length }
  }
  if (isWrappedWhereUsed(mistake, schema)) return findOnlyUse(mistake.name, document) ?? range
  if (meantOperation(mistake, schema) === null) return range
  const word = [...document.slice(0, range.start).matchAll(/\b(?:query|mutation)\b/g)].at(-1)
  return word === undefined ? range : { start: word.index, end: word.index + word[0].length }
}

/** Returns the only use of a variable; null if there are several. */
function findOnlyUse(name: string, document: string): SourceRange | null {
  const [, use, another] = [...document.matchAll(new RegExp(`\\$${name}\\b`, 'g'))]
  if (use === undefined || another !== undefined) return null
  return { start: use.index, end: use.index + use[0].length }
}

/** Returns the end of the text before the line if the parser expected a colon at the start of a line. */
function findExpectedPosition(range: SourceRange, { needsColon }: SyntaxStop, document: string): SourceRange {
  if (!needsColon) return range
  const textBefore = document.slice(0, range.start).replace(/(?:[\s,]|#[^\n]*\n)+$/, '')
  return textBefore.length > 0 && document.slice(textBefore.length, range.start).includes('\n')
    ? { start: textBefore.length - 1, end: textBefore.length }
    : range
}

/** Returns the range of a value that is a variable's name without the `$`. */
function findBareUse(name: string, document: string): SourceRange | null {
  const match = new RegExp(`:\\s*${name}(?=[\\s,)}\\]])`).exec(document)
  const end = match === null ? 0 : match.index + match[0].length
  return match === null ? null : { start: end - name.length, end }
}

/** Returns the variables that occur in the document only in their declaration. */
function findUnusedVariables(
  { variables }: Operation['analysis'],
  document: string,
): Operation['analysis']['variables'] {
  if (variables.length === 0) return []
  const withoutComments = document.replace(/#.*/g, '')
  return variables.filter(({ name }) => withoutComments.split(new RegExp(`\\$${name}\\b`)).length <= 2)
}

/** Converts a position in the document to a span in the file. Without a position, returns an empty span at the beginning. */
export function spanInFile({ file, start }: Span, range: SourceRange | null): Span {
  return range === null ? { file, start, end: start } : { file, start: start + range.start, end: start + range.end }
}

function toDiagnostic(
  problem: Problem,
  fix: Fix | null,
  span: Span,
  { tables, modules, writable, mismatch, singleValue }: QuerySite,
): readonly Diagnostic[] {
  const { code, message, table = null, knownNames = [], undeclared, mistake, property = null } = problem
  const declarationSpan = tables.get(table ?? '') ?? null
  switch (code) {
    case 'syntax':
      return [graphqlSyntax(span, parserMessage(problem), fix)]
    case 'unknown-table':
      return [withAbsentModule(modules, table ?? '', unknownTable(span, message, fix, tables.keys(), table))]
    case 'unknown-property': {
      const isNeverWritten = undeclared !== undefined && writable?.has(undeclared.property) === false
      const severity = isNeverWritten && FAILING_USES.has(undeclared.use) && knownNames.length > 0 ? 'error' : 'warning'
      const subject = { ...SUBJECTS[undeclared?.of ?? 'tables'], name: undeclared?.property ?? '' }
      const owned = subject.of === null ? subject : { ...subject, of: table }
      return [{ ...unknownTableProperty(span, message, fix, knownNames, table, declarationSpan, owned), severity }]
    }
    case 'property-type':
      return [propertyValueType(span, message, fix, table, declarationSpan, property)]
    case 'variable-type': {
      const severity = problem.singleAsList === true ? singleValue : mismatch
      return severity === null ? [] : [{ ...queryVariableType(span, message, fix, mistake.name), severity }]
    }
    case 'not-served':
      return [graphqlNotServed(span, message)]
    case 'invalid':
    case 'value': {
      const diagnostic = graphqlInvalid(span, message, fix, mistakeSubject(mistake))
      // The query fails whenever it is reached, but older sites that omit such an argument run without it. Therefore this is only a
      // warning.
      return [problem.refusedByConfiguration === true ? { ...diagnostic, severity: 'warning' } : diagnostic]
    }
  }
}

/** What lacks an undeclared property. */
const SUBJECTS: Readonly<Record<NonNullable<Problem['undeclared']>['of'], Pick<Subject, 'kind' | 'of'>>> = {
  table: { kind: 'property' },
  profile: { kind: 'profile property' },
  tables: { kind: 'property', of: null },
  users: { kind: 'user property', of: null },
}

function mistakeSubject({ kind, name, type, field }: Mistake): Subject {
  return { kind: `query: ${kind}`, name, of: field ?? null, ...(type !== undefined && { type }) }
}

/** The key that compares and writes values of a type. Other types use `value`. */
const KEYS: Readonly<Record<string, string>> = {
  integer: 'value_int',
  float: 'value_float',
  decimal: 'value_float',
  boolean: 'value_boolean',
  array: 'value_array',
}

/** A key that does not fit its property, and the correct key. */
interface WrongKey {
  readonly position: SourceRange
  readonly key: string
}

/**
 * Returns the key under which a query passes a variable to a property of another type, if the variable's type fits the property: then the
 * key is wrong. Null if the variable itself is wrong, or nothing is known.
 */
function findWrongKey({ kind, name: variable }: Mistake, document: string, { tables }: DataSchema): WrongKey | null {
  if (kind !== 'variable type') return null
  const tableNames = new Set([...document.matchAll(/\btable:\s*(?:\{\s*value:\s*)?"([^"]+)"/g)].map(([, name]) => name))
  const uses = new RegExp(`name:\\s*"(\\w+)"\\s*,?\\s*(value(?:_\\w+)?)(?=\\s*:\\s*\\$${variable}\\b)`, 'g')
  for (const { 0: whole, 1: property, 2: key = '', index } of document.matchAll(uses)) {
    const types = tables
      .filter(({ name }) => tableNames.has(name))
      .flatMap(({ properties }) => properties.filter(({ name }) => name === property).map(({ type }) => type))
    const correctKeys = new Set(types.map((type) => KEYS[type] ?? 'value'))
    const [fitting] = correctKeys
    if (fitting === undefined || correctKeys.size !== 1 || fitting === key) continue
    const end = index + whole.length
    return { position: { start: end - key.length, end }, key: fitting }
  }
  return null
}

interface OpenBrace {
  readonly bracket: string
  /** The position of the bracket. */
  readonly position: SourceRange
  readonly line: number
  /** The token after which the bracket should be closed. */
  readonly lastToken: SourceRange
}

/** Matches block strings, strings, comments, names, numbers and punctuators. */
const TOKEN = /"""[^]*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*|[\w$@.]+|[^\s,]/g
const CLOSES: Readonly<Record<string, string>> = { '}': '{', ')': '(', ']': '[' }

/**
 * Returns the outermost bracket that is still open at the end of the document, or the bracket that is open where a different kind is
 * closed. Null if all brackets are closed in order.
 */
function findOpenBrace(document: string): OpenBrace | null {
  const open: { readonly bracket: string; readonly offset: number }[] = []
  let last: SourceRange = { start: 0, end: 0 }
  let lastOfLine = last
  let beforeLast = last
  for (const { 0: token, index } of document.matchAll(TOKEN)) {
    if (token.startsWith('#')) continue
    const closes = CLOSES[token]
    const innermost = open.at(-1)
    if (document.slice(last.end, index).includes('\n')) lastOfLine = last
    // Arguments contain no parentheses, and a brace inside them follows a colon.
    const begins = token === '(' || (token === '{' && endsArgument(document, beforeLast, last))
    if (begins && innermost?.bracket === '(') {
      const place = withLine(document, innermost.offset)
      return { ...innermost, ...place, lastToken: lastOfLine.start > innermost.offset ? lastOfLine : last }
    }
    if (closes !== undefined && innermost?.bracket === closes) open.pop()
    // The token closes an outer bracket, so the innermost one is unclosed.
    else if (closes !== undefined && innermost !== undefined && open.at(-2)?.bracket === closes)
      return {
        ...innermost,
        ...withLine(document, innermost.offset),
        lastToken: lastTokenOfLine(document, innermost.offset) ?? last,
      }
    beforeLast = last
    last = { start: index, end: index + token.length }
    if (token === '{' || token === '(' || token === '[') open.push({ bracket: token, offset: index })
  }
  const [first] = open
  return first === undefined ? null : { ...first, ...withLine(document, first.offset), lastToken: last }
}

/**
 * Returns the last token of a bracket's line if the next line is not indented deeper. The bracket is expected to close after this token.
 */
function lastTokenOfLine(document: string, bracketStart: number): SourceRange | null {
  const begin = document.lastIndexOf('\n', bracketStart) + 1
  const end = document.indexOf('\n', bracketStart)
  const line = document.slice(begin, end)
  const next = /^(\s*)\S/.exec(document.slice(end + 1))?.[1] ?? ''
  const indent = line.length - line.trimStart().length
  if (end < 0 || next.slice(next.lastIndexOf('\n') + 1).length > indent) return null
  const tokens = [...line.matchAll(TOKEN)].filter(({ 0: token }) => !token.startsWith('#'))
  const last = tokens.at(-1)
  return last === undefined ? null : { start: begin + last.index, end: begin + last.index + last[0].length }
}

/** Returns true if an argument's value ends at the token. A single name is not a value, because it lacks its colon. */
function endsArgument(document: string, tokenBefore: SourceRange, last: SourceRange): boolean {
  const text = document.slice(last.start, last.end)
  if (text === ':' || text === '=') return false
  return document[tokenBefore.start] === ':' || !/^[A-Za-z_]/.test(text)
}

function withLine(document: string, offset: number): Pick<OpenBrace, 'position' | 'line'> {
  return { position: { start: offset, end: offset + 1 }, line: document.slice(0, offset).split('\n').length }
}
