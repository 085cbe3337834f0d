import { it } from 'vitest'
import { mkdtempSync, chmodSync } from 'node:fs'
import { openEmbedded } from '../../../server/store/postgres/embedded.ts'
it('x', { timeout: 100000 }, async () => {
  const d = mkdtempSync('/tmp/ingot-scratch-'); chmodSync(d, 0o755)
  const t0 = performance.now()
  const log = (n: string) => { const f = (m: string) => console.log(n, Math.round(performance.now() - t0), m); return { info: (_: object, m: string) => f(m), warn: (_: object, m: string) => f(m), error: (_: object, m: string) => f(m) } }
  const f = (m: string) => console.log('T', Math.round(performance.now() - t0), m)
  for (let i = 0; i < 4; i++) {
    const a = await openEmbedded(d, log('a'))
    f('a open')
    const leaving = a.close().then(() => f('a closed'))
    const b = await openEmbedded(d, log('b'))
    f('b open')
    await leaving
    await new Promise((r) => setTimeout(r, 500))
    await b.close()
    f('b closed')
  }
})
