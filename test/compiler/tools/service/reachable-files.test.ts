/** The files of a site that can be used by code in a request. */
import { expect, it } from 'vitest'
import { selectReachable } from '../../../../compiler/tools/service/reachable-files.ts'
import { filesFromTexts } from '../../../../compiler/core/source/from-texts.ts'

const SITE = filesFromTexts(
  {
    'app/config.yml': 'escape_output_instead_of_sanitize: true\n',
    'app/schema/item.yml': 'name: item\n',
    'app/translations/en.yml': 'en:\n  a: b\n',
    'app/views/pages/index.liquid': "{% render 'card' %}",
    'app/migrations/20260101000000_first.liquid': "{% render 'card' %}",
    'app/views/partials/_card.html.liquid': `don't {% render "deep/row" %}`,
    'app/views/partials/deep/row.liquid': "{% graphql g = 'items' %}{% function a = 'modules/core/commands/run' %}",
    'app/views/partials/other.liquid': 'other',
    'app/views/layouts/parts/_head.liquid': 'head',
    'app/graphql/items.graphql': '{ records(per_page: 1) { total_entries } }',
    'app/graphql/others.graphql': '{ records(per_page: 2) { total_entries } }',
    'modules/core/public/lib/commands/run.liquid': "{% render 'card' %}",
    'app/modules/core/public/lib/commands/run.liquid': "{% render 'shadow' %}",
    'app/views/partials/shadow.liquid': 'shadow',
    'app/views/partials/themed.liquid': "{% theme_render_rc 'other' %}",
  },
  false,
)
const ALWAYS = ['app/config.yml', 'app/schema/item.yml', 'app/translations/en.yml']
const reached = (text: string): readonly string[] => {
  const paths = selectReachable(text, SITE).map(({ path }) => path)
  return paths.filter((path) => !ALWAYS.includes(path)).toSorted()
}

it('a text that names nothing needs the declarations alone', () => {
  expect(selectReachable("{{ 'a' | t }} it's 1", SITE).map(({ path }) => path)).toEqual(ALWAYS)
})

it('a name reaches its file under all of its spellings, what that names in turn, and both files of an override', () => {
  expect(reached("it's {% render 'card' %}")).toEqual([
    'app/graphql/items.graphql',
    'app/modules/core/public/lib/commands/run.liquid',
    'app/views/partials/_card.html.liquid',
    'app/views/partials/deep/row.liquid',
    'app/views/partials/shadow.liquid',
    'modules/core/public/lib/commands/run.liquid',
  ])
  expect(reached("{% render 'layouts/parts/head' %}")).toEqual(['app/views/layouts/parts/_head.liquid'])
  expect(reached("{% graphql g = 'others' %}")).toEqual(['app/graphql/others.graphql'])
})

it('a name that goes by search paths can mean any file', () => {
  expect(selectReachable("{% render 'themed' %}", SITE)).toBe(SITE)
})
