import { describe, expect, it } from 'vitest'
import { createEngine, defineTag, runtimeTag } from '../../../../compiler/tools/engine.ts'

const card = runtimeTag(
  { name: 'card', args: { title: 'text', size: 'number?' }, body: true },
  ({ title, size = 1 }, body) => `<h${size}>${title}</h${size}>${body}`,
)
const line = runtimeTag({ name: 'line' }, () => '<hr>')
const twice = defineTag({
  name: 'twice',
  usage: '{% twice %}…{% endtwice %}',
  shape: 'block',
  grammar: () => undefined,
  check: (node, kit) => kit.body(node.body),
  emit(node, kit) {
    kit.body(node.body)
    kit.body(node.body)
  },
})

for (const dialect of ['platform', 'liquid'] as const) {
  describe(`tags of one's own in ${dialect}`, () => {
    const engine = (main: string, files: Record<string, string> = {}) =>
      createEngine({ dialect, tags: [card, line, twice], files: { main, ...files } })

    it('are functions of their arguments and their body', () => {
      expect(
        engine('{% card title: t, size: 2 %}{{ x }}{% endcard %}{% line %}').renderSync('main', { t: 'T', x: 1 }),
      ).toBe('<h2>T</h2>1<hr>')
      expect(
        engine('{% for i in (1..2) %}{% card title: i %}{% line %}{% endcard %}{% endfor %}').renderSync('main'),
      ).toBe('<h1>1</h1><hr><h1>2</h1><hr>')
    })

    it('or have parse, check and emit of their own', () => {
      expect(engine('{% twice %}{{ a }}{% endtwice %}').renderSync('main', { a: 'x' })).toBe('xx')
    })

    it('have arguments that are checked where they are written', () => {
      const { diagnostics } = engine(
        "{% card titel: t, size: 'big' %}\n{% endcard %}{% card title: 1, size: '2' %}{% endcard %}",
      )
      expect(diagnostics.map(({ code, line, column }) => [code, line, column])).toEqual([
        ['missing-tag-argument', 1, 1],
        ['unknown-tag-argument', 1, 9],
        ['tag-argument-type', 1, 25],
      ])
      const rows = runtimeTag({ name: 'rows', args: { of: 'list', with: 'hash?' } }, ({ of }) => `${of.length}`)
      const told = createEngine({
        dialect,
        tags: [rows],
        files: { main: `{% rows of: 3, with: 'x' %}{% rows of: l %}` },
      })
      expect(told.diagnostics.map(({ message }) => message)).toEqual([
        'The tag `rows` needs a list as `of`, but this is a number.',
        'The tag `rows` needs a hash as `with`, but this is text.',
      ])
    })

    it('leave an unknown tag the diagnostic that it is', () => {
      const { diagnostics } = engine('{% crd %}')
      expect(diagnostics.map(({ code, hint }) => `${code} ${hint}`)).toEqual(['unknown-tag Did you mean `card`?'])
      expect(createEngine({ dialect, files: { main: '{% line %}' } }).diagnostics.map(({ code }) => code)).toEqual([
        'unknown-tag',
      ])
    })
  })
}

it('have names that templates can write', () => {
  expect(() => runtimeTag({ name: 'endless' }, () => '')).toThrow('cannot be the name of a tag')
})
