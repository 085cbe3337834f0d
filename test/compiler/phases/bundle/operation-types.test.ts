/** Types of queries: the checker's types and those of codegen agree, and the types of the schema are current. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { compile } from '../../../../compiler/compile.ts'
import { operationTypes } from '../../../../compiler/phases/bundle/operation-types.ts'
import { typedOperations } from '../../../../compiler/phases/emit/operation.ts'
import type { Type } from '../../../../compiler/core/model/type.ts'
import { discover } from '../../../../compiler/core/source/discover.ts'
import { generate } from '@graphql-codegen/cli'
import { config, HEADER, SCHEMA_TYPES } from '../../../../runtime/data/query/codegen.ts'
import { analyze, schema } from '../../../../runtime/data/query/index.ts'
import { mutationField } from '../../../../runtime/data/query/schema.ts'
import { sourceFiles } from '../../../support/case-file.ts'
import { checkFiles, type Files } from '../../../support/compiler/check.ts'
import { decoderOf } from '../../../support/emitted-code.ts'
import { argumentsOf, MUTATIONS, wholeField } from '../../../server/web/graphql/every-selection.ts'
import { tsc } from '../../../support/tsc.ts'
import { TypeCheck } from '../../../support/type-check.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'ingot-types-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const FILES: Files = {
  'app/schema/book.yml': 'name: book\nproperties:\n  - name: title\n    type: string\n',
  'app/graphql/books/all.graphql': `query ($limit: Int = 5, $with: Boolean = false) {
  records(per_page: $limit, filter: { table: { value: "book" } }) {
    total_entries has_next_page
    results {
      id created_at deleted_at table
      ...Values
      writers: related_records(table: "book", join_on_property: "id", foreign_property: "title") { id }
      writer: related_record(table: "book", join_on_property: "title") { user_id external_id }
      owner: related_user { email slug first_name }
    }
  }
}
fragment Values on Record {
  title: property(name: "title")
  count: property_int(name: "title")
  share: property_float(name: "title")
  sold: property_boolean(name: "title")
  tags: property_array(name: "title")
  json: property_json(name: "title")
  file: property_upload(name: "title") { url file_name extension }
}
`,
  // Names that become the same TypeScript name, and names that TypeScript already uses.
  'app/graphql/books-all.graphql': `query books_all { records(per_page: 1, filter: { table: { value: "book" } }) { results { ...Values } } }
fragment Values on Record { id }`,
  'app/graphql/record.graphql': 'mutation Record { record_delete(id: 1, table: "book") { id table } }',
  'app/graphql/class.graphql':
    'query { users(per_page: 3) { total_pages results { id email name } } current_user { id language } }',
  'app/graphql/site.graphql':
    'query { admin_liquid_partials(per_page: 5) { results { path body } } constants(per_page: 2) { results { name value } } }',
}

/** Returns a checker type as TypeScript; null for an unknown type. */
function text(type: Type): string {
  switch (type.kind) {
    case 'unknown':
      return 'unknown'
    case 'nil':
      return 'null'
    case 'integer':
      return 'number'
    case 'float':
    case 'number':
      return 'Numeral'
    case 'list':
      return `ReadonlyArray<${text(type.element)}>`
    case 'union':
      return type.members.map(text).join(' | ')
    case 'record':
      return `{ ${[...type.fields].map(([key, field]) => `readonly ${JSON.stringify(key)}: ${text(field)}`).join('; ')} }`
    default:
      return type.kind
  }
}

describe('the types of operations', () => {
  const { operations, diagnostics } = checkFiles(FILES)

  it('are those of the checker', async () => {
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    const typed = typedOperations(operations)
    expect(typed).toHaveLength(operations.storedOperations.size)
    const lines = [
      await operationTypes(typed),
      'type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false',
    ]
    let count = 0
    for (const [at, operation] of [...operations.storedOperations.values()].entries()) {
      const { result } = operation
      if (result.kind !== 'record') throw new Error(`${operation.name} has no shape`)
      for (const [key, field] of result.fields) {
        if (key === 'errors') continue
        // In templates, a failed root field is nil, even if the schema says that it is never null.
        const theirs = `NonNullable<${typed[at]?.type}Result[${JSON.stringify(key)}]>`
        lines.push(`export const same${++count}: Same<NonNullable<${text(field)}>, ${theirs}> = true`)
      }
    }
    expect(count).toBeGreaterThan(6)
    writeFileSync(join(folder, 'types.ts'), `${lines.join('\n')}\n`)
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: {
          typeRoots: [join(root, 'node_modules/@types')],
          paths: { 'ingot/runtime': [join(root, 'runtime/index.ts')] },
        },
        include: ['types.ts'],
      }),
    )
    expect(await tsc(folder)).toEqual([])
  })

  it('of the demo site are made in one call', async () => {
    const { files } = await discover(join(root, 'fixtures/sites/marketplace'))
    const found = checkFiles(Object.fromEntries(files.map(({ path, text }) => [path, text])))
    const typed = typedOperations(found.operations)
    expect(typed.length).toBeGreaterThan(0)
    const types = await operationTypes(typed)
    for (const { type } of typed) expect(types).toContain(`export type ${type}Result = `)
  })
})

