/**
 * Mutation tests: seeded changes of the fixtures' templates and YAML. The compiler must report an error or compile the file, quickly. A
 * compiled file must render, or fail with a Liquid error.
 *
 * `INGOT_MUTANTS` is the number of mutants (800), `INGOT_SEED` the first seed.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEngine, type EngineOptions, LiquidError } from '../../compiler/tools/engine.ts'
import { discover } from '../../compiler/core/source/discover.ts'
import { readCases } from '../support/case-file.ts'
import { measureCost } from '../support/cost.ts'

const COUNT = Number(process.env['INGOT_MUTANTS'] ?? 800)
const SEED = Number(process.env['INGOT_SEED'] ?? 20_260)
/** Time limit for compiling a mutant, in milliseconds. */
const PATIENCE = 1_000
/** Of this many mutants, one is also rendered. */
const RENDERED = 4

/** A set of files, one of which is mutated. */
interface Subject {
  readonly files: Readonly<Record<string, string>>
  readonly victim: string
  readonly main: string
  readonly options: Partial<EngineOptions>
  readonly data: () => Record<string, unknown>
}

/** Returns a small seeded random number generator. */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

async function subjects(): Promise<readonly Subject[]> {
  const list: Subject[] = []
  for (const { files, main, options, data } of readCases())
    for (const victim of Object.keys(files)) list.push({ files, victim, main, options, data })
  const sites = fileURLToPath(new URL('../../fixtures/sites', import.meta.url))
  for (const site of readdirSync(sites, { withFileTypes: true }).filter((each) => each.isDirectory())) {
    const { files } = await discover(join(sites, site.name))
    for (const { path, text } of files) {
      if (/\.(liquid|yml|graphql)$/.test(path) && text !== '' && text.length < 6_000)
        list.push({ files: { [path]: text }, victim: path, main: path, options: {}, data: () => ({}) })
    }
  }
  return list
}

/** Fragments that have a meaning in some place of a template or of YAML. */
const PIECES = [
  ...[
    '{{',
    '}}',
    '{%',
    '%}',
    '{%-',
    '-%}',
    '{{-',
    '-}}',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '|',
    ':',
    ',',
    '.',
    '..',
    '=',
    '==',
    '<<',
    '<',
    '>',
    '!=',
  ],
  ...[
    "'",
    '"',
    '\\',
    '#',
    '-',
    ';',
    '@',
    '&&',
    '%',
    '$',
    '`',
    '${',
    '*/',
    '\n',
    '\n  ',
    '\t',
    ' ',
    '\u2028',
    '\ue000',
    '\ue001',
    '\0',
    'é',
    '🎉',
    '\ud800',
  ],
  ...[
    '{% if x %}',
    '{% endif %}',
    '{% else %}',
    '{% for i in x %}',
    '{% endfor %}',
    '{% liquid',
    '{% raw %}',
    '{% endraw %}',
    '{% comment %}',
  ],
  ...[
    '{% doc %}',
    '{% enddoc %}',
    '{% case x %}',
    '{% when 1 %}',
    '{% capture x %}',
    '{% include x %}',
    '{% break %}',
    '{% return x %}',
    '{% try %}',
  ],
  ...[
    '{% catch e %}',
    '{% endtry %}',
    '{% cache k %}',
    '{% assign x[0].y << 1 %}',
    '{% include name, x: 1 %}',
    '{% increment x %}',
    '{% cycle 1, x %}',
  ],
  ...[
    'and',
    'or',
    'contains',
    'not',
    'in',
    'with',
    'for',
    'as',
    'nil',
    'blank',
    'true',
    'x',
    '1',
    '-1',
    '1.5',
    '99999999999999999999',
    '1..',
  ],
  ...[
    '__proto__',
    'constructor',
    'size',
    'first',
    'forloop',
    'context',
    '---',
    ': ',
    '- ',
    '&a',
    '*a',
    '!!x',
    '? ',
    '"{{ x }}"',
    '"{{ x',
  ],
]

function mutate(text: string, next: (below: number) => number): string {
  let result = text
  for (let times = 1 + next(3); times > 0; times--) result = mutateOnce(result, next)
  return result
}

