/** The filters of the reference: their signatures, and examples that the tests compile and run. */
import { summaryOf } from '../../language/types/filter-summary.ts'
import * as z from 'zod'
import { SERVER_FILTERS } from '../../../runtime/page/browser/server-filters.ts'
import type { FilterParameter, FilterSignature } from '../../core/model/signature.ts'
import { filterTable } from '../../language/types/filters.ts'
import { describe } from '../../language/types/relate.ts'
import type { Block, Entry, Row } from './entry.ts'
import { codeBlock, example, makeEntry, paragraph, table } from './page.ts'

const json = z.record(z.string(), z.unknown())
const documented = z.array(
  z.object({
    name: z.string(),
    examples: z.array(z.object({ template: z.string(), data: json, result: z.string() })),
  }),
)
type Example = z.infer<typeof documented>[number]['examples'][number]

/** Returns the examples of the filters by name. */
async function readExamples(): Promise<ReadonlyMap<string, readonly Example[]>> {
  const content: unknown = (await import('../../../fixtures/filters.json', { with: { type: 'json' } })).default
  return new Map(documented.parse(content).map(({ name, examples }) => [name, examples]))
}

/** Returns the entries of all platform filters. Each alias has a separate entry. */
export async function filterEntries(): Promise<readonly Entry[]> {
  const examples = await readExamples()
  return [...filterTable('platform').values()]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((filter) => filterEntry(filter, examples.get(filter.name) ?? examples.get(filter.aliasOf ?? '') ?? []))
}

function filterEntry(filter: FilterSignature, examples: readonly Example[]): Entry {
  const { name, aliasOf, deprecated, suspends } = filter
  const summary = summaryOf(filter)
  const successor = deprecated !== null && filterTable('platform').has(deprecated) ? deprecated : null
  return makeEntry({
    section: 'filters',
    name,
    path: `filters/${name}.html`,
    summary,
    badges: [
      ...(deprecated === null ? [] : [{ text: 'deprecated', tone: 'warn' as const }]),
      ...(SERVER_FILTERS.includes(filter.registry) ? [{ text: 'not in browsers', tone: 'plain' as const }] : []),
      ...(suspends ? [{ text: 'waits for the server', tone: 'plain' as const }] : []),
    ],
    links: [
      ...(aliasOf === null ? [] : [{ htmlBefore: 'Another name of', name: aliasOf, href: `filters/${aliasOf}.html` }]),
      ...(successor === null || successor === aliasOf
        ? []
        : [{ htmlBefore: 'Write instead', name: successor, href: `filters/${successor}.html` }]),
    ],
    blocks: [
      codeBlock(filterUsage(filter)),
      paragraph(summary),
      ...(deprecated !== null && successor === null ? [paragraph(`Instead: ${deprecated}.`)] : []),
      table('Takes', parameterRows(filter)),
      paragraph(`Gives: ${describe(filter.result)}. ${describeResult(filter)}`.trimEnd()),
      ...examples.map(exampleBlock),
    ],
  })
}

/** Returns the syntax of a filter, with its arguments. */
export function filterUsage({ name, parameters, rest, named }: FilterSignature): string {
  const formatParameter = (parameter: FilterParameter) => (parameter.optional ? `[${parameter.name}]` : parameter.name)
  const [input = null, ...others] = parameters
  const args = [
    ...others.map(formatParameter),
    ...(rest === null ? [] : [`${rest.name}, …`]),
    ...(named?.names ?? []).map((key) => (named?.required === true ? `${key}: …` : `[${key}: …]`)),
    ...(named?.open === true ? ['[key: value, …]'] : []),
  ]
  return `{{ ${input === null ? '' : `${input.name} `}| ${name}${args.length === 0 ? '' : `: ${args.join(', ')}`} }}`
}

const KINDS: Readonly<Record<FilterParameter['kind'], string>> = {
  text: 'text',
  number: 'number',
  list: 'array',
  hash: 'hash',
  boolean: 'true or false',
  value: 'any value',
}

function parameterRows({ parameters, rest, named }: FilterSignature): readonly Row[] {
  const byName = named?.required === true ? 'by name' : 'by name, optional'
  return [
    ...parameters.map(({ name, kind, optional }, at) => ({
      name,
      type: optional ? `${KINDS[kind]}, optional` : KINDS[kind],
      description: at === 0 ? 'The filtered value.' : '',
    })),
    ...(rest === null ? [] : [{ name: rest.name, type: KINDS[rest.kind], description: 'Any number of values.' }]),
    ...(named?.names ?? []).map((name) => ({ name: `${name}:`, type: byName, description: '' })),
    ...(named?.open === true ? [{ name: 'key:', type: byName, description: 'Any names, or one hash of them.' }] : []),
  ]
}

function describeResult({ fallible, result }: FilterSignature): string {
  if (!fallible) return ''
  return result.kind === 'boolean'
    ? 'An invalid argument is an error; if errors are not raised, the result is `false`.'
    : 'An invalid argument is an error; if errors are not raised, the result is the empty text.'
}

/** Descriptions of host state that an example needs. */
const STATE: Readonly<Record<string, string>> = {
  $i18n: 'Translations',
  $now: 'The time is',
  $keys: 'Keys',
  $assets: 'Assets',
  $assets_updated: 'Assets were last changed at',
  $cdn: 'Assets are served from',
  $http: 'The Internet answers',
  $captcha: 'The challenge provider answers',
  $access_keys: 'Tokens of the site',
}

function exampleBlock({ template, data, result }: Example): Block {
  const variables = Object.entries(data).filter(([key]) => !key.startsWith('$'))
  const state = Object.entries(data).filter(([key]) => key.startsWith('$'))
  const formatValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return example(
    { '': template },
    {
      title: 'Example',
      prints: result,
      notes: [
        ...variables.map(([key, value]) => `\`${key}\` is \`${JSON.stringify(value)}\``),
        ...state.map(([key, value]) => `${STATE[key] ?? key.slice(1)}: \`${formatValue(value)}\``),
      ],
    },
  )
}
