/**
 * The laws of joins: the order in which paths are joined changes nothing but the order of parts, and a join with itself changes nothing. The
 * caps on sizes are a separate step, so the random values stay below them.
 */
import { describe, expect, it } from 'vitest'
import { CertainVariables } from '../../../../compiler/phases/analyze/domains/certain-variables.ts'
import {
  exactText,
  joinTexts,
  type Texts,
  constantTexts,
} from '../../../../compiler/phases/analyze/domains/constant-texts.ts'
import * as taint from '../../../../compiler/phases/analyze/domains/taint/flow.ts'
import {
  BOOLEAN,
  FLOAT,
  INTEGER,
  NEVER,
  NIL,
  RANGE,
  SAFE,
  STRING,
  type Type,
  UNKNOWN,
} from '../../../../compiler/core/model/type.ts'
import { fits } from '../../../../compiler/core/model/outline.ts'
import type { Expression, FilterCall, Filtered } from '../../../../compiler/core/tree/ast.ts'
import { join } from '../../../../compiler/language/types/relate.ts'

const SAMPLES = 3000

/** Returns a function that returns the same random numbers below a limit in each run. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * limit)
  }
}

const SIMPLE: readonly Type[] = [
  ...[BOOLEAN, FLOAT, INTEGER, NEVER, NIL, RANGE, SAFE, STRING, UNKNOWN],
  ...['a', 'b'].map((literal): Type => ({ kind: 'string', literal })),
]
const KEYS = ['id', 'name', 'size']

function randomType(random: (limit: number) => number, depth: number): Type {
  const kind = depth === 0 ? 0 : random(6)
  if (kind === 1) return { kind: 'list', element: randomType(random, depth - 1) }
  if (kind === 2) return { kind: 'hash', element: randomType(random, depth - 1) }
  if (kind === 3) return join(randomType(random, depth - 1), randomType(random, depth - 1))
  if (kind === 4) {
    const keys = KEYS.filter(() => random(2) === 0)
    const start = random(50)
    return {
      kind: 'record',
      fields: new Map(keys.map((key) => [key, randomType(random, depth - 1)])),
      open: random(4) === 0,
      origin: random(2) === 0 ? null : { file: `file ${random(2)}`, start, end: start + 5, source: 'query' },
    }
  }
  return SIMPLE[random(SIMPLE.length)] ?? UNKNOWN
}

/** Returns a text that is the same for types that differ only in the order of their parts. */
function canonical(type: Type): string {
  switch (type.kind) {
    case 'unknown':
      return type.likely === undefined ? 'unknown' : `unknown(${canonical(type.likely)})`
    case 'string':
      return `string ${type.safe ?? ''} ${type.literal ?? ''}`
    case 'list':
    case 'hash':
      return `${type.kind}(${canonical(type.element)})`
    case 'union':
      return `(${type.members.map(canonical).toSorted().join('|')})`
    case 'record': {
      const fields = [...type.fields].map(([key, element]) => `${key}:${canonical(element)}`)
      const place = type.origin === null ? '' : `@${type.origin.file}:${type.origin.start}`
      return `{${fields.toSorted().join(',')}${type.open ? ',…' : ''}}${place}`
    }
    default:
      return type.kind
  }
}

describe('the join of types', () => {
  const random = randomNumbers(7)
  const triples = Array.from(
    { length: SAMPLES },
    () => [0, 1, 2].map(() => randomType(random, 3)) as [Type, Type, Type],
  )

  it('does not depend on the order', () => {
    for (const [a, b] of triples) expect(canonical(join(a, b))).toBe(canonical(join(b, a)))
  })

  it('does not depend on how several paths are grouped', () => {
    for (const [a, b, c] of triples) expect(canonical(join(join(a, b), c))).toBe(canonical(join(a, join(b, c))))
  })

  it('of a type with itself is that type', () => {
    for (const [a] of triples) expect(canonical(join(a, a))).toBe(canonical(a))
    for (const [a, b] of triples) expect(canonical(join(join(a, b), b))).toBe(canonical(join(a, b)))
  })
})

describe('the join of certain variables', () => {
  it('does not depend on the order or the grouping of the paths', () => {
    const random = randomNumbers(11)
    for (let sample = 0; sample < SAMPLES / 10; sample++) {
      const variables = new CertainVariables(
        () => NIL,
        () => [],
      )
      const start = variables.save()
      const paths = [0, 1, 2].map(() => {
        variables.restore(start)
        for (const name of ['x', 'y', 'z'])
          if (random(2) === 0) variables.set(name, randomType(random, 2), random(2) === 0, false)
        return variables.save()
      })
      const [a, b, c] = paths as [typeof start, typeof start, typeof start]
      const joined = (...ways: (typeof start)[]) => {
        variables.join(ways)
        return variables.save()
      }
      const texts = (state: typeof start) =>
        [...state]
          .map(([name, { type, isCertain, isOwned }]) => `${name} ${canonical(type)} ${isCertain} ${isOwned}`)
          .toSorted()
      expect(texts(joined(c, b, a))).toEqual(texts(joined(a, b, c)))
      expect(texts(joined(a, joined(b, c)))).toEqual(texts(joined(joined(a, b), c)))
      expect(texts(joined(a, a))).toEqual(texts(a))
    }
  })
})

