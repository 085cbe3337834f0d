/** The files that `ingot generate` writes. */
import { describe, expect, test, vi } from 'vitest'
import { compile } from '../../../compiler/compile.ts'
import { generate, generateFiles } from '../../../compiler/commands/generate.ts'
import { discover } from '../../../compiler/core/source/discover.ts'
import { ACCOUNT_LINK, linkInLayout, listLink } from '../../../compiler/tools/generate/navigation.ts'
import { NEW_SITE } from '../../support/new-site.ts'
import { folder } from '../../support/server/site.ts'

const NOW = new Date('2026-02-28T12:30:00Z')
const ALL = ['title', 'pages:integer', 'price:float', 'read:boolean', 'out_on:date', 'seen_at:datetime', 'notes:text']

const AUTHOR: Readonly<Record<string, string>> = {
  'app/schema/author.yml': 'name: author\nproperties:\n  - name: born\n    type: date\n  - name: name\n',
}

function files(
  kind: string,
  name: string,
  fields: readonly string[] = [],
  policy: string | null = null,
  site: Readonly<Record<string, string>> = {},
) {
  return generateFiles(kind, name, fields, { policy, read: (path) => site[path] ?? null }, NOW)
}

async function remarks(more: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { files: found, ignored, testRuns } = await discover(folder({ ...NEW_SITE, ...more }))
  const options = {
    dialect: 'platform',
    syntax: 'lax',
    keepGoing: false,
    openEntries: false,
    ignored,
    testRuns,
  } as const
  return compile(found, options).diagnostics.map(({ code, span, message }) => `${span.file}: ${code}: ${message}`)
}

describe('a site with it compiles without a remark', () => {
  test.each([
    ['crud', 'book', ALL],
    ['crud', 'library_box', ['body:text']],
    ['table', 'book', ALL],
    ['page', 'shop/opening-hours', []],
    ['module', 'greeter', []],
    ['migration', 'fill_books', []],
  ])('%s %s', async (kind, name, fields) => {
    expect(await remarks(files(kind, name, fields))).toEqual([])
  })

  test('accounts', async () => {
    const layout = linkInLayout(ACCOUNT_LINK, (path) => NEW_SITE[path] ?? null)
    expect(
      await remarks({
        ...generateFiles('accounts', undefined, [], { policy: null }, NOW),
        ...layout,
      }),
    ).toEqual([])
  })

  test('an API of a table that is there', async () => {
    const table = files('table', 'book', [...ALL, 'cover:upload'])
    const api = files('api', 'book', [], null, table)
    expect(await remarks({ ...table, ...api })).toEqual([])
    const policy = { 'app/authorization_policies/has_token.liquid': '' }
    expect(Object.keys(files('api', 'book', [], null, { ...table, ...policy }))).not.toContain(Object.keys(policy)[0])
  })

  test('a form of a table that is there', async () => {
    const form = files('form', 'dish', ['name', 'price:integer'])
    const page = { 'app/views/pages/dishes/new.liquid': "{% include_form 'dishes/edit' %}\n" }
    const words = ['saved', 'save'].map((key) => `    ${key}: x\n`).join('')
    const translations = {
      'app/translations/dishes.en.yml': `en:\n  dishes:\n${words}    fields:\n      name: Name\n      price: Price\n`,
    }
    expect(await remarks({ ...form, ...page, ...translations })).toEqual([])
  })

  test('crud behind a policy of the site', async () => {
    const policy = {
      'app/authorization_policies/staff.liquid':
        '---\nname: staff\n---\n{% if context.current_user %}true{% endif %}\n',
    }
    const crud = files('crud', 'book', ALL, 'staff', policy)
    expect(await remarks({ ...policy, ...crud })).toEqual([])
    expect(crud['app/forms/books/edit.liquid']).toContain('authorization_policies:\n  - staff\n')
    expect(Object.keys(crud).filter((path) => path.includes('authorization_policies/'))).toEqual([])
    expect(Object.keys(crud)).not.toContain('app/lib/test/books_test.yml')
    const dir = folder({ ...NEW_SITE, ...policy })
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    expect(await generate(['crud', 'book', 'title', '--policy', 'staff', '--dir', dir])).toBe(0)
    expect(said.mock.calls.join('')).toContain('because it needs a user whom the policy staff allows to write.')
    said.mockRestore()
    written.mockRestore()
  })

  test('crud with a policy that is created with it', async () => {
    const crud = files('crud', 'book', ALL, 'editors')
    expect(await remarks(crud)).toEqual([])
    expect(crud['app/authorization_policies/editors.liquid']).toContain('name: editors\n')
    expect(Object.keys(crud)).toContain('app/lib/test/books_test.yml')
  })

  test('crud with files and relations', async () => {
    const fields = ['title', 'author:references', 'editor_id:references:author', 'cover:upload', 'sample:upload']
    const crud = files('crud', 'book', fields, null, AUTHOR)
    expect(await remarks({ ...AUTHOR, ...crud })).toEqual([])
    expect(crud['app/schema/book.yml']).toContain('  - name: author_id\n    belongs_to: author\n')
    expect(crud['app/views/pages/books/show.liquid']).toContain('{{ book.author.name }}')
  })
})

