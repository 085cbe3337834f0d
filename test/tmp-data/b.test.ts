import { it } from 'vitest'
import { testDatabase } from '../database.ts'
import { enqueue } from '../../server/queue/enqueue.ts'
it('x', async () => {
  const { sql, close } = await testDatabase()
  const run = async (text: string, values: readonly unknown[]) => (await sql.unsafe(text, values.map((v) => sql.typed(v === null ? null : String(v), 25)), { prepare: true }).values()) as unknown as unknown[][]
  const job = (n: number) => ({ task: { kind: 'unit', unit: 'a', values: { n } }, origin: { host: 'h', language: 'en', user: null, depth: 1 }, options: { delay: 0, priority: 'default', maxAttempts: 1, sourceName: 'a' } }) as const
  for (let n = 0; n < 50; n++) await enqueue([job(n)], run)
  let t = performance.now()
  for (let n = 0; n < 1000; n++) await enqueue([job(n)], run)
  console.log('one by one', ((performance.now() - t) / 1000).toFixed(3), 'ms each')
  t = performance.now()
  await sql.begin(async (tx) => { const r = async (text: string, values: readonly unknown[]) => (await tx.unsafe(text, values.map((v) => sql.typed(v === null ? null : String(v), 25)), { prepare: true }).values()) as unknown as unknown[][]
    for (let n = 0; n < 1000; n++) await enqueue([job(n)], r) })
  console.log('in one transaction', ((performance.now() - t) / 1000).toFixed(3), 'ms each')
  t = performance.now()
  await Promise.all(Array.from({ length: 1000 }, (_, n) => enqueue([job(n)], run)))
  console.log('at once', ((performance.now() - t) / 1000).toFixed(3), 'ms each')
  t = performance.now()
  await enqueue(Array.from({ length: 1000 }, (_, n) => job(n)), run)
  console.log('many', ((performance.now() - t) / 1000).toFixed(3), 'ms each')
  await close()
}, 60000)
