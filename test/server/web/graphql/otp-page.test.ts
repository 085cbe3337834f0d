/** The QR code of a one-time password on a page: markup that is printed without escaping. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LoggedSite, loggedSite } from '../../../support/server/logged-site.ts'
import { request } from '../../../support/server/site.ts'

let site: LoggedSite

beforeAll(async () => {
  site = await loggedSite({
    'app/graphql/codes.graphql':
      '{ users(per_page: 1) { results { otp { secret secret_as_svg_qr_code(issuer: "Shop", label: "<me>") } } } }',
    'app/views/pages/index.liquid':
      "{% graphql g = 'codes' %}{% assign otp = g.users.results.first.otp %}{{ otp.secret_as_svg_qr_code }}|{{ otp.secret_as_svg_qr_code | json }}",
  })
  await site.sql`insert into ingot.users (email, slug) values ('a@example.com', 'a')`
})
afterAll(() => site?.close())

test('is printed unescaped, and is text for filters', async () => {
  const { status, body } = await site.raising.handler(request('/', { host: 'shop.example' }))
  const [printed = '', json = ''] = String(body).split('|')
  expect(status).toBe(200)
  expect(printed).toMatch(/^(?:<\?xml[^>]*>\s*)?<svg[\s\S]*<\/svg>\s*$/)
  expect(json).not.toContain('$text')
})
