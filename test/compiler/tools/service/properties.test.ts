/** Properties of tables: where they are declared, selected, accepted by forms, and read by templates, over the protocol. */
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type Hover,
  type Location,
  type MarkupContent,
  type Range,
  type WorkspaceEdit,
  TextDocumentEdit,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { type Client, clientInProcess } from './client.ts'
import { type Files, folderOf } from './site.ts'

const PAGE = 'app/views/pages/index.liquid'
const CARD = 'app/views/partials/card.liquid'
const QUERY = 'app/graphql/dishes.graphql'
const TABLE = 'app/schema/dish.yml'
const FORM = 'app/forms/dish.liquid'
const SITE: Files = {
  [PAGE]:
    "{% graphql found = 'dishes' %}\n{% for dish in found.records.results %}\n  {{ dish.title }} {{ dish.property_int }} {{ dish.properties.name }} {{ dish.image.url }}\n  {% render 'card', dish: dish %}\n  {% for order in dish.orders %}{{ order.title }}{% endfor %}\n{% endfor %}\n",
  [CARD]: "{{ dish['title'] }}{{ dish.id }}\n",
  [QUERY]:
    'query dishes {\n  records(per_page: 20, filter: { table: { value: "dish" } }) {\n    results {\n      ...fields\n      property_int(name: "price")\n      properties\n      image: property_upload(name: "picture") { url }\n      orders: related_records(table: "order", join_on_property: "id", foreign_property: "dish_id") { title: property(name: "note") }\n    }\n  }\n}\nfragment fields on Record { id title: property(name: "name") }\n',
  [TABLE]:
    'name: dish\nproperties:\n  - name: name\n    type: string\n    default_value: Soup\n  - name: price\n    type: integer\n  - name: picture\n    type: upload\n',
  'app/schema/order.yml':
    'name: order\nproperties:\n  - name: note\n    type: string\n  - name: dish_id\n    type: string\n',
  [FORM]:
    '---\nname: dish\nresource: dish\nfields:\n  properties:\n    name:\n      validation:\n        presence: true\n---\n{{ form.fields.properties.name.value }}\n',
}

async function client(files: Files = SITE): Promise<Client> {
  const made = await clientInProcess(folderOf(files))
  onTestFinished(() => made.end())
  return made
}

/** Returns the position of a word in a file. `‸` in the words marks the place. */
function positionIn(files: Files, path: string, words: string): object {
  const text = files[path] ?? ''
  const at = text.indexOf(words.replace('‸', ''))
  expect(at).toBeGreaterThanOrEqual(0)
  return TextDocument.create('', '', 0, text).positionAt(at + words.indexOf('‸'))
}

function wordsAt(files: Files, path: string, range: Range): string {
  return TextDocument.create('', '', 0, files[path] ?? '').getText(range)
}

/** Sends a request about the place that `‸` marks in `words`. */
async function asked<Answer>(
  method: string,
  path: string,
  words: string,
  more: object = {},
  files: Files = SITE,
): Promise<Answer> {
  const made = await client(files)
  const textDocument = { uri: made.uri(path) }
  return made.connection.sendRequest(method, { textDocument, position: positionIn(files, path, words), ...more })
}

function shown(locations: readonly Location[] | null, files: Files = SITE): readonly string[] {
  return (locations ?? [])
    .map(({ uri, range }) => {
      const path = Object.keys(files).find((each) => uri.endsWith(`/${each}`)) ?? uri
      return `${path} ${range.start.line} ${wordsAt(files, path, range)}`
    })
    .toSorted()
}

describe('a key of a result leads to its selection and to the property', () => {
  test.each([
    ['an alias in a fragment', PAGE, 'dish.ti‸tle', [`${QUERY} 11 title`, `${TABLE} 2 name`]],
    ['a key in a partial', CARD, "['ti‸tle", [`${QUERY} 11 title`, `${TABLE} 2 name`]],
    ['a field without an alias', PAGE, 'dish.property_‸int', [`${QUERY} 4 property_int`, `${TABLE} 5 price`]],
    ['an upload', PAGE, 'dish.im‸age', [`${QUERY} 6 image`, `${TABLE} 7 picture`]],
    ['a related record', PAGE, 'order.‸title', [`${QUERY} 7 title`, 'app/schema/order.yml 2 note']],
  ])('%s', async (_what, path, words, expected) => {
    expect(shown(await asked('textDocument/definition', path, words))).toEqual([...expected].toSorted())
  })
})

