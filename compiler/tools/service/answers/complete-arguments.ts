/** Completes the missing arguments of a call to a partial, query or filter. */
import { summaryOf } from '../../../language/types/filter-summary.ts'
import type { FilterSignature } from '../../../core/model/signature.ts'
import { storedNamed } from '../../../core/model/operation.ts'
import type { SiteAnalysis, Workspace } from '../workspace.ts'
import type { Markup } from './cursor.ts'
import type { Suggestion } from './suggestion.ts'
import { filtersByName, describeType } from './descriptions.ts'

/** An argument of a call, with its type and description as text. */
interface Parameter {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly description: string
}

/** The partial, query or filter called at an offset, with its parameters. */
export interface Call {
  readonly name: string
  /** The syntax of the call. */
  readonly usage: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  /** The offset where its arguments begin. */
  readonly from: number
  /** Whether the arguments are written with their names. */
  readonly named: boolean
}

const CALLS: ReadonlySet<string> = new Set(['render', 'include', 'function', 'background', 'theme_render_rc'])

export function completeArguments(
  workspace: Workspace,
  text: string,
  offset: number,
  cursor: Markup,
): readonly Suggestion[] {
  const call = callAt(workspace, text, offset, cursor)
  if (call === null || !/[,:]\s*$/.test(text.slice(call.from, cursor.word.start))) return []
  const givenNames = new Set([...text.slice(call.from, cursor.end).matchAll(/(\w+)\s*:/g)].map(([, name]) => name))
  if (/:\s*$/.test(text.slice(call.from, cursor.word.start)) && call.named) return []
  return call.parameters
    .filter(({ name, type }) => !givenNames.has(name) && (call.named || type === 'by name'))
    .map(({ name, type, required, description }) => ({
      label: `${name}:`,
      insert: `${name}: `,
      kind: 'argument',
      detail: required ? `${type}, required` : type,
      documentation: description,
    }))
}

/** Returns the innermost call that contains the offset: that of a filter, otherwise that of the tag. */
export function callAt({ siteAnalysis }: Workspace, text: string, offset: number, cursor: Markup): Call | null {
  const filter = /\|\s*(\w+)\s*(:)?[^|]*$/.exec(text.slice(cursor.start, offset))
  const signature = filter === null ? undefined : filtersByName().get(filter[1] ?? '')
  if (filter !== null && signature !== undefined && filter[2] !== undefined)
    return filterCall(signature, cursor.start + filter.index + filter[0].indexOf(':'))
  if (siteAnalysis === null || cursor.tag === null) return null
  const named = /^[^'"]*?(['"])([^'"]*)\1/.exec(text.slice(cursor.start, cursor.end))
  if (named === null || cursor.start + named[0].length > offset) return null
  const from = cursor.start + named[0].length
  const name = named[2] ?? ''
  if (CALLS.has(cursor.tag)) return partialCall(siteAnalysis, cursor.tag, name, from)
  return cursor.tag === 'graphql' ? queryCall(siteAnalysis, name, from) : null
}

function filterCall(filter: FilterSignature, from: number): Call {
  const { name, parameters, rest, named } = filter
  const positional = [
    ...parameters.slice(1),
    ...(rest === null ? [] : [{ ...rest, name: `${rest.name}…`, optional: true }]),
  ]
  return {
    name,
    usage: `${name}: ${[...positional.map((each) => (each.optional ? `[${each.name}]` : each.name)), ...(named?.names.map((each) => `${each}:`) ?? [])].join(', ')}`,
    description: summaryOf(filter),
    parameters: [
      ...positional.map((each) => ({ name: each.name, type: each.kind, required: !each.optional, description: '' })),
      ...(named?.names ?? []).map((each) => ({
        name: each,
        type: 'by name',
        required: named?.required === true,
        description: '',
      })),
    ],
    from,
    named: false,
  }
}

function partialCall(
  { analysis: { site, checked } }: SiteAnalysis,
  tag: string,
  name: string,
  from: number,
): Call | null {
  const unit = site.partials.get(name)
  if (unit === undefined) return null
  const documented = new Map(unit.template?.doc?.params.map((param) => [param.name, param.description]))
  const parameters = (checked.signature?.(unit.file.path)?.parameters ?? []).map((each) => ({
    name: each.name,
    type: describeType(each.type),
    required: each.required,
    description: documented.get(each.name) ?? '',
  }))
  const description = unit.template?.doc?.description ?? ''
  return {
    name,
    usage: usageOf(`${tag} '${name}'`, parameters),
    description,
    parameters,
    from,
    named: true,
  }
}

function queryCall({ analysis: { operations } }: SiteAnalysis, name: string, from: number): Call | null {
  const operation = storedNamed(operations, name)
  if (operation === undefined) return null
  const parameters = operation.variables.map((each) => ({ ...each, description: '' }))
  return {
    name,
    usage: usageOf(`graphql result = '${name}'`, parameters),
    description: '',
    parameters,
    from,
    named: true,
  }
}

function usageOf(head: string, parameters: readonly Parameter[]): string {
  return [head, ...parameters.map(({ name, required }) => (required ? `${name}: …` : `[${name}: …]`))].join(', ')
}
