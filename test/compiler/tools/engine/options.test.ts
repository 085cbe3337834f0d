import { describe, expect, it } from 'vitest'
import { createEngine, type EngineOptions } from '../../../../compiler/tools/engine.ts'

/** Returns the error of `createEngine` for options that TypeScript would reject. */
function refusal(options: object): string {
  try {
    createEngine(options as EngineOptions)
  } catch (error) {
    return String(error)
  }
  return 'accepted'
}

describe('options', () => {
  it('are all optional', () => {
    expect(createEngine().diagnostics).toEqual([])
    expect(refusal({ dialect: undefined, limits: undefined })).toBe('accepted')
  })

  it('are refused by name, with the nearest known one', () => {
    expect(refusal({ dialekt: 'liquid' })).toBe(
      'EngineOptionError: an engine has no option `dialekt`. Did you mean `dialect`?',
    )
    expect(refusal({ limits: { step: 1 } })).toBe(
      'EngineOptionError: `limits` has no option `step`. Did you mean `steps`?',
    )
    expect(refusal({ constructor: 1 })).toMatch('an engine has no option `constructor`')
  })

  it('are refused for values that they cannot have', () => {
    expect(refusal({ dialect: 'twig' })).toMatch('option `dialect`: ')
    expect(refusal({ timeZone: 'Nowhere/At_all' })).toBe('EngineOptionError: option `timeZone`: is not a time zone')
    expect(refusal({ limits: { steps: -1 } })).toMatch('option `limits.steps`: ')
    expect(refusal({ files: { main: 1 } })).toMatch('option `files`: expected a record or a map of texts by name')
  })

  it('leaves the default of a limit that is undefined', () => {
    const engine = createEngine({
      files: { main: '{% for i in (1..9) %}{{ i }}{% endfor %}' },
      limits: { steps: undefined as never },
    })
    expect(engine.renderSync('main')).toBe('123456789')
  })
})

for (const dialect of ['platform', 'liquid'] as const) {
  describe(`strict variables in ${dialect}`, () => {
    const render = (main: string, data: Record<string, unknown> = {}, files: Record<string, string> = {}) =>
      createEngine({ dialect, strictVariables: true, errors: 'inline', files: { main, ...files } }).renderSync(
        'main',
        data,
      )
    const missing = (name: string, file = 'main') => {
      const place = dialect === 'platform' ? `${file}:1` : file === 'main' ? 'line 1' : `${file} line 1`
      return `Liquid error (${place}): undefined variable ${name}`
    }

    it('refuses variables and keys that are not there', () => {
      expect(render('{{ a }}|{{ b.c.d }}|{{ h.z }}|{{ h["q"] }}', { h: {}, b: {} })).toBe(
        [missing('a'), missing('c'), missing('z'), missing('q')].join('|'),
      )
      // A tag that prints nothing does not print its error either.
      expect(render('{% assign a = z %}x')).toBe('x')
      expect(render('{% for i in z %}{{ i }}{% endfor %}')).toBe(missing('z'))
      expect(render('{% if z == 1 %}a{% else %}b{% endif %}')).toBe(missing('z'))
    })

    it('lets nil be a value', () => {
      expect(render('{{ n }}{{ h.k }}{{ h["k"] }}{{ l[7] }}{{ l.first }}', { n: null, h: { k: null }, l: [] })).toBe('')
      expect(render('{{ n.x }}', { n: null })).toBe(missing('x'))
    })

    it('knows what templates set, and the properties of values', () => {
      expect(render('{% assign a = 1 %}{{ a }}{% capture b %}{{ a }}{% endcapture %}{{ b }}')).toBe('11')
      expect(render('{% for i in l %}{{ i.a }}{{ forloop.index }}{% endfor %}{{ l.size }}', { l: [{ a: 'x' }] })).toBe(
        'x11',
      )
      expect(render('{% if x %}{% assign a = 1 %}{% endif %}{{ a }}', { x: false })).toBe(missing('a'))
    })

    it('looks into partials', () => {
      const files = { part: '{{ a }}{{ b }}' }
      expect(render('{% render "part", a: 1 %}', {}, files)).toBe(`1${missing('b', 'part')}`)
    })

    it('reaches nothing of a prototype', () => {
      expect(render('{{ h.constructor }}', { h: {} })).toBe(missing('constructor'))
      expect(render('{{ h["__proto__"] }}', { h: {} })).toBe(missing('__proto__'))
    })
  })
}

it('throws for a variable that is not there where errors are raised, with its place', () => {
  const engine = createEngine({ strictVariables: true, files: { main: '\n{{ a }}' } })
  expect(() => engine.renderSync('main')).toThrow(
    expect.objectContaining({ message: 'undefined variable a', file: 'main', line: 2 }),
  )
})

it('refuses unknown filters of base Liquid where it is told to', () => {
  const main = `{{ 'a' | no_such | upcase }}`
  expect(createEngine({ dialect: 'liquid', files: { main } }).renderSync('main')).toBe('A')
  expect(createEngine({ dialect: 'liquid', strictFilters: true, files: { main } }).renderSync('main')).toBe(
    'Liquid error (line 1): undefined filter no_such',
  )
})
