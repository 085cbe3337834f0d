/** Attacks from public advisories of template libraries: none succeeds, and all end within the limits. */
import { describe, expect, it } from 'vitest'
import { createEngine, LiquidError, readable } from '../../../../compiler/tools/engine.ts'
import { measureCost } from '../../../support/cost.ts'

for (const dialect of ['platform', 'liquid'] as const) {
  describe(`hostile templates in ${dialect}`, () => {
    const render = (main: string, data: Record<string, unknown> = {}, files: Record<string, string> = {}) =>
      createEngine({
        dialect,
        format: 'txt',
        errors: 'raise',
        limits: { time: 2000, steps: 100_000 },
        files: { main, ...files },
      }).renderSync('main', data)

    it.for([
      '{{ a.constructor }}{{ a.__proto__ }}{{ a["constructor"]["constructor"] }}',
      '{{ t.constructor.name }}{{ l.map }}{{ l["push"] }}{{ f.call }}{{ f }}',
      '{{ l | map: "constructor" | join: "" }}',
      '{{ constructor }}{{ __proto__ }}{{ toString }}{{ hasOwnProperty }}',
    ])('reach no prototype: %s', (main) => {
      expect(render(main, { a: {}, t: 'x', l: [{}], f: () => 'called' }).trim()).toBe('')
    })

    it.for([
      ['endless recursion', '{% include "main" %}'],
      ['a huge range', '{% for i in (1..1000000000) %}{{ i }}{% endfor %}'],
      ['nested loops', '{% for i in (1..9999) %}{% for j in (1..9999) %}x{% endfor %}{% endfor %}'],
      [
        'a text that doubles',
        '{% assign a = "xxxxxxxxxx" %}{% for i in (1..99) %}{% assign a = a | append: a %}{% endfor %}',
      ],
      [
        'replacements that multiply',
        '{% assign a = "aaaaaaaaaa" %}{% for i in (1..20) %}{% assign a = a | replace: "a", "aaaaaaaaaa" %}{% endfor %}',
      ],
      ['a loop without a body', '{%- for i in (1..9999999) -%}{%- endfor -%}'],
      ['a table without a body', '{%- tablerow i in (1..9999999) -%}{%- endtablerow -%}'],
      ['a range beyond what integers are exact for', '{% for i in (1..9007199254740993) %}{% endfor %}'],
      ['a range that is joined', '{{ (1..100000000) | join: "x" | size }}'],
      ['a range that is reversed', '{% assign r = (1..100000000) | reverse %}{{ r | first }}'],
      [
        'lists that double',
        '{% assign a = "a,b,c" | split: "," %}{% for i in (1..40) %}{% assign a = a | concat: a %}{% endfor %}',
      ],
      [
        'captures that double',
        '{% assign a = "xxxxxxxxxx" %}{% for i in (1..40) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}',
      ],
      [
        'a first match that doubles',
        '{% assign a = "aa" %}{% for i in (1..40) %}{% assign b = a | append: a %}{% assign a = a | replace_first: a, b %}{% endfor %}',
      ],
      [
        'a last match that doubles',
        '{% assign a = "aa" %}{% for i in (1..40) %}{% assign b = a | append: a %}{% assign a = a | replace_last: a, b %}{% endfor %}',
      ],
      [
        'encodings that grow',
        '{% assign a = "&&&&&&&&&&" %}{% for i in (1..90) %}{% assign a = a | url_encode | base64_encode %}{% endfor %}',
      ],
      [
        'squares of an integer',
        '{% assign a = 99999999999 %}{% for i in (1..60) %}{% assign a = a | times: a %}{% endfor %}',
      ],
      ['steps that print nothing', '{% for i in (1..9999999) %}{% case i %}{% when 1 %}{% endcase %}{% endfor %}'],
    ] as const)('end: %s', ([, main]) => {
      expect(() => render(main)).toThrow(LiquidError)
    })

    it.for([
      ['two files that include each other', { a: '{% include "b" %}', b: '{% include "a" %}' }],
      [
        'two files that render each other twice',
        { a: '{% render "b" %}{% render "b" %}', b: '{% render "a" %}{% render "a" %}' },
      ],
    ] as const)('end: %s', ([, files]) => {
      expect(() => render('{% include "a" %}', {}, files)).toThrow(LiquidError)
    })

    it.for([
      ['the width of a field of a date', '{{ "2020-01-01" | date: "%99999999d" | size }}'],
      ['the digits of a fraction of a second', '{{ "2020-01-01" | date: "%99999999N" | size }}'],
      ['places of a rounded number', '{{ 1.5 | round: 999999999 | append: "" | size }}'],
      ['a part that begins far before a text', '{{ "abc" | slice: -5000000000, 99999999999 | size }}'],
      ['a range that runs backwards', '{% for i in (100000000..1) %}{{ i }}{% endfor %}{{ "" | size }}'],
    ] as const)('is small, whatever is asked of %s', ([, main]) => {
      expect(Number(render(main))).toBeLessThan(1000)
    })

    it.for([
      ['the text between the elements of a list', '{{ list | join: text | size }}'],
      ['the text around each character', '{{ text | replace: "", text | size }}'],
      ['formats of dates', '{{ "2020-01-01" | date: format | size }}'],
    ] as const)('is refused before it is made: %s', ([, main]) => {
      const data = {
        list: Array.from({ length: 100_000 }, () => 'x'),
        text: 'x'.repeat(100_000),
        format: '%9999d'.repeat(100_000),
      }
      const before = process.memoryUsage().heapUsed
      expect(() => render(main, data)).toThrow(LiquidError)
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000)
    })

    it('copies a pattern of a replacement as it is', () => {
      expect(render('{{ "a" | replace: "a", "$&$&" }}{{ "b" | replace_first: "b", "$&$`$1" }}')).toBe('$&$&$&$`$1')
    })

    it('reads and sorts by no property that a value inherits', () => {
      class Account {
        constructor(
          readonly name: string,
          readonly level: number,
        ) {}
        get secret() {
          return this.level
        }
      }
      readable(Account, ['name'])
      const list = [new Account('first', 1), new Account('second', 0)]
      const main =
        '{% assign s = l | sort_natural: "secret" %}{% for e in s %}{{ e.name }}{{ e.secret }}{{ e.level }};{% endfor %}'
      expect(render(main, { l: list }).replace(/\s/g, '')).toBe('first;second;')
      const made = Object.create({ secret: 1 }) as Record<string, unknown>
      expect(
        render('{{ m.secret }}{{ m["secret"] }}{% for e in l %}{{ e.secret }}{% endfor %}', {
          m: made,
          l: [made],
        }).trim(),
      ).toBe('')
    })

    it.for([
      ['strip_html', '{{ t | strip_html | size }}', `${'<script'.repeat(50_000)}`],
      ['strip_html of comments', '{{ t | strip_html | size }}', '<!--'.repeat(50_000)],
      ['strip', '{{ t | strip | size }}', ` x${' '.repeat(200_000)}x`],
      ['newlines', '{{ t | strip_newlines | size }}', '\r'.repeat(200_000)],
      ['url_encode', '{{ t | url_encode | size }}', '%'.repeat(200_000)],
    ] as const)('take no time beyond the length of a text: %s', ([, main, t]) => {
      const cost = measureCost()
      render(main, { t })
      expect(cost()).toBeLessThan(3000)
    })

    it('print data that contain themselves without an end', () => {
      const cyclic: Record<string, unknown> = { a: 1 }
      cyclic['self'] = cyclic
      let told = ''
      try {
        told = render('{{ c }}', { c: cyclic })
      } catch (error) {
        told = String(error)
      }
      expect(told.length).toBeLessThan(10_000)
    })
  })
}
