/** `ingot check --distributed`: where the statements of a site run if its records are distributed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { main } from '../../../../compiler/cli.ts'
import type { Distribution, ClassifiedStatement } from '../../../../compiler/tools/distribution/report.ts'
import { BY_ORGANISATION, BY_USER, type ClassifiedExample, SITE } from '../../../support/distributed-statements.ts'
import { root, write } from '../../../support/product.ts'

let home: string

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'ingot-distributed-'))
})
afterEach(() => void vi.restoreAllMocks())
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function check(dir: string, ...options: readonly string[]) {
  const out: string[] = []
  const err: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0)
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => err.push(String(text)) > 0)
  const code = await main(['check', dir, ...options])
  vi.restoreAllMocks()
  return { code, out: out.join(''), err: err.join('') }
}

async function judged(
  planted: Readonly<Record<string, ClassifiedExample>>,
  column: string,
): Promise<ReadonlyMap<string, ClassifiedStatement>> {
  const dir = mkdtempSync(join(home, 'site-'))
  const documents = Object.entries(planted).map(([name, { document }]) => [`app/graphql/${name}.graphql`, document])
  write(dir, { ...SITE, ...Object.fromEntries(documents) })
  const { out, err } = await check(dir, '--distributed', column, '--format', 'json')
  expect(err).toBe('')
  const { statements } = JSON.parse(out) as Distribution
  return new Map(statements.flatMap((each) => (each.operation === null ? [] : [[each.operation, each]])))
}

for (const [column, planted] of [
  ['org_id', BY_ORGANISATION],
  ['user_id', BY_USER],
] as const) {
  describe(`statements of a site that is distributed by ${column}`, () => {
    let found: ReadonlyMap<string, ClassifiedStatement>
    beforeAll(async () => {
      found = await judged(planted, column)
    })
    for (const [name, { is, description }] of Object.entries(planted))
      it(`${name}: ${is}`, () => {
        const { class: kind, why, hint } = found.get(name) ?? { class: 'absent', why: '', hint: null }
        expect({ kind, words: `${why} ${hint ?? ''}` }).toEqual({
          kind: is,
          words: expect.stringContaining(description),
        })
      })
  })
}

describe('the command', () => {
  const site = (files: Readonly<Record<string, string>>): string => {
    const dir = mkdtempSync(join(home, 'site-'))
    write(dir, { ...SITE, ...files })
    return dir
  }
  const written = (name: string): Readonly<Record<string, string>> => ({
    [`app/graphql/${name}.graphql`]: BY_ORGANISATION[name]?.document ?? '',
  })

  it('prints the statements by class, with their places, and exits with 1 when one is impossible', async () => {
    const { code, out, err } = await check(
      site({ ...written('routed'), ...written('on_id') }),
      '--distributed',
      'org_id',
    )
    expect({ code, err }).toEqual({ code: 1, err: '' })
    const lines = out.split('\n').map((line) => line.trimEnd())
    expect(lines.slice(0, 5)).toEqual([
      'Distributed by `org_id`: item, note, order, ticket. On every node: country, users, profiles.',
      '',
      'impossible',
      '  app/graphql/on_id.graphql:1  on_id records',
      '      `item` is joined with `order` on `order_id` = `id`, not on `org_id`: the rows are in different shards.',
    ])
    expect(lines.slice(-5)).toEqual([
      '    1 one shard',
      '    0 colocated join',
      '    0 all shards',
      '    1 impossible',
      '',
    ])
  })

  it('exits with 0 when all are possible', async () => {
    const { code, out } = await check(site({ ...written('by_id'), ...written('colocated') }), '--distributed', 'org_id')
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('    0 impossible') })
  })

  it('finds queries in templates, and each field of an operation, with its line', async () => {
    const page =
      '{% graphql found %}\nquery {\n  a: records(per_page: 1) { total_entries }\n  b: users(per_page: 1) { total_entries }\n}\n{% endgraphql %}'
    const dir = site({ 'app/views/pages/index.liquid': page })
    const { out } = await check(dir, '--distributed', 'org_id', '--format', 'json')
    const { statements } = JSON.parse(out) as Distribution
    expect(
      statements.map(({ file, line, operation, field, class: kind }) => ({ file, line, operation, field, kind })),
    ).toEqual([
      { file: 'app/views/pages/index.liquid', line: 3, operation: null, field: 'a', kind: 'all shards' },
      { file: 'app/views/pages/index.liquid', line: 4, operation: null, field: 'b', kind: 'one shard' },
    ])
  })

  it('takes the columns of records, of which each table has its own number', async () => {
    const dir = site({ ...written('by_id'), ...written('create'), ...written('no_table') })
    const classes = async (column: string) => {
      const { statements } = JSON.parse(
        (await check(dir, '--distributed', column, '--format', 'json')).out,
      ) as Distribution
      return statements.map(({ operation, class: kind }) => `${operation}: ${kind}`)
    }
    expect(await classes('id')).toEqual(['by_id: one shard', 'create: one shard', 'no_table: all shards'])
    expect(await classes('table_id')).toEqual(['by_id: one shard', 'create: one shard', 'no_table: all shards'])
    expect(await classes('external_id')).toEqual(['by_id: all shards', 'create: impossible', 'no_table: all shards'])
  })

  it('refuses what nothing can be distributed by', async () => {
    const dir = site({ 'app/schema/other.yml': 'name: other\nproperties:\n  - name: total\n    type: string\n' })
    expect(await check(dir, '--distributed', 'orgid')).toMatchObject({
      code: 2,
      err: expect.stringContaining('`org_id`?'),
    })
    expect(await check(dir, '--distributed', 'item_ids')).toMatchObject({
      code: 2,
      err: expect.stringContaining('declared `array`'),
    })
    expect(await check(dir, '--distributed', 'total')).toMatchObject({
      code: 2,
      err: expect.stringContaining('needs one type'),
    })
    expect(await check(dir, '--distributed', 'org_id', '--format', 'sarif')).toMatchObject({ code: 2 })
  })

  it('judges all statements of the demo', async () => {
    const dir = join(root, 'fixtures/sites/marketplace')
    const { code, out } = await check(dir, '--distributed', 'user_id', '--format', 'json')
    const { statements, counts } = JSON.parse(out) as Distribution
    expect(statements.length).toBeGreaterThan(20)
    expect({ code, impossible: counts.impossible > 0 }).toEqual({
      code: counts.impossible > 0 ? 1 : 0,
      impossible: code === 1,
    })
    expect(statements.filter(({ why }) => !/^[A-Z`].*[.]$/.test(why))).toEqual([])
  })
})
