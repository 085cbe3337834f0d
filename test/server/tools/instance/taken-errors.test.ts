/** Tests `INGOT_DEPLOY_ERRORS` with deployments of sites that have errors. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type InstanceSetup, type Instance, openInstanceSetup, siteZip } from './instance-setup.ts'

// Each server is several processes, and a loaded machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const HOME = 'app/views/pages/index.liquid'
const WHOLE = { [HOME]: 'home', 'modules/m/public/views/partials/part.liquid': 'part' }
const BROKEN = { ...WHOLE, [HOME]: "home {% render 'gone' %}", 'app/views/pages/about.liquid': 'about' }

let grounds: readonly [InstanceSetup, InstanceSetup]
const open: Record<'refuse' | 'report', Instance> = {} as never

beforeAll(async () => {
  // All servers of a database serve the same site, so each server has a separate database.
  const [refusing, reporting] = (grounds = [await openInstanceSetup(), await openInstanceSetup()])
  open.refuse = await refusing.open('refusing')
  open.report = await reporting.open('reporting', { INGOT_DEPLOY_ERRORS: 'report' })
})
afterAll(() => Promise.all(grounds.map((ground) => ground.clean())))

const status = async (instance: Instance, path: string): Promise<number> =>
  (await fetch(`${instance.url}${path}`)).status

describe('a site with an error', () => {
  it('is refused, and the one before is served', async () => {
    await open.refuse.deploy(siteZip(WHOLE))
    const { error } = await open.refuse.deploy(siteZip(BROKEN))
    expect(error?.error).toContain('There is no partial named `gone`')
    expect([await status(open.refuse, '/'), await status(open.refuse, '/about')]).toEqual([200, 404])
  })

  it('is served where the setting says so: the error is reported, and fails where it is reached', async () => {
    const done = await open.report.deploy(siteZip(BROKEN))
    expect(done).toMatchObject({
      status: 'success',
      warning: expect.stringContaining(`Error: ${HOME}:1: There is no partial`) as string,
    })
    expect([await status(open.report, '/'), await status(open.report, '/about')]).toEqual([500, 200])
  })
})

it('a file with an error is taken alike', async () => {
  const broken = '{% if %}x{% endif %}'
  expect(await open.refuse.sync(HOME, broken)).toMatchObject({ status: 422 })
  expect(await open.report.sync(HOME, broken)).toMatchObject({
    status: 200,
    body: { warning: expect.stringContaining(HOME) as string },
  })
  expect(await status(open.report, '/about')).toBe(200)
})

it('a setting of a form that nobody knows refuses a deploy, as it does on the service, and only there', async () => {
  const site = { ...WHOLE, 'app/forms/order.liquid': '---\nresource: User\ncolour: red\n---\n' }
  expect((await open.refuse.deploy(siteZip(site))).error?.error).toContain('Unknown properties: colour.')
  expect(await open.report.deploy(siteZip(site))).toMatchObject({ status: 'success' })
})