test('references of a property include the templates that read a key of it', async () => {
  const context = { includeDeclaration: true }
  const found = await asked<Location[]>('textDocument/references', TABLE, '- name: na‸me', { context })
  expect(shown(found)).toEqual(
    [
      `${TABLE} 2 name`,
      `${FORM} 5 name`,
      `${FORM} 9 name`,
      `${QUERY} 11 name`,
      `${PAGE} 2 title`,
      `${PAGE} 2 name`,
      `${CARD} 0 title`,
    ].toSorted(),
  )
})

test('references are those of the newest queries', async () => {
  const made = await client()
  const ask = (): Promise<Location[]> =>
    made.connection.sendRequest('textDocument/references', {
      textDocument: { uri: made.uri(TABLE) },
      position: positionIn(SITE, TABLE, '- name: na‸me'),
      context: { includeDeclaration: false },
    })
  expect((await ask()).filter(({ uri }) => uri === made.uri(CARD))).toHaveLength(1)
  made.open(QUERY, (SITE[QUERY] ?? '').replace('title: property(name: "name")', 'title: property(name: "other")'))
  expect((await ask()).filter(({ uri }) => uri === made.uri(CARD))).toHaveLength(0)
})

/** Returns the edited places of a rename. */
async function renamed(path: string, words: string, files: Files = SITE): Promise<readonly string[]> {
  const edit = await asked<WorkspaceEdit>('textDocument/rename', path, words, { newName: 'renamed' }, files)
  const locations = (edit.documentChanges ?? [])
    .filter(TextDocumentEdit.is)
    .flatMap(({ textDocument, edits }) =>
      edits.map((each) => ({ uri: textDocument.uri, range: 'range' in each ? each.range : (undefined as never) })),
    )
  return shown(locations, files)
}

test.each([
  ['its table', TABLE, '- name: na‸me'],
  ['a query', QUERY, 'property(name: "na‸me'],
  ['a form', FORM, '    na‸me:'],
  ['a template', PAGE, 'properties.na‸me'],
])('a rename from %s changes all files, but no alias', async (_what, path, words) => {
  expect(await renamed(path, words)).toEqual(
    [`${TABLE} 2 name`, `${FORM} 5 name`, `${FORM} 9 name`, `${QUERY} 11 name`, `${PAGE} 2 name`].toSorted(),
  )
})

test('an alias is not renamed in templates', async () => {
  await expect(renamed(PAGE, 'dish.ti‸tle')).rejects.toThrow('The query chooses this name')
})

async function hovered(path: string, words: string, files: Files = SITE): Promise<string> {
  const hover = await asked<Hover | null>('textDocument/hover', path, words, {}, files)
  return (hover?.contents as MarkupContent | undefined)?.value ?? ''
}

test.each([
  ['a key of a result', PAGE, 'dish.ti‸tle', ['title: text', 'Property `name` (string) of the table `dish`', TABLE]],
  ['an upload', PAGE, 'dish.im‸age', ['Property `picture` (upload) of the table `dish`']],
  ['a key of `properties`', PAGE, 'properties.na‸me', ['Property `name` (string) of the table `dish`']],
  ['a bracket', CARD, "['ti‸tle", ['Property `name` (string) of the table `dish`']],
  ['a property in a query', QUERY, 'property(name: "na‸me', ['Property `name` (string) of the table `dish`']],
  ['a table in a query', QUERY, 'value: "di‸sh', [TABLE, '- `price`: integer']],
  [
    'a property of a table',
    TABLE,
    '- name: na‸me',
    ['(string)', 'Default: `"Soup"`', 'Used by 1 query, 1 form and 2 templates.'],
  ],
  ['a property of a form', FORM, '    na‸me:', ['Property `name` (string) of the table `dish`', 'Used by 1 query']],
  ['a key of a table file', TABLE, 'ty‸pe: string', ['`type`: ']],
])('hover says what %s is', async (_what, path, words, expected) => {
  const text = await hovered(path, words)
  for (const each of expected) expect(text).toContain(each)
})

