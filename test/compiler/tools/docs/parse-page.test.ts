/** Reading a page or a chapter from Markdown, and the errors for Markdown that is not read. */
import { describe, expect, it } from 'vitest'
import { parseExamples, parsePage } from '../../../../compiler/tools/docs/parse-page.ts'
import { parseChapter } from '../../../../compiler/tools/docs/tutorial/parse-chapter.ts'

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

it('a page about production has titles, files with a description and notes, and names that lead to other pages', () => {
  const body = `## Salt

### The sea

Where it is.

\`sea.conf\`:

\`\`\`ini
salt = 3
\`\`\`

- It is
  deep.

### Numbers

| Name | Meaning |
|---|---|
| [SALT](reference:production/settings.html#SALT) | Some. |
`
  const { blocks, also } = parsePage('production', 'soup', `# Soup\n\nHow to cook.\n\n${body}`)
  expect(also).toEqual([])
  expect(blocks.slice(1)).toMatchObject([
    { kind: 'title', text: 'Salt' },
    {
      kind: 'example',
      title: 'The sea',
      description: 'Where it is.',
      files: [{ path: 'sea.conf', text: 'salt = 3' }],
      notes: ['It is deep.'],
    },
    { kind: 'rows', rows: [{ name: 'SALT', href: 'production/settings.html#SALT', description: 'Some.' }] },
  ])
})

it('a place has the blocks that the code creates', () => {
  const created = { salt: [{ kind: 'words', text: 'one' } as const, { kind: 'words', text: 'two' } as const] }
  const { blocks } = parsePage('guides', 'soup', `${HEAD}\nfirst\n\n<!-- here: salt -->\n\nlast\n`, created)
  expect(blocks.slice(1)).toMatchObject([{ text: 'first' }, { text: 'one' }, { text: 'two' }, { text: 'last' }])
})

