/** What the compiler asks of a document: what is wrong with it, what it takes, what it gives, and which indexes it needs. */
import { getNullableType, type GraphQLInputType, isEnumType, isInputObjectType, isListType } from 'graphql'
import type { DataSchema } from '../compiled.ts'
import { createBuild } from './build.ts'
import { planningCatalog } from './catalog.ts'
import { deriveIndexes } from './indexes.ts'
import { type Analysis, type Json, type Problem, QueryError, type ResultType, type Selected } from './model.ts'
import { type Plan, planOperation } from './plan.ts'
import { projectedType } from './project.ts'
import { objectJson } from './rows/json.ts'
import { mutationField, queryField, schema } from './schema.ts'
import { select } from './select.ts'

/**
 * Analyses one document against the tables of a site. It is planned as at run time, with every variable given and its value
 * unknown; what is wrong with it stands in `problems`.
 */
export function analyse(document: string, data: DataSchema): Analysis {
  let plan: Plan
  try {
    plan = planOperation(document)
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    return { kind: 'query', name: null, variables: [], result: null, problems: error.problems, needs: [], indexes: [] }
  }
  const build = createBuild(planningCatalog(data), { requireTableForDelete: false }, true)
  const variables = Object.fromEntries(plan.declared.map(({ name, type }) => [name, specimen(type)]))
  const context = { schema: schema(), fragments: plan.fragments, variables, known: false, decided: null }
  const extra: Problem[] = []
  const parts = select([plan.node.selectionSet], plan.root, context).map((selected) => {
    try {
      return { key: selected.key, json: resultOf(plan, selected, build) }
    } catch (error) {
      // Some rooms cannot go on behind what is wrong.
      if (!(error instanceof QueryError)) throw error
      extra.push(...error.problems)
      return { key: selected.key, json: { ...NOTHING, type: projectedType(selected) } }
    }
  })
  const result = objectJson(parts, {
    start: plan.node.selectionSet.loc?.start ?? 0,
    end: plan.node.selectionSet.loc?.end ?? 0,
  })
  return {
    kind: plan.kind,
    name: plan.name,
    variables: plan.variables,
    result: result.type,
    problems: unique([...plan.mismatches, ...build.problems, ...extra]),
    needs: build.needs,
    indexes: deriveIndexes(build.needs),
  }
}

const JSON_TYPE: ResultType = { kind: 'nullable', of: { kind: 'scalar', name: 'JSON' } }
const NOTHING: Json = { sql: 'null', shape: null, type: JSON_TYPE }

function resultOf(plan: Plan, selected: Selected, build: ReturnType<typeof createBuild>): Json {
  const { name } = selected
  if (name === '__typename') return { ...NOTHING, type: { kind: 'scalar', name: 'String' } }
  const field = plan.kind === 'mutation' ? mutationField(name) : queryField(name)
  if (field === null) return NOTHING
  return field.kind === 'site' ? { ...NOTHING, type: projectedType(selected) } : field.build(selected, build)
}

function unique(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>()
  return problems.filter((problem) => {
    const key = `${problem.code} ${problem.message} ${problem.at?.start ?? ''}`
    return !seen.has(key) && seen.add(key)
  })
}

/** A value of a type. Nobody decides by it: it only says that there is one. */
function specimen(given: GraphQLInputType): unknown {
  const type = getNullableType(given)
  if (isListType(type)) return [specimen(type.ofType)]
  if (isInputObjectType(type)) return {}
  if (isEnumType(type)) return type.getValues()[0]?.name
  return type.name === 'Boolean' ? true : type.name === 'Int' || type.name === 'Float' ? 1 : 'x'
}
