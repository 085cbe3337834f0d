/** Tests counters of processes and their sums: they are limited, exact, and printed safely. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { MeasuredChange } from '../../../../server/core/contracts/measured.ts'
import { createCollector } from '../../../../server/operate/observe/collector.ts'
import { METRICS, metricsTable } from '../../../../server/operate/observe/metrics.ts'
import { createObserver } from '../../../../server/operate/observe/observer.ts'
import { printPage } from '../../../../server/operate/observe/page.ts'
import { createSums, printableMetrics } from '../../../../server/operate/observe/sums.ts'
import { describeTask } from '../../../../server/data/queue/payload.ts'
import { readSettings } from '../../../../server/core/settings.ts'
import { samplesOf, sumOf } from './metrics-page.ts'

const COUNT = 'ingot_http_request_duration_seconds_count'

async function readMetrics(changes: readonly MeasuredChange[], most?: number) {
  const sums = createSums(most)
  sums.add(changes)
  return samplesOf((await printPage(printableMetrics(sums, []))).text)
}

function collected(most?: number) {
  const told: MeasuredChange[] = []
  const collector = createCollector({
    report: (changes) => void told.push(...changes),
    ...(most !== undefined && { maxSeries: most }),
  })
  return { collector, told }
}

describe('a collector', () => {
  test('tells each piece once', async () => {
    const { collector, told } = collected()
    for (let i = 0; i < 3; i++) collector.request('a', 200, 0.004)
    collector.flush()
    collector.flush()
    collector.request('a', 200, 99)
    collector.flush()
    expect(told.length).toBe(2)
    const samples = await readMetrics(told)
    const labels = { template: 'a', status: '200' }
    expect(sumOf(samples, COUNT, labels)).toBe(4)
    const bucket = (le: string) => sumOf(samples, 'ingot_http_request_duration_seconds_bucket', { ...labels, le })
    expect([bucket('0.0025'), bucket('0.005'), bucket('10'), bucket('+Inf')]).toEqual([0, 3, 3, 4])
    expect(sumOf(samples, 'ingot_http_request_duration_seconds_sum', labels)).toBeCloseTo(99.012)
  })

  test('tells by itself within a moment', async () => {
    const { collector, told } = collected()
    collector.slow('page')
    await expect.poll(() => told.length).toBe(1)
  })

  test('keeps so many series and puts the rest together', async () => {
    const { collector, told } = collected(100)
    for (let i = 0; i < 10_000; i++) collector.request(`template ${i}`, 200, 0.1)
    collector.flush()
    expect(told.length).toBe(101)
    const samples = await readMetrics(told)
    expect(sumOf(samples, COUNT)).toBe(10_000)
    expect(sumOf(samples, COUNT, { template: '(other)', status: '(other)' })).toBe(9_900)
  })

  test('cuts labels that are long', () => {
    const { collector, told } = collected()
    collector.job('x'.repeat(100_000), 'done', 1)
    collector.flush()
    expect(told[0]?.labels[0]?.length).toBeLessThan(300)
  })
})

describe('the sums', () => {
  test('of several processes are bounded together', async () => {
    const changes = Array.from({ length: 500 }, (_, at) => ({ metric: 'slow', labels: [`thing ${at}`], sum: 1 }))
    const samples = await readMetrics(changes, 10)
    const slow = samples.filter(({ name }) => name === 'ingot_slow_total')
    expect(slow.length).toBe(11)
    expect(slow.reduce((sum, { value }) => sum + value, 0)).toBe(500)
  })

  test('leave out what is no metric of theirs, whoever says so', async () => {
    const changes = [
      { metric: '__proto__', labels: [], sum: 1 },
      { metric: 'constructor', labels: [], sum: 1 },
      { metric: 'requests', labels: ['a'], sum: 1 },
      { metric: 'made up', labels: [], sum: 1 },
    ]
    expect((await readMetrics(changes)).length).toBe(0)
  })

  test('print labels so that none ends its line', async () => {
    const hostile = 'a"} 1\nevil_metric 1 # \\'
    const samples = await readMetrics([{ metric: 'slow', labels: [hostile], sum: 1 }])
    expect(samples.map(({ name }) => name)).toEqual(['ingot_slow_total'])
  })
})

test('the list names each metric once, with what Prometheus takes for a name', () => {
  const all = Object.values(METRICS)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  for (const { name, type, labels, help } of all) {
    expect(name).toMatch(/^ingot_[a-z_]+$/)
    expect(name.endsWith('_total'), name).toBe(type === 'counter')
    for (const label of labels) expect(label).toMatch(/^[a-z]+$/)
    expect(help).toMatch(/\.$/)
  }
})

test('the chapter about metrics has the list as it is', () => {
  const chapter = readFileSync(new URL('../../../../server/operate/observe/README.md', import.meta.url), 'utf8')
  expect(chapter).toContain(`\n${metricsTable()}\n`)
})

test('a job is named by what it runs, and never by what its author passes along', () => {
  const origin = { host: '', language: 'en', user: null, depth: 1 }
  const name = (task: object): string =>
    describeTask(JSON.stringify({ task, origin, options: { sourceName: 'made up' } })).name
  expect(name({ kind: 'unit', unit: 'orders/pack', values: { unit: 'made up' } })).toBe('orders/pack')
  expect(name({ kind: 'callback', form: { name: 'contact', id: '1' } })).toBe('contact')
  expect(name({ kind: 'notification', channel: 'email', name: 'welcome' })).toBe('welcome')
  expect(name({ kind: 'export', id: '7' })).toBe('export')
  expect(describeTask('no JSON').name).toBe('(unknown)')
  expect(describeTask('[]').name).toBe('(unknown)')
})

test('where nothing is wanted there is no observer', () => {
  const { observe } = readSettings({ INGOT_SLOW_PAGE: '0', INGOT_SLOW_QUERY: '0' }, 'production')
  expect(createObserver(observe, null)).toBeNull()
})
