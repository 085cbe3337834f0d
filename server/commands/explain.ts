/** `ingot explain NAME` for a query: prints the statement, its parameters, PostgreSQL's plan, and a summary. */
import { parse, visit } from 'graphql'
import type { Sql } from 'postgres'
import { readCommandLine } from '../core/command-line.ts'
import type { DataSchema, OperationEntry } from '../../runtime/page/compiled.ts'
import { type BuildOptions, planOperation, QueryError } from '../../runtime/data/query/index.ts'
import { nearest } from '../../runtime/data/query/suggest.ts'
import { StartError } from '../core/start-error.ts'
import { type Explanation, type ExplainedStatement, explainOperation } from '../operate/explain/explain.ts'
import { formatSql } from '../../runtime/data/sql/format-sql.ts'
import { formatPlan } from '../operate/explain/plan.ts'

/** The operations of a built site. The database is opened when an operation is explained. */
export interface ExplainedSite {
  readonly data: DataSchema
  readonly operations: Readonly<Record<string, OperationEntry>>
  readonly build: BuildOptions
  open(): Promise<{ readonly sql: Sql; readonly ids: ReadonlyMap<string, number>; close(): Promise<void> }>
}

interface ExplainArguments {
  readonly name: string
  readonly dir: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly analyze: boolean
  readonly json: boolean
  readonly viewer: string | null
}

/**
 * Runs the command.
 * @param argv the arguments after `explain`
 * @param load finds and loads the built site of a folder
 * @param codes names of diagnostics, to suggest one for an unknown query name
 * @returns the exit code: 1 when the query or its variables are invalid
 * @throws StartError
 */
export async function explainCommand(
  argv: readonly string[],
  load: (dir: string) => Promise<ExplainedSite>,
  codes: readonly string[],
): Promise<number> {
  const line = readExplainLine(argv)
  const site = await load(line.dir).catch((error: unknown) => {
    if (!(error instanceof StartError)) throw error
    throw new StartError(
      `${unknownNameMessage(line.name, [], codes)} Queries are read from a built site. ${error.message}`,
    )
  })
  const entry = Object.hasOwn(site.operations, line.name) ? site.operations[line.name] : undefined
  if (entry === undefined) throw new StartError(unknownNameMessage(line.name, Object.keys(site.operations), codes))
  try {
    const plan = planOperation(entry.document)
    const names = plan.variables.map(({ name }) => name)
    const unknown = Object.keys(line.variables).find((name) => !names.includes(name))
    if (unknown !== undefined) throw new StartError(unknownVariableMessage(unknown, line.name, names))
    const unset = plan.variables.filter(({ name, required }) => required && (line.variables[name] ?? null) === null)
    if (unset.length > 0) {
      process.stderr.write(`${missingVariablesMessage(line.name, unset)}\n`)
      return 1
    }
    const home = await site.open()
    try {
      const explanation = await explainOperation(home.sql, entry.document, line.variables, {
        ...{ data: site.data, ids: home.ids, build: site.build },
        ...{ analyze: line.analyze, viewer: line.viewer },
      })
      process.stdout.write(
        line.json
          ? `${JSON.stringify({ name: line.name, file: entry.file, ...explanation }, null, 2)}\n`
          : formatExplanation(line.name, entry.file, explanation, isConditional(entry.document)),
      )
      return 0
    } finally {
      await home.close()
    }
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    for (const { message, range, hint } of error.problems) {
      const row = range === null ? '' : `:${entry.document.slice(0, range.start).split('\n').length}`
      process.stderr.write(`${entry.file}${row}: ${message}${hint === null ? '' : ` ${hint}`}\n`)
    }
    return 1
  }
}

function readExplainLine(argv: readonly string[]): ExplainArguments {
  const { words, has, value, allValues } = readCommandLine('ingot explain', argv, {
    switches: ['no-analyze', 'json'],
    values: ['var', 'user'],
  })
  const variables = allValues('var').map(parseVariable)
  const user = value('user')
  const viewer = user === null ? null : parseUserId(user)
  const [name, dir = '.', ...otherWords] = words
  if (name === undefined || otherWords.length > 0)
    throw new StartError('`ingot explain` takes a name and a folder: ingot explain NAME [DIR]')
  return {
    ...{ name, dir, viewer, variables: Object.fromEntries(variables) },
    ...{ analyze: !has('no-analyze'), json: has('json') },
  }
}

