/** Tests that the tests of `ingot generate` pass on the generated site. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateFiles } from '../../../../compiler/commands/generate.ts'
import { NEW_SITE } from '../../../support/new-site.ts'
import { readSettings } from '../../../../server/core/settings.ts'
import { readTestLine, runTests } from '../../../../server/commands/test.ts'
import { SiteTests } from '../../../../server/tools/testing/site-tests.ts'
import { testDatabase } from '../../../support/database.ts'
import { builtProduct } from '../../../support/product.ts'
import { folder } from '../../../support/server/site.ts'

test('a table with all that belongs to it is listed, filled, changed and emptied', async () => {
  const fields = [
    'title',
    'pages:integer',
    'price:float',
    'read:boolean',
    'out_on:date',
    'seen_at:datetime',
    'notes:text',
  ]
  const author = { 'app/schema/author.yml': 'name: author\nproperties:\n  - name: name\n' }
  const read = (path: string): string | null => (path === 'app/schema/author.yml' ? author[path] : null)
  const accounts = generateFiles('accounts', undefined, [], { policy: null }, new Date())
  const readAccounts = (path: string): string | null => accounts[path] ?? null
  const withAccounts = { policy: 'signed_in', read: readAccounts }
  const make = (kind: string, name: string, of: readonly string[] = [], policy: string | null = null) =>
    generateFiles(kind, name, of, { policy, read }, new Date())
  const dir = folder({
    ...NEW_SITE,
    ...make('crud', 'book', fields),
    ...author,
    ...make('crud', 'blog_post', ['body:text']),
    ...make('crud', 'letter', ['author:references', 'pages:integer', 'sent_on:date', 'scan:upload'], 'editors'),
    ...make('api', 'author'),
    ...accounts,
    ...generateFiles('crud', 'trip', ['name', 'seats:integer'], withAccounts, new Date()),
    ...make('page', 'shop/opening-hours'),
    ...make('module', 'greeter'),
  })
  const database = await testDatabase()
  const settings = readSettings({ DATABASE_URL: database.url }, 'development')
  const programs = { bin: join(builtProduct(), 'server/bin.mjs'), thread: join(builtProduct(), 'dist/job-thread.mjs') }
  const tests = await SiteTests.open({ dir, settings, version: '0.1.0', ...programs })
  let out = ''
  const take = (text: string): void => void (out += text)
  const code = await runTests(readTestLine([dir]), tests, { out: take, print: take, color: false, status: null })
  await tests.close()
  await database.close()
  expect(out).toMatch(/^10 tests, \d+ assertions: all passed/m)
  expect(code).toBe(0)
})