test.each([
  [[], 'created', 'changed'],
  [['--dry-run'], 'would create', 'would change'],
])('what happens to each file is printed, with %j', async (options, created, changed) => {
  const dir = folder(NEW_SITE)
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  expect(await generate(['crud', 'book', 'title', '--dir', dir, ...options])).toBe(0)
  const lines = written.mock.calls.map(([line]) => line)
  written.mockRestore()
  expect(lines[0]).toBe(`${created} app/schema/book.yml\n`)
  expect(lines.at(-1)).toBe(`${changed} app/views/layouts/application.liquid\n`)
  expect(lines.slice(0, -1).filter((line) => !String(line).startsWith(`${created} app/`))).toEqual([])
})

test('a link to the list joins the navigation of the layout, once', async () => {
  const layout = 'app/views/layouts/application.liquid'
  const link = listLink('books')
  const linked = linkInLayout(link, (path) => NEW_SITE[path] ?? null)
  expect(linked[layout]).toContain(
    `</a></li>\n          <li><a href="/books"{% if context.location.pathname == '/books' %} aria-current="page"{% endif %}>{{ 'books.title' | t }}</a></li>\n        </ul>`,
  )
  expect(linkInLayout(link, (path) => linked[path] ?? null)).toEqual({})
  expect(linkInLayout(link, () => '<main>{{ content_for_layout }}</main>')).toEqual({})
  expect(linkInLayout(link, () => '<nav><a href="/">x</a></nav>')[layout]).toContain('<a href="/books"')
  expect(await remarks({ ...files('crud', 'book', ALL), ...linked })).toEqual([])
})

test('names are told by their plural, and a migration by its time', () => {
  expect(Object.keys(files('crud', 'category', ['name']))).toContain('app/views/pages/categories/index.liquid')
  expect(Object.keys(files('crud', 'box', ['name']))).toContain('app/graphql/boxes/list.graphql')
  expect(Object.keys(files('migration', 'fill'))).toEqual(['app/migrations/20260228123000_fill.liquid'])
})

test.each([
  ['crd', 'book', ['a'], /did you mean crud/],
  ['crud', 'Book', ['a'], /is not a table name/],
  ['crud', 'book', [], /needs fields/],
  ['crud', 'book', ['a:nteger'], /did you mean a:integer/],
  ['crud', 'book', ['a', 'a:text'], /given twice/],
  ['crud', 'book', ['a:b:c'], /is not a field/],
  ['crud', 'book', ['photo:upload'], /a field that names a row/],
  ['crud', 'book', ['a', 'b:references:c'], /There is no table 'c'.*ingot generate crud c name/],
  ['crud', 'book', ['a', 'b:references:C'], /'C' is not a table name/],
  ['api', 'book', [], /There is no table 'book'/],
  ['accounts', 'x', [], /does not take 'x'/],
  ['page', '../x', [], /is not a path/],
  ['page', 'x', ['a'], /does not take 'a'/],
])('%s %s %j is refused', (kind, name, fields, sentence) => {
  expect(() => files(kind, name, fields)).toThrow(sentence)
})
