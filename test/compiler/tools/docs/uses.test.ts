/** Each recipe links all files that it needs: a new site with the files of its page and of these links compiles. */
import { describe, expect, it } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import { COOKBOOK } from '../../../../compiler/tools/docs/cookbook/index.ts'
import type { Entry } from '../../../../compiler/tools/docs/entry.ts'
import { GUIDES } from '../../../../compiler/tools/docs/guides/index.ts'
import { sourceFiles } from '../../../support/case-file.ts'
import { documentedSite, shownFiles } from '../../../support/documented-site.ts'

/** Returns the files that a recipe names with a link, each with the path of the linked page. */
function linked({ blocks }: Entry): readonly (readonly [file: string, page: string])[] {
  const items = blocks.flatMap((block) => (block.kind === 'list' ? block.items : []))
  return items.flatMap((item) => {
    const [, files = '', page = ''] = /^((?:`app\/[^`]+`(?:, |: ))+)\[[^\]]+\]\(([^)#]+)[^)]*\)$/.exec(item) ?? []
    return [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => [file, page] as const)
  })
}

const everything = documentedSite([...GUIDES, ...COOKBOOK])
const named = (file: string) => COOKBOOK.find(({ path }) => path === `cookbook/${file}.html`)

it('the links lead to the pages that show the files', () => {
  const shown = new Set(shownFiles([...GUIDES, ...COOKBOOK]).map(({ page, path }) => `${page} ${path}`))
  const all = COOKBOOK.flatMap(linked)
  expect(all.length).toBeGreaterThan(40)
  expect(all.filter(([file, page]) => !shown.has(`${page} ${file}`))).toEqual([])
})

it('files of the recipe itself and of a new site are not linked', () => {
  const search = named('search')
  expect(search && linked(search)).toEqual([])
  const webhooks = named('webhooks')
  expect(webhooks && linked(webhooks)).toEqual([['app/lib/params/text.liquid', 'cookbook/search.html']])
})

/** Codes about pages that a redirect leads to, and about other translations. Both are the reader's own. */
const OWN = new Set(['missing-page', 'unmatched-translation'])

describe('a new site compiles with the files of a recipe and of its links', () => {
  it.each(COOKBOOK.map((recipe) => [recipe.name, recipe] as const))('%s', (_, recipe) => {
    const others = linked(recipe).map(([file]) => [file, everything[file] ?? ''] as const)
    const site = { ...Object.fromEntries(others), ...documentedSite([recipe]) }
    const options = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false } as const
    const { diagnostics } = compile(sourceFiles(site, 'platform'), options)
    const found = diagnostics.filter(({ code }) => !OWN.has(code))
    expect(found.map(({ code, message, hint }) => `${code}: ${message} ${hint ?? ''}`)).toEqual([])
  })
})