/** Users with profiles, and a form with nested groups that have the same property. */
const NESTED: Files = {
  'app/user.yml': 'properties:\n  - name: note\n    type: string\n',
  'app/schema/order.yml':
    'name: order\nproperties:\n  - name: note\n    type: string\n  - name: dish_id\n    type: string\n',
  'app/user_profile_schemas/cook.yml': 'name: cook\nproperties:\n  - name: note\n    type: string\n',
  'app/forms/cook.liquid':
    "---\nname: cook\nresource: User\nfields:\n  properties:\n    note:\n      validation:\n        presence: true\n  profiles:\n    cook:\n      properties:\n        note:\n          validation:\n            presence: true\n---\n{{ form.fields.properties.note.value }}{{ form.fields.profiles.cook.properties.note.value }}{{ form.errors['profiles.cook.properties.note'] }}\n",
  'app/forms/dish.liquid':
    '---\nname: dish\nresource: dish\nfields:\n  properties:\n    name:\n  customizations:\n    order:\n      properties:\n        note:\n---\n{% assign order = form.fields.customizations.order %}{{ order.properties.note.value }}\n',
  [TABLE]: SITE[TABLE] ?? '',
  [PAGE]:
    "{% graphql found = 'people' %}{{ found.users.results.first.note }}{{ found.users.results.first.cooking.note }}{{ context.current_user.email }}\n",
  'app/graphql/people.graphql':
    'query people { users(per_page: 2) { results { note: property(name: "note") cooking: profile(profile_type: "cook") { note: property(name: "note") } } } }\n',
}

test.each([
  [
    'users',
    'app/user.yml',
    '- name: no‸te',
    [
      'app/user.yml 1 note',
      'app/forms/cook.liquid 5 note',
      'app/forms/cook.liquid 15 note',
      'app/graphql/people.graphql 0 note',
    ],
  ],
  [
    'a profile',
    'app/user_profile_schemas/cook.yml',
    '- name: no‸te',
    [
      'app/user_profile_schemas/cook.yml 2 note',
      'app/forms/cook.liquid 11 note',
      'app/forms/cook.liquid 15 note',
      'app/forms/cook.liquid 15 note',
      'app/graphql/people.graphql 0 note',
    ],
  ],
  [
    'a nested table',
    'app/schema/order.yml',
    '- name: no‸te',
    ['app/schema/order.yml 2 note', 'app/forms/dish.liquid 9 note', 'app/forms/dish.liquid 11 note'],
  ],
])('a property of %s is renamed in both directions', async (_what, path, words, expected) => {
  expect(await renamed(path, words, NESTED)).toEqual(expected.toSorted())
})

test.each([
  ['users', 'app/forms/cook.liquid', 'properties:\n    no‸te', 'app/user.yml 1 note'],
  ['a profile', 'app/forms/cook.liquid', '        no‸te', 'app/user_profile_schemas/cook.yml 2 note'],
  [
    'a profile in a template',
    'app/forms/cook.liquid',
    'cook.properties.no‸te.',
    'app/user_profile_schemas/cook.yml 2 note',
  ],
  [
    'a flat error',
    'app/forms/cook.liquid',
    "errors['profiles.cook.properties.no‸te",
    'app/user_profile_schemas/cook.yml 2 note',
  ],
  ['a nested table', 'app/forms/dish.liquid', '        no‸te', 'app/schema/order.yml 2 note'],
  ['a variable of a nested table', 'app/forms/dish.liquid', 'order.properties.no‸te', 'app/schema/order.yml 2 note'],
])('a form leads to the property of %s', async (_what, path, words, expected) => {
  expect(shown(await asked('textDocument/definition', path, words, {}, NESTED), NESTED)).toEqual([expected])
})
