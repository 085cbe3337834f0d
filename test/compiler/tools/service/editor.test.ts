/** Requests about whole files, over the protocol: outlines, folds, semantic tokens, hints, lenses, calls and formatting. */
import { expect, onTestFinished, test } from 'vitest'
import {
  type ClientCapabilities,
  type DocumentHighlight,
  DocumentHighlightKind,
  type DocumentSymbol,
  LSPErrorCodes,
  type Range,
  type TextEdit,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { type Client, clientInProcess } from './client.ts'
import { type Files, folderOf } from './site.ts'

const PAGE = 'app/views/pages/index.liquid'
const CARD = 'app/views/partials/card.liquid'
const QUERY = 'app/graphql/dishes.graphql'
const SITE: Files = {
  [PAGE]:
    "---\nslug: menu\n---\n{% graphql found = 'dishes', page: 1 %}\n{% for dish in found.records.results %}\n  {% render 'card', title: dish.title %}\n{% endfor %}\n",
  [CARD]: '{% doc %}\n  @param {string} title - what it is called\n{% enddoc %}\n<b>\n  {{ title }}\n</b>\n',
  'app/views/partials/list.liquid': "{% render 'card', title: 'x' %}{% render 'card', title: 'y' %}\n",
  [QUERY]:
    'query dishes($page: Int!) {\n  records(page: $page, per_page: 20, filter: { table: { value: "dish" } }) {\n    results { id title: property(name: "title") }\n  }\n}\n',
  'app/schema/dish.yml': 'name: dish\nproperties:\n  - name: title\n    type: string\n',
  'app/translations/en.yml': 'en:\n  greeting:\n    hello: Hello\n',
}

async function client(files: Files = SITE, capabilities: ClientCapabilities = {}): Promise<Client> {
  const made = await clientInProcess(folderOf(files), capabilities)
  onTestFinished(() => made.end())
  return made
}

/** Sends a request about a file, with an unsaved text if one is given. */
async function asked<Answer>(method: string, path: string, text?: string, more: object = {}): Promise<Answer> {
  const made = await client()
  if (text !== undefined) made.open(path, text)
  return made.connection.sendRequest(method, { textDocument: { uri: made.uri(path) }, ...more })
}

function textsAt(text: string, ranges: readonly Range[]): readonly string[] {
  const document = TextDocument.create('', '', 0, text)
  return ranges.map((range) => document.getText(range))
}

function namesOf(symbols: readonly DocumentSymbol[]): readonly unknown[] {
  return symbols.map(({ name, children }) => (children === undefined ? name : [name, namesOf(children)]))
}

test('a template has its settings, parameters, variables and calls in its outline', async () => {
  const text =
    "---\nslug: a\nmetadata:\n  title: b\n---\n😀{% assign soup = 'Tea' %}{% render 'card', title: soup %}\r\n"
  const symbols = await asked<DocumentSymbol[]>('textDocument/documentSymbol', PAGE, text)
  expect(namesOf(symbols)).toEqual(['slug', ['metadata', ['title']], 'soup', 'card'])
  const ranges = symbols.map(({ selectionRange }) => selectionRange)
  expect(textsAt(text, ranges)).toEqual(['slug', 'metadata', 'soup', 'card'])
})

test.each([
  [QUERY, [['dishes', ['$page', ['records', [['results', ['id', 'title']]]]]]]],
  ['app/schema/dish.yml', ['name', ['properties', [['title', ['name', 'type']]]]]],
])('the outline of %s', async (path, expected) => {
  expect(namesOf(await asked<DocumentSymbol[]>('textDocument/documentSymbol', path))).toEqual(expected)
})

test.each([
  ['dishes', ['dishes']],
  ['menu', ['GET /menu']],
  ['card', ['card']],
  ['ttl', ['title']],
  ['greeting.hello', ['greeting.hello']],
  ['nothing of that name', []],
])('%j is found in the whole site', async (query, expected) => {
  const made = await client()
  made.open(PAGE, SITE[PAGE] ?? '')
  const found = await made.connection.sendRequest<{ name: string }[]>('workspace/symbol', { query })
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(expected))
  expect(found.length > 0).toBe(expected.length > 0)
})

