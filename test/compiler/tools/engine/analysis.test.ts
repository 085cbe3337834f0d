import { expect, it } from 'vitest'
import { createEngine, type NameUse, type VariableUse } from '../../../../compiler/tools/engine.ts'

const TEXT = `{% assign total = cart.items[0]["unit price"] | times: rate %}
{% for item in cart.items %}{{ item.name | upcase }} {{ total }}{% endfor %}
{% if user.admin? and user["e-mail"] %}{% render 'badge', of: user, size: s[n].x %}{% endif %}
{% include file %}{% liquid
  echo cart.items.size | plus: 1
%}`

const at = ({ places }: NameUse) => places.map(({ line, column }) => `${line}:${column}`).join(' ')
const shown = (use: VariableUse) => `${use.from} ${use.path} ${at(use)}`

for (const dialect of ['platform', 'liquid'] as const) {
  it(`finds what a template of ${dialect} uses, with places`, () => {
    const engine = createEngine({ dialect, files: { page: TEXT, badge: '{{ of }}' } })
    const { variables, partials, filters, tags } = engine.analyze('page')
    expect(variables.map(shown)).toEqual([
      'data cart.items[0]["unit price"] 1:19',
      'data rate 1:56',
      'data cart.items 2:16',
      'template item.name 2:32',
      'template total 2:57',
      'data user.admin? 3:7',
      'data user.e-mail 3:23',
      'data user 3:63',
      'data s[…].x 3:75',
      'data n 3:77',
      'data file 4:12',
      'data cart.items.size 5:8',
    ])
    expect(variables[0]?.segments).toEqual(['items', 0, 'unit price'])
    expect(partials.map((use) => `${use.tag} ${use.name} ${at({ ...use, name: '' })}`)).toEqual([
      'render badge 3:50',
      'include null 4:12',
    ])
    expect(filters.map((use) => `${use.name} ${at(use)}`)).toEqual(['times 1:49', 'upcase 2:44', 'plus 5:26'])
    expect(tags.map((use) => `${use.name} ${at(use)}`)).toEqual([
      'assign 1:4',
      'for 2:4',
      'if 3:4',
      'render 3:43',
      'include 4:4',
      'echo 5:3',
    ])
    expect(engine.analyzeText(TEXT).variables.map(({ path }) => path)).toEqual(variables.map(({ path }) => path))
    expect(() => engine.analyze('none')).toThrow('there is no template `none`')
  })
}

it('gathers the places of one use', () => {
  const { variables, filters } = createEngine().analyzeText('{{ a | upcase }}\n{{ a | upcase }}')
  expect(variables.map(shown)).toEqual(['data a 1:4 2:4'])
  expect(filters[0]?.places).toEqual([
    { file: '(text)', line: 1, column: 8 },
    { file: '(text)', line: 2, column: 8 },
  ])
})
