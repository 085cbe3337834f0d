import { text as collected } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createEngine, filter } from '../../../../compiler/tools/engine.ts'

for (const dialect of ['platform', 'liquid'] as const) {
  describe(`texts at once in ${dialect}`, () => {
    const engine = createEngine({
      dialect,
      files: { item: '[{{ i }}{% render "leaf" %}]', leaf: '.', dynamic: '{% include n %}' },
    })

    it('are rendered, with the files that they call', async () => {
      expect(engine.parseAndRenderSync('a{{ b }}', { b: 1 })).toBe('a1')
      expect(await engine.parseAndRender('{% render "item", i: 2 %}')).toBe('[2.]')
      expect(engine.parseAndRenderSync('{% include n %}', { n: 'leaf' })).toBe('.')
      expect(engine.parseAndRenderSync('{% include "dynamic", n: "leaf" %}')).toBe('.')
    })

    it('fail with their place', () => {
      const raising = createEngine({ dialect, errors: 'raise' })
      expect(() => raising.parseAndRenderSync('\n\n{{ 1 | divided_by: 0 }}')).toThrow(
        expect.objectContaining({ message: expect.stringContaining('divided by 0'), file: '(text)', line: 3 }),
      )
      expect(() => raising.parseAndRenderSync('{% if %}')).toThrow()
    })

    it('see files that were changed', () => {
      const files = new Map([['part', 'old']])
      const changing = createEngine({ dialect, files })
      expect(changing.parseAndRenderSync('{% render "part" %}')).toBe('old')
      files.set('part', 'new')
      expect(changing.parseAndRenderSync('{% render "part" %}')).toBe('old')
      changing.invalidate('part')
      expect(changing.parseAndRenderSync('{% render "part" %}')).toBe('new')
    })

    it('are forgotten when there are too many', () => {
      const small = createEngine({ dialect, textCache: 2 })
      for (let at = 0; at < 20; at++) expect(small.parseAndRenderSync(`${at}{{ a }}`, { a: 'x' })).toBe(`${at}x`)
      const none = createEngine({ dialect, textCache: 0 })
      expect(none.parseAndRenderSync('{{ a }}', { a: 1 }) + none.parseAndRenderSync('{{ a }}', { a: 2 })).toBe('12')
    })
  })

  describe(`expressions in ${dialect}`, () => {
    const engine = createEngine({
      dialect,
      filters: [filter({ name: 'half', input: 'number', result: 'number' }, (n) => n / 2)],
    })

    it('give values', async () => {
      const data = { a: { b: [1, { c: 'x' }] }, n: 4 }
      expect(engine.evaluateSync('a.b[1].c | upcase', data)).toBe('X')
      expect(engine.evaluateSync('a.b', data)).toEqual([1, { c: 'x' }])
      expect(engine.evaluateSync('n | half | plus: 1', data)).toBe(3)
      expect(engine.evaluateSync('(1..3)', data)).toEqual([1, 2, 3])
      expect(engine.evaluateSync('nothing', data)).toBe(null)
      expect(await engine.evaluate("'a,b' | split: ','", data)).toEqual(['a', 'b'])
    })

    it('give truth values where they compare', () => {
      expect(engine.evaluateSync('n > 3 and n != 5', { n: 4 })).toBe(true)
      expect(engine.evaluateSync('a contains "x"', { a: ['y'] })).toBe(false)
    })

    it('are expressions and nothing else', () => {
      for (const text of ['1 }}{{ 2', 'a %}{% endif %}{% if b', '}}', '{{ a }}', "a }}{% assign b = 'x' %}{{ b"])
        expect(() => engine.evaluateSync(text, {}), text).toThrow()
      expect(() => engine.evaluateSync('1 | divided_by: 0')).toThrow('divided by 0')
    })

    it('do not mix when they wait for one another', async () => {
      const waiting = createEngine({
        dialect,
        filters: [
          filter({ name: 'after', input: 'number', result: 'number', suspends: true }, async (n) => {
            await new Promise((resolve) => setTimeout(resolve, 10 - n))
            return n
          }),
        ],
      })
      const values = await Promise.all([1, 5, 9].map((n) => waiting.evaluate('n | after', { n })))
      expect(values).toEqual([1, 5, 9])
    })
  })
}

describe('streams', () => {
  const text = `${'é'.repeat(9_999)}${'😀'.repeat(20_000)}`
  const engine = createEngine({ files: { page: '{{ text }}' } })

  it('of the web have the bytes of the text', async () => {
    const parts: Uint8Array[] = []
    for await (const part of engine.renderStream('page', { text })) parts.push(part)
    expect(parts.length).toBeGreaterThan(2)
    expect(Buffer.concat(parts).toString()).toBe(text)
    expect(await new Response(engine.renderStream('page', { text: 'ab' })).text()).toBe('ab')
    expect(Buffer.from(await engine.renderBytes('page', { text })).toString()).toBe(text)
  })

  it('of Node have them too', async () => {
    const parts: Buffer[] = []
    for await (const part of engine.renderNodeStream('page', { text })) parts.push(part as Buffer)
    expect(Buffer.concat(parts).toString()).toBe(text)
  })

  it('render when they are read, and go on when their reader does', async () => {
    let rendered = 0
    const counted = createEngine({
      files: { page: '{{ text | counted }}' },
      filters: [
        filter({ name: 'counted', input: 'text', result: 'text' }, (each) => {
          rendered++
          return each
        }),
      ],
    })
    const stream = counted.renderStream('page', { text })
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(rendered).toBe(0)
    const reader = stream.getReader()
    const first = await reader.read()
    expect(rendered).toBe(1)
    expect(first.value?.length).toBeLessThan(text.length)
    await reader.cancel()
    expect((await reader.read()).done).toBe(true)
  })

  it('fail as the render does', async () => {
    await expect(new Response(engine.renderStream('no_such')).text()).rejects.toThrow('no_such')
    await expect(collected(engine.renderNodeStream('no_such'))).rejects.toThrow('no_such')
  })
})
