/** The printer of emitted code: parentheses, beginnings of lines, texts, omitted types in JavaScript, and marks. */
import { describe, expect, it, test } from 'vitest'
import { print } from '../../../../compiler/phases/emit/print.ts'
import {
  all,
  append,
  arrow,
  assign,
  type BinaryOperator,
  binary,
  branch,
  choice,
  type Code,
  constant,
  counted,
  create,
  element,
  give,
  ident,
  invoke,
  leave,
  list,
  maybe,
  member,
  method,
  NOWHERE,
  not,
  NULL,
  number,
  object,
  parameter,
  placed,
  property,
  run,
  settled,
  type Statement,
  stepped,
  string,
  template,
  typeNamed,
  variable,
  when,
} from '../../../../compiler/core/model/code.ts'
import { span } from '../../../../compiler/core/source/span.ts'

const [a, b, c] = [ident('a'), ident('b'), ident('c')]

function javascript(...statements: readonly Statement[]): string {
  return print(statements, 'javascript').text
}

function expression(code: Code): string {
  return javascript(give(code)).slice('return '.length)
}

describe('an expression', () => {
  const cases: readonly (readonly [Code, string])[] = [
    [binary(binary(a, '+', b), '*', c), '(a + b) * c'],
    [binary(a, '+', binary(b, '*', c)), 'a + b * c'],
    [binary(a, '-', binary(b, '-', c)), 'a - (b - c)'],
    [binary(binary(a, '-', b), '-', c), 'a - b - c'],
    [binary(a, '&&', binary(b, '&&', c)), 'a && b && c'],
    [binary(a, '||', binary(b, '&&', c)), 'a || b && c'],
    [binary(binary(a, '||', b), '&&', c), '(a || b) && c'],
    [binary(binary(a, '??', b), '||', c), '(a ?? b) || c'],
    [binary(a, '??', binary(b, '&&', c)), 'a ?? (b && c)'],
    [binary(binary(stepped(a), '&', number(7)), '===', number(0)), '(++a & 7) === 0'],
    [not(binary(a, '===', b)), 'a !== b'],
    [not(not(a)), 'a'],
    [not(binary(a, '<', b)), '!(a < b)'],
    [not(invoke(a, b)), '!a(b)'],
    [not(settled(a)), '!await a'],
    [member(settled(a), 'b'), '(await a).b'],
    [binary(settled(a), '??', NULL), 'await a ?? null'],
    [choice(choice(a, b, c), b, choice(a, b, c)), '(a ? b : c) ? b : a ? b : c'],
    [binary(choice(a, b, c), '===', NULL), '(a ? b : c) === null'],
    [invoke(a, choice(a, b, c), binary(a, '??', b)), 'a(a ? b : c, a ?? b)'],
    [maybe(maybe(a, 'b'), 'c-d'), "a?.b?.['c-d']"],
    [member(maybe(a, 'b'), 'c'), '(a?.b).c'],
    [element(maybe(a, 'b'), number(0)), '(a?.b)[0]'],
    [maybe(number(1), 'b'), '(1)?.b'],
    [maybe(number(-1), 'b'), '(-1)?.b'],
    [binary(a, '-', number(-1)), 'a - -1'],
    [number(-0), '-0'],
    [number(9007199254740993n), '9007199254740993n'],
    [create(ident('Float'), number(2)), 'new Float(2)'],
    [element(list([a, b]), binary(counted(c), '%', number(2))), '[a, b][c++ % 2]'],
    [invoke(arrow([], a)), '(() => a)()'],
    [arrow([], object({ a })), '() => ({ a })'],
    [arrow([parameter('x')], member(object([]), 'x'), { async: true }), 'async (x) => ({}.x)'],
    [object([]), '{}'],
    [object([all(a), property('b', b), property('x-y', c)]), "{ ...a, b, 'x-y': c }"],
    [object([property('__proto__', ident('__proto__'))]), "{ ['__proto__']: __proto__ }"],
    [member(binary(a, '+', b), 'length'), '(a + b).length'],
  ]
  test.each(cases.map(([code, text]) => [text, code] as const))('%s', (text, code) =>
    expect(expression(code)).toBe(text),
  )

  it('means what its parentheses say, whatever stands in what', () => {
    const operators: readonly BinaryOperator[] = ['??', '||', '&&', '&', '===', '<', '+', '-', '*', '%']
    const values = [number(3), number(-2), NULL, string('7'), number(0)]
    const meaning = (code: Code): unknown => {
      if (code.kind === 'null') return null
      if (code.kind === 'number' || code.kind === 'string') return code.value
      if (code.kind === 'not') return !meaning(code.value)
      if (code.kind === 'choice') return meaning(code.test) ? meaning(code.yes) : meaning(code.no)
      if (code.kind !== 'binary') throw new Error(code.kind)
      const apply = new Function('l', 'r', `return l() ${code.operator} r()`) as (l: unknown, r: unknown) => unknown
      return apply(
        () => meaning(code.left),
        () => meaning(code.right),
      )
    }
    let seed = 1
    const pick = <Item>(items: readonly Item[]): Item => {
      seed = (seed * 48271) % 2147483647
      return items[seed % items.length] as Item
    }
    const made = (depth: number): Code => {
      if (depth === 0) return pick(values)
      const kind = pick(['binary', 'binary', 'binary', 'not', 'choice', 'value'])
      if (kind === 'value') return pick(values)
      if (kind === 'not') return not(made(depth - 1))
      if (kind === 'choice') return choice(made(depth - 1), made(depth - 1), made(depth - 1))
      return binary(made(depth - 1), pick(operators), made(depth - 1))
    }
    for (let turn = 0; turn < 3000; turn++) {
      const code = made(4)
      const text = expression(code)
      expect(new Function(`return ${text}`)(), text).toEqual(meaning(code))
    }
  })
})