/** Documents with error-prone types, and documents that request every field. */
function documents(): Readonly<Record<string, string>> {
  const rows = (selection: string) => `records(per_page: 1) { results { ${selection} } }`
  const roots = (type: 'Query' | 'Mutation') =>
    Object.values((type === 'Query' ? schema().getQueryType() : schema().getMutationType())?.getFields() ?? {})
  const args = new Map([...MUTATIONS, ['admin_assets_presign_urls', 'paths: [{ path: "a.txt" }]'] as const])
  const called = (given: string | undefined) => (given === undefined || given === '' ? '' : `(${given})`)
  return {
    conditions: `query ($a: Boolean!, $b: Boolean = true) { ${rows(
      '... @include(if: $a) { id ...Owner } table @skip(if: $b) related_user { email @skip(if: $a) } created_at @include(if: false)',
    )} } fragment Owner on Record { related_user { id email slug } owner: related_user @include(if: $b) { id } }`,
    'conditions/twice': `query ($a: Boolean!) { ${rows(
      'user: related_user @include(if: $a) { id email } user: related_user @skip(if: $a) { email slug }',
    )} current_user @include(if: $a) { id } }`,
    interfaces: `{ ${rows('__typename of: __typename ... on PropertiesInterface { a: property(name: "a") } ... on Record { id }')} __typename }`,
    'interfaces/missing': `query ($a: Boolean!) { ${rows('id __typename @include(if: $a) of: __typename @skip(if: $a)')} }`,
    schema:
      '{ __schema { types { name kind fields { name type { kind ofType { name } } } } } __type(name: "Record") { name } }',
    names: `{ errors: records(per_page: 1) { toString: total_entries __proto__: total_pages } constructor: ${rows('default: id')} }`,
    nothing: '{ records(per_page: 1) @include(if: false) { total_entries } }',
    'nothing/inside': '{ records(per_page: 1) { total_entries @include(if: false) } }',
    'names/answer': '{ current_user { id } }',
    'names-answer': '{ current_user { email } }',
    ...Object.fromEntries([
      ...roots('Query').map((field) => [
        `query/${field.name}`,
        `{ ${wholeField('r', field, argumentsOf('RootQuery', field))} }`,
      ]),
      // Changes of the site's files are not for templates.
      ...roots('Mutation')
        .filter(({ name }) => mutationField(name)?.kind !== 'change')
        .map((field) => [
          `mutation/${field.name}`,
          `mutation { ${wholeField('r', field, called(args.get(field.name)))} }`,
        ]),
    ]),
  }
}

describe('the decoders of operations', () => {
  it('give what code generation declares', async () => {
    const check = new TypeCheck()
    const files = Object.entries(documents()).map(([name, text]) => [`app/graphql/${name}.graphql`, text] as const)
    const input = sourceFiles(Object.fromEntries(files), 'platform')
    const compiled = compile(input, { dialect: 'platform', syntax: 'lax', keepGoing: true, openEntries: true })
    try {
      await check.add('site', compiled)
      expect(typedOperations(compiled.operations)).toHaveLength(files.length)
      expect(await check.errors()).toEqual([])
    } finally {
      check.close()
    }
  })

  it('look at all that their types name, and leave out what a directive leaves out', () => {
    const { schemaResult: answer } = analyze(documents()['conditions'] ?? '', { tables: [], user: [], profiles: [] })
    if (answer === null) throw new Error('the document holds')
    const { accepts } = decoderOf(answer)
    const answered = (row: object) => accepts({ records: { results: [row] } })
    const user = { email: 'a@example.com', id: '1', slug: 'a' }
    expect(answered({ related_user: null })).toBe(true)
    expect(answered({ related_user: {} })).toBe(true)
    expect(answered({ related_user: user, id: '2', owner: null, table: null })).toBe(true)
    expect(answered({})).toBe(false)
    expect(answered({ related_user: user, id: 2 })).toBe(false)
    expect(answered({ related_user: { ...user, email: null } })).toBe(false)
    expect(answered({ related_user: user, owner: {} })).toBe(false)
  })
})

describe('the types of the schema', () => {
  it('are current: `npm run codegen` writes them', async () => {
    const [file] = (await generate(config, false)) as readonly { readonly content: string }[]
    expect(readFileSync(join(root, SCHEMA_TYPES), 'utf8')).toBe(HEADER + file?.content)
  })
})
