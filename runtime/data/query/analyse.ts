/** Analyses a document for the compiler: its errors, variables, result type and indexes. */
import {
  getNullableType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import type { DataSchema } from '../../page/compiled.ts'
import { answerType } from './answer-type.ts'
import { createBuild } from './build.ts'
import { planningCatalog } from './catalog.ts'
import { deriveIndexes } from './indexes.ts'
import { type Analysis, type Json, type Problem, QueryError, type ResultType, type Selected } from './model.ts'
import type { StatementParts } from './touched.ts'
import { follow, outlineOf, type Plan, planOperation } from './plan.ts'
import { projectedType } from './project.ts'
import { NULL_JSON, objectJson } from './rows/json.ts'
import { mutationField, queryField, schema } from './schema.ts'
import { select } from './select.ts'
import { recordInput } from './writes/record-input.ts'
import { namesForm, shownRow } from './writes/through-form.ts'

/**
 * Analyses a document against the tables of a site. It is planned as at run time, with values for all variables that
 * are treated as unknown; `problems` lists its errors.
 * @param requireTableForDelete the site's `require_table_for_record_delete_mutation`
 */
export function analyse(document: string, data: DataSchema, requireTableForDelete = false): Analysis {
  let plan: Plan
  try {
    plan = planOperation(document)
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    const outline = outlineOf(document) ?? { kind: 'query', name: null, variables: [] }
    return {
      ...outline,
      result: null,
      answer: null,
      problems: error.problems,
      needs: [],
      indexes: [],
      statements: [],
      opened: [],
      deprecated: [],
    }
  }
  const given = plan.declared.filter((each) => isNonNullType(each.type) || (each.default ?? null) !== null)
  const always = new Set(given.map(({ name }) => name))
  const build = createBuild(planningCatalog(data), { requireTableForDelete }, true, always)
  const variables = Object.fromEntries(plan.declared.map(({ name, type }) => [name, specimen(type)]))
  const context = { schema: schema(), fragments: plan.fragments, variables, known: false, decided: null }
  const extra: Problem[] = []
  // Some steps cannot continue after an error.
  const unless = <T>(steps: () => T, otherwise: () => T): T => {
    try {
      return follow(steps)
    } catch (error) {
      if (!(error instanceof QueryError)) throw error
      extra.push(...error.problems)
      return otherwise()
    }
  }
  const selected = unless(
    () => select(plan.node.selectionSet, plan.root, context),
    () => null,
  )
  const statements: StatementParts[] = []
  const statementOf = (each: Selected): Json => {
    const before = build.touched.length
    const { json, sends } = resultOf(plan, each, build)
    const { key, name, at } = each
    const throughForm = sends === 'form'
    if (sends !== null) statements.push({ key, name, at, throughForm, touched: build.touched.slice(before) })
    return json
  }
  const parts = (selected ?? []).map((each) => ({
    key: each.key,
    json: unless(
      () => statementOf(each),
      () => ({ ...NOTHING, type: projectedType(each) }),
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
    answer: selected === null ? null : answerType(selected, plan.root),
    problems: unique([...plan.mismatches, ...build.problems, ...extra]),
    needs: build.needs,
    indexes: deriveIndexes(build.needs),
    statements,
    opened: build.opened,
    deprecated: selected === null ? [] : plan.deprecated,
  }
}

const JSON_TYPE: ResultType = { kind: 'nullable', of: { kind: 'scalar', name: 'JSON' } }
const NOTHING: Json = { sql: NULL_JSON, shape: null, type: JSON_TYPE }

/** The result of a root field, and whether it sends a statement: one of its own, or one that shows what a form has written. */
interface Result {
  readonly json: Json
  readonly sends: 'statement' | 'form' | null
}

function resultOf(plan: Plan, selected: Selected, build: ReturnType<typeof createBuild>): Result {
  const { name } = selected
  const field = plan.kind === 'mutation' ? mutationField(name) : queryField(name)
  // Introspection fields are answered in memory.
  if (field === null) return nothingOf(selected)
  if (field.kind === 'mutation' && field.form !== undefined && namesForm(selected)) {
    // The form takes what its fields are; what the document says of a table holds all the same.
    if (field.form.rows === 'records') recordInput(selected, ['record', 'customization', 'model'], build)
    return { json: shownRow(selected, field.form, build), sends: 'form' }
  }
  const json = field.kind === 'site' || field.kind === 'effect' ? undefined : field.build?.(selected, build)
  if (json === undefined) return nothingOf(selected)
  return { json, sends: field.kind === 'submit' ? 'form' : 'statement' }
}

function nothingOf(selected: Selected): Result {
  return { json: { ...NOTHING, type: projectedType(selected) }, sends: null }
}

function unique(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>()
  return problems.filter((problem) => {
    const key = `${problem.code} ${problem.message} ${problem.at?.start ?? ''}`
    return !seen.has(key) && seen.add(key)
  })
}

/** A placeholder value of a type. No decision depends on it. */
function specimen(given: GraphQLInputType): unknown {
  const type = getNullableType(given)
  if (isListType(type)) return [specimen(type.ofType)]
  if (isInputObjectType(type)) return {}
  if (isEnumType(type)) return type.getValues()[0]?.name
  return type.name === 'Boolean' ? true : type.name === 'Int' || type.name === 'Float' ? 1 : 'x'
}
