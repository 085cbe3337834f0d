/** Tests that recordings are bounded, that the files are read incrementally, and what is found in a recording. */
import { appendFileSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Recording } from '../../../../server/core/contracts/recording.ts'
import { findFindings, type FindingContext, type SiteQuery } from '../../../../server/operate/observe/findings.ts'
import { currentFile, olderFile, RequestRecords } from '../../../../server/operate/observe/kept-requests.ts'
import type { RecordedRequest } from '../../../../server/operate/observe/recorded-request.ts'
import { RequestIndex } from '../../../../server/operate/observe/request-index.ts'
import { ANSWER } from './recorded.ts'

const STATEMENT = { rows: 1, ms: 1, waited: 0, replica: false, transaction: false, error: null, values: [] }
const PLACE = { file: 'app/views/partials/card.liquid', line: 12 }

async function recorded(work: (recording: Recording) => void, answer: object = {}): Promise<RecordedRequest> {
  const records: RecordedRequest[] = []
  const recording = new RequestRecords((record) => void records.push(record)).record()
  if (recording === null) throw new Error('too many recordings')
  work(recording)
  recording.answer({ ...ANSWER, ...answer })
  await expect.poll(() => records).toHaveLength(1)
  return records[0] as RecordedRequest
}

function run(recording: Recording, name: string, variables: object, sql = 'select 1'): void {
  const query = recording.query({ name, document: null, variables })
  recording.statement({ ...STATEMENT, sql })
  query.end({ place: PLACE, rows: 1, error: null })
}

describe('a recording', () => {
  test('merges the calls of a template, and ends those that an error has left', async () => {
    const { detail } = await recorded((recording) => {
      const page = recording.templateBegan('page', 'page', 'own')
      for (let at = 0; at < 50_000; at++) recording.templateEnded(recording.templateBegan('partial', 'card', 'own'), 2)
      recording.templateBegan('partial', 'failing', 'own')
      recording.templateBegan('partial', 'deep', 'own')
      recording.templateCaught('page')
      recording.templateEnded(recording.templateBegan('partial', 'next', 'own'), 1)
      recording.templateEnded(page, 10)
    })
    const part = { kind: 'partial', count: 1, parts: [] }
    expect(detail.templates).toMatchObject([
      {
        ...{ kind: 'page', file: 'page', bytes: 10 },
        parts: [
          { ...part, file: 'card', count: 50_000, bytes: 100_000 },
          { ...part, file: 'failing', parts: [{ ...part, file: 'deep' }] },
          { ...part, file: 'next' },
        ],
      },
    ])
  })

  test('counts a template once that its caller, the code around it and its own code report', async () => {
    const { detail } = await recorded((recording) => {
      const page = recording.templateBegan('page', 'page', 'host')
      const around = recording.templateBegan('page', 'page', 'around')
      const outer = recording.templateBegan('partial', 'tree', 'around')
      const own = recording.templateBegan('partial', 'tree', 'own')
      const inner = recording.templateBegan('partial', 'tree', 'around')
      recording.templateEnded(inner, 1)
      recording.templateEnded(own, null)
      recording.templateEnded(outer, 3)
      recording.templateEnded(around, 5)
      recording.templateEnded(page, 9)
    })
    const tree = { file: 'tree', count: 1 }
    expect(detail.templates).toMatchObject([
      { kind: 'page', count: 1, bytes: 9, parts: [{ ...tree, bytes: 3, parts: [{ ...tree, bytes: 1, parts: [] }] }] },
    ])
  })

  test('is bounded whatever a request does', async () => {
    const record = await recorded((recording) => {
      for (let at = 0; at < 3_000; at++) {
        recording.templateBegan('partial', `deep ${at}`, 'own')
        run(recording, `q${at}`, { text: 'x'.repeat(10_000) }, `select ${at} ${'y'.repeat(1_000)}`)
        recording.log({ type: 'a', message: 'z'.repeat(10_000), file: '', line: 0, isFault: false })
        recording.job({ id: String(at), name: 'job', delay: 0 })
      }
    })
    expect(record.detail.omitted).toMatchObject({ queries: 2_500, logs: 2_800, jobs: 2_900 })
    expect(record.summary.statements).toBe(3_000)
    expect(JSON.stringify(record).length).toBeLessThan(2_000_000)
  })

  test('is not made of every request under load', () => {
    const requests = new RequestRecords(() => undefined)
    const made = Array.from({ length: 500 }, () => requests.record()).filter((each) => each !== null)
    expect(made.length).toBeGreaterThanOrEqual(40)
    expect(made.length).toBeLessThan(200)
  })

  test('of a redirect is in the chain of the request that follows', async () => {
    const records: RecordedRequest[] = []
    const requests = new RequestRecords((record) => void records.push(record))
    const answer = (id: string, url: string, redirectTo: string | null) =>
      requests.record()?.answer({ ...ANSWER, id, url, redirectTo, status: redirectTo === null ? 200 : 302 })
    answer('1', '/a', '/b?x=1')
    answer('2', '/b?x=1', 'http://localhost/c')
    answer('3', '/c', null)
    answer('4', '/c', null)
    await expect.poll(() => records).toHaveLength(4)
    expect(records.map(({ detail }) => detail.redirects.map(({ id }) => id))).toEqual([[], ['1'], ['1', '2'], []])
  })
})

