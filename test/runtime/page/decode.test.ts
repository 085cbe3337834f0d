/** Decoders check a value completely, return it unchanged, and report where a rejected one is wrong. */
import { describe, expect, expectTypeOf, it } from 'vitest'
import { createEngine } from '../../../compiler/tools/engine.ts'
import { type Answer, decode, Float, type Numeral, Safe } from '../../../runtime/index.ts'

type TypeOf<Decoder> = Decoder extends decode.Decoder<infer Type> ? Type : never

const writer = decode.record({ name: decode.text })
const books = decode.answer({
  books: decode.record({
    total: decode.number,
    results: decode.nullable(
      decode.listOf(
        decode.record(
          { id: decode.text, rate: decode.nullable(decode.numeral), writers: decode.listOf(decode.listOf(writer)) },
          { kind: decode.oneOf('paper', 'sound') },
        ),
      ),
    ),
  }),
})

type Books = NonNullable<TypeOf<typeof books>['books']>

const book = { id: '1', rate: 1.5, writers: [[{ name: 'Ada' }]] }
const withBook = (...results: readonly unknown[]) => ({ books: { total: 1, results } })

describe('a decoder', () => {
  it.each([
    withBook(),
    withBook(book, { ...book, rate: new Float(3), kind: 'paper' }),
    withBook({ ...book, rate: null, writers: [], more: {} }),
    { books: { total: 1, results: null } },
    { books: { total: Number.POSITIVE_INFINITY, results: null }, more: 1 },
    { books: null, errors: [{ message: 'no', path: ['books'] }] },
    { errors: [{ message: 'no' }] },
    { errors: null },
    {},
    Object.assign(Object.create(null), withBook(book)),
  ])('accepts %j', (value) => {
    expect(books.accepts(value)).toBe(true)
  })

  it.each([
    [null, 'the result is null, not an object'],
    [[], 'the result is a list, not an object'],
    [new Safe('x'), 'the result is markup, not an object'],
    [{ books: [] }, 'books is a list, not an object'],
    [{ books: {} }, 'books.total is null, not a number'],
    [{ books: { total: '1', results: null } }, 'books.total is a text, not a number'],
    [{ books: { total: 1 } }, 'books.results is null, not a list'],
    [withBook(book, null), 'books.results[1] is null, not an object'],
    [withBook(book, book, { ...book, id: 3 }), 'books.results[2].id is a number, not a text'],
    [withBook({ ...book, id: new Safe('1') }), 'books.results[0].id is markup, not a text'],
    [withBook({ ...book, rate: true }), 'books.results[0].rate is a boolean, not a number'],
    [withBook({ ...book, rate: {} }), 'books.results[0].rate is an object, not a number'],
    [withBook({ ...book, writers: [[], [{}]] }), 'books.results[0].writers[1][0].name is null, not a text'],
    [withBook({ ...book, kind: 'stone' }), 'books.results[0].kind is a text, not paper or sound'],
    [withBook({ ...book, kind: null }), 'books.results[0].kind is null, not paper or sound'],
    [{ ...withBook(book), errors: [{}] }, 'errors[0].message is null, not a text'],
    [{ errors: 'no' }, 'errors is a text, not a list'],
  ])('refuses %j: %s', (value, words) => {
    expect(books.accepts(value)).toBe(false)
    expect(books.explainMismatch(value, '')).toBe(words)
  })

  it('reads nothing from prototypes', () => {
    const named = decode.record({ constructor: decode.anything }, { toString: decode.text })
    expect(named.accepts({ constructor: 1 })).toBe(true)
    expect(decode.record({ valueOf: decode.text }).accepts({})).toBe(false)
    expect(decode.answer({ toString: decode.text, ['__proto__']: decode.text }).accepts({})).toBe(true)
    const own = decode.answer({ ['__proto__']: decode.text })
    expect(own.accepts(JSON.parse('{"__proto__": "a"}'))).toBe(true)
    expect(own.accepts(JSON.parse('{"__proto__": 1}'))).toBe(false)
  })

  it('of an answer whose own root is called `errors` accepts those of a failure, too', () => {
    const { accepts, explainMismatch: complaint } = decode.answer({ errors: decode.record({ count: decode.number }) })
    expect([{ errors: { count: 1 } }, { errors: [{ message: 'no' }] }, { errors: null }].every(accepts)).toBe(true)
    expect(complaint({ errors: { count: 'a' } }, '')).toBe('errors.count is a text, not a number')
  })

  it('has the type of the values that it accepts', () => {
    expectTypeOf<TypeOf<typeof writer>>().toExtend<{ readonly name: string }>()
    expectTypeOf<TypeOf<typeof writer>>().not.toExtend<{ readonly name: string; readonly id: unknown }>()
    expectTypeOf<TypeOf<typeof books>>().toEqualTypeOf<Answer<{ readonly books: Books }>>()
    expectTypeOf<NonNullable<Books['results']>[number]>().toExtend<{
      readonly id: string
      readonly rate: Numeral | null
      readonly writers: readonly (readonly { readonly name: string }[])[]
      readonly kind?: 'paper' | 'sound'
    }>()
    const scalars = [decode.flag, decode.markup, decode.numeral, decode.anything] as const
    expectTypeOf<TypeOf<(typeof scalars)[0]>>().toEqualTypeOf<boolean>()
    expectTypeOf<TypeOf<(typeof scalars)[1]>>().toEqualTypeOf<string | Safe>()
    expect(scalars.map(({ accepts }) => [true, new Safe('a'), 5n, {}].map(accepts))).toEqual([
      [true, false, false, false],
      [false, true, false, false],
      [false, false, true, false],
      [true, true, true, true],
    ])
  })
})

