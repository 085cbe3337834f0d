/**
 * The reference's pages for users of liquidjs: its options, filters and tags compared with Ingot, and how to check existing templates.
 */
import { type ForeignName, findForeignFilter, findForeignTag } from '../../core/diagnostics/foreign-names.ts'
import { filterTable } from '../../language/types/filters.ts'
import type { Block, Entry, Row } from './entry.ts'
import {
  type Difference,
  LIQUIDJS_FILTERS,
  LIQUIDJS_OPTIONS,
  LIQUIDJS_TAGS,
  LIQUIDJS_VALUES,
  type LiquidjsOption,
} from './liquidjs-names.ts'
import { codeBlock, example, makeEntry, namesTable, paragraph, table } from './page.ts'
import { documentedTags } from './tags.ts'

/** @internal Exported for tests. */
export type Status = 'same' | 'differs' | 'not there'

const HEADS = ['liquidjs', 'Ingot', 'What to know'] as const

/** Compares Ingot's base Liquid filter with the liquidjs filter of this name. @internal Exported for tests. */
export function filterStatus(name: string): Status {
  if (!filterTable('liquid').has(name)) return 'not there'
  return LIQUIDJS_FILTERS[name]?.length === 0 ? 'same' : 'differs'
}

/** Compares Ingot's base Liquid tag with the liquidjs tag of this name. @internal Exported for tests. */
export function tagStatus(name: string): Status {
  if (!documentedTags().some((tag) => !tag.platform && tag.name === name)) return 'not there'
  return LIQUIDJS_TAGS[name]?.length === 0 ? 'same' : 'differs'
}

function optionStatus(name: string, { ingotName: ours, differences }: LiquidjsOption): Status {
  if (ours !== name) return 'not there'
  return differences.length === 0 ? 'same' : 'differs'
}

/** Returns the entries in reading order. */
export function liquidjsEntries(): readonly Entry[] {
  return [folderEntry(), optionEntry(), filterEntry(), tagEntry(), valueEntry()]
}

function folderEntry(): Entry {
  const summary = 'What a folder of templates needs before Ingot can render it.'
  return pageOf('folder', 'a folder of templates', summary, [
    codeBlock('npx ingot check --dialect liquid views --data data.json --needs'),
    paragraph(
      'Reads the templates below `views` as base Liquid, and lists missing tags, filters and files with counts, places and replacements. It also lists variables that the data do not contain.',
    ),
    namesTable('Options', [
      ['--data FILE', 'The data of a render, as JSON or YAML.'],
      ['--ext .html', 'The extension of the templates, if it is not `.liquid`.'],
      ['--format json', 'The same for programs.'],
    ]),
    paragraph(
      'Without `--needs` it lists every error with its place. In a program, `createEngine` takes the same templates, and `engine.diagnostics` contains the same list.',
    ),
  ])
}

function optionEntry(): Entry {
  const all = Object.entries(LIQUIDJS_OPTIONS)
  const summary = 'Options of `new Liquid()` and of its render methods, compared with those of `createEngine`.'
  const rows = all.map(([name, option]) => ({
    ...rowOf(name, optionStatus(name, option), option.differences),
    ...(option.description === '' ? {} : { description: option.description }),
  }))
  return pageOf(
    'options',
    'options',
    summary,
    [
      paragraph(summary),
      table('Options', rows, HEADS),
      ...all.flatMap(([name, { differences }]) => examplesOf(name, differences)),
    ],
    all.map(([name, option]) => statusRow(name, 'option', optionStatus(name, option))),
  )
}

function filterEntry(): Entry {
  const all = Object.entries(LIQUIDJS_FILTERS)
  const onPlatform = (name: string) => filterTable('platform').has(name)
  const rows = all.map(([name, differences]) =>
    rowOf(name, filterStatus(name), differences, findForeignFilter(name), onPlatform(name)),
  )
  return pageOf(
    'filters',
    'filters',
    'Filters of liquidjs, compared with those of Ingot.',
    [
      paragraph(COMPARISON_NOTE),
      table('Filters', rows, HEADS),
      ...all.flatMap(([name, differences]) => examplesOf(name, differences)),
    ],
    all.map(([name]) => statusRow(name, 'filter', filterStatus(name))),
  )
}

