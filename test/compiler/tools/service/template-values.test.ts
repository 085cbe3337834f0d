/** Files with substituted module values: positions in requests and responses refer to the text as written. */
import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  CompletionItem,
  Hover,
  InlayHint,
  Location,
  Position,
  Range,
  TextDocumentEdit,
  WorkspaceEdit,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { type Client, clientInProcess } from './client.ts'
import { write } from './site.ts'

const PAGE = 'modules/shop/public/views/pages/list.liquid'
const CARD = 'modules/shop/public/views/partials/card.liquid'
const OUTSIDE = 'app/views/pages/index.liquid'
const TEXTS: Readonly<Record<string, string>> = {
  'modules/shop/pos-module.json': '{ "machine_name": "shop", "name": "A shop of all things", "version": "1.0.0" }',
  [PAGE]:
    "---\nslug: <%= &machine_name =%>/list\n---\n👩‍🍳 <%= &name =%> {% assign soup = 'Tea' %}<%= name =%>\r\n" +
    "{{ soup }}{% render 'modules/<%= &machine_name =%>/card', title: soup %}\n<p class='a'>{{ soup | upcase }}</p>\n",
  [CARD]:
    '{% doc %}\n  One of <%= &name =%>.\n  @param {string} title - what it is called\n{% enddoc %}\n<%= none =%>{{ title }}\n',
  [OUTSIDE]: "{% render 'modules/shop/card', title: 'x' %}\n",
}
let root = ''
let client: Client

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'ingot-service-'))
  for (const [path, text] of Object.entries(TEXTS)) write(root, path, text)
  client = await clientInProcess(root)
  // The response arrives after the site is analysed.
  await asked('textDocument/documentSymbol', { textDocument: { uri: client.uri(PAGE) } })
})
afterAll(async () => {
  await client.end()
  rmSync(root, { recursive: true, force: true })
})

function documentOf(path: string, text = TEXTS[path] ?? ''): TextDocument {
  return TextDocument.create(client.uri(path), 'liquid', 1, text)
}

/** @param nth index of the occurrence of the word, from 0 */
function placeOf(path: string, word: string, nth = 0): { textDocument: { uri: string }; position: Position } {
  const text = TEXTS[path] ?? ''
  let offset = -1
  for (let n = 0; n <= nth; n++) offset = text.indexOf(word, offset + 1)
  return { textDocument: { uri: client.uri(path) }, position: documentOf(path).positionAt(offset + 1) }
}

const asked = <Answer>(method: string, params: object): Promise<Answer> => client.connection.sendRequest(method, params)
const words = (path: string, ranges: readonly Range[]): readonly string[] =>
  ranges.map((range) => documentOf(path).getText(range))

test.each([
  ['a variable', 'soup }}', 0, 'soup', 'soup: '],
  ['a filter behind all values', 'upcase', 0, 'upcase', 'upcase'],
  ['a partial in whose name a value stands', '/card', 0, 'modules/<%= &machine_name =%>/card', 'One of'],
  ['a value', '<%= &name', 0, '<%= &name =%>', 'A shop of all things'],
])('%s is told of', async (_, word, nth, range, description) => {
  const found = await asked<Hover>('textDocument/hover', placeOf(PAGE, word, nth))
  expect(words(PAGE, found.range === undefined ? [] : [found.range])).toEqual([range])
  expect(JSON.stringify(found.contents)).toContain(description)
})

test('a variable and a partial are found where they are', async () => {
  const soup = await asked<Location[]>('textDocument/definition', placeOf(PAGE, 'soup }}'))
  expect(
    words(
      PAGE,
      soup.map(({ range }) => range),
    ),
  ).toEqual(['soup'])
  expect(soup[0]?.range.start.line).toBe(3)
  const card = await asked<Location[]>('textDocument/definition', placeOf(PAGE, '/card'))
  expect(card.map(({ uri }) => uri)).toEqual([client.uri(CARD)])
  const all = { ...placeOf(PAGE, 'soup }}'), context: { includeDeclaration: true } }
  const uses = await asked<Location[]>('textDocument/references', all)
  expect(
    words(
      PAGE,
      uses.map(({ range }) => range),
    ),
  ).toEqual(['soup', 'soup', 'soup', 'soup'])
})

test('links, outlines and types are shown at their words', async () => {
  const document = { textDocument: { uri: client.uri(PAGE) } }
  const links = await asked<{ range: Range }[]>('textDocument/documentLink', document)
  expect(
    words(
      PAGE,
      links.map(({ range }) => range),
    ),
  ).toEqual(['modules/<%= &machine_name =%>/card'])
  const items = await asked<{ selectionRange: Range }[]>('textDocument/documentSymbol', document)
  expect(
    words(
      PAGE,
      items.map(({ selectionRange }) => selectionRange),
    ).slice(1),
  ).toEqual(['soup', 'modules/<%= &machine_name =%>/card'])
  const whole = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } }
  const call = '{% assign found = found | default: soup %}'
  const text = `${TEXTS[PAGE]}${call}`
  client.open(PAGE, text)
  const hints = await asked<InlayHint[]>('textDocument/inlayHint', { ...document, range: whole })
  const at = hints.map(({ position }) => documentOf(PAGE, text).offsetAt(position))
  expect(at.map((offset) => text.slice(offset - 5, offset))).toEqual(['found'])
})

