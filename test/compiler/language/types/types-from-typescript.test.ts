/** Reading the signatures of filters from TypeScript. Also tests that the committed signatures are current. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Project } from 'ts-morph'
import { describe, expect, it } from 'vitest'
import type { FilterSignature } from '../../../../compiler/core/model/signature.ts'
import type { Type } from '../../../../compiler/core/model/type.ts'
import { filterTable } from '../../../../compiler/language/types/filters.ts'
import { generateSignatures, readSignatures } from '../../../../compiler/language/types/from-typescript.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

const TYPES = `
export type Textual = unknown
export type Numeric = unknown
export type List = unknown
export type Hash = unknown
export type Value = unknown
export type Bool = unknown
export type NamedArguments<Names = Record<string, unknown>> = Names | undefined
`

/** Shared by all tests, because reading the TypeScript libraries takes most of the time. */
const project = new Project({ useInMemoryFileSystem: true, compilerOptions: { strict: true } })

/** Returns the signatures of filter modules by registry name. */
function signatures(modules: Readonly<Record<string, string>>): readonly FilterSignature[] {
  const write = (path: string, text: string) => project.createSourceFile(path, text, { overwrite: true })
  write('/runtime/page/filters/types.ts', TYPES)
  write('/runtime/page/render.ts', 'export class Render { $a = 1 }')
  write(
    '/runtime/page/values.ts',
    'export class Float { $f = 1 }\nexport class Safe { $t = "" }\nexport class Json extends Safe { $r = true }\nexport type Numeral = number | bigint | Float',
  )
  const imports = `import type { Bool, Hash, List, NamedArguments, Numeric, Textual, Value } from '../types.ts'\nimport type { Render } from '../../render.ts'\nimport { Json, type Numeral, Safe } from '../../values.ts'\n`
  let registry = ''
  for (const [name, text] of Object.entries(modules)) {
    write(`/runtime/page/filters/text/${name}.ts`, imports + text)
    registry += `export * as ${name} from './text/${name}.ts'\n`
  }
  return readSignatures(write('/runtime/page/filters/index.ts', registry))
}

function signatureOf(name: string, text: string): FilterSignature {
  const found = signatures({ [name]: text }).find((each) => each.aliasOf === null)
  if (found === undefined) throw new Error('no filter was read')
  return found
}

describe('the signature of a filter', () => {
  it('has the parameters, the result and the summary of the function', () => {
    expect(
      signatureOf(
        'upcase',
        '/** Upper case. More words. */\nexport function upcase(input: Textual): string { return String(input) }',
      ),
    ).toEqual({
      name: 'upcase',
      registry: 'upcase',
      exportName: 'upcase',
      module: 'text/upcase.ts',
      aliasOf: null,
      dialect: 'both',
      parameters: [{ name: 'input', kind: 'text', optional: false }],
      rest: null,
      named: null,
      result: { kind: 'string' },
      needsRender: false,
      suspends: false,
      fallible: false,
      deprecated: null,
      summary: 'Upper case.',
    })
  })

  it('drops the underscore of a reserved word', () => {
    const found = signatureOf(
      'default_',
      'export function default_(v: Value, or: Value = "", o?: NamedArguments<{ allow_false?: Value }>): unknown { return v ?? or ?? o }',
    )
    expect([found.name, found.exportName]).toEqual(['default', 'default_'])
    expect(found.parameters.map((each) => each.optional)).toEqual([false, true])
    expect(found.named).toEqual({ names: ['allow_false'], open: false, required: false })
  })

  it('knows the render, promises and faults', () => {
    const found = signatureOf(
      't',
      '/** T. @throws when */\nexport async function t(r: Render, key: Textual, o?: NamedArguments): Promise<Safe> { return new Safe() }',
    )
    expect(found).toMatchObject({
      needsRender: true,
      suspends: true,
      fallible: true,
      named: { names: [], open: true },
      result: { kind: 'string', safe: 'safe' },
    })
    expect(found.parameters).toHaveLength(1)
  })

  it('reads rest parameters', () => {
    expect(
      signatureOf('dig', 'export function dig(h: Hash, ...keys: Value[]): unknown { return [h, keys] }').rest,
    ).toEqual({
      name: 'keys',
      kind: 'value',
      optional: true,
    })
  })

  it.each<[string, Type]>([
    ['Numeral', { kind: 'number' }],
    ['number | bigint', { kind: 'integer' }],
    ['number', { kind: 'number' }],
    ['boolean', { kind: 'boolean' }],
    ['string[]', { kind: 'list', element: { kind: 'string' } }],
    ['readonly unknown[]', { kind: 'list', element: { kind: 'unknown' } }],
    ['Record<string, unknown>', { kind: 'hash', element: { kind: 'unknown' } }],
    ['Json', { kind: 'string', safe: 'json' }],
    ['string | null', { kind: 'union', members: [{ kind: 'nil' }, { kind: 'string' }] }],
    ['unknown', { kind: 'unknown' }],
  ])('takes %s as the result %o', (type, expected) => {
    const { result } = signatureOf('f', `export function f(v: Value): ${type} { return v as ${type} }`)
    if (expected.kind === 'union')
      expect(result).toMatchObject({ kind: 'union', members: expect.arrayContaining([...expected.members]) })
    else expect(result).toEqual(expected)
  })

  it('gives a signature to every alias, deprecated unless base Liquid has it', () => {
    const platform = signatures({
      array_add:
        "export const dialect = 'platform'\nexport const aliases = ['add_to_array'] as const\nexport function array_add(a: List, v: Value): unknown[] { return [a, v] }",
    })
    expect(platform.map((each) => [each.name, each.aliasOf, each.deprecated])).toEqual([
      ['add_to_array', 'array_add', 'array_add'],
      ['array_add', null, null],
    ])
    const base = signatures({
      escape: "export const aliases = ['h'] as const\nexport function escape(v: Textual): Safe { return v as Safe }",
    })
    expect(base.map((each) => [each.name, each.deprecated])).toEqual([
      ['escape', null],
      ['h', null],
    ])
  })

  it('keeps the twin of a dialect under the common name', () => {
    const twins = signatures({
      join: 'export function join(v: List): string { return String(v) }',
      liquid_join: "export const dialect = 'liquid'\nexport function join(v: List): string { return String(v) }",
    })
    expect(twins.map((each) => [each.name, each.dialect])).toEqual([
      ['join', 'both'],
      ['join', 'liquid'],
    ])
  })

  it('refuses a parameter of an unknown type', () => {
    expect(() => signatureOf('f', 'export function f(v: string): string { return v }')).toThrow(
      /runtime\/page\/filters\/text\/f\.ts: the parameter `v`/,
    )
  })
})

describe('the committed signatures', () => {
  it('are those of the runtime as it is', () => {
    const generated = generateSignatures(root)
    expect([...generated.keys()]).toHaveLength(3)
    for (const [path, text] of generated) expect(readFileSync(join(root, path), 'utf8')).toBe(text)
  })

  it('hold the filters of both dialects', () => {
    expect(filterTable('platform').get('array_add')?.dialect).toBe('platform')
    expect(filterTable('liquid').has('array_add')).toBe(false)
    expect(filterTable('liquid').get('upcase')?.name).toBe('upcase')
  })
})