test.each([
  [
    'blocks and their branches',
    PAGE,
    '{% if a %}\nb\n{% else %}\nc\n{% endif %}\n',
    [
      [0, 1],
      [2, 3],
    ],
  ],
  ['a text in which something has no end', PAGE, '{% for a in b %}\n{% if c %}\nd\n{% endfor %}\n{{ e', [[0, 2]]],
  ['comments', PAGE, '{% comment %}\r\na\r\n{% endcomment %}\r\n', [[0, 1]]],
  [
    'lines of a liquid tag',
    PAGE,
    '{% liquid\n  if a\n    echo b\n  endif\n%}',
    [
      [0, 3],
      [1, 2],
    ],
  ],
  [
    'front matter',
    PAGE,
    '---\nslug: a\nmetadata:\n  b: 1\n---\n',
    [
      [0, 3],
      [2, 3],
    ],
  ],
  ['HTML', PAGE, '<ul>\n<li>{{ a }}\n</ul>\n', [[0, 1]]],
  ['brackets of a query', QUERY, 'query a {\n  b(\n    c: 1\n  ) { d }\n', [[1, 2]]],
  [
    'YAML',
    'app/schema/dish.yml',
    'a:\n  - b: 1\n    c: 2\nd: 1',
    [
      [0, 2],
      [1, 2],
    ],
  ],
])('folds %s', async (_what, path, text, expected) => {
  const folds = await asked<{ startLine: number; endLine: number }[]>('textDocument/foldingRange', path, text)
  expect(folds.map(({ startLine, endLine }) => [startLine, endLine])).toEqual(expected)
})

const KINDS =
  'keyword variable parameter property function string number operator comment namespace enumMember decorator type'.split(
    ' ',
  )

/** Returns each word with its kind. */
function coloured(text: string, data: readonly number[]): readonly string[] {
  const lines = text.split('\n')
  const words: string[] = []
  for (let at = 0, line = 0, character = 0; at < data.length; at += 5) {
    const [down = 0, across = 0, length = 0, kind = 0, modifiers = 0] = data.slice(at, at + 5)
    character = down === 0 ? character + across : across
    line += down
    const word = (lines[line] ?? '').slice(character, character + length)
    words.push(`${word} ${KINDS[kind]}${modifiers === 1 ? ' set' : ''}`)
  }
  return words
}

test('words of a template are coloured by what they are, also where nothing ends them', async () => {
  const text = "😀{% assign soup = 'é' | append: 1 %}\r\n{% render 'card', title: soup.name %}{# {{ a == nil"
  const { data } = await asked<{ data: number[] }>('textDocument/semanticTokens/full', PAGE, text)
  const words = coloured(text, data)
  expect(words).toEqual(
    expect.arrayContaining([
      'assign keyword',
      "'é' string",
      'append function',
      '1 number',
      'render keyword',
      'title parameter',
      'name property',
    ]),
  )
})

test('names that a template gives values, and names of files, are coloured as such', async () => {
  const text = "{% assign soup = 'é' %}{% render 'card', title: soup %}{% comment %}a\nb{% endcomment %}"
  const made = await client()
  made.open(PAGE, text)
  await made.diagnostics(PAGE, () => true)
  await made.connection.sendRequest('textDocument/codeLens', { textDocument: { uri: made.uri(PAGE) } })
  const textDocument = { uri: made.uri(PAGE) }
  const full = await made.connection.sendRequest<{ data: number[]; resultId: string }>(
    'textDocument/semanticTokens/full',
    { textDocument },
  )
  const words = coloured(text, full.data)
  expect(words).toEqual(expect.arrayContaining(['soup variable set', 'soup variable', 'card namespace']))
  expect(words.slice(-2)).toEqual(['{% comment %}a comment', 'b{% endcomment %} comment'])
  const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } }
  const part = await made.connection.sendRequest<{ data: number[] }>('textDocument/semanticTokens/range', {
    textDocument,
    range,
  })
  expect(coloured(text, part.data)).toEqual(['b{% endcomment %} comment'])
  made.change(PAGE, `${text}{{ soup }}`)
  const delta = await made.connection.sendRequest<{ edits: { start: number; deleteCount: number; data?: number[] }[] }>(
    'textDocument/semanticTokens/full/delta',
    { textDocument, previousResultId: full.resultId },
  )
  const data = [...full.data]
  for (const edit of delta.edits) data.splice(edit.start, edit.deleteCount, ...(edit.data ?? []))
  expect(coloured(`${text}{{ soup }}`, data)).toEqual([...words, 'soup variable'])
})