/** Parses `name=value`: lists and objects are JSON. Other values are text, which is cast to the variable's type. */
function parseVariable(text: string): [string, unknown] {
  const at = text.indexOf('=')
  if (at < 1) throw new StartError(`The option --var cannot be '${text}': give a name and a value, --var name=value.`)
  const value = text.slice(at + 1)
  if (!/^\s*(?:[[{]|null\s*$)/.test(value)) return [text.slice(0, at), value]
  try {
    return [text.slice(0, at), JSON.parse(value)]
  } catch {
    throw new StartError(`The value of --var ${text.slice(0, at)} is not valid JSON: ${value}`)
  }
}

function parseUserId(text: string): string {
  if (/^[1-9]\d{0,15}$/.test(text)) return text
  throw new StartError(`The option --user cannot be '${text}': give the ID of a user.`)
}

function unknownVariableMessage(name: string, query: string, knownNames: readonly string[]): string {
  const similarName = nearest(name, knownNames)
  if (similarName !== null) return `The query '${query}' has no variable '${name}': did you mean '${similarName}'?`
  return `The query '${query}' has no variable '${name}'${knownNames.length === 0 ? '' : `: it has ${knownNames.join(', ')}`}.`
}

function missingVariablesMessage(query: string, variables: readonly { readonly name: string }[]): string {
  const names = variables.map(({ name }) => `$${name}`).join(', ')
  const options = variables.map(({ name }) => `--var ${name}=…`).join(' ')
  return `The query '${query}' needs ${names}: add \`${options}\`.`
}

/** Returns whether a document uses `@include` or `@skip`. */
function isConditional(document: string): boolean {
  let conditional = false
  visit(parse(document), {
    Directive: ({ name }) => {
      if (name.value === 'include' || name.value === 'skip') conditional = true
    },
  })
  return conditional
}

function unknownNameMessage(name: string, queries: readonly string[], codes: readonly string[]): string {
  const hints = [nearest(name, queries), nearest(name, codes)].filter((similarName) => similarName !== null)
  const hint =
    hints.length === 0 ? '.' : `: did you mean ${hints.map((similarName) => `'${similarName}'`).join(' or ')}?`
  return `There is no query or diagnostic named '${name}'${hint}`
}

// ---- text -----------------------------------------------------------------------------------------------------------------

const SKIPPED_BY_CONDITIONS =
  'With these variables, `@include` and `@skip` leave out every field, so no statement runs. Give other values with --var NAME=VALUE.'

function formatExplanation(name: string, file: string, explanation: Explanation, hasConditions: boolean): string {
  const { kind, statements, ran, shape } = explanation
  const count = statements.length === 1 ? '1 statement' : `${statements.length} statements`
  const parts = [
    `${name}  (${file}): a ${kind}, ${count}`,
    ...(statements.length === 0
      ? [hasConditions ? SKIPPED_BY_CONDITIONS : 'The query needs no statement: the compiled site has the answer.']
      : []),
    ...statements.flatMap((statement, index) =>
      statementLines(statement, statements.length > 1 ? index + 1 : null, ran),
    ),
    ...(statements.length === 0 ? [] : summaryLines(explanation)),
    ...(shape.given.length + shape.missing.length === 0 ? [] : ['', shapeLine(shape)]),
  ]
  return `${parts.join('\n')}\n`
}

function statementLines({ sql, values, plan }: ExplainedStatement, number: number | null, ran: boolean): string[] {
  const of = number === null ? '' : ` ${number}`
  const times =
    plan.execution === null
      ? ''
      : `  (planned in ${(plan.planning ?? 0).toFixed(2)} ms, run in ${plan.execution.toFixed(2)} ms)`
  return [
    ...['', `Statement${of}`, ...indent(formatSql(sql).split('\n'))],
    ...(values.length === 0
      ? []
      : ['', `Parameters${of}`, ...indent(values.map((value, at) => `$${at + 1} = ${formatValue(value)}`))]),
    ...[
      '',
      `Plan${of}${times}${ran ? '' : '  (estimated: the statement was not run)'}`,
      ...indent(formatPlan(plan.root)),
    ],
  ]
}

function summaryLines({ summary, indexes }: Explanation): string[] {
  const states = indexes.map(({ name, holds, state }) => `${state.padEnd(13)}  ${name}  ${holds}`)
  return [
    ...['', 'What it does', ...indent(summary)],
    ...(states.length === 0 ? [] : ['', 'Indexes', ...indent(states)]),
  ]
}

function shapeLine({ given: givenNames, missing: missingNames }: Explanation['shape']): string {
  const parts = [
    ...(givenNames.length === 0 ? [] : [`with ${givenNames.map((name) => `$${name}`).join(', ')}`]),
    ...(missingNames.length === 0
      ? []
      : [`without ${missingNames.map((name) => `$${name}`).join(', ')} (conditions with them are left out)`]),
  ]
  return `Statements are cached by the set of given variables. This one is ${parts.join(', ')}.`
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}

function formatValue(value: unknown): string {
  const text = value === null ? 'null' : typeof value === 'string' ? `'${value}'` : String(value)
  // Control characters from a command line or a stored query must not reach the terminal.
  const plainText = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
  return plainText.length > 200 ? `${plainText.slice(0, 199)}…` : plainText
}
