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
import { follow, outlineOf, type Plan, planOperation } from './plan.ts'
import { projectedType } from './project.ts'
import { NULL_JSON, objectJson } from './rows/json.ts'
import { mutationField, queryField, schema } from './schema.ts'
import { select } from './select.ts'
import { namesForm, shownRow } from './writes/through-form.ts'

/**
 * Analyses a document against the tables of a site. It is planned as at run time, with values for all variables that
 * are treated as unknown; `problems` lists its errors.
 */
export function analyse(document: string, data: DataSchema): Analysis {
  let plan: Plan
  try {
    plan = planOperation(document)
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    const outline = outlineOf(document) ?? { kind: 'query', name: null, variables: [] }
    return { ...outline, result: null, answer: null, problems: error.problems, needs: [], indexes: [], opened: [] }
  }
  const given = plan.declared.filter((each) => isNonNullType(each.type) || (each.default ?? null) !== null)
  const always = new Set(given.map(({ name }) => name))
  const build = createBuild(planningCatalog(data), { requireTableForDelete: false }, true, always)
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
  const parts = (selected ?? []).map((each) => ({
    key: each.key,
    json: unless(
      () => resultOf(plan, each, build),
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
    opened: build.opened,
  }
}

const JSON_TYPE: ResultType = { kind: 'nullable', of: { kind: 'scalar', name: 'JSON' } }
const NOTHING: Json = { sql: NULL_JSON, shape: null, type: JSON_TYPE }

function resultOf(plan: Plan, selected: Selected, build: ReturnType<typeof createBuild>): Json {
  const { name } = selected
  const field = plan.kind === 'mutation' ? mutationField(name) : queryField(name)
  // Introspection fields are answered in memory.
  if (field === null) return { ...NOTHING, type: projectedType(selected) }
  if (field.kind === 'mutation' && field.form !== undefined && namesForm(selected))
    return shownRow(selected, field.form, build)
  const json = field.kind === 'site' || field.kind === 'effect' ? undefined : field.build?.(selected, build)
  return json ?? { ...NOTHING, type: projectedType(selected) }
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