describe('a statement', () => {
  it('that could go on with the line before begins with a semicolon', () => {
    const text = javascript(
      constant('x', a),
      run(element(list([a]), number(0))),
      run(invoke(arrow([], b))),
      run(template(['t', a])),
      run(member(choice(a, b, c), 'd')),
      run(object({ a })),
      run(number(-1)),
      run(invoke(a)),
    )
    expect(text.split('\n')).toEqual([
      'const x = a',
      ';[a][0]',
      ';(() => b)()',
      ';`t${a}`',
      ';(a ? b : c).d',
      ';({ a })',
      ';-1',
      'a()',
    ])
  })

  it('that stands first needs none', () => {
    expect(javascript(run(list([a])))).toBe('[a]')
    expect(javascript(when(branch(a, [run(list([b]))])))).toBe('if (a) {\n  [b]\n}')
  })

  it('has its branches, handlers and labels as they are written by hand', () => {
    const text = javascript(
      when(branch(a, [leave(null)]), branch(b, []), branch(null, [give(NULL)])),
      when(branch(c, leave('out'))),
      {
        kind: 'try',
        body: [run(invoke(a))],
        error: 'e',
        handler: { body: [run(invoke(b, ident('e')))], span: null },
        last: { body: [run(invoke(c))], span: null },
        span: null,
      },
      { kind: 'label', label: 'out', body: [assign(a, b)], span: null },
    )
    expect(text).toBe(`if (a) {
  break
} else if (b) {
} else {
  return null
}
if (c) break out
try {
  a()
} catch (e) {
  b(e)
} finally {
  c()
}
out: {
  a = b
}`)
  })

  const entryPoint: Statement = {
    kind: 'function',
    name: 'renderA',
    async: true,
    parameters: [parameter('r', typeNamed('Render'))],
    result: typeNamed('Promise', typeNamed('string')),
    body: [variable('x', string(''), null, typeNamed('Liquid')), give(ident('x'))],
    exported: true,
    span: NOWHERE,
  }

  it('has types in TypeScript alone', () => {
    expect(print([entryPoint], 'typescript').text).toBe(
      "export async function renderA(r: Render): Promise<string> {\n  let x: Liquid = ''\n  return x\n}",
    )
    expect(print([entryPoint], 'javascript').text).toBe(
      "export async function renderA(r) {\n  let x = ''\n  return x\n}",
    )
  })
})

describe('a text', () => {
  const hostile = "\\ ' ` ${x} \n\r\t\b\f\v\0\u0001\u2028\u2029\ue000\ue001\ue002 \ud83d\ude00 </script>"

  it('is the same when its code has run', () => {
    expect(new Function(`return ${expression(string(hostile))}`)()).toBe(hostile)
    expect(new Function(`return ${expression(template([hostile, string(hostile), hostile]))}`)()).toBe(
      hostile + hostile + hostile,
    )
    expect(new Function(`return ${expression(object([property(hostile, NULL)]))}`)()).toEqual({ [hostile]: null })
  })

  it('stands line by line in a template, wherever the template stands', () => {
    const text = javascript(when(branch(a, [append(ident('out'), template(['<p>\n  ', b, '\n</p>']))])))
    expect(text).toBe('if (a) {\n  out += `<p>\n  ${b}\n</p>`\n}')
  })
})

