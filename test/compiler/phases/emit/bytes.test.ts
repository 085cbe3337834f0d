import { describe, expect, it } from 'vitest'
import { createEngine, type EngineOptions } from '../../../../compiler/tools/engine.ts'

const LONG = `<p>${'Zwölf Boxkämpfer jagen. '.repeat(40)}</p>\n`

/** Returns the bytes of a render to a Buffer and to a plain array of bytes. Both must be equal to the rendered string. */
function rendered(template: string, data: Record<string, unknown> = {}, options: Partial<EngineOptions> = {}): string {
  const engine = createEngine({ errors: 'inline', ...options, files: { ...options.files, main: template } })
  const text = engine.renderSync('main', data)
  for (const buffer of [Buffer.alloc(200_000, 1), new Uint8Array(200_000)]) {
    const length = engine.renderInto(buffer, 'main', data)
    expect(Buffer.from(buffer.buffer, buffer.byteOffset, length).toString()).toBe(text)
  }
  return text
}

describe('a render into a buffer', () => {
  it('copies long texts between what is printed', () => {
    expect(rendered(`${LONG}{{ a }}${LONG}{{ b }}`, { a: '<é>', b: 'x'.repeat(100) })).toBe(
      `${LONG}&lt;é&gt;${LONG}${'x'.repeat(100)}`,
    )
  })

  it('copies them in branches and loops, and keeps them in captures', () => {
    const template = `{% for i in (1..3) %}{% if i == 2 %}${LONG}{% else %}{{ i }}{% endif %}{% endfor %}{% capture c %}${LONG}{% endcapture %}{% print c %}`
    expect(rendered(template)).toBe(`1${LONG}3${LONG}`)
  })

  it('writes what a long loop prints in pieces', () => {
    expect(rendered('{% for i in (1..3000) %}<li>{{ i }} ü</li>{% endfor %}').length).toBeGreaterThan(40_000)
  })

  it('ends where the page ends early', () => {
    expect(
      rendered(`${LONG}{% for i in (1..9) %}{% if i == 3 %}{% return %}{% endif %}{{ i }}{% endfor %}${LONG}`),
    ).toBe(`${LONG}12`)
  })

  it('prints an error in its place', () => {
    expect(rendered(`${LONG}{{ 1 | divided_by: 0 }}${LONG}`)).toContain('divided by 0')
  })

  it('keeps the names of variables apart from its own', () => {
    const template = `{% assign sink = 1 %}{% assign written = 2 %}{% assign bytesMain1 = 3 %}{% assign renderPart = 4 %}${LONG}{% for i in (1..2) %}{{ sink }}{{ written }}{{ bytesMain1 }}{{ renderPart }}{% render 'part' %}{% endfor %}`
    expect(rendered(template, {}, { files: { part: 'p' } })).toBe(`${LONG}1234p1234p`)
  })

  it('says when the buffer is too small', () => {
    const engine = createEngine({ files: { main: `${LONG}{{ a }}${LONG}` } })
    for (const size of [0, 1, 500, 1000, LONG.length * 2]) {
      expect(() => engine.renderInto(Buffer.alloc(size), 'main', { a: 'é' })).toThrow(RangeError)
      expect(() => engine.renderInto(new Uint8Array(size), 'main', { a: 'é' })).toThrow(RangeError)
    }
  })

  it('fits a buffer exactly', () => {
    const engine = createEngine({ files: { main: `${LONG}{{ a }}` } })
    const bytes = Buffer.byteLength(`${LONG}é`)
    expect(engine.renderInto(Buffer.alloc(bytes), 'main', { a: 'é' })).toBe(bytes)
    expect(engine.renderInto(new Uint8Array(bytes), 'main', { a: 'é' })).toBe(bytes)
  })

  it('stops at the limit of output', () => {
    const engine = createEngine({
      files: { main: '{% for i in (1..900000) %}{{ i }}{% endfor %}' },
      limits: { output: 50_000 },
    })
    expect(() => engine.renderInto(Buffer.alloc(10_000_000), 'main')).toThrow(/50000 characters/)
  })
})