function mutateOnce(text: string, next: (below: number) => number): string {
  const at = next(text.length + 1)
  const parts = text.match(/\{[{%]-?|-?[%}]\}|[A-Za-z_][\w-]*|\d+|\s+|[^]/g) ?? []
  const which = next(parts.length + 1)
  const piece = PIECES[next(PIECES.length)] as string
  const other = next(parts.length + 1)
  switch (next(10)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1)
    case 1:
      return text.slice(0, at) + piece + text.slice(at)
    case 2:
      return parts.toSpliced(which, 1).join('')
    case 3:
      return parts.toSpliced(which, 0, piece).join('')
    case 4:
      return parts.toSpliced(which, 1, piece).join('')
    case 5:
      return parts.toSpliced(which, 0, ...parts.slice(which, which + 1 + next(8))).join('')
    case 6:
      return parts
        .toSpliced(which, 1, parts[other] ?? '')
        .toSpliced(other, 1, parts[which] ?? '')
        .join('')
    case 7:
      return text.slice(0, at)
    case 8:
      return text.slice(at)
    default:
      return nest(text, next)
  }
}

/** Nests the text in itself, or in many brackets or blocks. */
function nest(text: string, next: (below: number) => number): string {
  const at = next(text.length + 1)
  const depth = 1 + next(next(8) === 0 ? 400 : 12)
  const [open, close] = (
    [
      ['{% if x %}', '{% endif %}'],
      ['[', ']'],
      ['(', ')'],
      ['{', '}'],
      ['{% for i in x %}', '{% endfor %}'],
      ['{% capture a %}', '{% endcapture %}'],
      ['"{{ ', ' }}"'],
      ['- ', ''],
      ['x[', ']'],
    ] as const
  )[next(9)] as readonly [string, string]
  const inner = next(2) === 0 ? text : text.slice(at, at + 40)
  return text.slice(0, at) + open.repeat(depth) + inner + close.repeat(depth) + text.slice(at)
}

/** Returns what the compiler did wrong with a mutant; null if it did nothing wrong. */
async function trouble(subject: Subject, text: string, next: (below: number) => number): Promise<string | null> {
  const files = { ...subject.files, [subject.victim]: text }
  const errors = next(2) === 0 ? 'raise' : 'inline'
  const other = next(6) === 0
  const dialect = other && !subject.victim.includes('.') ? 'liquid' : (subject.options.dialect ?? 'platform')
  const syntax = (['lax', 'strict', 'strict2'] as const)[next(8)] ?? 'lax'
  const cost = measureCost()
  let engine: ReturnType<typeof createEngine>
  try {
    engine = createEngine({
      files,
      ...subject.options,
      errors,
      dialect,
      syntax: dialect === 'liquid' ? syntax : 'lax',
      limits: { steps: 20_000, output: 200_000, time: 500 },
    })
  } catch (error) {
    return `compiling threw ${error instanceof Error ? error.stack : String(error)}`
  }
  const took = cost()
  if (took > PATIENCE) return `compiling took ${took.toFixed(0)} ms`
  for (const { file, line, column, endLine, endColumn, code, message } of engine.diagnostics) {
    const lines = (files[file] ?? '').split('\n')
    const inside = line >= 1 && column >= 1 && line <= lines.length && column <= (lines[line - 1]?.length ?? 0) + 1
    if (!inside || endLine < line || (endLine === line && endColumn < column))
      return `${code} stands at ${file}:${line}:${column} to ${endLine}:${endColumn}`
    if (message === '' || /undefined|\[object [A-Z]|NaN/.test(message.replaceAll(/`[^`]*`/g, '')))
      return `${code} says: ${message}`
  }
  if (next(RENDERED) !== 0) return null
  try {
    const output = await engine.render(subject.main, subject.data())
    if (/internal error/.test(output) && !/internal error/.test(text))
      return `rendering printed ${output.slice(0, 500)}`
  } catch (error) {
    if (error instanceof LiquidError) return null
    return `rendering threw ${error instanceof Error ? error.stack : String(error)}`
  }
  const all = cost()
  return all > 3 * PATIENCE ? `rendering took ${all.toFixed(0)} ms` : null
}

describe(`${COUNT} mutants`, () => {
  let list: readonly Subject[] = []
  beforeAll(async () => {
    list = await subjects()
  })

  it(
    'compile or are refused with places, and render or fail as Liquid fails',
    async () => {
      const troubles: string[] = []
      for (let at = 0; at < COUNT && troubles.length < 8; at++) {
        const next = random(SEED + at)
        const subject = list[next(list.length)] as Subject
        const text = mutate(subject.files[subject.victim] ?? '', next)
        const found = await trouble(subject, text, next)
        if (found !== null)
          troubles.push(`seed ${SEED + at}, ${subject.victim} of ${JSON.stringify(text).slice(0, 1_500)}: ${found}`)
      }
      expect(troubles.join('\n\n')).toBe('')
    },
    60_000 + COUNT * 50,
  )
})