describe('a completion', () => {
  async function completed(marked: string): Promise<{ readonly text: string; readonly items: CompletionItem[] }> {
    const text = marked.replace('‸', '')
    client.change(PAGE, text)
    const position = documentOf(PAGE, text).positionAt(marked.indexOf('‸'))
    const found = { textDocument: { uri: client.uri(PAGE) }, position }
    return { text, items: await asked<CompletionItem[]>('textDocument/completion', found) }
  }
  function applied(text: string, item: CompletionItem | undefined): string {
    if (item?.textEdit === undefined || !('range' in item.textEdit)) return 'nothing'
    return TextDocument.applyEdits(documentOf(PAGE, text), [item.textEdit])
  }

  test.each([
    ["<%= &name =%>{% assign soup = 'Tea' %}{{ so‸ }}", 'soup', "<%= &name =%>{% assign soup = 'Tea' %}{{ soup }}"],
    ["<%= &name =%>{{ 'a' | upc‸ }}<%= &name =%>", 'upcase', "<%= &name =%>{{ 'a' | upcase }}<%= &name =%>"],
    [
      "<%= name =%>{% render 'modules/<%= &machine_name =%>/c‸' %}",
      'modules/shop/card',
      "<%= name =%>{% render 'modules/<%= &machine_name =%>/card' %}",
    ],
    ['<%= &name =%><div cla‸></div>', 'class', '<%= &name =%><div class="$1"></div>'],
  ])('in %j stands in the place of what was written', async (marked, label, expected) => {
    const { text, items } = await completed(marked)
    expect(
      applied(
        text,
        items.find((item) => item.label === label),
      ),
    ).toBe(expected)
  })

  test('keeps the markup of a value, which is what an editor filters by', async () => {
    const { items } = await completed("{% render 'modules/<%= &machine_name =%>/c‸' %}")
    const card = items.find(({ label }) => label === 'modules/shop/card')
    expect(card?.filterText).toBe('modules/<%= &machine_name =%>/card')
  })
})

describe('a rename', () => {
  async function renamed(path: string, word: string, newName: string): Promise<Readonly<Record<string, string>>> {
    const edit = await asked<WorkspaceEdit>('textDocument/rename', { ...placeOf(path, word), newName })
    const edits = (edit.documentChanges ?? []).filter((each): each is TextDocumentEdit => 'textDocument' in each)
    return Object.fromEntries(
      edits.map(({ textDocument: { uri }, edits: own }) => {
        const file = Object.keys(TEXTS).find((each) => client.uri(each) === uri) ?? uri
        return [file, TextDocument.applyEdits(documentOf(file), own as never)]
      }),
    )
  }

  test('of a variable changes all its places', async () => {
    client.change(PAGE, TEXTS[PAGE] ?? '')
    expect(await renamed(PAGE, 'soup }}', 'drink')).toEqual({ [PAGE]: TEXTS[PAGE]?.replaceAll('soup', 'drink') })
  })

  test('of a partial leaves the value in its name', async () => {
    const place = placeOf(PAGE, '/card')
    const ready = await asked<{ placeholder: string; range: Range }>('textDocument/prepareRename', place)
    expect(ready.placeholder).toBe('modules/shop/card')
    expect(words(PAGE, [ready.range])).toEqual(['modules/<%= &machine_name =%>/card'])
    expect(await renamed(PAGE, '/card', 'modules/shop/tile')).toEqual({
      [PAGE]: TEXTS[PAGE]?.replace('/card', '/tile'),
      [OUTSIDE]: TEXTS[OUTSIDE]?.replace('/card', '/tile'),
    })
  })

  test('of an argument reaches the other files', async () => {
    expect(await renamed(CARD, 'title }}', 'called')).toEqual({
      [CARD]: TEXTS[CARD]?.replaceAll('title', 'called'),
      [PAGE]: TEXTS[PAGE]?.replace('title', 'called'),
      [OUTSIDE]: TEXTS[OUTSIDE]?.replace('title', 'called'),
    })
  })

  test('of what a value gives is refused', async () => {
    const text = '{% assign <%= &machine_name =%> = 1 %}{{ <%= &machine_name =%> }}\n'
    client.change(PAGE, text)
    const position = { line: 0, character: 15 }
    const refused = asked('textDocument/rename', { textDocument: { uri: client.uri(PAGE) }, position, newName: 'cart' })
    await expect(refused).rejects.toThrow(/Module values contain this name/)
  })
})
