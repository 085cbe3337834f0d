/** Reading a page from Markdown, and the errors for Markdown that is not read. */
import { describe, expect, it } from 'vitest'
import { parsePage } from '../../../../compiler/tools/docs/parse-page.ts'

const HEAD = '# Soup\n<!-- words: broth -->\n\nHow to cook.\n'

const parse = (body: string) => parsePage('guides', 'soup', `${HEAD}\n${body}`)

it('a guide has a name, a summary, words, parts, texts, lists and commands', () => {
  const body = `## With salt
<!-- words: salty -->

One line
and [another](fish-stew.md#in-a-pot), [a page](reference:settings/page.html).

- first
  item
- second

\`\`\`sh
npx ingot dev
npx ingot check
\`\`\`
`
  expect(parse(body)).toMatchObject({
    section: 'guides',
    name: 'Soup',
    path: 'guides/soup.html',
    summary: 'How to cook.',
    words: 'broth',
    also: [{ name: 'With salt', id: 'with-salt', words: 'salty' }],
    blocks: [
      { kind: 'words', text: 'How to cook.' },
      { kind: 'title', text: 'With salt', id: 'with-salt', words: 'salty' },
      {
        kind: 'words',
        text: 'One line and [another](guides/fish-stew.html#in-a-pot), [a page](settings/page.html).',
      },
      { kind: 'list', items: ['first item', 'second'] },
      { kind: 'code', lines: ['npx ingot dev', 'npx ingot check'] },
    ],
  })
})

it('labels make files and the page that they print, also with fences inside', () => {
  const body = `\`a.liquid\`:

\`\`\`\`liquid
---
slug: a
---

\`\`\`
# not a heading
\`\`\`\`

\`b.graphql\`:

\`\`\`graphql
query { a }
\`\`\`

\`POST /a\` prints:

\`\`\`html
<b>…
\`\`\`

The end.
`
  expect(parse(body).blocks.slice(1)).toMatchObject([
    {
      kind: 'example',
      files: [
        { path: 'a.liquid', text: '---\nslug: a\n---\n\n```\n# not a heading' },
        { path: 'b.graphql', text: 'query { a }' },
      ],
      url: 'POST /a',
      prints: '<b>…',
    },
    { kind: 'words', text: 'The end.' },
  ])
})

it('a table has a title, and two or three columns', () => {
  const body = `### Sizes

| Size | Meaning |
|---|---|
| big | more \\| than \`10\` |

### Types

| Key | Type | Meaning |
|---|---|---|
| a | text | first |
`
  expect(parse(body).blocks.slice(1)).toEqual([
    {
      kind: 'rows',
      title: 'Sizes',
      columnTitles: ['Size', '', 'Meaning'],
      rows: [{ name: 'big', type: '', description: 'more | than `10`' }],
    },
    {
      kind: 'rows',
      title: 'Types',
      columnTitles: ['Key', 'Type', 'Meaning'],
      rows: [{ name: 'a', type: 'text', description: 'first' }],
    },
  ])
})

describe('a mistake is reported with its file and line', () => {
  it.each([
    ['Soup', 1, 'the first line must be `# Name`'],
    ['# Soup\n\nHow.', 2, 'a heading is followed by `<!-- words: … -->`'],
    ['# Soup\n<!-- words: a -->\n', 4, 'a paragraph must be here'],
    [`${HEAD}\n## Salt\n\nMuch.`, 7, 'a heading is followed by `<!-- words: … -->`'],
    [`${HEAD}\n#### Salt`, 6, 'this Markdown is not read here'],
    [`${HEAD}\n1. Salt`, 6, 'this Markdown is not read here'],
    [`${HEAD}\n> Salt`, 6, 'this Markdown is not read here'],
    [`${HEAD}\n    indented`, 6, 'this Markdown is not read here'],
    [`${HEAD}\n- salt\nmore`, 7, 'a line of a list begins with `- ` or two spaces'],
    [`${HEAD}\n\`\`\`sh\nnpx`, 8, 'the code block has no end: ```'],
    [`${HEAD}\n\`a.liquid\`:\n\ntext`, 8, 'a code block must begin here: ``` and the language'],
    [`${HEAD}\n\`/a\` prints:\n\n\`\`\`html\n\`\`\``, 6, 'no files are before this address'],
    [`${HEAD}\n### Salt\n\ntext`, 8, 'a table must be below its title'],
    [`${HEAD}\n### Salt\n\n| a | b |\n| 1 | 2 |`, 9, 'the second line of a table is |---|---|'],
    [`${HEAD}\n### Salt\n\n| a | b |\n|---|---|\n| 1 |`, 11, 'the row above has 1 cells instead of 2'],
  ])('%j', (markdown, line, problem) => {
    expect(() => parsePage('guides', 'soup', markdown)).toThrow(
      new Error(`compiler/tools/docs/guides/soup.md:${line}: ${problem}`),
    )
  })
})

it('a recipe links to the guides and to other recipes, and ends with a trial', () => {
  const body = 'As in [soups](soup.md) and [stews](../guides/stew.md#salt).\n\n## See it work\n\n- Taste it.\n'
  const { path, blocks, also } = parsePage('cookbook', 'soup', `${HEAD}\n${body}`)
  expect(path).toBe('cookbook/soup.html')
  expect(also).toEqual([])
  expect(blocks.slice(1)).toEqual([
    { kind: 'words', text: 'As in [soups](cookbook/soup.html) and [stews](guides/stew.html#salt).' },
    { kind: 'title', text: 'See it work' },
    { kind: 'list', items: ['Taste it.'] },
  ])
})
