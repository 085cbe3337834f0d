/** Unsaved texts and their diagnostics. */
import { describe, expect, test } from 'vitest'
import type { CodeAction } from 'vscode-languageserver/node'
import { discover } from '../../../../compiler/core/source/discover.ts'
import { compile } from '../../../../compiler/compile.ts'
import { clientInProcess } from './client.ts'
import { type Files, folderOf, opened, write } from './site.ts'

const PAGE = 'app/views/pages/index.liquid'
const CARD = 'app/views/partials/card.liquid'
const SITE: Files = {
  [PAGE]: "---\nslug: /\n---\n{% render 'card', dish: 'Tea' %}\n",
  [CARD]: '<b>{{ dish }}</b>\n',
  'app/schema/dish.yml': 'name: dish\nproperties:\n  - name: title\n',
  'app/graphql/dishes.graphql':
    'query dishes {\n  records(per_page: 20, filter: { table: { value: "dish" } }) { results { title: property(name: "title") } }\n}\n',
  'app/views/pages/dishes.liquid': "{% graphql found = 'dishes' %}\n{{ found.records.results.first.title }}\n",
  'app/translations/en.yml': 'en:\n  hello: Hello\n',
  'app/views/pages/hello.liquid': "{{ 'hello' | t }}\n",
}

describe('a text that is not saved', () => {
  test('is told of before the site is looked at again', async () => {
    const site = await opened(folderOf(SITE))
    expect(site.telling).toEqual([])
    site.workspace.edit(CARD, '<b>{{ dish | upcas }}</b>\n')
    // The diagnostics are known immediately.
    expect(site.codes(CARD)).toEqual(['unknown-filter'])
    site.workspace.edit(CARD, '<b>{{ dish | upcase }}</b>\n')
    expect(site.codes(CARD)).toEqual([])
  })

  test('changes what is said of files that call it', async () => {
    const site = await opened(folderOf(SITE))
    site.workspace.edit(CARD, '{% doc %}\n  @param {string} title\n{% enddoc %}<b>{{ title }}</b>\n')
    await site.workspace.settled()
    expect(site.codes(PAGE).toSorted()).toEqual(['missing-argument', 'unknown-argument'])
    site.workspace.close(CARD)
    await site.workspace.settled()
    expect(site.codes(PAGE)).toEqual([])
    expect(site.codes(CARD)).toEqual([])
  })

  test('may be of any kind of file', async () => {
    const site = await opened(folderOf(SITE))
    const wrong: Files = {
      'app/schema/dish.yml': 'name: dish\nproperties:\n  - name: name\n',
      'app/translations/en.yml': 'en:\n  hallo: Hello\n',
      'app/graphql/dishes.graphql': 'query dishes { recods(per_page: 20) { total_entries } }\n',
      'app/config.yml': 'slug_exact_matc: true\n',
      'app/views/pages/index.liquid': '---\nslug: /\nlayut: x\n---\n{% liquid\n  asign x = 1\n%}\n',
    }
    for (const [path, text] of Object.entries(wrong)) site.workspace.edit(path, text)
    await site.workspace.settled()
    for (const [path, text] of Object.entries(wrong)) write(site.root, path, text)
    const { files } = await discover(site.root)
    const options = { dialect: 'platform', syntax: 'lax', keepGoing: false, openEntries: false } as const
    const { diagnostics } = compile(files, options)
    const shown = [...site.told.values()].flat()
    expect(shown.length).toBeGreaterThan(4)
    expect(shown.toSorted(byPlace)).toEqual(diagnostics.toSorted(byPlace))
  })

  test('of a new file is part of the site', async () => {
    const site = await opened(folderOf(SITE))
    site.workspace.edit(PAGE, "---\nslug: /\n---\n{% render 'tile' %}{% render 'card', dish: 'Tea' %}\n")
    expect(site.codes(PAGE)).toEqual(['missing-partial'])
    site.workspace.edit('app/views/partials/tile.liquid', 'x\n')
    await site.workspace.settled()
    expect(site.codes(PAGE)).toEqual([])
  })
})

test('what is said of a file as it is written is what is said of it in the end', async () => {
  const site = await opened(folderOf(SITE))
  const text =
    "{% assign soup = 'Tea' | upcase %}\n{% if soup == 'TEA' %}{{ soup.size | plus: dish }}{% else %}{{ other }}{% endif %}\n"
  for (let end = 0; end <= text.length; end++) {
    site.workspace.edit(CARD, text.slice(0, end))
    const early = site.told.get(CARD)
    await site.workspace.settled()
    expect(early, text.slice(0, end)).toEqual(site.told.get(CARD))
  }
})

describe('over the protocol', () => {
  test('places hold with CRLF, emoji and front matter', async () => {
    const client = await clientInProcess(folderOf(SITE))
    client.open(PAGE, "---\r\nslug: /\r\n---\r\n👩‍🍳 {{ 'é' | upcas }}\r\n{% render 'card', dish: 'x' %}")
    const [found] = await client.diagnostics(PAGE, (all) => all.length > 0)
    expect(found).toMatchObject({
      code: 'unknown-filter',
      severity: 1,
      range: { start: { line: 3, character: 15 }, end: { line: 3, character: 20 } },
    })
    await client.end()
  })

  test('a diagnostic has the change that mends it, and all safe ones are made at once', async () => {
    const client = await clientInProcess(folderOf(SITE))
    client.open(PAGE, "---\nslug: /\n---\n{{ 'a' | upcas }}{{ 'b' | downcas }}\n")
    await client.diagnostics(PAGE, (all) => all.length === 2)
    const actions: readonly CodeAction[] = await client.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri: client.uri(PAGE) },
      range: { start: { line: 3, character: 10 }, end: { line: 3, character: 10 } },
      context: { diagnostics: [] },
    })
    expect(actions.map(({ edit }) => edit?.changes?.[client.uri(PAGE)]?.map(({ newText }) => newText))).toEqual([
      ['upcase'],
      ['upcase', 'downcase'],
    ])
    await client.end()
  })

  test('related places lead to other files', async () => {
    const client = await clientInProcess(folderOf(SITE))
    client.open(PAGE, "---\nslug: /\n---\n{% render 'card' %}\n")
    const [found] = await client.diagnostics(PAGE, (all) => all.length > 0)
    expect(found?.relatedInformation?.[0]?.location.uri).toBe(client.uri(CARD))
    await client.end()
  })
})

function byPlace(a: { span: { file: string; start: number } }, b: { span: { file: string; start: number } }): number {
  return a.span.file < b.span.file ? -1 : a.span.file > b.span.file ? 1 : a.span.start - b.span.start
}