describe('the join of constant texts', () => {
  const at = { file: 'a', start: 0, end: 0 }
  const literal = (text: string): Expression => ({ kind: 'literal', value: { type: 'string', value: text }, span: at })
  const lookup = (name: string): Expression => ({ kind: 'lookup', name: { name, span: at }, path: [], span: at })
  const filtered = (input: Expression, filters: readonly FilterCall[] = []): Filtered => ({
    kind: 'filtered',
    input,
    filters,
    span: at,
  })
  const WORDS = ['a', 'b/', '_', '']
  /** Returns a random expression, and a function that returns its text with the values of its variables. */
  const randomText = (
    random: (limit: number) => number,
    depth: number,
  ): readonly [Expression, (values: ReadonlyMap<string, string>) => string] => {
    const kind = random(depth === 0 ? 2 : 5)
    const word = WORDS[random(WORDS.length)] ?? ''
    if (kind === 0) return [literal(word), () => word]
    const name = `v${random(3)}`
    if (kind === 1) return [lookup(name), (values) => values.get(name) ?? '']
    const [[input, first], [argument, second]] = [randomText(random, depth - 1), randomText(random, depth - 1)]
    if (kind === 2)
      return [
        { kind: 'interpolation', parts: [word, filtered(input), word, filtered(argument)], span: at },
        (values) => word + first(values) + word + second(values),
      ]
    const filter = (kind === 3 ? 'append' : 'prepend') as string
    const call: FilterCall = { name: { name: filter, span: at }, positional: [argument], named: [], span: at }
    return [
      filtered(input, [call]),
      (values) => (kind === 3 ? first(values) + second(values) : second(values) + first(values)),
    ]
  }
  const canonicalTexts = (texts: Texts) => texts?.map((each) => JSON.stringify(each)).toSorted() ?? null

  it('does not depend on the order or the grouping of the paths', () => {
    const random = randomNumbers(17)
    for (let sample = 0; sample < SAMPLES; sample++) {
      const [a, b, c] = [0, 1, 2].map(() =>
        random(8) === 0
          ? null
          : constantTexts(randomText(random, 2)[0], () => [{ prefix: 'p', suffix: 's', exact: false }]),
      ) as [Texts, Texts, Texts]
      expect(canonicalTexts(joinTexts(b, a))).toEqual(canonicalTexts(joinTexts(a, b)))
      expect(canonicalTexts(joinTexts(joinTexts(a, b), c))).toEqual(canonicalTexts(joinTexts(a, joinTexts(b, c))))
      expect(canonicalTexts(joinTexts(a, a))).toEqual(canonicalTexts(a))
    }
  })

  it('covers every text that an expression can be', () => {
    const random = randomNumbers(19)
    let known = 0
    for (let sample = 0; sample < SAMPLES; sample++) {
      const [expression, textWith] = randomText(random, 3)
      const values = new Map([0, 1, 2].map((n) => [`v${n}`, WORDS[random(WORDS.length)] ?? '']))
      // One variable has two possible texts, one is unknown.
      const texts = constantTexts(expression, ({ name }) => {
        const word = values.get(name?.name ?? '') ?? ''
        return name?.name === 'v0' ? null : [exactText(word), ...(name?.name === 'v1' ? [exactText('x')] : [])]
      })
      const text = textWith(values)
      if (texts === null) continue
      known++
      expect(fits(text, texts), `${text} ${JSON.stringify(texts)}`).toBe(true)
    }
    expect(known).toBeGreaterThan(SAMPLES / 2)
  })
})

describe('the join of taints', () => {
  const span = (start: number) => ({ file: 'a', start, end: start + 1 })
  const texts = (flow: taint.Flow): string =>
    [
      ...flow.taints.map(taint.taintKey).toSorted(),
      ...[...(flow.fields ?? [])].map(([key, field]) => `${key}: ${texts(field)}`).toSorted(),
      flow.items === null ? '' : `items: ${texts(flow.items)}`,
      `head: ${flow.head}`,
    ].join('\n')
  const randomFlow = (random: (limit: number) => number, depth: number): taint.Flow => {
    const kind = random(depth === 0 ? 3 : 5)
    if (kind === 0) return taint.NOTHING
    if (kind === 1) return taint.sourceFlow(`source ${random(3)}`, span(random(3)))
    if (kind === 2) return taint.originFlow('parameter', `name ${random(3)}`)
    if (kind === 3) return taint.listFlow(randomFlow(random, depth - 1))
    return taint.recordFlow(
      new Map(KEYS.filter(() => random(2) === 0).map((key) => [key, randomFlow(random, depth - 1)])),
    )
  }

  it('does not depend on the order or the grouping', () => {
    const random = randomNumbers(13)
    for (let sample = 0; sample < SAMPLES; sample++) {
      const [a, b, c] = [0, 1, 2].map(() => randomFlow(random, 2)) as [taint.Flow, taint.Flow, taint.Flow]
      expect(texts(taint.join(a, b))).toBe(texts(taint.join(b, a)))
      expect(texts(taint.join(taint.join(a, b), c))).toBe(texts(taint.join(a, taint.join(b, c))))
      expect(texts(taint.join(a, a))).toBe(texts(a))
    }
  })
})
