/** Tests that the tests of the templates of `ingot init` pass, also beside what `ingot generate` adds to them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateFiles } from '../../../../compiler/commands/generate.ts'
import { GUIDES } from '../../../../compiler/tools/docs/guides/index.ts'
import { findTemplate, templateFiles } from '../../../../compiler/tools/templates/templates.ts'
import { readSettings } from '../../../../server/core/settings.ts'
import { readTestLine, runTests } from '../../../../server/commands/test.ts'
import { SiteTests } from '../../../../server/tools/testing/site-tests.ts'
import { testDatabase } from '../../../support/database.ts'
import { builtProduct } from '../../../support/product.ts'
import { documentedRequests, documentedSite } from '../../../support/documented-site.ts'
import { folder } from '../../../support/server/site.ts'

test.each([
  ['starter', 6],
  ['api', 2],
  ['blog', 3],
])('the tests of the template %s pass', async (name, count) => {
  const files = templateFiles(findTemplate(name))
  const read = (path: string): string | null => files[path] ?? null
  const more =
    name === 'starter'
      ? generateFiles('crud', 'book', ['title', 'pages:integer', 'cover:upload'], { policy: null, read }, new Date())
      : {}
  const api =
    name === 'starter'
      ? generateFiles('api', 'book', [], { policy: null, read: (path) => more[path] ?? null }, new Date())
      : {}
  expect(await outputOf({ ...files, ...more, ...api })).toMatch(
    new RegExp(`^${count} tests, \\d+ assertions: all passed`, 'm'),
  )
})

test('the tests that the guides show pass', async () => {
  const site = { ...documentedSite(GUIDES), ...documentedRequests(GUIDES) }
  expect(await outputOf(site)).toMatch(/^5 tests, \d+ assertions: all passed/m)
})

/** Runs the tests of a site, and returns what is printed. */
async function outputOf(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = folder(files)
  const database = await testDatabase()
  const settings = readSettings({ DATABASE_URL: database.url }, 'development')
  const programs = { bin: join(builtProduct(), 'server/bin.mjs'), thread: join(builtProduct(), 'dist/job-thread.mjs') }
  const { version } = JSON.parse(readFileSync(join(builtProduct(), 'package.json'), 'utf8')) as { version: string }
  const tests = await SiteTests.open({ dir, settings, version, ...programs })
  let out = ''
  const take = (text: string): void => void (out += text)
  await runTests(readTestLine([dir]), tests, { out: take, print: take, color: false, status: null })
  await tests.close()
  await database.close()
  return out
}
