/** Explains what PostgreSQL does for a query of the site. The query is planned, but not run. */
import * as z from 'zod'
import { planOperation, QueryError } from '../../../runtime/data/query/index.ts'
import { nearest } from '../../../runtime/data/query/suggest.ts'
import { explainOperation } from '../../operate/explain/explain.ts'
import { formatSql } from '../../../runtime/data/sql/format-sql.ts'
import { formatPlan } from '../../operate/explain/plan.ts'
import { StartError } from '../../core/start-error.ts'
import type { SiteTests } from '../testing/site-tests.ts'

export const explainSchema = z.object({
  name: z.string().optional(),
  document: z.string().optional(),
  variables: z.record(z.string(), z.unknown()),
  user: z.string().optional(),
})

export async function explainQuery(
  site: SiteTests,
  { name, document, variables, user }: z.infer<typeof explainSchema>,
): Promise<object> {
  if ((name === undefined) === (document === undefined))
    throw new StartError('Give either the name of a query, or a document.')
  const track = await (await site.compile()).track()
  try {
    return await track.runAndRollBack(async (app, ids) => {
      const { data, operations, options } = app.host().loadedSite.site
      const text = document ?? operations[name ?? '']?.document
      if (text === undefined) throw new StartError(unknownQuery(name ?? '', Object.keys(operations)))
      requireVariables(text, variables)
      const explainOptions = { data, ids, build: options, analyze: false, viewer: user ?? null }
      const explanation = await explainOperation(site.sql, text, variables, explainOptions)
      return {
        ...{ kind: explanation.kind, summary: explanation.summary },
        statements: explanation.statements.map(({ sql, values, plan }) => ({
          ...{ sql: formatSql(sql), values, plan: formatPlan(plan.root) },
        })),
        indexes: explanation.indexes.map(({ name: index, holds, state }) => ({ index, holds, state })),
      }
    })
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    throw new StartError(
      error.problems.map(({ message, hint }) => (hint === null ? message : `${message} ${hint}`)).join('\n'),
    )
  } finally {
    await track.close()
  }
}

/** Requires that all required variables have values. @throws StartError */
function requireVariables(document: string, variables: Readonly<Record<string, unknown>>): void {
  const missing = planOperation(document).variables.filter(
    ({ name, required }) => required && (variables[name] ?? null) === null,
  )
  if (missing.length > 0)
    throw new StartError(`The query needs a value for ${missing.map(({ name }) => `$${name}`).join(', ')}.`)
}

function unknownQuery(name: string, knownNames: readonly string[]): string {
  const similarName = nearest(name, knownNames)
  return `There is no query '${name}'${similarName === null ? '.' : `: did you mean '${similarName}'?`}`
}