function tagEntry(): Entry {
  const all = Object.entries(LIQUIDJS_TAGS)
  const rows = all.map(([name, differences]) => rowOf(name, tagStatus(name), differences, findForeignTag(name)))
  const more = documentedTags().filter(({ name, platform }) => !platform && !Object.hasOwn(LIQUIDJS_TAGS, name))
  const otherRows = more.map(({ name, docs }) => ({
    ...{ name, type: '', description: docs.description },
    href: `tags/${name}.html`,
  }))
  return pageOf(
    'tags',
    'tags',
    'Tags of liquidjs, compared with those of Ingot.',
    [
      paragraph(COMPARISON_NOTE),
      table('Tags', rows, HEADS),
      table('Tags that liquidjs does not have', otherRows),
      ...all.flatMap(([name, differences]) => examplesOf(name, differences)),
    ],
    all.map(([name]) => statusRow(name, 'tag', tagStatus(name))),
  )
}

function valueEntry(): Entry {
  const summary = 'General differences from liquidjs: values, comparisons, errors.'
  const examples = Object.entries(LIQUIDJS_VALUES).flatMap(([name, difference]) => examplesOf(name, [difference]))
  return pageOf('values', 'values and errors', summary, [paragraph(summary), ...examples])
}

const COMPARISON_NOTE =
  "Compared with base Liquid (`dialect: 'liquid'`), which prints what the Ruby reference implementation prints. `same` refers to values of the expected kind; general differences are under `values and errors`."

function pageOf(
  file: string,
  name: string,
  summary: string,
  blocks: readonly Block[],
  also: Entry['also'] = [],
): Entry {
  return makeEntry({ section: 'liquidjs', name, path: `liquidjs/${file}.html`, summary, blocks, also })
}

function statusRow(name: string, kind: string, status: Status) {
  return { name, summary: `A ${kind} of liquidjs: ${status}.`, id: anchorOf(name) }
}

function anchorOf(name: string): string {
  return name === '#' ? 'inline-comment' : name
}

function rowOf(
  name: string,
  status: Status,
  differences: readonly Difference[],
  foreignName: ForeignName | null = null,
  onPlatform = false,
): Row {
  const description =
    status === 'not there'
      ? replacementText(foreignName, onPlatform)
      : differences.map((each) => each.description).join(' ')
  return { name, type: status, description, id: anchorOf(name) }
}

function replacementText(foreignName: ForeignName | null, onPlatform: boolean): string {
  const { liquid = '', platform = '' } = foreignName?.replacement ?? {}
  if (onPlatform) return `${liquid} The platform's dialect has it.`
  return platform === '' || platform === liquid ? liquid : `${liquid} In the platform's dialect: ${platform}`
}

function examplesOf(name: string, differences: readonly Difference[]): readonly Block[] {
  return differences.map(({ description, template, data = {}, files = {}, options, liquidjs, ingot }, at) =>
    example(Object.keys(files).length === 0 ? { '': template } : { 'the template': template, ...files }, {
      title: at === 0 ? name : '',
      description,
      prints: ingot,
      otherwise: { by: 'liquidjs', prints: liquidjs },
      notes: [
        ...Object.entries(data).map(([key, value]) => `\`${key}\` is \`${JSON.stringify(value)}\``),
        ...Object.entries(options ?? {})
          .filter(([, each]) => Object.keys(each).length > 0)
          .map(
            ([engine, each]) => `${engine === 'ingot' ? 'Ingot' : engine} has the options \`${JSON.stringify(each)}\``,
          ),
      ],
    }),
  )
}
