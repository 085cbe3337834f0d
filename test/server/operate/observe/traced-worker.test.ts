/** Tests traces of `ingot worker`, which runs jobs that another server has queued. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Programs, programs } from '../../../support/server/program.ts'
import { receiver } from './receiver.ts'
import { builtFolder } from '../../../support/server/built-folder.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let ingot: Programs
beforeAll(async () => {
  ingot = await programs()
})
afterAll(() => ingot.clean())

test('a job is linked to the request of the server that queued it', async () => {
  const root = await builtFolder({
    'app/views/pages/queue.liquid': "---\nslug: queue\n---\n{% background job = 'tasks/look' %}",
    'app/views/partials/tasks/look.liquid': '{% log "seen" %}',
  })
  const got = await receiver()
  const traced = {
    OTEL_EXPORTER_OTLP_ENDPOINT: got.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_TRACES_SAMPLER: 'always_on',
    OTEL_METRICS_EXPORTER: 'none',
  }
  const web = ingot.start(['serve', root], traced)
  await (await fetch(`http://127.0.0.1:${await web.port()}/queue`)).text()
  web.child.kill('SIGTERM')
  expect(await web.exitCode).toBe(0)
  const request = got.spans.find(({ kind }) => kind === 2)
  const worker = ingot.start(['worker', root], { ...traced, INGOT_JOB_THREADS: '1', OTEL_BSP_SCHEDULE_DELAY: '100' })
  const job = (): (typeof got.spans)[number] | undefined => got.spans.find(({ name }) => name === 'job tasks/look')
  await expect.poll(() => job() !== undefined).toBe(true)
  expect(job()?.links.map(({ traceId }) => traceId)).toEqual([request?.traceId])
  worker.child.kill('SIGTERM')
  expect(await worker.exitCode).toBe(0)
  await got.close()
})