test('words of a query are coloured', async () => {
  const text = 'query a($b: Int!) { # 😀\n  c: records(page: $b) @skip(if: true) { ...d } }'
  const { data } = await asked<{ data: number[] }>('textDocument/semanticTokens/full', QUERY, text)
  expect(coloured(text, data)).toEqual([
    'query keyword',
    'a function',
    '$b variable set',
    'Int type',
    '# 😀 comment',
    'c property',
    'records property',
    'page parameter',
    '$b variable',
    '@skip decorator',
    'if parameter',
    'true keyword',
    '... operator',
    'd namespace',
  ])
})

test('types of variables are shown behind them, with those that may be nil', async () => {
  const text =
    "{% graphql found = 'dishes', page: 1 %}\r\n{% assign n = found.records.results | size %}{% assign one = found.records.results | first %}😀{% assign same = 'x' %}"
  const hints = await asked<{ position: { line: number; character: number }; label: string }[]>(
    'textDocument/inlayHint',
    PAGE,
    text,
    {
      range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } },
    },
  )
  const document = TextDocument.create('', '', 0, text)
  const shown = hints.map(({ position, label }) => [
    text.slice(0, document.offsetAt(position)).match(/\w+$/)?.[0],
    label,
  ])
  expect(shown).toEqual([
    ['found', ': hash'],
    ['n', ': number'],
    ['one', ': hash?'],
  ])
})

test.each([
  [CARD, ['3 calls in 2 files']],
  [QUERY, ['1 use', expect.stringContaining('reads records')]],
  [PAGE, ['GET /menu']],
])('lenses of %s', async (path, expected) => {
  const lenses = await asked<{ command: { title: string } }[]>('textDocument/codeLens', path)
  expect(lenses.map(({ command }) => command.title)).toEqual(expected)
})

test('calls of a partial are followed both ways', async () => {
  const made = await client()
  const items = await made.connection.sendRequest<object[]>('textDocument/prepareCallHierarchy', {
    textDocument: { uri: made.uri(PAGE) },
    position: { line: 5, character: 14 },
  })
  expect(items).toMatchObject([{ name: 'card', uri: made.uri(CARD) }])
  const incoming = await made.connection.sendRequest<{ from: { uri: string }; fromRanges: Range[] }[]>(
    'callHierarchy/incomingCalls',
    { item: items[0] },
  )
  expect(incoming.map(({ from, fromRanges }) => [from.uri, fromRanges.length])).toEqual([
    [made.uri(PAGE), 1],
    [made.uri('app/views/partials/list.liquid'), 2],
  ])
  const page = { ...items[0], uri: made.uri(PAGE) }
  const outgoing = await made.connection.sendRequest<{ to: { uri: string }; fromRanges: Range[] }[]>(
    'callHierarchy/outgoingCalls',
    { item: page },
  )
  expect(outgoing.map(({ to }) => to.uri)).toEqual([made.uri(CARD)])
  expect(textsAt(SITE[PAGE] ?? '', outgoing[0]?.fromRanges ?? [])).toEqual(['card'])
})

test('an unsaved text is put in order as a whole and in part; what cannot be read stays', async () => {
  const made = await client()
  const textDocument = { uri: made.uri(PAGE) }
  const options = { tabSize: 2, insertSpaces: true }
  const text = '---\nslug:   a\n---\r\n😀{{a|upcase}}\r\n{{b}}\r\n'
  made.open(PAGE, text)
  const document = TextDocument.create('', '', 0, text)
  const whole = await made.connection.sendRequest<TextEdit[]>('textDocument/formatting', { textDocument, options })
  expect(TextDocument.applyEdits(document, whole)).toBe('---\nslug: a\n---\r\n😀{{ a | upcase }}\r\n{{ b }}\r\n')
  const range = { start: { line: 4, character: 0 }, end: { line: 4, character: 5 } }
  const part = await made.connection.sendRequest<TextEdit[]>('textDocument/rangeFormatting', {
    textDocument,
    range,
    options,
  })
  expect(TextDocument.applyEdits(document, part)).toBe(text.replace('{{b}}', '{{ b }}'))
  made.change(PAGE, '{{a}}{% if b')
  expect(await made.connection.sendRequest('textDocument/formatting', { textDocument, options })).toBeNull()
})