test('the index reads what was added, whole lines only, and follows the files when they are replaced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ingot-recorded-'))
  const index = new RequestIndex(folder)
  const line = async (id: string): Promise<string> =>
    `${JSON.stringify(await recorded((recording) => run(recording, id, {}), { id }))}\n`
  const ids = async (): Promise<readonly string[]> => (await index.list()).map(({ summary }) => summary.id).toSorted()
  expect(await ids()).toEqual([])
  const [first, second, third] = [await line('r1'), await line('r2'), await line('r3')]
  writeFileSync(currentFile(folder), first + second.slice(0, 100))
  expect(await ids()).toEqual(['r1'])
  appendFileSync(currentFile(folder), `${second.slice(100)}{"broken\n`)
  expect(await ids()).toEqual(['r1', 'r2'])
  const before = (await index.list()).find(({ summary }) => summary.id === 'r2')
  renameSync(currentFile(folder), olderFile(folder))
  writeFileSync(currentFile(folder), third)
  expect(await ids()).toEqual(['r1', 'r2', 'r3'])
  expect((await before?.detail())?.queries[0]?.name).toBe('r2')
  renameSync(currentFile(folder), olderFile(folder))
  expect(await ids()).toEqual(['r3'])
  expect(await before?.detail()).toBeNull()
})

describe('found is', () => {
  const context: FindingContext = { queryOf: () => null, explain: async () => [], similar: async () => [] }
  const found = async (record: RecordedRequest, more: Partial<FindingContext> = {}) =>
    findFindings(record.summary, record.detail, { ...context, ...more })
  const queryOf = (document: string) => () => ({ file: 'app/graphql/q.graphql', document })

  test.each([
    [
      'query q($id: ID!) { records(filter: { id: { value: $id }, table: { value: "maker" } }) { results { id } } }',
      'related_record(table: "maker", join_on_property: "…")',
      'id: { value_in: $ids }',
    ],
    [
      'query q($id: ID!) { records(filter: { table: { value: "review" }, properties: [{ name: "listing_id", value: $id }] }) { results { id } } }',
      'related_records(table: "review", join_on_property: "id", foreign_property: "listing_id")',
      'properties: [{ name: "listing_id", value_in: $ids }]',
    ],
    [
      'query q($id: ID!) { users(filter: { id: { value: $id } }) { results { id } } }',
      'related_user',
      'value_in: $ids',
    ],
  ])('a query in a loop, with the fields to write instead: %s', async (document, related, list) => {
    const record = await recorded((recording) => {
      for (let at = 0; at < 25; at++) run(recording, 'q', { id: String(at) })
    })
    const [finding] = await found(record, { queryOf: queryOf(document) })
    expect(finding).toMatchObject({ kind: 'loop', ...PLACE })
    expect(finding?.sentence).toMatch(/^The query q ran 25 times, in a loop in app\/views\/partials\/card\.liquid:12/)
    expect(finding?.change).toContain(related)
    expect(finding?.change).toContain(list)
  })

  test('a query in a loop over rows of the same table, with the fields to add to the list', async () => {
    const ids = 'query ids { picks: records(per_page: 99, filter: { table: { value: "pick" } }) { results { id } } }'
    const one =
      'query one($id: ID!) { pick: records(per_page: 1, filter: { id: { value: $id }, table: { value: "pick" } }) { results { id title: property(name: "title") note } } }'
    const looped = (list: string): Promise<RecordedRequest> =>
      recorded((recording) => {
        const open = recording.query({ name: list, document: null, variables: {} })
        open.end({ place: { file: 'app/views/pages/index.liquid', line: 1 }, rows: 25, error: null })
        for (let at = 0; at < 25; at++) run(recording, 'picks/one', { id: String(at) })
      })
    const queries: Readonly<Record<string, string>> = {
      'picks/ids': ids,
      'picks/one': one,
      others: ids.replace('"pick"', '"other"'),
    }
    const stored = (name: string): SiteQuery | null => {
      const document = queries[name]
      return document === undefined ? null : { file: `app/graphql/${name}.graphql`, document }
    }
    expect(await found(await looped('picks/ids'), { queryOf: stored })).toMatchObject([
      {
        change:
          'Select `title: property(name: "title")`, `note` in `picks/ids`, which reads the same rows, and use its results in the loop instead of picks/one.',
        files: ['app/graphql/picks/ids.graphql', 'app/graphql/picks/one.graphql'],
      },
    ])
    expect(await found(await looped('others'), { queryOf: stored })).toMatchObject([
      { change: expect.stringContaining('related_record') },
    ])
  })

  test('a query that runs again with the same variables, but not one that runs twice', async () => {
    const same = await recorded((recording) => {
      for (let at = 0; at < 3; at++) run(recording, 'q', { id: '1' })
    })
    expect(await found(same)).toMatchObject([{ change: expect.stringContaining('once before the loop') }])
    const twice = await recorded((recording) => {
      for (let at = 0; at < 2; at++) run(recording, 'q', { id: '1' })
    })
    expect(await found(twice)).toEqual([])
  })

  test('a fragment that never hits, and its changing key', async () => {
    const missed = (key: string) => (recording: Recording) =>
      recording.fragment({ key, hit: false, ms: 1, place: PLACE })
    const others = [await recorded(missed('a 1')), await recorded(missed('a 2'))].map(({ detail }) => detail)
    const record = await recorded(missed('a 3'))
    const findings = await found(record, { similar: async () => others })
    expect(findings).toMatchObject([{ kind: 'cache', ...PLACE, sentence: expect.stringContaining('`a 3`') }])
    expect(await found(record)).toEqual([])
  })

  test('a large answer', async () => {
    const record = await recorded(() => undefined, { bytes: 2 * 1024 * 1024 })
    expect(await found(record)).toMatchObject([{ kind: 'size', sentence: expect.stringContaining('2.0 MB') }])
  })
})
