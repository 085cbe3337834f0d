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
  return {
    ...makeEntry('folder', 'a folder of templates', 'What a folder of templates needs before Ingot can render it.'),
    blocks: [
      {
        kind: 'code',
        lines: ['npx ingot check --dialect liquid views --data data.json --needs'],
      },
      {
        kind: 'words',
        text: 'Reads the templates below `views` as base Liquid, and lists missing tags, filters and files with counts, places and replacements. It also lists variables that the data do not contain.',
      },
      {
        kind: 'rows',
        title: 'Options',
        rows: [
          {
            name: '--data FILE',
            type: '',
            description: 'The data of a render, as JSON or YAML.',
          },
          {
            name: '--ext .html',
            type: '',
            description: 'The extension of the templates, if it is not `.liquid`.',
          },
          { name: '--format json', type: '', description: 'The same for programs.' },
        ],
      },
      {
        kind: 'words',
        text: 'Without `--needs` it lists every error with its place. In a program, `createEngine` takes the same templates, and `engine.diagnostics` contains the same list.',
      },
    ],
    also: [],
  }
}

function optionEntry(): Entry {
  const all = Object.entries(LIQUIDJS_OPTIONS)
  return {
    ...makeEntry(
      'options',
      'options',
      'Options of `new Liquid()` and of its render methods, compared with those of `createEngine`.',
    ),
    blocks: [
      {
        kind: 'words',
        text: 'Options of `new Liquid()` and of its render methods, compared with those of `createEngine`.',
      },
      {
        kind: 'rows',
        title: 'Options',
        columnTitles: HEADS,
        rows: all.map(([name, option]) => ({
          ...rowOf(name, optionStatus(name, option), option.differences),
          ...(option.description === '' ? {} : { description: option.description }),
        })),
      },
      ...all.flatMap(([name, { differences }]) => examplesOf(name, differences)),
    ],
    also: all.map(([name, option]) => statusRow(name, 'option', optionStatus(name, option))),
  }
}

function filterEntry(): Entry {
  const all = Object.entries(LIQUIDJS_FILTERS)
  const onPlatform = (name: string) => filterTable('platform').has(name)
  return {
    ...makeEntry('filters', 'filters', 'Filters of liquidjs, compared with those of Ingot.'),
    blocks: [
      { kind: 'words', text: COMPARISON_NOTE },
      {
        kind: 'rows',
        title: 'Filters',
        columnTitles: HEADS,
        rows: all.map(([name, differences]) =>
          rowOf(name, filterStatus(name), differences, findForeignFilter(name), onPlatform(name)),
        ),
      },
      ...all.flatMap(([name, differences]) => examplesOf(name, differences)),
    ],
    also: all.map(([name]) => statusRow(name, 'filter', filterStatus(name))),
  }
}

function tagEntry(): Entry {
  const all = Object.entries(LIQUIDJS_TAGS)
  const more = documentedTags().filter(({ name, platform }) => !platform && !Object.hasOwn(LIQUIDJS_TAGS, name))
  return {
    ...makeEntry('tags', 'tags', 'Tags of liquidjs, compared with those of Ingot.'),
    blocks: [
      { kind: 'words', text: COMPARISON_NOTE },
      {
        kind: 'rows',
        title: 'Tags',
        columnTitles: HEADS,
        rows: all.map(([name, differences]) => rowOf(name, tagStatus(name), differences, findForeignTag(name))),
      },
      {
        kind: 'rows',
        title: 'Tags that liquidjs does not have',
        rows: more.map(({ name, docs }) => ({
          name,
          type: '',
          description: docs.description,
          href: `tags/${name}.html`,
        })),
      },
      ...all.flatMap(([name, differences]) => examplesOf(name, differences)),
    ],
    also: all.map(([name]) => statusRow(name, 'tag', tagStatus(name))),
  }
}

function valueEntry(): Entry {
  const all = Object.entries(LIQUIDJS_VALUES)
  const summary = 'General differences from liquidjs: values, comparisons, errors.'
  return {
    ...makeEntry('values', 'values and errors', summary),
    blocks: [{ kind: 'words', text: summary }, ...all.flatMap(([name, difference]) => examplesOf(name, [difference]))],
    also: [],
  }
}

const COMPARISON_NOTE =
  "Compared with base Liquid (`dialect: 'liquid'`), which prints what the Ruby reference implementation prints. `same` refers to values of the expected kind; general differences are under `values and errors`."

function makeEntry(file: string, name: string, summary: string) {
  return {
    section: 'liquidjs',
    name,
    path: `liquidjs/${file}.html`,
    summary,
    badges: [],
    links: [],
  } as const
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
  return differences.map(({ description, template, data = {}, files = {}, options, liquidjs, ingot }, at) => ({
    kind: 'example',
    title: at === 0 ? name : '',
    description,
    files: [
      {
        path: Object.keys(files).length === 0 ? null : 'the template',
        text: template,
      },
      ...Object.entries(files).map(([path, text]) => ({ path, text })),
    ],
    prints: ingot,
    otherwise: { by: 'liquidjs', prints: liquidjs },
    notes: [
      ...Object.entries(data).map(([key, value]) => `\`${key}\` is \`${JSON.stringify(value)}\``),
      ...(options === undefined
        ? []
        : Object.entries(options)
            .filter(([, each]) => Object.keys(each).length > 0)
            .map(
              ([engine, each]) =>
                `${engine === 'ingot' ? 'Ingot' : engine} has the options \`${JSON.stringify(each)}\``,
            )),
    ],
  }))
}
