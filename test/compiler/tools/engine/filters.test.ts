import { describe, expect, it } from 'vitest'
import { createEngine, type EngineOptions, filter, LiquidError } from '../../../../compiler/tools/engine.ts'

const shout = filter(
  { name: 'shout', input: 'text', params: ['number?'], result: 'text' },
  (text, times = 1) => text.toUpperCase() + '!'.repeat(times),
)

function engine(main: string, options: EngineOptions = {}) {
  return createEngine({ filters: [shout], ...options, files: { main } })
}

for (const dialect of ['platform', 'liquid'] as const) {
  describe(`filters of one's own in ${dialect}`, () => {
    const render = (main: string, data: Record<string, unknown> = {}, options: EngineOptions = {}) =>
      engine(main, { dialect, ...options }).renderSync('main', data)

    it('are called with what they declare', () => {
      expect(render(`{{ 'a' | shout }}{{ 'b' | shout: 2 }}{{ 'c' | shout: '3' }}{{ nothing | shout: n }}`)).toBe(
        'A!B!!C!!!!',
      )
    })

    it('give what they declare, also where TypeScript did not see to it', () => {
      const wrong = filter({ name: 'wrong', result: 'text' }, ((): string => 1 as never) as () => string)
      expect(render(`{{ 'a' | wrong | append: 'x' }}`, {}, { filters: [wrong] })).toBe('1x')
      const html = filter({ name: 'bold', input: 'text', result: 'html' }, (text) => `<b>${text}</b>`)
      const text = filter({ name: 'bare', input: 'text', result: 'text' }, (each) => `<b>${each}</b>`)
      const escaped = dialect === 'platform' ? '&lt;b&gt;y&lt;/b&gt;' : '<b>y</b>'
      expect(render(`{{ 'x' | bold }}{{ 'y' | bare }}`, {}, { filters: [html, text] })).toBe(`<b>x</b>${escaped}`)
    })

    it('take lists, hashes, truth values and named arguments', () => {
      const total = filter(
        { name: 'total', input: 'list', named: { of: 'text', from: 'number?' }, result: 'number' },
        (list, { of, from }) =>
          list.reduce<number>((sum, each) => sum + Number((each as Record<string, unknown>)[of]), from ?? 0),
      )
      const keys = filter({ name: 'names', input: 'hash', result: 'list' }, (hash) => Object.keys(hash))
      const word = filter(
        { name: 'word', input: 'boolean', params: ['text', 'text'], result: 'text' },
        (is, yes, no) => (is ? yes : no),
      )
      const filters = [total, keys, word]
      const data = { rows: [{ n: 1 }, { n: 2 }], h: { a: 1, b: 2 } }
      expect(
        render(`{{ rows | total: of: 'n' }},{{ rows | total: of: 'n', from: 10 | plus: 1 }}`, data, { filters }),
      ).toBe('3,14')
      expect(render(`{{ h | names | join: '+' }}{{ 0 | names | size }}`, data, { filters })).toBe('a+b0')
      expect(render(`{{ true | word: 'y', 'n' }}{{ nil | word: 'y', 'n' }}`, data, { filters })).toBe('yn')
    })

    it('win over those of the language, with none of its rules', () => {
      const append = filter({ name: 'append', input: 'text', params: ['text'], result: 'text' }, (a, b) => `${a}(${b})`)
      const array_add = filter(
        { name: 'array_add', input: 'list', params: ['value'], result: 'number' },
        (list) => list.length,
      )
      const filters = [append, array_add]
      expect(render(`{{ 'a' | append: 'b' }}`, {}, { filters })).toBe('a(b)')
      const grown = `{% assign l = 'a,b' | split: ',' %}{% assign l = l | array_add: 3 %}{{ l }}`
      expect(render(grown, {}, { filters })).toBe('2')
    })

    it('tell wrong arguments with their places', () => {
      const problems = (main: string) =>
        engine(main, { dialect }).diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)
      expect(problems(`{{ 'a' | shout: true }}`)).toEqual(['filter-argument-type 1:17'])
      expect(problems(`\n{{ 'a' | shout: 'many' }}`)).toEqual(['filter-argument-type 2:17'])
      expect(problems(`{{ 'a' | shout: 1, 2 }}`)).toEqual(['filter-arity 1:8'])
      expect(problems(`{{ 'a' | shot }}`)).toEqual(['unknown-filter 1:10'])
      expect(engine(`{{ 'a' | shot }}`, { dialect }).diagnostics[0]?.hint).toBe('Did you mean `shout`?')
      expect(problems(`{{ 'a' | shout: 2 }}`)).toEqual([])
    })

    it('may give promises', async () => {
      const later = filter({ name: 'later', input: 'text', result: 'text', suspends: true }, async (text) => {
        await new Promise((resolve) => setTimeout(resolve, 1))
        return text.toUpperCase()
      })
      const waiting = engine(`{% for i in (1..2) %}{{ 'a' | later | append: i }}{% endfor %}`, {
        dialect,
        filters: [later],
      })
      expect(await waiting.render('main')).toBe('A1A2')
      expect(() => waiting.renderSync('main')).toThrow('suspends')
    })

    it('fail as filters of the language do', () => {
      const failing = filter({ name: 'failing', params: ['value?'] }, () => {
        throw new LiquidError('not today')
      })
      expect(render(`a{{ 1 | failing }}b`, {}, { filters: [failing], errors: 'inline' })).toBe(
        dialect === 'liquid' ? 'aLiquid error (line 1): not todayb' : 'aLiquid error (main:1): not todayb',
      )
      const message = dialect === 'liquid' ? 'Liquid error (line 2): not today' : 'not today'
      const raised = engine(`\n{{ 1 | failing }}`, { dialect, filters: [failing], errors: 'raise' })
      expect(() => raised.renderSync('main')).toThrow(expect.objectContaining({ message, line: 2 }))
    })
  })
}

it('are added by plugins, behind those of the options', () => {
  const quiet = filter({ name: 'shout', input: 'text', result: 'text' }, (text) => text.toLowerCase())
  const plugged = engine(`{{ 'A' | shout }}`, { plugins: [(host) => host.addFilter(quiet)] })
  expect(plugged.renderSync('main')).toBe('a')
})

it('belong to their engine alone', () => {
  expect(createEngine({ files: { main: `{{ 'a' | shout }}` } }).diagnostics.map(({ code }) => code)).toEqual([
    'unknown-filter',
  ])
})

it('have names that templates can write', () => {
  expect(() => filter({ name: 'a b' }, (value) => value)).toThrow('`a b` cannot be the name of a filter')
  expect(() => createEngine({ filters: [(() => 1) as never] })).toThrow('expected what `filter` gives')
})
