import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createEngine, filter, readable } from '../../../../compiler/tools/engine.ts'

class Person {
  readonly password = 'secret'
  readonly first: string
  #reads = 0
  constructor(first: string) {
    this.first = first
  }
  get name(): string {
    return `${this.first} L.`
  }
  get hidden(): string {
    throw new Error('nobody may read this')
  }
  greeting(): string {
    this.#reads++
    return `Hi ${this.first}, ${this.#reads}`
  }
  remove(): void {
    throw new Error('nobody may call this')
  }
}
readable(Person, ['first', 'name', 'greeting'])

class Employee extends Person {
  readonly salary = 100
}

class Opaque {
  readonly own = 'x'
  get computed(): string {
    return 'y'
  }
}

for (const dialect of ['platform', 'liquid'] as const) {
  describe(`values of a host in ${dialect}`, () => {
    const render = (main: string, data: Record<string, unknown>) =>
      createEngine({ dialect, format: 'txt', files: { main } }).renderSync('main', data)

    it('may be dates', () => {
      const date = new Date(Date.UTC(2026, 0, 2, 3, 4, 5))
      const data = { date, deep: { at: [date] }, later: new Date(Date.UTC(2027, 0, 1)) }
      expect(render(`{{ date | date: '%Y-%m-%d %H:%M' }} {{ deep.at[0] | date: '%d' }}`, data)).toBe(
        '2026-01-02 03:04 02',
      )
      expect(render(`{% if date < later and deep.at[0] == date %}yes{% endif %}`, data)).toBe('yes')
      expect(render(`{{ date }}`, data)).toMatch(/^2026-01-02[T ]03:04:05/)
      expect(
        render(`[{{ date.getTime }}{{ date.constructor }}{{ bad }}]`, { ...data, bad: new Date(Number.NaN) }),
      ).toBe('[]')
    })

    it('may be maps and sets', () => {
      const data = {
        map: new Map<unknown, unknown>([
          ['a', 1],
          [2, new Set(['x', 'y'])],
        ]),
        deep: { set: new Set([3, 1, 2]) },
      }
      expect(render(`{{ map.a }}{{ map['2'] | join: '+' }}{{ map.size }}`, data)).toBe('1x+y2')
      expect(
        render(`{% for i in deep.set %}{{ i }}{% endfor %}{{ deep.set | sort | join: '' }}{{ deep.set.size }}`, data),
      ).toBe('3121233')
      expect(render(`{% for pair in map %}{{ pair[0] }},{% endfor %}`, data)).toBe('a,2,')
      expect(render(`{{ map.get }}{{ map.clear }}{{ map['entries'] }}`, data)).toBe('')
      expect(render(`{{ deep }}`, data)).toMatch(/^\{"set"(?::\[3,1,2\]|=>\[3, 1, 2\])\}$/)
    })

    it('may be large integers', () => {
      expect(render(`{{ n | plus: 1 }}`, { n: 12345678901234567890n })).toBe('12345678901234567891')
    })

    it('show of a class what is declared, and nothing else', () => {
      const data = { p: new Person('Ada'), list: [{ who: new Employee('Bo') }] }
      expect(render(`{{ p.first }} {{ p.name }} {{ p.greeting }}`, data)).toBe('Ada Ada L. Hi Ada, 1')
      expect(render(`{{ list[0].who.name }}{{ list[0].who['salary'] }}{{ list[0].who.salary }}`, data)).toBe('Bo L.')
      expect(
        render(
          `[{{ p.password }}{{ p['password'] }}{{ p.hidden }}{{ p.remove }}{{ p.constructor }}{{ p.__proto__ }}]`,
          data,
        ),
      ).toBe('[]')
      expect(render(`{% for l in list %}{{ l.who.first }}{{ l.who.password }}{% endfor %}`, data)).toBe('Bo')
      expect(render(`{{ list | map: 'who' | map: 'password' | join }}{{ p }}`, data)).not.toContain('secret')
      expect(render(`{% for pair in p %}{{ pair[0] }} {% endfor %}`, data)).toBe('first name greeting ')
    })

    it('show nothing of a class that is not declared', () => {
      const data = { o: new Opaque(), deep: [{ o: new Opaque() }], url: new URL('http://user:pw@host/') }
      expect(
        render(
          `[{{ o.own }}{{ o['own'] }}{{ o.computed }}{{ deep[0].o.own }}{{ deep | map: 'o' | map: 'own' | join: '' }}{{ url.password }}]`,
          data,
        ),
      ).toBe('[]')
      expect(render(`{{ o }}{{ deep }}{{ url }}`, data)).not.toMatch(/x|y|pw/)
    })

    it('may come from another realm', () => {
      const data = runInNewContext(`({ h: { a: [1, { b: 'x' }] } })`) as Record<string, unknown>
      expect(render(`{{ h.a[1].b }}{{ h.a.size }}{{ h }}`, data)).toMatch(/^x2\{"a".*"x"\}\]\}$/)
    })

    it('are seen as they are at each render', () => {
      const engine = createEngine({ dialect, files: { main: '{{ m.a }}' } })
      const m = new Map([['a', 1]])
      expect(engine.renderSync('main', { m })).toBe('1')
      m.set('a', 2)
      expect(engine.renderSync('main', { m })).toBe('2')
    })

    it('are handed to filters as templates see them', () => {
      const keys = filter({ name: 'own_keys', input: 'hash', result: 'text' }, (hash) => Object.keys(hash).join())
      const engine = createEngine({
        dialect,
        filters: [keys],
        files: { main: '{{ p | own_keys }} {{ l[0] | own_keys }}' },
      })
      expect(engine.renderSync('main', { p: new Person('A'), l: [new Map([['k', 1]])] })).toBe('first,name,greeting k')
    })
  })

  describe(`promises in ${dialect}`, () => {
    const engine = createEngine({
      dialect,
      files: { main: '{{ a }}{{ b.c[0].d }}{% for i in l %}{{ i }}{% endfor %}' },
    })
    const later = <Value>(value: Value) => new Promise<Value>((resolve) => setTimeout(resolve, 1, value))

    it('are waited for, wherever they stand', async () => {
      expect(
        await engine.render('main', { a: later(1), b: later({ c: [later({ d: later('x') })] }), l: [later(2), 3] }),
      ).toBe('1x23')
      expect(await engine.render('main', { b: { c: [later({ d: 'y' })] } })).toBe('y')
      expect(await engine.evaluate('m.k', { m: new Map([['k', later('z')]]) })).toBe('z')
    })

    it('fail as they do, and cannot be waited for at once', async () => {
      await expect(engine.render('main', { a: Promise.reject(new Error('down')) })).rejects.toThrow('down')
      expect(() => engine.renderSync('main', { a: later(1) })).toThrow('the data contain a promise')
      expect(() => engine.renderSync('main', { b: { c: [later(1)] } })).toThrow('the data contain a promise')
      const cyclic: Record<string, unknown> = { a: later('c') }
      cyclic['self'] = cyclic
      expect(await engine.render('main', cyclic)).toBe('c')
    })
  })
}
