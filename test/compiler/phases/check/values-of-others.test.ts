/** Values that the code misunderstands: shared with other variables, without parts, or not a time. */
import { describe } from 'vitest'
import { partial, site, table } from '../../../support/compiler/check.ts'

describe('a value that two hold', () => {
  const ORDER = `{% assign order = { "total": 5 } %}{% function half = 'half', order: order %}{{ half }}`
  const half = (text: string) => ({ 'app/lib/half.liquid': text })
  const WRITES = `{% assign order['total'] = 1 %}{% assign half = order.total %}{% return half %}`
  table([
    [
      'gets an element by one name',
      `{% assign a = [1] %}{% assign b = a %}{% assign b << 2 %}{{ a }}{{ b }}`,
      ['shared-value 1:49'],
    ],
    ['and is not read by the other', `{% assign a = [1] %}{% assign b = a %}{% assign b << 2 %}{{ b }}`, []],
    [
      'and gets another value there',
      `{% assign a = [1] %}{% assign b = a %}{% assign b << 2 %}{% assign a = [] %}{{ a }}{{ b }}`,
      [],
    ],
    ['is changed by a function', site(`${ORDER}{{ order.total }}`, half(WRITES)), ['written-argument 1:70']],
    [
      'has a key with signs of patterns',
      site(
        `{% assign order = { "a(b": 5 } %}{% function half = 'half', order: order %}{{ half }}{{ order["a(b"] }}`,
        half(`{% assign order['a(b'] = 1 %}{% assign half = 2 %}{% return half %}`),
      ),
      [],
    ],
    ['is changed and not read', site(ORDER, half(WRITES)), []],
    [
      'is changed and given back',
      site(`${ORDER}{{ order.total }}`, half(`{% assign order['total'] = 1 %}{% return order %}`)),
      [],
    ],
    [
      'is copied by the function',
      site(`${ORDER}{{ order.total }}`, half(`{% assign order = order | deep_clone %}${WRITES}`)),
      [],
    ],
    [
      'is changed on purpose',
      site(`{% assign order = { "total": 5 } %}{% function _ = 'half', order: order %}{{ order.total }}`, half(WRITES)),
      [],
    ],
  ])
})

describe('a text of a person', () => {
  table([
    ['is no moment', `{{ context.current_user.email | l }}`, ['filter-argument-type 1:4']],
    ['is no amount', `{{ context.current_user.first_name | pricify }}`, ['filter-argument-type 1:4']],
    ['may be anything under another name', `{{ context.current_user.external_id | pricify }}`, []],
  ])
})

describe('a list', () => {
  table([
    ['has no part by a computed name', `{% assign l = ["a"] %}{% assign k = 'name' %}{{ l[k] }}`, ['no-parts 1:50']],
    ['has one by a computed place', `{% assign l = ["a"] %}{% assign k = 0 %}{{ l[k] }}`, []],
    [
      'is no text, though another caller gives one',
      site(
        `{% assign l = 'a,b' | split: ',' %}{% render 'p', a: l %}{% render 'p', a: 'x' %}`,
        partial('p', '{{ a | upcase }}'),
      ),
      ['filter-argument-type p.liquid 1:4'],
    ],
    [
      'is asked for first',
      site(
        `{% assign l = 'a,b' | split: ',' %}{% render 'p', a: l, t: 1 %}{% render 'p', a: 'x', t: 2 %}`,
        partial('p', '{% if t == 2 %}{{ a | upcase }}{% endif %}'),
      ),
      [],
    ],
  ])
})
