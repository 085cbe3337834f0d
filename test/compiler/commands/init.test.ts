/** The sites that `ingot init` writes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { init } from '../../../compiler/commands/init.ts'
import { generate } from '../../../compiler/commands/generate.ts'
import { compile } from '../../../compiler/compile.ts'
import { discover } from '../../../compiler/core/source/discover.ts'
import { NEW_SITE } from '../../support/new-site.ts'
import { markdownFiles } from '../../../compiler/tools/docs/markdown.ts'
import { allEntries } from '../../../compiler/tools/docs/reference.ts'
import { ACCOUNT_LINK, linkInLayout } from '../../../compiler/tools/generate/navigation.ts'
import { otherLanguages } from '../../../compiler/tools/generate/languages.ts'
import { siteOptions } from '../../../compiler/tools/site-options.ts'
import { findTemplate, TEMPLATES } from '../../../compiler/tools/templates/templates.ts'
import { writeSite } from '../../../compiler/tools/templates/write.ts'
import { COMMANDS } from '../../../server/commands.mjs'
import { folder } from '../../support/server/site.ts'

async function remarks(dir: string): Promise<readonly string[]> {
  const found = await discover(dir)
  const { diagnostics } = compile(found.files, { ...siteOptions(found), keepGoing: false })
  return diagnostics.map(({ code, span, message }) => `${span.file}: ${code}: ${message}`)
}

test.each(Object.keys(TEMPLATES))('the template %s compiles without a remark, and helps programs', async (name) => {
  const dir = join(folder({}), 'new', 'site')
  expect(await init(['--template', name, dir])).toBe(0)
  expect(await remarks(dir)).toEqual([])
  expect(readdirSync(join(dir, '..'))).toEqual(['site'])
  expect(readFileSync(join(dir, '.gitignore'), 'utf8')).toMatch(/^\.ingot\/$[^]*^\/\*\.tgz$/m)
  const agents = readFileSync(join(dir, 'AGENTS.md'), 'utf8')
  const commands = [...agents.matchAll(/npx ingot ([a-z]+)/g)].map(([, command = '']) => command)
  expect(commands.filter((command) => !Object.hasOwn(COMMANDS, command))).toEqual([])
  const [, query = ''] = /npx ingot explain ([a-z/]+)\\?`/.exec(agents) ?? []
  expect(existsSync(join(dir, `app/graphql/${query}.graphql`))).toBe(true)
  const guides = [...agents.matchAll(/\b([a-z]+)\.md\b/g)].map(([, guide = '']) => guide)
  const pages = [...markdownFiles(await allEntries()).keys()]
  expect(guides.filter((guide) => !pages.some((path) => path.endsWith(`/${guide}.md`)))).toEqual([])
})

test('without a terminal and a name, it is the site of the guides', async () => {
  const dir = join(folder({}), 'site')
  expect(await init([dir])).toBe(0)
  expect(readFileSync(join(dir, 'app/config.yml'), 'utf8')).toBe(NEW_SITE['app/config.yml'])
  expect(existsSync(join(dir, 'app/schema/dish.yml'))).toBe(true)
})

test('an unknown template is refused with a suggestion, before anything is written', async () => {
  const dir = join(folder({}), 'site')
  await expect(init(['--template', 'strter', dir])).rejects.toThrow('did you mean starter?')
  expect(() => findTemplate('constructor')).toThrow('use starter, blank, api, blog.')
  await expect(init(['--template', 'api', '--production'])).rejects.toThrow('--production')
  expect(existsSync(dir)).toBe(false)
})

test('the names of the help are those of the templates', () => {
  const [option = ''] = COMMANDS['init']?.options ?? []
  expect(/--template (\S+)/.exec(option)?.[1]?.split('|')).toEqual(Object.keys(TEMPLATES))
})

test('a folder keeps its own files, and gets all of the site or nothing', async () => {
  const dir = folder({ 'notes.txt': 'mine' })
  await writeSite(dir, { 'app/config.yml': 'a', 'seed/x.json': '{}' })
  expect(readdirSync(dir).toSorted()).toEqual(['app', 'notes.txt', 'seed'])
  await expect(writeSite(dir, { 'app/config.yml': 'b' })).rejects.toThrow('already holds a site')

  const taken = folder({ 'seed/mine.json': '{}' })
  await expect(writeSite(taken, { 'app/config.yml': 'a', 'seed/x.json': '{}' })).rejects.toThrow('already has seed')
  expect(readdirSync(taken)).toEqual(['seed'])
})

test('an interrupted command leaves nothing', async () => {
  const parent = folder({})
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`app/assets/${n}.txt`, 'x']))
  // Other tests of this process may listen too, and stop listening at any time.
  const others = new Set(process.listeners('SIGHUP'))
  const ours = (): NodeJS.SignalsListener | undefined =>
    process.listeners('SIGHUP').find((listener) => !others.has(listener))
  const writing = writeSite(join(parent, 'site'), many)
  // The writer listens after its draft is there.
  while (ours() === undefined) await new Promise((done) => setImmediate(done))
  ours()?.('SIGHUP')
  await expect(writing).rejects.toThrow('Interrupted. Nothing was written.')
  expect(readdirSync(parent)).toEqual([])
  expect(ours()).toBeUndefined()
})

test.each(['starter', 'blog'])('generators find their places in the template %s', async (name) => {
  const dir = join(folder({}), 'site')
  await init(['--template', name, dir])
  const read = (path: string): string | null =>
    existsSync(join(dir, path)) ? readFileSync(join(dir, path), 'utf8') : null
  expect(linkInLayout(ACCOUNT_LINK, read)).toEqual({})
  const before = read('app/translations/accounts.de.yml')
  expect(await generate(['accounts', '--dir', dir])).toBe(1)
  expect(await generate(['accounts', '--force', '--dir', dir])).toBe(0)
  // What somebody translated stays.
  expect(read('app/translations/accounts.de.yml')).toBe(before)
  expect(read('app/emails/welcome.liquid')).toContain('\nlayout: mailer\n---\n')
  expect(await generate(['crud', 'author', 'name', 'born:date', '--dir', dir])).toBe(0)
  const fields = ['title', 'pages:integer', 'cover:upload', 'author:references:author']
  expect(await generate(['crud', 'book', ...fields, '--policy', 'signed_in', '--dir', dir])).toBe(0)
  expect(await generate(['api', 'book', '--dir', dir])).toBe(0)
  expect(await remarks(dir)).toEqual([])
  if (name === 'starter') expect(read('app/translations/books.de.yml')).toMatch(/^de:\n {2}books:\n {4}title: Books\n/)
})

test('the languages of a site are told by the names of its translations', () => {
  const names = ['en.yml', 'de.yml', 'books.de.yml', 'shop.pt-BR.yml', 'fr', 'accounts.en.yml', 'notes.txt', 'admin']
  expect(otherLanguages(names)).toEqual(['de', 'fr', 'pt-BR'])
})

test('an existing folder that is a file is refused', async () => {
  const dir = folder({})
  mkdirSync(join(dir, 'x'))
  writeFileSync(join(dir, 'x', 'file'), '')
  await expect(init([join(dir, 'x', 'file')])).rejects.toThrow('is not a folder')
})
