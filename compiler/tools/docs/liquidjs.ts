/** The pages for those who come from liquidjs: its options, filters and tags beside ours, and how to look at one's own templates. */
import { type ForeignName, findForeignFilter, findForeignTag } from '../../core/diagnostics/foreign-names.ts'
import { filterTable } from '../../language/types/filters.ts'
import type { Block, Entry, Row } from './entry.ts'
import {
  type Difference,
  LIQUIDJS_FILTERS,
  LIQUIDJS_OPTIONS,
  LIQUIDJS_TAGS,
  LIQUIDJS_VALUES,
  type OptionOfLiquidjs,
} from './liquidjs-names.ts'
import { documentedTags } from './tags.ts'

export type Status = 'same' | 'differs' | 'not there'

const HEADS = ['liquidjs', 'Ingot', 'What to know'] as const

/** How ours in base Liquid is to the filter of this name. */
export function filterStatus(name: string): Status {
  if (!filterTable('liquid').has(name)) return 'not there'
  return LIQUIDJS_FILTERS[name]?.length === 0 ? 'same' : 'differs'
}

/** How ours in base Liquid is to the tag of this name. */
export function tagStatus(name: string): Status {
  if (!documentedTags().some((tag) => !tag.platform && tag.name === name)) return 'not there'
  return LIQUIDJS_TAGS[name]?.length === 0 ? 'same' : 'differs'
}

function optionStatus(name: string, { ours, differences }: OptionOfLiquidjs): Status {
  if (ours !== name) return 'not there'
  return differences.length === 0 ? 'same' : 'differs'
}

/** The entries, in the order in which somebody reads them. */
export function liquidjsEntries(): readonly Entry[] {
  return [folderEntry(), optionEntry(), filterEntry(), tagEntry(), valueEntry()]
}

function folderEntry(): Entry {
  return {
    ...named('folder', 'a folder of templates', 'What a folder of templates would need before Ingot renders it.'),
    blocks: [
      {
        kind: 'code',
        lines: ['npx ingot check --dialect liquid views --data data.json --needs'],
      },
      {
        kind: 'words',
        text: 'Reads the templates below `views` as base Liquid, and tells what they need that is not there: tags, filters and files, counted, each with its places and with what to write instead, and variables that the data do not have.',
      },
      {
        kind: 'rows',
        title: 'Options',
        rows: [
          {
            name: '--data FILE',
            type: '',
            says: 'Data as they are handed to a render, as JSON or YAML.',
          },
          {
            name: '--ext .html',
            type: '',
            says: 'The ending of the templates, where it is not `.liquid`.',
          },
          { name: '--format json', type: '', says: 'The same for programs.' },
        ],
      },
      {
        kind: 'words',
        text: 'Without `--needs` it lists every mistake with its place. In a program, `createEngine` takes the same templates, and `engine.diagnostics` has the same list.',
      },
    ],
    also: [],
  }
}

function optionEntry(): Entry {
  const all = Object.entries(LIQUIDJS_OPTIONS)
  return {
    ...named('options', 'options', 'Options of `new Liquid()` and of its renders, beside those of `createEngine`.'),
    blocks: [
      {
        kind: 'words',
        text: 'Options of `new Liquid()` and of its renders, beside those of `createEngine`.',
      },
      {
        kind: 'rows',
        title: 'Options',
        heads: HEADS,
        rows: all.map(([name, option]) => ({
          ...rowOf(name, optionStatus(name, option), option.differences),
          ...(option.says === '' ? {} : { says: option.says }),
        })),
      },
      ...all.flatMap(([name, { differences }]) => examplesOf(name, differences)),
    ],
    also: all.map(([name, option]) => found(name, 'option', optionStatus(name, option))),
  }
}

function filterEntry(): Entry {
  const all = Object.entries(LIQUIDJS_FILTERS)
  const onPlatform = (name: string) => filterTable('platform').has(name)
  return {
    ...named('filters', 'filters', 'Filters of liquidjs beside ours.'),
    blocks: [
      { kind: 'words', text: COMPARED },
      {
        kind: 'rows',
        title: 'Filters',
        heads: HEADS,
        rows: all.map(([name, differences]) =>
          rowOf(name, filterStatus(name), differences, findForeignFilter(name), onPlatform(name)),
        ),
      },
      ...all.flatMap(([name, differences]) => examplesOf(name, differences)),
    ],
    also: all.map(([name]) => found(name, 'filter', filterStatus(name))),
  }
}

function tagEntry(): Entry {
  const all = Object.entries(LIQUIDJS_TAGS)
  const more = documentedTags().filter(({ name, platform }) => !platform && !Object.hasOwn(LIQUIDJS_TAGS, name))
  return {
    ...named('tags', 'tags', 'Tags of liquidjs beside ours.'),
    blocks: [
      { kind: 'words', text: COMPARED },
      {
        kind: 'rows',
        title: 'Tags',
        heads: HEADS,
        rows: all.map(([name, differences]) => rowOf(name, tagStatus(name), differences, findForeignTag(name))),
      },
      {
        kind: 'rows',
        title: 'Tags that liquidjs does not have',
        rows: more.map(({ name, docs }) => ({
          name,
          type: '',
          says: docs.says,
          href: `tags/${name}.html`,
        })),
      },
      ...all.flatMap(([name, differences]) => examplesOf(name, differences)),
    ],
    also: all.map(([name]) => found(name, 'tag', tagStatus(name))),
  }
}

function valueEntry(): Entry {
  const all = Object.entries(LIQUIDJS_VALUES)
  const summary = 'What differs from liquidjs wherever it stands: values, comparisons, errors.'
  return {
    ...named('values', 'values and errors', summary),
    blocks: [{ kind: 'words', text: summary }, ...all.flatMap(([name, difference]) => examplesOf(name, [difference]))],
    also: [],
  }
}

const COMPARED =
  "Compared with base Liquid (`dialect: 'liquid'`), which prints what the Ruby reference prints. `same` speaks of values of the kind that is meant; what differs everywhere is under `values and errors`."

function named(file: string, name: string, summary: string) {
  return {
    section: 'liquidjs',
    name,
    path: `liquidjs/${file}.html`,
    summary,
    badges: [],
    links: [],
  } as const
}

function found(name: string, kind: string, status: Status) {
  return { name, summary: `A ${kind} of liquidjs: ${status}.`, id: idOf(name) }
}

function idOf(name: string): string {
  return name === '#' ? 'inline-comment' : name
}

function rowOf(
  name: string,
  status: Status,
  differences: readonly Difference[],
  elsewhere: ForeignName | null = null,
  onPlatform = false,
): Row {
  const says =
    status === 'not there' ? insteadOf(elsewhere, onPlatform) : differences.map((each) => each.says).join(' ')
  return { name, type: status, says, id: idOf(name) }
}

function insteadOf(elsewhere: ForeignName | null, onPlatform: boolean): string {
  const { liquid = '', platform = '' } = elsewhere?.replacement ?? {}
  if (onPlatform) return `${liquid} The platform's dialect has it.`
  return platform === '' || platform === liquid ? liquid : `${liquid} In the platform's dialect: ${platform}`
}

function examplesOf(name: string, differences: readonly Difference[]): readonly Block[] {
  return differences.map(({ says, template, data = {}, files = {}, options, liquidjs, ingot }, at) => ({
    kind: 'example',
    title: at === 0 ? name : '',
    says,
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
