/** Analyzes a document for the compiler: its errors, variables, result type and indexes. */
import {
  getNullableType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import type { DataSchema } from '../../page/compiled.ts'
import { schemaResultType } from './schema-result-type.ts'
import { createBuild } from './build.ts'
import { planningCatalog } from './catalog.ts'
import { deriveIndexes } from './indexes.ts'
import {
  type Analysis,
  type JsonExpression,
  type Problem,
  problemKey,
  QueryError,
  type ResultType,
  type Selected,
} from './model.ts'
import type { StatementAccess } from './row-access.ts'
import { limitDepth, outlineOf, type Plan, planOperation } from './plan.ts'
import { selectionResultType } from './project.ts'
import { reportUnreadable } from './remote/read-field.ts'
import { CLIENTS_ONLY } from './change-model.ts'
import { NULL_JSON, objectJson } from './rows/json.ts'
import { mutationField, queryField, schema } from './schema.ts'
import { select } from './select.ts'
import { recordInput } from './writes/record-input.ts'
import { namesForm, formRowJson } from './writes/through-form.ts'

/**
 * Analyzes a document against the tables of a site. The document is planned as at run time, with placeholder values for all variables. The
 * returned `problems` list its errors.
 * @param requireTableForDelete the site's `require_table_for_record_delete_mutation`
 */
export function analyze(document: string, data: DataSchema, requireTableForDelete = false): Analysis {
  let plan: Plan
  try {
    plan = planOperation(document)
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    const outline = outlineOf(document) ?? { kind: 'query', name: null, variables: [] }
    return {
      ...outline,
      result: null,
      schemaResult: null,
      problems: error.problems,
      needs: [],
      indexes: [],
      statements: [],
      undeclaredWrites: [],
      deprecated: [],
    }
  }
  const alwaysGivenVariables = plan.declaredVariables.filter(
    (each) => isNonNullType(each.type) || (each.default ?? null) !== null,
  )
  const alwaysGivenNames = new Set(alwaysGivenVariables.map(({ name }) => name))
  const build = createBuild(planningCatalog(data), { requireTableForDelete }, true, alwaysGivenNames)
  const variables = placeholderVariables(plan)
  const context = { schema: schema(), fragments: plan.fragments, variables, isKnown: false, recordDecision: null }
  const additionalProblems: Problem[] = []
  // Runs planning steps. An error can make it impossible to continue a step, and then `fallback` gives the result.
  const collectProblems = <T>(steps: () => T, fallback: () => T): T => {
    try {
      return limitDepth(steps)
    } catch (error) {
      if (!(error instanceof QueryError)) throw error
      additionalProblems.push(...error.problems)
      return fallback()
    }
  }
  const selected = collectProblems(
    () => select(plan.node.selectionSet, plan.root, context),
    () => null,
  )
  const statements: StatementAccess[] = []
  const planRootField = (each: Selected): JsonExpression => {
    const accessesBefore = build.rowAccesses.length
    const { json, statementKind } = rootFieldResult(plan, each, build)
    const { responseKey, name, range } = each
    const throughForm = statementKind === 'form'
    if (statementKind !== null)
      statements.push({
        key: responseKey,
        name,
        range,
        throughForm,
        rowAccesses: build.rowAccesses.slice(accessesBefore),
      })
    return json
  }
  const parts = (selected ?? []).map((each) => ({
    key: each.responseKey,
    json: collectProblems(
      () => planRootField(each),
      () => ({ ...NO_STATEMENT, type: selectionResultType(each) }),
    ),
  }))
  const result = objectJson(parts, {
    start: plan.node.selectionSet.loc?.start ?? 0,
    end: plan.node.selectionSet.loc?.end ?? 0,
  })
  return {
    kind: plan.kind,
    name: plan.name,
    variables: plan.variables,
    result: selected === null ? null : result.type,
    schemaResult: selected === null ? null : schemaResultType(selected, plan.root),
    problems: distinctProblems([...plan.mismatches, ...build.problems, ...additionalProblems]),
    needs: build.needs,
    indexes: deriveIndexes(build.needs),
    statements,
    undeclaredWrites: build.undeclaredWrites,
    deprecated: selected === null ? [] : plan.deprecated,
  }
}

const JSON_TYPE: ResultType = { kind: 'nullable', inner: { kind: 'scalar', name: 'JSON' } }
const NO_STATEMENT: JsonExpression = { sql: NULL_JSON, shape: null, type: JSON_TYPE }

/**
 * The result of a root field. `statementKind` says how the result is read: by a statement of the field, by a statement that reads the row
 * written by a form, or (null) without a statement.
 */
interface Result {
  readonly json: JsonExpression
  readonly statementKind: 'statement' | 'form' | null
}

function rootFieldResult(plan: Plan, selected: Selected, build: ReturnType<typeof createBuild>): Result {
  const { name } = selected
  const field = plan.kind === 'mutation' ? mutationField(name) : queryField(name)
  // Introspection fields are answered in memory, without a statement.
  if (field === null) return withoutStatement(selected)
  if (field.kind === 'mutation' && field.form !== undefined && namesForm(selected)) {
    // The form validates the fields, but an unknown table in the document is still an error.
    if (field.form.rows === 'records') recordInput(selected, ['record', 'customization', 'model'], build)
    return { json: formRowJson(selected, field.form, build), statementKind: 'form' }
  }
  if (field.kind === 'change') {
    build.reportToCompiler(changeInTemplates(selected))
    return withoutStatement(selected)
  }
  if (field.kind === 'remote') reportUnreadable(selected, build)
  const isWithoutStatement = field.kind === 'site' || field.kind === 'effect' || field.kind === 'remote'
  const json = isWithoutStatement ? undefined : field.build?.(selected, build)
  if (json === undefined) return withoutStatement(selected)
  return { json, statementKind: field.kind === 'submit' ? 'form' : 'statement' }
}

/** The documents that the compiler analyzes run in templates, which do not change files of the site. */
function changeInTemplates({ name, range }: Selected): Problem {
  const message = `The field \`${name}\` does not change the site from templates. ${CLIENTS_ONLY}`
  return { code: 'not-served', message, range, hint: null, mistake: { kind: 'unknown field', name } }
}

function withoutStatement(selected: Selected): Result {
  return { json: { ...NO_STATEMENT, type: selectionResultType(selected) }, statementKind: null }
}

function distinctProblems(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>()
  return problems.filter((problem) => {
    const key = problemKey(problem)
    return !seen.has(key) && seen.add(key)
  })
}

/** Returns a placeholder value for a type. Planning never depends on it. */
/** Returns a value for each variable of a plan, with which it can be planned when the real values are not known. */
export function placeholderVariables({ declaredVariables }: Plan): Readonly<Record<string, unknown>> {
  return Object.fromEntries(declaredVariables.map(({ name, type }) => [name, placeholderValue(type)]))
}

function placeholderValue(inputType: GraphQLInputType): unknown {
  const type = getNullableType(inputType)
  if (isListType(type)) return [placeholderValue(type.ofType)]
  if (isInputObjectType(type)) return {}
  if (isEnumType(type)) return type.getValues()[0]?.name
  return type.name === 'Boolean' ? true : type.name === 'Int' || type.name === 'Float' ? 1 : 'x'
}
