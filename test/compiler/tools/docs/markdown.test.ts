/** The reference as Markdown: all entries, and an index without broken links. */
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { allEntries } from '../../../../compiler/tools/docs/reference.ts'
import { markdownFiles } from '../../../../compiler/tools/docs/markdown.ts'
import { NEW_SITE } from '../../../support/new-site.ts'
import { COMMANDS } from '../../../../server/commands.mjs'

test('every entry is a file, and every link leads to one', async () => {
  const entries = await allEntries()
  const files = markdownFiles(entries)
  expect(files.size).toBe(entries.length + 1)
  const lost = [...files].flatMap(([path, text]) =>
    [...text.replaceAll(/^(`{3,})[^]*?^\1$/gm, '').matchAll(/\]\(([^)#\s]+\.md)(?:#[^)]*)?\)/g)]
      .map(([, to = '']) => join(dirname(path), to))
      .filter((to) => !files.has(to))
      .map((to) => `${path} → ${to}`),
  )
  expect(lost).toEqual([])
  const index = files.get('llms.txt') ?? ''
  expect(index.match(/^- \[/gm)).toHaveLength(entries.length)
})

test('a page has what an entry has, whatever signs stand in it', () => {
  const block = {
    ...({ kind: 'example', title: 'Example', description: null, prints: 'x', notes: ['a `b`'] } as const),
    files: [
      { path: 'app/a.liquid', text: '```\n{{ x }}\n```\n' },
      { path: 'app/a.yml', text: 'name: a' },
    ],
  }
  const rows = { kind: 'rows', title: 'Takes', rows: [{ name: 'a', type: 'x|y', description: 'two\nlines' }] } as const
  const entry = {
    section: 'filters',
    name: 'f',
    path: 'filters/f.html',
    summary: 'It is.',
    badges: [],
    also: [],
  } as const
  const links = [{ htmlBefore: 'See', name: 'g', href: 'tags/g.html' }]
  const text = markdownFiles([{ ...entry, links, blocks: [rows, block] }]).get('filters/f.md')
  expect(text).toBe(
    '# f\n\nIt is.\n\nSee [g](../tags/g.md).\n\n## Takes\n\n| Name | Type | Meaning |\n|---|---|---|\n| a | x\\|y | two lines |\n\n## Example\n\n`app/a.liquid`:\n\n````liquid\n```\n{{ x }}\n```\n````\n\n`app/a.yml`:\n\n```yaml\nname: a\n```\n\nprints\n\n```\nx\n```\n\n- a `b`\n',
  )
})

test('what a new site tells agents names commands that are there', () => {
  const named = [...(NEW_SITE['AGENTS.md'] ?? '').matchAll(/npx ingot ([a-z]+)/g)].map((found) => found[1] ?? '')
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((name) => !Object.hasOwn(COMMANDS, name))).toEqual([])
})
