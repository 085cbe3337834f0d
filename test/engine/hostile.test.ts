/** Cases that public advisories of template libraries describe: none reaches anything, and all end within the limits. */
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../compiler/engine.ts'

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
    ] as const)('end: %s', ([, main]) => {
      expect(() => render(main)).toThrow()
    })

    it.for([
      ['strip_html', '{{ t | strip_html | size }}', `${'<script'.repeat(50_000)}`],
      ['strip_html of comments', '{{ t | strip_html | size }}', '<!--'.repeat(50_000)],
      ['strip', '{{ t | strip | size }}', ` x${' '.repeat(200_000)}x`],
      ['newlines', '{{ t | strip_newlines | size }}', '\r'.repeat(200_000)],
      ['url_encode', '{{ t | url_encode | size }}', '%'.repeat(200_000)],
    ] as const)('take no time beyond the length of a text: %s', ([, main, t]) => {
      const start = performance.now()
      render(main, { t })
      expect(performance.now() - start).toBeLessThan(3000)
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
