/** The names of partials in calls, as the checker sees them. `fixtures/cases/calls` tests what the calls print. */
import { describe, expect, it } from 'vitest'
import { checkFiles, type Files, problems } from '../../../support/compiler/check.ts'

const PAGE = 'app/views/pages/index.liquid'
const LAYOUT = {
  'app/views/layouts/application.liquid': `{% render 'layouts/head', title: 'x' %}{{ content_for_layout }}`,
}

describe('a name', () => {
  const meant = (name: string, files: Files) => checkFiles({ [PAGE]: 'x', ...files }).site.partials.get(name)?.file.path

  it.each([
    ['svg/mark.svg', 'app/views/partials/svg/mark.svg'],
    ['svg/mark', undefined],
    ['menu/item', 'app/lib/menu/_item.liquid'],
    ['menu/_item', 'app/lib/menu/_item.liquid'],
    ['_', 'app/lib/_.liquid'],
    ['', undefined],
    ['card', 'app/lib/card.html.liquid'],
    ['card.html', 'app/lib/card.html.liquid'],
    ['card.csv', 'app/lib/card.csv.liquid'],
    ['user.avatar', 'app/lib/user.avatar.liquid'],
    ['user', undefined],
    ['layouts/head', 'app/views/layouts/_head.liquid'],
    ['layouts/_head', 'app/views/layouts/_head.liquid'],
    ['layouts/mark.svg', 'app/views/layouts/mark.svg'],
    ['modules/ui/layouts/head', 'modules/ui/private/views/layouts/_head.liquid'],
    ['modules/ui/icons/_close.svg', 'modules/ui/public/views/partials/icons/_close.svg'],
    ['modules/ui/icons/close.svg', undefined],
    ['ui/icons/_close.svg', undefined],
  ])('%s means %s', (name, path) => {
    const files = [
      'app/views/partials/svg/mark.svg',
      'app/lib/menu/_item.liquid',
      'app/lib/_.liquid',
      'app/lib/card.html.liquid',
      'app/lib/card.csv.liquid',
      'app/lib/user.avatar.liquid',
      'app/views/layouts/_head.liquid',
      'app/views/layouts/mark.svg',
      'modules/ui/private/views/layouts/_head.liquid',
      'modules/ui/public/views/partials/icons/_close.svg',
      'app/views/partials/.hidden.liquid',
    ]
    expect(meant(name, Object.fromEntries(files.map((file) => [file, 'x'])))).toBe(path)
  })

  it('is that of the plain file where one with an underscore lies beside it, which is told', () => {
    const files = { 'app/lib/_sum.liquid': 'x', 'app/lib/sum.liquid': 'y' }
    expect(meant('sum', files)).toBe('app/lib/sum.liquid')
    expect(meant('_sum', files)).toBe('app/lib/_sum.liquid')
    const { diagnostics } = checkFiles({ [PAGE]: `{% render 'sum' %}{% render '_sum' %}`, ...files })
    expect(diagnostics.map(({ code, span, message }) => [code, span.file, message])).toEqual([
      [
        'duplicate-unit',
        'app/lib/_sum.liquid',
        'Two files have the name of the partial `sum`; this one can only be called as `_sum`.',
      ],
    ])
  })

  it('may be that of an override with an underscore', () => {
    const files = {
      'app/modules/ui/public/lib/_sum.liquid': 'x',
      'modules/ui/public/lib/_sum.liquid': 'y',
      'modules/ui/public/lib/sum.liquid': 'z',
    }
    expect(meant('modules/ui/sum', files)).toBe('app/modules/ui/public/lib/_sum.liquid')
    expect(problems({ [PAGE]: `{% render 'modules/ui/sum' %}{% render 'modules/ui/_sum' %}`, ...files })).toEqual([])
  })
})

describe('what lies beside layouts', () => {
  it('need not print the page, and knows what it is passed', () => {
    const head = { 'app/views/layouts/_head.liquid': '<title>{{ title }}</title>' }
    expect(problems({ [PAGE]: 'x', ...LAYOUT, ...head })).toEqual([])
    expect(problems({ [PAGE]: 'x', ...LAYOUT, 'app/views/layouts/head.liquid': '{{ title }}' })).toEqual([])
  })

  it('is told what it is not passed', () => {
    const files = { 'app/views/layouts/_head.liquid': '{{ title | upcase }}{{ other | upcase }}' }
    expect(problems({ [PAGE]: 'x', ...LAYOUT, ...files })).toEqual([
      'missing-inferred-argument application.liquid 1:11',
    ])
  })

  it('is a layout all the same where a page has it as one', () => {
    const page = `---\nlayout: frame\n---\n{% render 'layouts/frame', title: 'x' %}`
    expect(
      problems({ [PAGE]: page, 'app/views/layouts/_frame.liquid': '{{ title }}{{ content_for_layout }}' }),
    ).toEqual([])
    expect(problems({ [PAGE]: `---\nlayout: frame\n---\nx`, 'app/views/layouts/_frame.liquid': 'x' })).toEqual([
      'missing-content-for-layout _frame.liquid 1:1',
    ])
  })
})
