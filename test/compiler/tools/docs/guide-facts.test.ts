/** What the guides say about times, tokens and steps of tests: the served site of the guides does it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GUIDES } from '../../../../compiler/tools/docs/guides/index.ts'
import { STEP_KEYS } from '../../../../server/tools/testing/request-file.ts'
import { bodyText } from '../../../support/built-site.ts'
import { documentedSite } from '../../../support/documented-site.ts'
import { guideRows } from '../../../support/guide-code.ts'
import { type ServedFiles, servedFiles } from '../../../support/served-files.ts'

it('the guide to tests names all keys of a step, and no others', () => {
  const named = guideRows('tests', 'Keys of a step').flatMap(({ name }) => name.split(', '))
  expect(named.toSorted()).toEqual([...STEP_KEYS].toSorted())
})

describe('the site of the guides', () => {
  let site: ServedFiles
  beforeAll(async () => {
    site = await servedFiles(documentedSite(GUIDES))
  })
  afterAll(() => site?.close())

  const submit = async (startsAt: string) => {
    const page = await site.get('/tastings')
    const cookie = (page.cookies ?? []).map((each) => each.split(';')[0]).join('; ')
    const [, action = ''] = /<form [^>]*action="([^"]*)"/.exec(bodyText(page)) ?? []
    const hidden = [...bodyText(page).matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
    const fields = new URLSearchParams(hidden.map(([, name = '', value = '']): [string, string] => [name, value]))
    fields.set('form[properties_attributes][name]', 'Rye')
    fields.set('form[properties_attributes][starts_at]', startsAt)
    const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie }
    return site.get(action, { method: 'POST', headers, body: Buffer.from(fields.toString()) })
  }

  it('stores a time of a form in UTC and shows it in the zone of its users', async () => {
    expect((await submit('2026-07-01T18:00')).status).toBe(302)
    expect((await submit('2026-12-01T18:00')).status).toBe(302)
    const text = bodyText(await site.get('/tastings'))
    expect(text.match(/Rye: .*(?=<)/g)).toEqual(['Rye: 01 July 2026, 18:00', 'Rye: 01 December 2026, 18:00'])
  })

  it.each(['', 'tomorrow', '2026-13-40T99:99'])('refuses the time "%s"', async (time) => {
    const reply = await submit(time)
    expect([reply.status, bodyText(reply)]).toEqual([
      200,
      expect.stringContaining('name="form[properties_attributes][starts_at]" value=""'),
    ])
  })

  it('answers programs without a token of a user with 401, and pages of users with a redirect', async () => {
    const statusOf = async (authorization: string) => {
      const reply = await site.get('/api/stock.json', { authorization })
      return [reply.status, JSON.parse(bodyText(reply)).error]
    }
    expect(await statusOf('')).toEqual([401, 'Send the token of a user.'])
    expect(await statusOf('Bearer of-the-site')).toEqual([401, 'Send the token of a user.'])
    const profile = await site.get('/profile')
    expect([profile.status, profile.headers['location']]).toEqual([302, expect.stringContaining('/sign-up')])
  })
})
