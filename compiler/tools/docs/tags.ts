/**
 * The tags of the reference. Their documentation is in each tag's file. `liquid` and line comments are not registered tags and are
 * documented here.
 */
import type { Example, TagDocs } from '../../core/model/reference.ts'
import * as registry from '../../language/tags/index.ts'
import type { Tag } from '../../language/tags/tag.ts'
import type { Block, Entry } from './entry.ts'
import { codeBlock, example, makeEntry, nameList, namesTable, paragraph } from './page.ts'

/** A tag form that templates can contain, with its examples. */
export interface DocumentedTag {
  readonly name: string
  readonly usage: string
  readonly aliases: readonly string[]
  readonly deprecated: string | null
  readonly branches: readonly string[]
  readonly platform: boolean
  readonly docs: TagDocs
}

/** What tag forms have that are not registered. */
const UNREGISTERED = { aliases: [], deprecated: null, branches: [], platform: false }

const UNREGISTERED_FORMS: readonly DocumentedTag[] = [
  {
    ...UNREGISTERED,
    name: 'liquid',
    usage: '{% liquid … %}',
    docs: {
      description:
        'Contains one tag per line, without `{%` and `%}`. Blocks must end inside the tag; `echo` and `print` print values. Arguments can continue on the next line after a comma.',
      examples: [
        {
          template:
            "{% liquid\n  assign teas = 'green,black' | split: ','\n  for tea in teas\n    echo tea | capitalize\n  endfor\n%}",
          prints: 'GreenBlack',
        },
      ],
    },
  },
  {
    ...UNREGISTERED,
    name: '#',
    usage: '{% # words %}',
    docs: {
      description: 'A comment of one line; in `liquid` also at the end of a line.',
      examples: [{ template: 'Tea{% # of the day %}', prints: 'Tea' }],
    },
  },
]

/** Returns every tag form by name. */
export function documentedTags(): readonly DocumentedTag[] {
  const known = Object.values<Tag>(registry).flatMap((tag): DocumentedTag[] =>
    tag.docs === undefined
      ? []
      : [
          {
            name: tag.name,
            usage: tag.usage,
            aliases: tag.aliases ?? [],
            deprecated: tag.deprecated ?? null,
            branches: Object.keys(tag.branches ?? {}),
            platform: tag.platform === true,
            docs: tag.docs,
          },
        ],
  )
  return [...known, ...UNREGISTERED_FORMS].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

export function tagEntries(): readonly Entry[] {
  const tags = documentedTags()
  return tags.map((tag) => tagEntry(tag, (name) => tags.some((each) => each.name === name)))
}

function pathOf(name: string): string {
  return `tags/${name === '#' ? 'inline-comment' : name}.html`
}

function tagEntry(tag: DocumentedTag, known: (name: string) => boolean): Entry {
  const { name, usage, aliases, deprecated, docs, branches, platform } = tag
  return makeEntry({
    section: 'tags',
    name,
    path: pathOf(name),
    summary: docs.description.split(/(?<=[.:]) /)[0]?.replace(/:$/, '.') ?? docs.description,
    badges: [
      ...(deprecated === null ? [] : [{ text: 'deprecated', tone: 'warn' as const }]),
      ...(platform ? [] : [{ text: 'base Liquid', tone: 'plain' as const }]),
    ],
    links:
      deprecated !== null && known(deprecated)
        ? [{ htmlBefore: 'Write instead', name: deprecated, href: pathOf(deprecated) }]
        : [],
    blocks: [
      codeBlock(usage, ...(docs.forms ?? [])),
      paragraph(docs.description),
      ...nameList('Older names:', aliases),
      ...nameList('Inside:', branches),
      ...(docs.arguments === undefined
        ? []
        : [
            namesTable(
              'Arguments',
              Object.entries(docs.arguments).map(([key, description]) => [`${key}:`, description]),
            ),
          ]),
      ...docs.examples.map(exampleBlock),
    ],
    words: docs.arguments === undefined ? 'tag' : 'tag arguments',
    also: aliases.map((alias) => ({ name: alias, summary: `Older name of \`${name}\`.`, id: '' })),
  })
}

/** Renders an example with its files and its output. */
export function exampleBlock({ description, template, files, url, prints, status, headers = {} }: Example): Block {
  return example(
    { '': template, ...files },
    {
      title: 'Example',
      description: description ?? null,
      prints: prints === '' ? null : prints,
      notes: [
        ...(url === undefined ? [] : [`The visitor asks for \`${url}\``]),
        ...(status === undefined ? [] : [`Status \`${status}\``]),
        ...Object.entries(headers).map(([name, value]) => `Header \`${name}: ${value}\``),
      ],
    },
  )
}