describe('a long line', () => {
  const long = (name: string, count = 12) => Array.from({ length: count }, (_, at) => ident(`${name}_number_${at}`))

  const typescript = (...statements: readonly Statement[]) => print(statements, 'typescript').text
  const shown = (code: Code) => typescript(give(code)).slice('return '.length)

  it('is not broken in JavaScript, which is only for machines', () => {
    expect(javascript(give(invoke(c, ...long('argument')))).split('\n')).toHaveLength(1)
  })

  it('is broken at the outermost brackets', () => {
    const inner = invoke(a, list(long('item', 4)), b)
    expect(shown(invoke(c, ...long('argument', 4), inner))).toBe(
      [
        'c(',
        ...[0, 1, 2, 3].map((at) => `  argument_number_${at},`),
        '  a([item_number_0, item_number_1, item_number_2, item_number_3], b),',
        ')',
      ].join('\n'),
    )
  })

  it('keeps an object that is the last argument on the line of the call', () => {
    const entries = long('key').map((code, at) => property(`key_number_${at}`, code))
    const text = shown(invoke(c, a, object([...entries, property('other', b)])))
    expect(text.split('\n').slice(0, 2)).toEqual(['c(a, {', '  key_number_0,'])
    expect(text.split('\n').slice(-2)).toEqual(['  other: b,', '})'])
  })

  it('is broken after operators, and between the names of imports', () => {
    const sum = long('flag').reduce((left, right) => binary(left, '&&', right))
    expect(shown(sum).split('\n').length).toBeGreaterThan(1)
    const names = long('name').flatMap((code) => (code.kind === 'name' ? [code.name] : []))
    const text = typescript({ kind: 'import', names, types: [], from: './a.ts' })
    expect(text).toBe(`import {\n${names.map((name) => `  ${name},\n`).join('')}} from './a.ts'`)
  })

  it('keeps its meaning and its limit, whatever texts it has', () => {
    const words = "It's `all` ${x} \\ one\ttwo \ud83d\ude00 words and words "
    for (let at = 1; at < 40; at++) {
      const value = `${'x'.repeat(at)} ${words.repeat(5)}`
      for (const text of [value, value.replaceAll(' one', '\none'), value.replaceAll(' ', '')])
        for (const code of [string(text), template([text, string('7'), text, a, text])]) {
          const printed = shown(code)
          const meaning = code.kind === 'string' ? text : `${text}7${text}A${text}`
          expect(new Function('a', `return ${printed}`)('A')).toBe(meaning)
          expect(Math.max(...`return ${printed}`.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120)
        }
    }
  })

  it('has its marks where its parts are', () => {
    const parts = long('part').map((code, at) => placed(invoke(code), span('a.liquid', at, at + 1)))
    const { text, marks } = print([give(template(parts))], 'typescript')
    const lines = text.split('\n')
    expect(lines.length).toBeGreaterThan(1)
    for (const { line, column, span: place } of marks)
      expect(lines[line]?.slice(column)).toMatch(new RegExp(`^part_number_${place?.start}\\(`))
    expect(marks.length).toBe(parts.length)
  })
})

describe('marks', () => {
  const place = (start: number) => span('a.liquid', start, start + 1)
  const statements: readonly Statement[] = [
    constant('file', string('a'), NOWHERE),
    constant('x', a, place(1), typeNamed('Liquid')),
    when(
      branch(a, [append(ident('out'), template(['one\ntwo ', placed(invoke(b), place(3))]))], place(2)),
      branch(null, [run(placed(method(c, 'd'), place(5)))], place(4)),
    ),
    run(settled(placed(a, place(6)))),
  ]

  test.each(['typescript', 'javascript'] as const)('say where places stand in %s', (language) => {
    const { text, marks } = print(statements, language)
    const lines = text.split('\n')
    const found = marks.map((mark) => [mark.span?.start ?? null, lines[mark.line]?.slice(mark.column).slice(0, 5)])
    expect(found).toEqual([
      [null, 'const'],
      [1, 'const'],
      [2, 'if (a'],
      [3, 'b()}`'],
      [4, 'else '],
      [5, 'c.d()'],
      [6, 'a'],
    ])
  })
})