test('a cancelled request is answered as cancelled', async () => {
  const made = await client()
  const { CancellationTokenSource } = await import('vscode-languageserver/node')
  const source = new CancellationTokenSource()
  const request = made.connection.sendRequest(
    'textDocument/codeLens',
    { textDocument: { uri: made.uri(CARD) } },
    source.token,
  )
  source.cancel()
  await expect(request).rejects.toMatchObject({ code: LSPErrorCodes.RequestCancelled })
})

test('diagnostics have the version of the text that they are about', async () => {
  const made = await client()
  const { PublishDiagnosticsNotification } = await import('vscode-languageserver/node')
  const versions: (number | undefined)[] = []
  made.connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, version, diagnostics }) => {
    if (uri === made.uri(PAGE) && diagnostics.length > 0) versions.push(version)
  })
  made.open(PAGE, '{{ 1 | upcas }}')
  await expect.poll(() => versions.at(-1)).toBe(1)
  made.change(PAGE, '{{ 1 | downcas }}')
  await expect.poll(() => versions.at(-1)).toBe(2)
})

test('the places of a name in a file are highlighted, with those that set it', async () => {
  const text = "{% assign soup = 'Tea' %}{{ soup }}{% for soup in (1..2) %}{{ soup }}{% endfor %}{{ soup | upcase }}"
  const highlights = await asked<DocumentHighlight[]>('textDocument/documentHighlight', PAGE, text, {
    position: { line: 0, character: text.indexOf('soup }}') },
  })
  expect(highlights.map(({ range, kind }) => [range.start.character, kind])).toEqual([
    [10, DocumentHighlightKind.Write],
    [28, DocumentHighlightKind.Read],
    [text.lastIndexOf('soup'), DocumentHighlightKind.Read],
  ])
})

test('colours, types and callers that are shown are asked for anew when the site is found to be another one', async () => {
  const supported = { refreshSupport: true }
  const made = await client(SITE, {
    workspace: { semanticTokens: supported, inlayHint: supported, codeLens: supported },
  })
  const asked: string[] = []
  for (const kind of ['semanticTokens', 'inlayHint', 'codeLens'])
    made.connection.onRequest(`workspace/${kind}/refresh`, () => {
      asked.push(kind)
      return null
    })
  made.open(PAGE, '{{ 1 }}')
  await expect.poll(() => [...new Set(asked)].toSorted()).toEqual(['codeLens', 'inlayHint', 'semanticTokens'])
})

test('a completion right after a keystroke comes before the diagnostics of the new text', async () => {
  const made = await client()
  made.open(PAGE, 'x')
  await made.connection.sendRequest('textDocument/codeLens', { textDocument: { uri: made.uri(PAGE) } })
  const { PublishDiagnosticsNotification } = await import('vscode-languageserver/node')
  const arrived: string[] = []
  made.connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, diagnostics }) => {
    if (uri === made.uri(PAGE) && diagnostics.length > 0) arrived.push('diagnostics')
  })
  made.change(PAGE, '{{ 1 | upcas }}')
  const items = await made.connection.sendRequest<{ label: string }[]>('textDocument/completion', {
    textDocument: { uri: made.uri(PAGE) },
    position: { line: 0, character: 11 },
  })
  arrived.push('completion')
  expect(items.map(({ label }) => label)).toContain('upcase')
  await expect.poll(() => arrived.length).toBeGreaterThan(1)
  expect(arrived[0]).toBe('completion')
})

test('a quick fix right after a keystroke is about the new text', async () => {
  const made = await client()
  made.open(PAGE, 'x')
  await made.connection.sendRequest('textDocument/codeLens', { textDocument: { uri: made.uri(PAGE) } })
  made.change(PAGE, "{{ 'a' | upcas }}")
  const range = { start: { line: 0, character: 9 }, end: { line: 0, character: 14 } }
  const actions = await made.connection.sendRequest<{ title: string }[]>('textDocument/codeAction', {
    textDocument: { uri: made.uri(PAGE) },
    range,
    context: { diagnostics: [] },
  })
  expect(actions.map(({ title }) => title).join()).toContain('upcase')
})
