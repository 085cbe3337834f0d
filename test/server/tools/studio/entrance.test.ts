/** The entrance of the studio follows the site that is served: another path, another policy, and none. */
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as runtime from '../../../../runtime/index.ts'
import { createEntrance } from '../../../../server/tools/studio/entrance.ts'
import { type App, createApp } from '../../../../server/web/app.ts'
import type { AppOptions } from '../../../../server/web/app-options.ts'
import type { Reply } from '../../../../server/web/http/message.ts'
import { builtProduct } from '../../../support/product.ts'
import { type LiquidSite, liquidSite } from '../../../support/server/liquid-site.ts'
import { request } from '../../../support/server/site.ts'

const PAGES = { 'app/views/pages/index.liquid': 'home', 'app/authorization_policies/open.liquid': 'true' }
const CLOSED = { 'app/authorization_policies/closed.liquid': '---\nhttp_status: 404\n---\nfalse' }
const config = (path: string, policy: string): Record<string, string> => ({
  ...PAGES,
  'app/config.yml': `studio:\n  path: ${path}\n  policy: ${policy}\n`,
})

let sites: readonly LiquidSite[] = []
let app: App
const loads: string[] = []

beforeAll(async () => {
  sites = await Promise.all([
    liquidSite(PAGES),
    liquidSite(config('/internal', 'open')),
    liquidSite(config('/desk/studio', 'open')),
    liquidSite({ ...config('/internal', 'closed'), ...CLOSED }),
  ])
  const facts: AppOptions = {
    environment: 'production',
    version: '0',
    constants: () => ({}),
    logger: pino({ level: 'silent' }),
  }
  const options = {
    runtime,
    facts,
    get folder() {
      loads.push('studio')
      return join(builtProduct(), 'dist', 'studio')
    },
  }
  const entrance = createEntrance(() => app, options)
  app = createApp(loaded(0), { ...facts, instead: entrance.answer })
})
afterAll(() => {
  for (const site of sites) site.close()
})

function loaded(at: number): LiquidSite['loaded'] {
  const site = sites[at]
  if (site === undefined) throw new Error('there is no such site')
  return site.loaded
}

async function statusOf(path: string): Promise<number> {
  const reply: Reply = await app.handler(request(path))
  return reply.status
}

test('the studio is where the current site names it, and is loaded when someone enters', async () => {
  expect(await statusOf('/internal/assets/studio.css')).toBe(404)
  app.swap(loaded(3))
  expect(await statusOf('/internal/assets/studio.css')).toBe(404)
  expect(loads).toEqual([])
  app.swap(loaded(1))
  expect(await statusOf('/internal/assets/studio.css')).toBe(200)
  expect(await statusOf('/')).toBe(200)
  expect(loads).not.toEqual([])
  app.swap(loaded(2))
  expect(await statusOf('/internal/assets/studio.css')).toBe(404)
  expect(await statusOf('/desk/studio/assets/studio.css')).toBe(200)
  expect(await statusOf('/desk')).toBe(404)
  app.swap(loaded(3))
  expect(await statusOf('/internal/assets/studio.css')).toBe(404)
  expect(await statusOf('/desk/studio/assets/studio.css')).toBe(404)
  app.swap(loaded(0))
  expect(await statusOf('/desk/studio/assets/studio.css')).toBe(404)
})
