/** `describe`: the site's own tables, partials, queries and forms, with types. `list_routes`: its addresses. */
import * as z from 'zod'
import type { LinkedGroup } from '../../../../core/model/form.ts'
import { storedNamed } from '../../../../core/model/operation.ts'
import { routesOf } from '../../../routes.ts'
import { describeType as shortType } from '../../answers/descriptions.ts'
import type { SiteAnalysis } from '../../workspace.ts'
import { didYouMean, ToolError } from '../tool-error.ts'
import { formatResult, tool } from '../tool.ts'

const KINDS = ['table', 'partial', 'query', 'form'] as const
type Kind = (typeof KINDS)[number]

/** Maximum number of callers listed for a partial. */
const MAX_CALLERS = 20

export const describeSite = tool({
  name: 'describe',
  title: 'Describe the site',
  description:
    'Describes the site: tables with their properties and types; partials with their parameters, results and callers; queries with their variables, types, and SQL statements; forms with their fields. Without a name: all of that kind, one per line.',
  input: z.object({ kind: z.enum(KINDS), name: z.string().optional() }),
  async run(site, { kind, name }) {
    const { siteAnalysis } = await site.current()
    if (siteAnalysis === null) throw new ToolError('The site could not be read.')
    const all = namesOf(siteAnalysis, kind)
    if (name === undefined)
      return all.length === 0
        ? `The site has no ${kind} yet.`
        : all.map(([each, file]) => `${each}  ${file}`).join('\n')
    const found = DESCRIBERS[kind](siteAnalysis, name)
    if (found !== null) return formatResult(found)
    const names = all.map(([each]) => each)
    throw new ToolError(`The site has no ${kind} '${name}'${didYouMean(name, names)}`)
  },
})

export const listRoutes = tool({
  name: 'list_routes',
  title: 'List the addresses',
  description: 'Lists the addresses of the site: method, address, file of the page, format, policies, layout.',
  input: z.object({ grep: z.string().default('').describe('Only pages with this text in their address or file') }),
  async run(site, { grep }) {
    const { siteAnalysis } = await site.current()
    if (siteAnalysis === null) throw new ToolError('The site could not be read.')
    const routes = routesOf(siteAnalysis.analysis.site)
    return formatResult(routes.filter(({ slug, page }) => slug.includes(grep) || page.includes(grep)))
  },
})

function namesOf({ analysis: { site, operations } }: SiteAnalysis, kind: Kind): readonly (readonly [string, string])[] {
  if (kind === 'table') return site.data.tables.map(({ name, file }) => [name, file] as const)
  if (kind === 'query') return [...operations.storedOperations].map(([name, { span }]) => [name, span.file] as const)
  const units = kind === 'partial' ? site.partials : site.forms
  return [...units].map(([name, { file }]) => [name, file.path] as const)
}

const DESCRIBERS: Readonly<Record<Kind, (siteAnalysis: SiteAnalysis, name: string) => object | null>> = {
  table({ analysis: { site, operations } }, name) {
    const found = site.data.tables.find((each) => each.name === name)
    if (found === undefined) return null
    const naming = [...operations.storedOperations].filter(([, { document }]) => document.includes(`"${name}"`))
    return {
      ...{ table: name, file: found.file },
      properties: Object.fromEntries(found.properties.map((each) => [each.name, each.type])),
      named_by_queries: naming.map(([query]) => query),
    }
  },
  partial({ analysis: { site, checked } }, name) {
    const unit = site.partials.get(name)
    if (unit === undefined) return null
    const { path } = unit.file
    const signature = checked.signature?.(path)
    const calls = (file: string): boolean =>
      checked.factsOf?.(file)?.calls.some(({ targets }) => targets?.includes(path) === true) === true
    const callers = site.units.map(({ file }) => file.path).filter(calls)
    return {
      ...{ partial: name, file: path },
      ...(unit.template?.doc?.description !== undefined && { description: unit.template.doc.description }),
      takes: (signature?.parameters ?? []).map((each) => ({
        name: each.name,
        type: shortType(each.type),
        required: each.required,
      })),
      ...(signature !== undefined && { gives_to_function: shortType(signature.result) }),
      called_by: callers.slice(0, MAX_CALLERS),
      ...(callers.length > MAX_CALLERS && { more_callers: callers.length - MAX_CALLERS }),
    }
  },
  query({ analysis: { operations } }, name) {
    const found = storedNamed(operations, name)
    if (found === undefined) return null
    return {
      ...{ query: name, file: found.span.file, document: found.document.trim() },
      variables: found.variables.map((each) => ({ name: each.name, type: each.type, required: each.required })),
      gives: shortType(found.result),
      statements: found.analysis.statements.map(({ key, rowAccesses }) => ({
        field: key,
        does: rowAccesses.map(({ action, rows }) => `${action} ${rows}`),
      })),
    }
  },
  form({ analysis: { site } }, name) {
    const unit = site.forms.get(name)
    if (unit === undefined) return null
    const schema = site.formSchemas.get(unit.file.path)
    const { resource, table, owner } = schema ?? {}
    return {
      ...{ form: name, file: unit.file.path, resource, table, owner },
      ...(schema !== undefined && { gives: shortType(schema.type), fields: fieldsIn(schema.fields) }),
    }
  },
}

function fieldsIn({ attributes, properties }: LinkedGroup): object {
  const rows = (fields: LinkedGroup['attributes']) => fields.map(({ name, type }) => ({ name, type }))
  return { attributes: rows(attributes), properties: rows(properties) }
}