it('a file of examples has files for each name', () => {
  const top = '# Examples\n\nFor tests.\n'
  const exampleOf = parseExamples('settings', `${top}\n## soup\n\n\`a.yml\`:\n\n\`\`\`yaml\na: 1\n\`\`\`\n`)
  expect(exampleOf('soup')).toMatchObject({ title: 'Example', files: [{ path: 'a.yml', text: 'a: 1' }] })
  expect(() => exampleOf('stew')).toThrow(
    new Error("compiler/tools/docs/settings/examples.md has no example of 'stew'"),
  )
  for (const [body, problem] of [
    ['text', 'an example begins here: `## Name`'],
    ['## soup', 'a file must be below the name of an example'],
  ] as const)
    expect(() => parseExamples('settings', `${top}\n${body}`)).toThrow(problem)
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
    [`${HEAD}\n### Salt\n\ntext`, 9, 'a table, or a paragraph and a file, must be below a title'],
    [`${HEAD}\n### Salt\n\n|a|b|`, 8, 'a row of a table begins with `| ` and ends with ` |`'],
    [`${HEAD}\n<!-- here: pepper -->`, 6, "no blocks are created with the name 'pepper'"],
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

describe('a chapter of the tutorial', () => {
  const chapterOf = (body: string) => parseChapter('soup', `${HEAD}\n${body}`)
  const partsOf = (body: string) => chapterOf(`## Salt\n\n${body}`).chapter.steps[0]?.parts
  const block = (text: string, language = 'liquid') => `\`\`\`${language}\n${text}\n\`\`\`\n`

  it('consists of steps, and its page shows what their parts say', () => {
    const { chapter, entry } = chapterOf(`## Salt
<!-- words: salty -->

As in [soups](../guides/soup.md).

${block('rm a\nnpx ingot test', 'sh')}
It prints \`one\`,
\`all passed\`.

## Pepper

- Ben: open \`/\`.
`)
    expect(chapter).toEqual({
      file: 'soup',
      name: 'Soup',
      summary: 'How to cook.',
      words: 'broth',
      steps: [
        {
          title: 'Salt',
          words: 'salty',
          parts: [
            { kind: 'says', text: 'As in [soups](guides/soup.html).' },
            { kind: 'run', lines: ['rm a', 'npx ingot test'], prints: ['one', 'all passed'] },
          ],
        },
        {
          title: 'Pepper',
          words: '',
          parts: [
            { kind: 'visit', who: 'Ben', actions: [{ kind: 'open', path: '/' }], shows: [], hides: [], status: 200 },
          ],
        },
      ],
    })
    expect(entry).toMatchObject({
      path: 'tutorial/soup.html',
      also: [{ name: 'Salt', words: 'salty' }, { name: 'Pepper' }],
      blocks: [
        { kind: 'words', text: 'How to cook.' },
        { kind: 'title', text: 'Salt' },
        { kind: 'words' },
        { kind: 'code', lines: ['rm a', 'npx ingot test'] },
        { kind: 'words', text: 'It prints `one`, `all passed`.' },
        { kind: 'title', text: 'Pepper' },
        { kind: 'list', items: ['Ben: open `/`.'] },
      ],
    })
  })

  it('writes files, changes them, and makes mistakes', () => {
    const body = `\`a.liquid\`:

${block('a\n  b')}
In \`a.liquid\`, replace:

${block('  b')}
with:

${block('  b\n  c')}
In \`a.liquid\`, replace within a line:

${block('b')}
with:

${block('d')}
In \`a.liquid\`, for a moment replace within a line:

${block('d')}
with:

${block('e')}
${block('npx ingot check\n\na.liquid:2:3  error\n  no e', 'sh')}`
    expect(partsOf(body)).toEqual([
      { kind: 'write', path: 'a.liquid', text: 'a\n  b\n' },
      { kind: 'change', path: 'a.liquid', from: '  b\n', to: '  b\n  c\n' },
      { kind: 'change', path: 'a.liquid', from: 'b', to: 'd' },
      { kind: 'mistake', path: 'a.liquid', from: 'd', to: 'e', prints: 'a.liquid:2:3  error\n  no e' },
    ])
    expect(chapterOf(`## Salt\n\n${body}`).entry.blocks.slice(2)).toMatchObject([
      { files: [{ path: 'a.liquid', text: 'a\n  b' }] },
      { files: [{ path: 'a.liquid: replace' }, { path: 'a.liquid: with', text: '  b\n  c' }] },
      { files: [{ path: 'a.liquid: replace' }, { path: 'a.liquid: with', text: 'd' }] },
      { files: [{ path: 'a.liquid: replace' }, { path: 'a.liquid: with', text: 'e' }] },
      { kind: 'code', lines: ['npx ingot check', '', 'a.liquid:2:3  error', '  no e'] },
    ])
  })

  it('has lists of what somebody does and sees, and of mails', () => {
    const body = `- Ada: open \`/new\`.
- A title: \`Soup: hot\`
- Starts at: 10:00, 20 days from today
- Venue: choose \`Hall\`
- Photo: choose your photo
- Press “Save”.
- Follow the link “Soup: hot”.
- The page shows \`Soup\`,
  \`Hall, big\`.
- It does not show \`Salt\`.

- Ben: Press “Go”.
- The page is not found.

- Open \`/_ingot/outbox\`: there is a mail to \`a@b.c\` with the subject \`Hi\`.

- Open \`/_ingot/outbox\`: there is a mail to \`a@b.c\` with the subject \`Hi\`.
- Ben: open the mail and follow its link “Yes”. The page shows \`Soup\`.
`
    expect(partsOf(body)).toEqual([
      {
        kind: 'visit',
        who: 'Ada',
        actions: [
          { kind: 'open', path: '/new' },
          { kind: 'enter', label: 'A title', value: 'Soup: hot' },
          { kind: 'date', label: 'Starts at', days: 20, time: '10:00' },
          { kind: 'choose', label: 'Venue', option: 'Hall' },
          { kind: 'photo', label: 'Photo' },
          { kind: 'press', button: 'Save' },
          { kind: 'follow', link: 'Soup: hot' },
        ],
        shows: ['Soup', 'Hall, big'],
        hides: ['Salt'],
        status: 200,
      },
      { kind: 'visit', who: 'Ben', actions: [{ kind: 'press', button: 'Go' }], shows: [], hides: [], status: 404 },
      { kind: 'mail', to: 'a@b.c', subject: 'Hi', link: null, who: '', shows: [] },
      { kind: 'mail', to: 'a@b.c', subject: 'Hi', link: 'Yes', who: 'Ben', shows: ['Soup'] },
    ])
  })

  const NOT_READ = 'this item is not an action, or not in its place'
  const NO_COMMANDS = 'commands must begin here: ```sh. Other code blocks have a label'
  const MAIL = '- Open `/_ingot/outbox`: there is a mail to `a@b.c` with the subject `Hi`.'

  // The step begins in line 6, and what is below it in line 8.
  it.each([
    ['# Salt', 8, 'this Markdown is not read here'],
    [block('b'), 8, NO_COMMANDS],
    [`In \`a\` replace:\n\n${block('b')}`, 10, NO_COMMANDS],
    ['It prints `a`.', 8, 'no commands are before this'],
    [`${block('a', 'sh')}\nIt prints \`a\` twice.`, 12, 'what commands print is: It prints `…`, `…`.'],
    [`with:\n\n${block('b')}`, 8, 'no text to replace is before this'],
    [`In \`a\`, replace:\n\n${block('b')}\nBy:`, 14, 'the new text must be here, below `with:`'],
    ['In `a`, replace:\n\nb', 10, 'a code block must begin here: ``` and the language'],
    [`In \`a\`, for a moment replace:\n\n${block('b')}\nwith:\n\n${block('c')}\nUndo it.`, 20, NO_COMMANDS],
    [
      `In \`a\`, for a moment replace:\n\n${block('b')}\nwith:\n\n${block('c')}\n${block('npx ingot check', 'sh')}`,
      20,
      'the code block must have `npx ingot check`, an empty line, and what it prints',
    ],
    ['- open `/`.', 8, 'a list begins with `Name: ` and an action, or with a mail in the outbox'],
    ['- Ben: look at `/`.', 8, NOT_READ],
    ['- Ben: open `/`.\n- Press `Save`.', 9, NOT_READ],
    ['- Ben: open `/`.\n- The page shows `a`,\n  `b`.\n- Save it.', 11, NOT_READ],
    ['- Ben: open `/`.\n- The page shows `a`.\n- Press “Save”.', 10, NOT_READ],
    [`${MAIL}\n- Ben: open it.`, 9, NOT_READ],
  ])('%j is refused with its line', (body, line, problem) => {
    const markdown = `${HEAD}\n## Salt\n\n${body}`
    expect(() => parseChapter('soup', markdown)).toThrow(
      new Error(`compiler/tools/docs/tutorial/soup.md:${line}: ${problem}`),
    )
  })

  it('has no text before the first step', () => {
    expect(() => chapterOf('Salt.')).toThrow(
      new Error('compiler/tools/docs/tutorial/soup.md:6: a step begins here: `## Title`'),
    )
  })
})
