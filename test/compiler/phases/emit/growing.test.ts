/** `INGOT_GROWING` is the number of random templates (80). */
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../compiler/tools/engine.ts'

const TURNS = Number(process.env['INGOT_GROWING'] ?? 80)

const FILES = { kept: '{% return list %}' }

function render(template: string): string {
  const engine = createEngine({
    files: { ...FILES, main: template },
    format: 'txt',
    errors: 'inline',
    limits: { steps: 20_000 },
  })
  return engine.renderSync('main', { h: {} })
}

describe('a list that `array_add` grows', () => {
  it('holds every item of a loop', () => {
    expect(
      render(
        "{% assign a = '[]' | parse_json %}{% for i in (1..4) %}{% assign a = a | array_add: i %}{% endfor %}{{ a }}",
      ),
    ).toBe('[1,2,3,4]')
  })

  it('leaves alone what another name still holds', () => {
    expect(render('{% assign a = [] %}{% assign b = a %}{% assign a = a | array_add: 1 %}{{ a }}{{ b }}')).toBe('[1][]')
  })

  it('leaves alone what the loop over it walks', () => {
    expect(
      render(
        '{% assign a = [] %}{% assign a = a | array_add: 1 %}{% for i in a %}{% assign a = a | array_add: 2 %}{% endfor %}{{ a }}',
      ),
    ).toBe('[1,2]')
  })

  it('is new in every turn where the turn makes it', () => {
    expect(
      render(
        '{% assign rows = [] %}{% for i in (1..2) %}{% assign row = [] %}{% for k in (1..i) %}{% assign row = row | array_add: k %}{% endfor %}{% assign rows = rows | array_add: row %}{% endfor %}{{ rows }}',
      ),
    ).toBe('[[1],[1,2]]')
  })

  it('is the caller’s own where a parameter has its name', () => {
    const engine = createEngine({
      files: {
        main: "{% assign a = [] %}{% function b = 'add', a: a %}{{ a }}{{ b }}",
        add: '{% assign a = a | array_add: 1 %}{% return a %}',
      },
      format: 'txt',
    })
    expect(engine.renderSync('main')).toBe('[][1]')
  })

  it('answers in templates of any shape as the copying filter does', () => {
    const random = mulberry(20)
    for (let turn = 0; turn < TURNS; turn++) {
      const template = `${body(random, 3)}${body(random, 3)}{{ a | json }}{{ b | json }}{{ c | json }}{{ h | json }}`
      // With a second filter, no list grows in place.
      const copying = template.replace(/(\| array_add: [^%]+?) %}/g, '$1 | array_limit: 1000000 %}')
      expect(render(template), template).toBe(render(copying))
    }
  })
})

const NAMES = ['a', 'b', 'c']

function body(random: () => number, depth: number): string {
  return Array.from({ length: 1 + Math.floor(random() * 4) }, () => statement(random, depth)).join('')
}

function statement(random: () => number, depth: number): string {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)]!
  const [x, y] = [pick(NAMES), pick(NAMES)]
  const inner = () => body(random, depth - 1)
  switch (Math.floor(random() * (depth > 0 ? 11 : 7))) {
    case 0:
    case 1:
      return `{% assign ${x} = '[]' | parse_json %}`
    case 2:
    case 3:
      return `{% assign ${x} = ${x} | array_add: ${pick(['1', 'i', y, `${y}[0]`, `${y}.size`])} %}`
    case 4:
      return `{% assign ${x} = ${y} %}`
    case 5:
      return `{{ ${x} | json }};`
    case 6:
      return pick([
        `{% assign ${x} << 9 %}`,
        `{{ ${x}.size }},`,
        `{% assign h = h | hash_merge: k: ${x} %}`,
        `{% assign ${x} = [] %}`,
        `{% function q = 'kept', list: ${x} %}{{ q | json }}`,
      ])
    case 7:
      return `{% for i in (1..3) %}${inner()}{% endfor %}`
    case 8:
      return `{% if ${x}.size > 1 %}${inner()}{% else %}${inner()}{% endif %}`
    case 9:
      return `{% for z in ${x} limit: 4 %}${inner()}{% endfor %}`
    default:
      return `{% capture t %}${inner()}{% endcapture %}{{ t }}`
  }
}

function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
