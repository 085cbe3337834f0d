import { test } from 'vitest'
import pino from 'pino'
import { createApp } from '../../server/app.ts'
import { around } from '../../server/site/load.ts'
import { page, site, request } from './support.ts'
test('perf', async () => {
  const s = site([page('plain', { render: () => 'x' })])
  const logger = pino({ level: 'silent' })
  const base = { environment: 'production', version: '1', constants: () => ({}), logger } as const
  let accounts: unknown
  try { const m = await import('../../server/accounts/' + 'accounts.ts'); accounts = m.createAccounts({ statements: { run: async () => { throw 1 }, failed: () => { throw 1 } } as never, secret: 'x' }) } catch {}
  const data = {} as never
  const h = createApp(around(s, '/x', '/x'), { ...base, ...(accounts ? { accounts } : {}) } as never).handler
  let best = 1e9
  for (let k = 0; k < 100; k++) { const t = performance.now(); for (let i = 0; i < 5000; i++) await h(request('/plain')); best = Math.min(best, performance.now() - t) }
  console.log(accounts ? 'with' : 'base', (best / 5).toFixed(2), 'us')
}, 100000)