describe('a stored operation', () => {
  const files = {
    'app/schema/book.yml': 'name: book\nproperties:\n  - name: title\n',
    'app/graphql/books/all.graphql':
      '{ records(per_page: 5, filter: { table: { value: "book" } }) { results { id title: property(name: "title") } } }',
    'app/graphql/books/all_answer.graphql': '{ current_user { id } }',
    'app/views/pages/index.liquid': [
      '{% graphql found = "books/all" %}',
      '{% graphql me = "books/all_answer" %}',
      "{% hash_assign found['seen'] = true %}",
      '{{ found.records.results | map: "title" | join: " " }} {{ found.errors[0].message }}{{ found.more }}{{ me.current_user.id }}',
    ].join('\n'),
  }
  async function rendered(results: Readonly<Record<string, unknown>>, errors: 'raise' | 'inline' = 'raise') {
    const run = async (operation: { readonly name: string } | { readonly document: string }) =>
      'name' in operation && operation.name === 'books/all' ? results : { current_user: { id: '7' } }
    const engine = createEngine({ files, errors, services: { graphql: { run } } })
    expect(engine.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    return (await engine.render('app/views/pages/index.liquid')).trim()
  }

  it('returns its result unchanged, even with additional keys', async () => {
    const results = { more: '!', records: { results: [{ title: 'a', id: '1' }] } }
    expect(await rendered(results)).toBe('a !7')
    expect(Object.keys(results)).toEqual(['more', 'records', 'seen'])
  })

  it('that failed has its errors, and no data', async () => {
    expect(await rendered({ errors: [{ message: 'gone' }] }, 'inline')).toBe('gone7')
    expect(await rendered({ records: null, errors: [{ message: 'gone' }] }, 'inline')).toBe('gone7')
  })

  it('fails with the path when its result does not match the schema', async () => {
    const failing = rendered({
      records: {
        results: [
          { id: '1', title: null },
          { id: 2, title: null },
        ],
      },
    })
    await expect(failing).rejects.toMatchObject({
      name: 'GraphQLError',
      message: "query 'books/all': records.results[1].id is a number, not a text",
      file: 'app/views/pages/index.liquid',
      line: 1,
    })
  })
})
