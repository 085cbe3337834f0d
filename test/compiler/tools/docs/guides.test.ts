/**
 * The guides: their examples together are one site, which compiles without diagnostics and prints the documented output. Their commands
 * exist.
 */
import { type GraphQLArgument, type GraphQLInputField, isInputObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import { COOKBOOK } from '../../../../compiler/tools/docs/cookbook/index.ts'
import { GUIDES } from '../../../../compiler/tools/docs/guides/index.ts'
import { markdownFiles } from '../../../../compiler/tools/docs/markdown.ts'
import { allEntries } from '../../../../compiler/tools/docs/reference.ts'
import { TOOLS } from '../../../../compiler/tools/docs/tools/index.ts'
import { schema } from '../../../../runtime/data/query/index.ts'
import { COMMANDS } from '../../../../server/commands.mjs'
import { bodyText } from '../../../support/built-site.ts'
import { sourceFiles } from '../../../support/case-file.ts'
import { guideRows } from '../../../support/guide-code.ts'
import {
  documentedRuns,
  documentedSite,
  examplesOf,
  filesShownTwice,
  shownFiles,
} from '../../../support/documented-site.ts'
import { type ServedFiles, servedFiles } from '../../../support/served-files.ts'

const examples = examplesOf(GUIDES)
const site = documentedSite(GUIDES)
const testRuns = documentedRuns(GUIDES)

/** Fills the tables with the same rows as the seed of a new site. */
const FILL = `{% graphql made %}
mutation {
  records_create_rc(records: [
    { table: "dish", properties: { name: "Tomato soup", price: 6, stock: 3 } }
    { table: "dish", properties: { name: "Baked trout", price: 17, stock: 3 } }
    { table: "dish", properties: { name: "Plum cake", price: 5, stock: 3 } }
  ]) { id }
}
{% endgraphql %}
{% assign dish = made.records_create_rc | first %}
{% graphql _, id: dish.id %}
mutation review($id: String!) {
  record_create(record: { table: "review", properties: [
    { name: "dish_id", value: $id }, { name: "stars", value_int: 5 }, { name: "words", value: "Like at home" }
  ] }) { id }
}
{% endgraphql %}
`

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')

/** Returns a pattern for a part of a page, in which `…` matches any text. */
function patternOf(prints: string): RegExp {
  const literal = lines(prints)
    .split('…')
    .map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(literal.join('[^]*'))
}

describe('the examples', () => {
  it('are files that no two guides show differently', () => {
    expect(filesShownTwice(GUIDES)).toEqual([])
    expect(shownFiles(GUIDES).length).toBeGreaterThan(60)
  })

  it('are one site that the compiler reports nothing for', () => {
    const options = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false, testRuns } as const
    const { diagnostics } = compile(sourceFiles(site, 'platform'), options)
    expect(diagnostics.map(({ code, message, hint }) => `${code}: ${message} ${hint ?? ''}`)).toEqual([])
  })

  describe('print what they say', () => {
    let served: ServedFiles
    beforeAll(async () => {
      served = await servedFiles({ ...site, 'app/views/pages/fill.liquid': FILL })
      expect((await served.get('/fill')).status).toBe(200)
      return undefined
    })
    afterAll(() => served?.close())

    const visits = examples.flatMap(([guide, { url, prints }]) =>
      url === undefined ? [] : [[guide, url, prints ?? ''] as const],
    )
    it('in every guide that shows pages', () => {
      expect(visits.length).toBeGreaterThan(15)
    })
    it.each(visits)('%s: %s', async (_, url, prints) => {
      const [method, address] = url.startsWith('POST ') ? ['POST', url.slice('POST '.length)] : ['GET', url]
      const reply = await served.get(address ?? '', { method: method ?? '' })
      expect(lines(bodyText(reply))).toMatch(patternOf(prints))
    })
  })
})

describe('the commands of the guides and recipes', () => {
  const named = (text: string) => [...text.matchAll(/(?:npx |`)ingot ([a-z]+)/g)].map((found) => found[1] ?? '')

  it('are commands of `ingot`', () => {
    const texts = [...GUIDES, ...COOKBOOK].flatMap((guide) =>
      guide.blocks.flatMap((block) =>
        block.kind === 'code'
          ? block.lines
          : block.kind === 'words'
            ? [block.text]
            : block.kind === 'list'
              ? block.items
              : [],
      ),
    )
    const commands = texts.flatMap(named)
    expect(commands.length).toBeGreaterThan(50)
    expect(commands.filter((name) => !Object.hasOwn(COMMANDS, name))).toEqual([])
  })

  it('are all on the page of commands, and no others', () => {
    const usages = TOOLS.filter(({ name }) => name === 'Commands').flatMap(({ also }) => also.map(({ name }) => name))
    const rows = new Set(usages.flatMap((usage) => usage.match(/(?<=ingot )[a-z|]+/g) ?? []))
    const listed = new Set([...rows].flatMap((name) => name.split('|')))
    const known = Object.entries(COMMANDS).flatMap(([name, command]) => (command.hidden === true ? [] : [name]))
    expect([...listed].toSorted()).toEqual(known.toSorted())
  })
})

describe('the tables of the guide to queries name what the schema has', () => {
  const rows = (title: string) => guideRows('graphql', title).map(({ name, type }) => [name, type])
  const rowsOf = (all: readonly (GraphQLInputField | GraphQLArgument)[]) =>
    all.map(({ name, type }) => [name, `\`${String(type)}\``])

  it.each([
    ['Conditions on a property', 'PropertyFilterInput'],
    ['Conditions on a text: table, external_id, email', 'StringFilter'],
    ['Conditions on an id', 'UniqIdFilter'],
    ['Conditions on a time: created_at, updated_at, deleted_at', 'DateFilter'],
    ['Keys of the filter of records', 'RecordsFilterInput'],
    ['Keys of a sort of records', 'RecordsSortInput'],
    ['Order of a column', 'StandardSort'],
    ['Order of a property', 'PropertySort'],
  ])('%s', (title, name) => {
    const type = schema().getType(name)
    expect(rows(title)).toEqual(isInputObjectType(type) ? rowsOf(Object.values(type.getFields())) : null)
  })

  it.each([
    'records',
    'record_create',
    'record_update',
    'record_delete',
    'records_update_all',
    'records_delete_all',
    'records_create_rc',
  ])('the arguments of %s', (name) => {
    const roots = [schema().getQueryType(), schema().getMutationType()]
    const fields = roots.flatMap((type) => type?.getFields()[name] ?? [])
    expect(rows(`${name}: arguments`)).toEqual(rowsOf(fields.flatMap(({ args }) => args)))
  })
})

it('the guides are written as Markdown, and listed first in llms.txt', async () => {
  const files = markdownFiles(await allEntries())
  const index = files.get('llms.txt') ?? ''
  for (const { path, name } of GUIDES) {
    const markdown = path.replace('.html', '.md')
    expect(files.get(markdown)).toContain(`# ${name}`)
    expect(index).toContain(`](${markdown})`)
  }
  expect(index.indexOf('## Guides')).toBeLessThan(index.indexOf('## Filters'))
  expect(files.get('guides/graphql.md')).toContain('| array_overlaps |')
})
