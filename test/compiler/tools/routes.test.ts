/** `ingot routes`: the addresses of a site. */
import { expect, test } from 'vitest'
import { linkSite } from '../../../compiler/analysis.ts'
import { routesOf, routesTable } from '../../../compiler/tools/routes.ts'
import { discover } from '../../../compiler/core/source/discover.ts'
import { folder } from '../../support/server/site.ts'

const SITE = {
  'app/views/layouts/application.liquid': '{{ content_for_layout }}',
  'app/authorization_policies/signed_in.liquid': '---\nname: signed_in\n---\ntrue',
  'app/views/pages/index.liquid': 'home',
  'app/views/pages/dishes/show.liquid': '---\nslug: dishes/:id\nauthorization_policies: [signed_in]\nlayout: ""\n---\n',
  'app/views/pages/dishes/remove.liquid': '---\nslug: dishes/:id\nmethod: delete\n---\n',
  'app/views/pages/api/dishes.json.liquid': '[]',
}

test('every page is listed once, with its addresses and who may see it', async () => {
  const { files } = await discover(folder(SITE))
  const routes = routesOf(linkSite(files, { dialect: 'platform', syntax: 'lax', openEntries: false }))
  const layout = 'app/views/layouts/application.liquid'
  const pages = 'app/views/pages'
  expect(routes).toEqual([
    {
      ...{ method: 'get', slug: '/', alias: '/index', page: `${pages}/index.liquid` },
      ...{ format: 'html', policies: [], layout },
    },
    {
      ...{ method: 'get', slug: '/api/dishes.json', alias: null, page: `${pages}/api/dishes.json.liquid` },
      ...{ format: 'json', policies: [], layout: null },
    },
    {
      ...{ method: 'get', slug: '/dishes/:id', alias: null, page: `${pages}/dishes/show.liquid`, format: 'html' },
      ...{ policies: ['signed_in'], layout: null },
    },
    {
      ...{ method: 'delete', slug: '/dishes/:id', alias: null, page: `${pages}/dishes/remove.liquid` },
      ...{ format: 'html', policies: [], layout },
    },
  ])
  const [head, first] = routesTable(routes).split('\n')
  expect(head).toMatch(/^METHOD +ADDRESS +FORMAT +POLICIES +LAYOUT +PAGE$/)
  expect(first).toMatch(
    /^GET +\/ \(alias \/index\) +html +- +app\/views\/layouts\/application\.liquid +app\/views\/pages\/index\.liquid$/,
  )
  expect(routesTable([])).toBe('')
})
