import { describe, expect, it } from 'vitest'
import { createEngine, type EngineOptions } from '../../../../compiler/tools/engine.ts'

const globals = { site: { name: 'Shop', size_of: [1, 2] }, version: 3 }

for (const dialect of ['platform', 'liquid'] as const) {
  describe(`globals in ${dialect}`, () => {
    const render = (files: Record<string, string>, data: Record<string, unknown> = {}, options: EngineOptions = {}) =>
      createEngine({ dialect, globals, ...options, files }).renderSync('main', data)

    it('are known everywhere', () => {
      expect(render({ main: '{{ site.name }}{{ version }}' })).toBe('Shop3')
      const parts = { a: '{{ site.name }}', b: '{{ version }}' }
      expect(render({ main: '{% render "a" %}{% include "b" %}', ...parts })).toBe('Shop3')
      expect(render({ main: '{% for n in site.size_of %}{{ n }}{{ version }}{% endfor %}' })).toBe('1323')
      expect(render({ main: '{% if version > 2 %}new{% endif %}' })).toBe('new')
    })

    it('stand behind what is handed in and what a template sets', () => {
      expect(render({ main: '{{ version }}' }, { version: 4 })).toBe('4')
      expect(render({ main: '{{ version }}' }, { version: null })).toBe('')
      expect(render({ main: '{% assign version = 5 %}{{ version }}' })).toBe('5')
      expect(render({ main: '{% render "a", version: 6 %}{% render "a" %}', a: '{{ version }}' })).toBe('63')
      expect(render({ main: '{% if no %}{% assign version = 1 %}{% endif %}{{ version }}' })).toBe('3')
      expect(render({ main: '{% for version in (8..9) %}{{ version }}{% endfor %}{{ version }}' })).toBe('893')
    })

    it('are there for strict variables', () => {
      expect(render({ main: '{{ version }}' }, {}, { strictVariables: true })).toBe('3')
    })

    it('are there for texts and expressions', () => {
      const engine = createEngine({ dialect, globals })
      expect(engine.parseAndRenderSync('{{ site.name }}')).toBe('Shop')
      expect(engine.evaluateSync('version | plus: 1')).toBe(4)
    })

    it('come from plugins too, and belong to no prototype', () => {
      const engine = createEngine({
        dialect,
        files: { main: '{{ a }}{{ toString }}{{ constructor }}' },
        plugins: [(host) => host.addGlobal('a', 1)],
      })
      expect(engine.renderSync('main')).toBe('1')
    })
  })
}

it('have types that the checker knows', () => {
  const { diagnostics } = createEngine({ globals, files: { main: '{{ site.name }}{{ site.nmae }}' } })
  expect(diagnostics.map(({ code, column }) => `${code} ${column}`)).toEqual(['unknown-property 24'])
})
