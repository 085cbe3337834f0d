/**
 * The emitted code of a few templates of each kind, compared with files in `fixtures/golden`, so that a change of the emitter shows what it
 * does to whole modules. `npx vitest -u` writes the files again.
 */
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compileEarly } from '../../../../compiler/compile.ts'
import { printModule } from '../../../../compiler/phases/emit/emit.ts'
import type { Module } from '../../../../compiler/core/model/module.ts'
import { discover } from '../../../../compiler/core/source/discover.ts'
import { sourceFiles } from '../../../support/case-file.ts'

const FIXTURES = fileURLToPath(new URL('../../../../fixtures', import.meta.url))

/** Names of golden files, each with its module of the marketplace. */
const PLATFORM_MODULES: Readonly<Record<string, string>> = {
  page: 'app/views/pages/listings/show.liquid',
  'page-json': 'app/views/pages/api/listings.json.liquid',
  layout: 'app/views/layouts/application.liquid',
  'partial-by-name': 'app/views/partials/listings/card.liquid',
  'partial-by-computed-name': 'app/views/partials/texts/shipping/en.liquid',
  'caller-of-computed-name': 'app/views/pages/shipping.liquid',
  function: 'app/lib/imports/row.liquid',
  'function-with-job': 'app/lib/passwords/ask.liquid',
  transaction: 'app/lib/imports/run.liquid',
  form: 'app/forms/listings/edit.liquid',
  mail: 'app/emails/digest.liquid',
  job: 'app/lib/digest/send.liquid',
  policy: 'app/authorization_policies/owns_listing.liquid',
}

/** A query, which has no template. */
const QUERY_MODULE = 'graphql/listings/search'

const BASE_TEMPLATE = `{% assign total = 0 %}
{% for item in order.items %}
  {% if item.price > 100 %}{{ forloop.index }}. <b>{{ item.name | escape }}</b>
  {% elsif item.gift %}{{ item.name | upcase | append: '!' }}
  {% else %}{% continue %}{% endif %}
  {% assign total = total | plus: item.price %}
  {% cycle 'odd', 'even' %}
{% else %}
  nothing
{% endfor %}
{% case order.state %}{% when 'paid', 'sent' %}{{ total | divided_by: order.people }}{% else %}{% include 'note', state: order.state %}{% endcase %}
{% capture line %}{{ order.date | date: '%Y' }}{% endcapture %}{{ line }}{% increment visits %}
`

async function marketplaceModules(): Promise<readonly Module[]> {
  const { files } = await discover(join(FIXTURES, 'sites/marketplace'))
  return compileEarly(files, { dialect: 'platform', syntax: 'strict', keepGoing: false, openEntries: false })
    .compiledSite.modules
}

describe('the emitted code of', () => {
  it.each([...Object.entries(PLATFORM_MODULES), ['query', QUERY_MODULE]])('a %s', async (name, source) => {
    const modules = await (marketplace ??= marketplaceModules())
    const module = modules.find((each) => each.source === source || each.path.includes(source))
    if (module === undefined) throw new Error(`no module for ${source}`)
    await expect(printModule(module).text).toMatchFileSnapshot(join(FIXTURES, 'golden', `${name}.ts`))
  })

  it('a template of base Liquid', async () => {
    const files = sourceFiles({ order: BASE_TEMPLATE, note: 'on the way: {{ state }}' }, 'liquid')
    const options = { dialect: 'liquid', syntax: 'strict', keepGoing: false, openEntries: true, raise: false } as const
    const { modules } = compileEarly(files, options).compiledSite
    const texts = modules.filter(({ source }) => source === 'order').map((each) => printModule(each).text)
    await expect(texts.join('\n')).toMatchFileSnapshot(join(FIXTURES, 'golden/base-liquid.ts'))
  })
})

let marketplace: Promise<readonly Module[]> | null = null
