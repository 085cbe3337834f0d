/** The files that `ingot generate` writes. */
import { describe, expect, test } from 'vitest'
import { compile } from '../../../compiler/compile.ts'
import { generateFiles } from '../../../compiler/commands/generate.ts'
import { discover } from '../../../compiler/core/source/discover.ts'
import { NEW_SITE } from '../../../compiler/core/source/new-site.ts'
import { folder } from '../../support/server/site.ts'

const NOW = new Date('2026-02-28T12:30:00Z')
const ALL = ['title', 'pages:integer', 'price:float', 'read:boolean', 'out_on:date', 'seen_at:datetime', 'notes:text']

function files(kind: string, name: string, fields: readonly string[] = [], policy: string | null = null) {
  return generateFiles(kind, name, fields, { policy }, NOW)
}

async function remarks(more: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { files: found, ignored } = await discover(folder({ ...NEW_SITE, ...more }))
  const options = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false, ignored } as const
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
    const crud = files('crud', 'book', ALL, 'staff')
    expect(await remarks({ ...policy, ...crud })).toEqual([])
    expect(crud['app/forms/books/edit.liquid']).toContain('authorization_policies:\n  - staff\n')
    expect(Object.keys(crud).filter((path) => path.includes('authorization_policies/'))).toEqual([])
  })
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
  ['page', '../x', [], /is not a path/],
  ['page', 'x', ['a'], /does not take 'a'/],
])('%s %s %j is refused', (kind, name, fields, sentence) => {
  expect(() => files(kind, name, fields)).toThrow(sentence)
})
