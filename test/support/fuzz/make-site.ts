/** Generates a whole site from a seed: pages, layouts, partials, functions, forms, queries, tables. */
import { type Callable, makeTemplate, type Task } from './make-template.ts'
import { QUERIES, TABLES } from './queries.ts'
import { Random } from './random.ts'
import type { MadeSite, TemplateFile } from './site.ts'
import type { Call, Statement } from './template.ts'
import type { Variable } from './values.ts'
import { NAMES } from './words.ts'

const CONFIG = 'escape_output_instead_of_sanitize: true\nstring_interpolation: true\n'
const TRANSLATIONS = 'en:\n  greeting: "Hi %{name}"\n  bare: "Hello"\n'

/** Mistakes that the check must report. */
const MISTAKES: readonly string[] = [
  "render 'nowhere'",
  "function a = 'nowhere'",
  'assign = 3',
  'if a = b %}x{% endif',
  'unheard_of a: 1',
  'endfor',
  "graphql g = 'no/such'",
  'hash_assign a = 1',
  "assign a = 'x' | no_such_filter",
  'assign a = { b: }',
  'for in list %}x{% endfor',
  'include_form nowhere, a:',
]

export function makeSite(seed: number): MadeSite {
  const random = new Random(seed)
  const files: TemplateFile[] = []
  const callable: Callable[] = []
  let calls = 0
  const nextCall = () => calls++
  const used = new Set<string>()
  const common = { random, nextCall, use: (query: string) => void used.add(query) }

  // Partials are generated before their callers.
  for (let at = 0, count = 2 + random.below(3); at < count; at++) {
    const name = `p${at}`
    const kind = random.pick(['apart', 'function', 'included', 'printed'] as const)
    const parameters = ['a', random.pick(NAMES), 'b'].filter((each, index, all) => all.indexOf(each) === index)
    const apart = kind === 'apart'
    // Only this partial sets names with this prefix. Its parameters also have the prefix.
    const own = apart ? ['v', 'w', 'class', 'x'].map((each) => `${name}_${each}`) : null
    const passed = own === null ? parameters : own.slice(0, 2)
    const task: Task = {
      ...common,
      callable: callable.filter((each) => !apart || each.by.length === 4),
      variables: passed.map((each): Variable => ({ name: each, kind: 'any' })),
      names: own ?? [...parameters, ...some(random, NAMES, 4)],
      apart,
      isOutsideLoops: apart,
      effects: !apart && random.chance(0.3),
      forms: [],
    }
    const body = [...makeTemplate(task, 1 + random.below(5))]
    if (kind === 'function')
      body.push({
        kind: 'tag',
        markup: `return ${random.pick([...passed, 'context.params.list', '{ "title": a }', "'<b>'"])}`,
      })
    const recurses = kind === 'printed' && random.chance(0.2)
    if (recurses) body.unshift(...recursive(random, name, nextCall))
    files.push({
      path: `app/${kind === 'function' ? 'lib' : 'views/partials'}/${name}.liquid`,
      name,
      front: '',
      body,
      apart,
    })
    const ways: readonly Call['by'][] =
      kind === 'apart'
        ? ['render', 'render', 'include', 'function']
        : kind === 'function'
          ? ['function', 'function', 'background']
          : kind === 'included'
            ? ['include', 'include', 'render']
            : ['render', 'include', 'function']
    callable.push({ name, by: ways, parameters: passed, more: recurses ? ', depth_left: 2' : '' })
  }

  const forms: string[] = []
  if (random.chance(0.2)) {
    forms.push('entry')
    const task: Task = {
      ...common,
      callable,
      variables: [{ name: 'note', kind: 'any' }],
      names: some(random, NAMES, 4),
      apart: false,
      isOutsideLoops: true,
      effects: false,
      forms: [],
    }
    const body: readonly Statement[] = [
      {
        kind: 'block',
        branches: [
          {
            open: `form html-class: ${random.pick(["'wide'", 'context.params.text', 'note'])}`,
            body: [...makeTemplate(task, 2), { kind: 'output', value: 'form.fields.properties.title.name' }],
          },
        ],
        end: 'endform',
      },
    ]
    files.push({ path: 'app/forms/entry.liquid', name: null, front: FORM, body, apart: false })
  }

  const layout = random.chance(0.6)
  if (layout) {
    const task: Task = {
      ...common,
      callable,
      variables: [],
      names: some(random, NAMES, 4),
      apart: false,
      isOutsideLoops: true,
      effects: false,
      forms: [],
    }
    const body: readonly Statement[] = [
      ...makeTemplate(task, 2),
      { kind: 'output', value: 'content_for_layout' },
      { kind: 'tag', markup: "yield 'side'" },
    ]
    files.push({ path: 'app/views/layouts/application.liquid', name: null, front: '', body, apart: false })
  }

  const pages = 1 + random.below(2)
  for (let at = 0; at < pages; at++) {
    const format = random.weighted([
      [6, 'html'],
      [1, 'json'],
      [1, 'txt'],
    ] as const)
    const ending = format === 'html' ? '' : `.${format}`
    const task: Task = {
      ...common,
      callable,
      variables: [],
      names: some(random, NAMES, 8),
      apart: false,
      isOutsideLoops: true,
      effects: random.chance(0.5),
      forms,
    }
    const body = [...makeTemplate(task, 3 + random.below(7))]
    // Mistakes are last, because for `tsc` the code after a refused call has the type `never`.
    if (random.chance(0.02)) body.push({ kind: 'tag', markup: random.pick(MISTAKES) })
    const front = `---\nslug: page${at}\n${layout && format === 'html' ? '' : "layout: ''\n"}---\n`
    files.push({ path: `app/views/pages/page${at}${ending}.liquid`, name: null, front, body, apart: false })
  }

  const queries = Object.entries(QUERIES)
    .filter(([name]) => used.has(name))
    .map(([name, { document }]) => [`app/graphql/${name}.graphql`, document])
  return {
    seed,
    templates: files,
    plain: {
      ...TABLES,
      ...Object.fromEntries(queries),
      'app/config.yml': CONFIG,
      'app/translations/en.yml': TRANSLATIONS,
    },
  }
}

const FORM = `---
name: entry
resource: thing
resource_owner: anyone
fields:
  properties:
    title:
      validation:
        presence: true
---
`

function some<Item>(random: Random, list: readonly Item[], count: number): readonly Item[] {
  return Array.from({ length: count }, () => random.pick(list))
}

/** Returns statements that call the partial recursively a few times. */
function recursive(random: Random, partial: string, nextCall: () => number): readonly Statement[] {
  const by = random.pick(['render', 'include'] as const)
  return [
    {
      kind: 'block',
      branches: [
        {
          open: 'if depth_left > 0',
          body: [
            { kind: 'tag', markup: 'assign left = depth_left | minus: 1' },
            { kind: 'call', id: nextCall(), by, partial, target: null, more: ', depth_left: left, a: a' },
          ],
        },
      ],
      end: 'endif',
    },
  ]
}
