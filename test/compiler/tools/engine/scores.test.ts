/** Limits of a host on printed, rendered and assigned values. They count work and not time, so a render always stops at the same place. */
import { describe, expect, it } from 'vitest'
import { createEngine, type EngineOptions, LiquidError } from '../../../../compiler/tools/engine.ts'

const EXCEEDED = 'Liquid error: Memory limits exceeded'

function engine(main: string, limits: NonNullable<EngineOptions['limits']>, options: Partial<EngineOptions> = {}) {
  const files = { main, row: '<{{ n }}>', twice: '{% render "row", n: n %}{% render "row", n: n %}' }
  return createEngine({ files, dialect: 'liquid', limits, ...options })
}

const render = (main: string, limits: NonNullable<EngineOptions['limits']>): string =>
  engine(main, limits).renderSync('main', { teas: ['green', 'black', 'white'] })

describe('a limit', () => {
  it('counts the bytes that are printed, not the characters', () => {
    expect(render('tée', { renderLength: 4 })).toBe('tée')
    expect(render('tée', { renderLength: 3 })).toBe(EXCEEDED)
    expect(render('{{ "🍵" }}', { renderLength: 4 })).toBe('🍵')
    expect(render('{{ "🍵" }}', { renderLength: 3 })).toBe(EXCEEDED)
    // Captured text is not printed.
    expect(render('{% capture c %}0123456789{% endcapture %}{{ c | size }}', { renderLength: 2 })).toBe('10')
  })

  it('counts every node in each turn of its body', () => {
    const main = 'tea{% for tea in teas %}, {{ tea }}{% endfor %}'
    expect(render(main, { renderScore: 8 })).toBe('tea, green, black, white')
    expect(render(main, { renderScore: 7 })).toBe(EXCEEDED)
    // White space in a body that prints nothing does not count.
    expect(render('{% for tea in teas %} {% endfor %}', { renderScore: 1 })).toBe('')
  })

  it('counts what partials render with the rest', () => {
    const main = '{% render "twice", n: 1 %}{% include "row", n: 2 %}'
    // The score: two calls, two calls in the first partial, and three nodes in each of three rows.
    expect(render(main, { renderScore: 13 })).toBe('<1><1><2>')
    expect(render(main, { renderScore: 12 })).toBe(EXCEEDED)
  })

  it('counts the bytes of texts that are assigned, and lists with what is in them', () => {
    expect(render('{% assign a = "é" %}{% assign b = 12345 %}{{ a }}', { assignScore: 3 })).toBe('é')
    expect(render('{% assign a = "é" %}{% assign b = 12345 %}{{ a }}', { assignScore: 2 })).toBe(EXCEEDED)
    expect(render('{% assign a = teas %}{{ a | size }}', { assignScore: 16 })).toBe('3')
    expect(render('{% assign a = teas %}{{ a | size }}', { assignScore: 15 })).toBe(EXCEEDED)
    expect(render('{% capture a %}{{ teas }}{% endcapture %}{{ a }}', { assignScore: 15 })).toBe('greenblackwhite')
    expect(render('{% capture a %}{{ teas }}{% endcapture %}{{ a }}', { assignScore: 14 })).toBe(EXCEEDED)
  })

  it('ends a text that grows without end', () => {
    const main = '{% assign t = "ab" %}{% for i in (1..60) %}{% assign t = t | append: t %}{% endfor %}{{ t }}'
    expect(render(main, { assignScore: 100_000 })).toBe(EXCEEDED)
    expect(render('{% for i in (1..9000000) %}{{ i }}{% endfor %}', { renderScore: 1000 })).toBe(EXCEEDED)
  })

  it('is thrown where errors are raised, and printed in the place of what is rendered as bytes', async () => {
    const main = '{% for tea in teas %}{{ tea }}{% endfor %}'
    const data = { teas: ['green', 'black'] }
    const raising = engine(main, { renderScore: 1 }, { errors: 'raise' })
    expect(() => raising.renderSync('main', data)).toThrow(LiquidError)
    await expect(raising.render('main', data)).rejects.toThrow('Memory limits exceeded')
    const buffer = new Uint8Array(100)
    const length = engine(main, { renderScore: 1 }).renderInto(buffer, 'main', data)
    expect(new TextDecoder().decode(buffer.subarray(0, length))).toBe(EXCEEDED)
    await expect(engine(main, { renderScore: 1 }).render('main', data)).resolves.toBe(EXCEEDED)
  })

  it('holds in the platform, where it is always thrown', () => {
    const platform = engine('{% assign a = "12345" %}{{ a }}', { assignScore: 4 }, { dialect: 'platform' })
    expect(() => platform.renderSync('main')).toThrow('Memory limits exceeded')
  })
})
