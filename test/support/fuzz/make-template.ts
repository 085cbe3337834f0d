/** Generates the statements of one template. */
import { INLINE, PATHS, QUERIES } from './queries.ts'
import type { Random } from './random.ts'
import type { Call, Statement } from './template.ts'
import { type Kind, Values, type Variable } from './values.ts'
import { KEYS } from './words.ts'

/** A partial that other templates may call. */
export interface Callable {
  readonly name: string
  readonly by: readonly Call['by'][]
  readonly parameters: readonly string[]
  /** Additional arguments that every call passes. */
  readonly more: string
}

export interface Task {
  readonly random: Random
  /** The partials that the template may call. */
  readonly callable: readonly Callable[]
  /** Variables that are set at the start: parameters, and loop variables of an `include for`. */
  readonly variables: readonly Variable[]
  /** Names that the template may set. An isolated partial has names that no other template uses. */
  readonly names: readonly string[]
  /** Whether to leave out counters, interrupts and other effects that a caller can observe. */
  readonly apart: boolean
  /** Whether no caller's loop can contain the template, so that it reads only values that it has set itself. */
  readonly isOutsideLoops: boolean
  /** Whether the template may queue jobs, run queries and write sessions. */
  readonly effects: boolean
  readonly forms: readonly string[]
  /** Called for each stored query that the template runs. */
  use(query: string): void
  /** Returns the next call number of the site. */
  nextCall(): number
}

const ANY_KIND = ['text', 'number', 'boolean', 'list', 'hash', 'any'] as const

const FORLOOP = [
  'forloop.index',
  'forloop.rindex0',
  'forloop.first',
  'forloop.length',
  'forloop.index.part',
  'forloop.index0.x-y',
]
/** These values contain the parent loop, which may be a loop of an including template. */
const PARENTLOOP = ['forloop.parentloop.index', 'forloop']
const TABLEROWLOOP = ['tablerowloop.col', 'tablerowloop.row', 'tablerowloop.col_last', 'tablerowloop']

/** Words that occur only as plain text of templates. */
const WORDS = ['one', 'two', 'three', 'four'] as const

export function makeTemplate(task: Task, length: number): readonly Statement[] {
  return new StatementMaker(task).body(length, 0)
}

class StatementMaker {
  readonly #task: Task
  readonly #random: Random
  readonly #values: Values
  #inTransaction = false
  /** Variables of the enclosing loops. */
  readonly #turning: string[] = []
  /** Whether the current position is in an attribute value, or in a cached fragment. */
  #quiet = false

  constructor(task: Task) {
    this.#task = task
    this.#random = task.random
    this.#values = new Values(task.random, task.variables)
  }

  body(length: number, depth: number): readonly Statement[] {
    const made: Statement[] = []
    for (let count = 0; count < length; count++) made.push(...this.#statement(depth))
    return made
  }

  /** Generates the body of a block, which is often short or empty. */
  #inner(depth: number): readonly Statement[] {
    return this.body(
      this.#random.weighted([
        [2, 0],
        [4, 1],
        [2, 2],
        [1, 3],
      ] as const),
      depth + 1,
    )
  }

  #statement(depth: number): readonly Statement[] {
    const random = this.#random
    const { apart, effects, callable, forms } = this.#task
    const deep = depth >= 3
    const makers: readonly (readonly [number, () => readonly Statement[]])[] = [
      [6, () => [{ kind: 'text', text: `${random.pick(WORDS)} ` }]],
      [10, () => [this.#output(this.#values.filtered(random.pick(ANY_KIND)))]],
      [9, () => this.#assign()],
      [4, () => this.#literal()],
      [4, () => this.#write()],
      [deep ? 0 : 3, () => this.#capture(depth)],
      [deep ? 0 : 5, () => this.#if(depth)],
      [deep ? 0 : 2, () => this.#case(depth)],
      [deep ? 0 : 6, () => this.#loop(depth)],
      [deep || apart ? 0 : 1, () => [block('ifchanged', this.#inner(depth), 'endifchanged')]],
      [apart ? 0 : 2, () => [this.#counter()]],
      [deep ? 0 : 2, () => this.#try(depth)],
      [deep ? 0 : 1, () => [{ kind: 'attribute', body: this.#attribute() }]],
      [callable.length === 0 ? 0 : 9, () => this.#call()],
      [apart || this.#quiet ? 0 : 2, () => this.#guard()],
      [1, () => [{ kind: 'verbatim', text: '{% comment %}x{% endcomment %}' }]],
      [effects ? 2 : 0, () => this.#query()],
      [effects && !deep && !this.#inTransaction ? 1 : 0, () => this.#transaction(depth)],
      [effects && !deep ? 1 : 0, () => this.#cache(depth)],
      [effects && !deep ? 1 : 0, () => this.#background(depth)],
      [effects ? 1 : 0, () => [tag(`log ${this.#values.plain()}, type: 'note'`)]],
      [effects ? 1 : 0, () => [tag(`session kept = ${this.#values.plain('text')}`)]],
      [effects && !deep ? 1 : 0, () => this.#block(depth)],
      [effects ? 1 : 0, () => [tag(random.pick(['response_status 201', "redirect_to '/elsewhere'"]))]],
      [effects && this.#values.variables.length > 0 ? 1 : 0, () => this.#export()],
      [1, () => this.#parseJson()],
      [
        forms.length === 0 || this.#quiet ? 0 : 1,
        () => [tag(`include_form '${random.pick(forms)}', note: ${this.#values.plain()}`)],
      ],
    ]
    return random.weighted(makers)()
  }

  #set(kind: Kind): string {
    const name = this.#random.pick(this.#task.names)
    const { variables } = this.#values
    const known = variables.findIndex((each) => each.name === name)
    if (known >= 0) variables.splice(known, 1)
    variables.push({ name, kind })
    return name
  }

  /** Generates an output. The first `}}` ends an output, so a text that contains one is assigned in a tag. */
  #output(value: string): Statement {
    return value.includes('{{') ? tag(`echo ${value}`) : { kind: 'output', value }
  }

  #assign(): readonly Statement[] {
    const kind = this.#random.pick(ANY_KIND)
    const value = this.#random.chance(0.15) ? this.#values.condition() : this.#values.filtered(kind)
    return [tag(`assign ${this.#set(kind)} = ${value}`)]
  }

  #literal(): readonly Statement[] {
    const kind = this.#random.pick(['list', 'hash'] as const)
    const value = this.#values.literal(kind)
    return [tag(`assign ${this.#set(kind)} = ${value}`)]
  }

  /** Generates a write into an existing value, sometimes through an alias. */
  #write(): readonly Statement[] {
    const random = this.#random
    const kind = random.pick(['list', 'hash'] as const)
    const made: Statement[] = []
    let known = this.#values.variables.filter((each) => each.kind === kind)
    if (known.length === 0 || random.chance(0.3)) {
      made.push(tag(`assign ${this.#set(kind)} = ${this.#values.literal(kind)}`))
      known = this.#values.variables.slice(-1)
    }
    let { name } = random.pick(known)
    if (random.chance(0.4)) {
      const alias = this.#set(kind)
      made.push(tag(`assign ${alias} = ${name}`))
      name = alias
    }
    const value = this.#values.filtered(random.pick(ANY_KIND))
    if (kind === 'list') made.push(tag(`assign ${name} << ${value}`))
    else {
      const key = random.pick(KEYS)
      const key2 = random.chance(0.3) ? '[context.params.word]' : `['${key}']`
      made.push(tag(`${random.pick(['assign', 'hash_assign'])} ${name}${key2} = ${value}`))
    }
    return made
  }

  #capture(depth: number): readonly Statement[] {
    const body = this.#inner(depth)
    const name = this.#set('text')
    const captured = block(`capture ${name}`, body, 'endcapture')
    // Captured text is already escaped. A loop variable with the same name would hide it.
    const prints = !this.#random.chance(0.5) && this.#task.isOutsideLoops && !this.#turning.includes(name)
    return prints ? [captured, tag(`print ${name}`)] : [captured]
  }

  #if(depth: number): readonly Statement[] {
    const random = this.#random
    const word = random.pick(['if', 'if', 'unless'])
    const branches = [{ open: `${word} ${this.#values.condition()}`, body: this.#inner(depth) }]
    if (random.chance(0.3)) branches.push({ open: `elsif ${this.#values.condition()}`, body: this.#inner(depth) })
    if (random.chance(0.4)) branches.push({ open: 'else', body: this.#inner(depth) })
    return [{ kind: 'block', branches, end: `end${word}` }]
  }

  #case(depth: number): readonly Statement[] {
    const random = this.#random
    const subject = this.#values.plain()
    const branches: { open: string; body: readonly Statement[] }[] = [{ open: `case ${subject}`, body: [] }]
    for (let count = random.below(3); count >= 0; count--) {
      const values = Array.from({ length: 1 + random.below(2) }, () => this.#values.plain())
      branches.push({ open: `when ${values.join(random.pick([', ', ' or ']))}`, body: this.#inner(depth) })
    }
    if (random.chance(0.4)) branches.push({ open: 'else', body: this.#inner(depth) })
    return [{ kind: 'block', branches, end: 'endcase' }]
  }

  #loop(depth: number): readonly Statement[] {
    const random = this.#random
    const word = random.pick(['for', 'for', 'for', 'tablerow'])
    const list = this.#values.plain(random.pick(['list', 'list', 'list', 'hash', 'any'] as const))
    const name = random.pick(this.#task.names)
    const more = [
      word === 'for' && random.chance(0.15) ? ' reversed' : '',
      random.chance(0.2) ? ` limit: ${random.pick(['1', '2', 'context.params.count'])}` : '',
      random.chance(0.15) ? ` offset: ${random.pick(['1', '0'])}` : '',
      word === 'tablerow' && random.chance(0.5) ? ' cols: 2' : '',
    ]
    const before = this.#values.variables.length
    this.#values.variables.push({ name, kind: 'any' })
    this.#turning.push(name)
    const body = [...this.#inner(depth)]
    const forloop = this.#task.apart ? FORLOOP : [...FORLOOP, ...PARENTLOOP]
    if (random.chance(0.4)) body.push({ kind: 'output', value: random.pick(word === 'for' ? forloop : TABLEROWLOOP) })
    if (!this.#task.apart && random.chance(0.15))
      body.push(block(`if ${this.#values.condition()}`, [tag(random.pick(['break', 'continue']))], 'endif'))
    this.#turning.pop()
    // Variables that the body has set remain. Loop variables are removed.
    this.#values.variables.splice(before, 1)
    const open = `${word} ${name} in ${list}${more.join('')}`
    const branches: { open: string; body: readonly Statement[] }[] = [{ open, body }]
    if (word === 'for' && random.chance(0.2)) branches.push({ open: 'else', body: this.#inner(depth) })
    return [{ kind: 'block', branches, end: `end${word}` }]
  }

  #counter(): Statement {
    const random = this.#random
    const name = random.pick(this.#task.names)
    return tag(
      random.weighted([
        [1, `increment ${name}`],
        [1, `decrement ${name}`],
        [1, `cycle 'x', ${this.#values.plain('text')}`],
        [1, `cycle '${name}': 'a', ${this.#values.plain('text')}`],
      ]),
    )
  }

  #try(depth: number): readonly Statement[] {
    const random = this.#random
    const name = random.pick(this.#task.names)
    const body = [...this.#inner(depth)]
    if (random.chance(0.6))
      body.push(this.#output(`${this.#values.plain('number')} | divided_by: ${this.#values.plain('number')}`))
    if (random.chance(0.2)) body.push(tag(`assign ${this.#set('any')} << ${this.#values.plain()}`))
    const caught = this.#inner(depth)
    const named = random.chance(0.6)
    const message: readonly Statement[] = named ? [{ kind: 'output', value: `${name}.message` }] : []
    return [
      {
        kind: 'block',
        branches: [
          { open: 'try', body },
          { open: named ? `catch ${name}` : 'catch', body: [...caught, ...message] },
        ],
        end: 'endtry',
      },
    ]
  }

  #attribute(): readonly Statement[] {
    const output = () => this.#output(this.#values.filtered(this.#random.pick(ANY_KIND), true))
    if (this.#random.chance(0.6)) return [output()]
    return [block(`if ${this.#values.condition()}`, [output()], 'endif'), { kind: 'text', text: 'x' }]
  }

  #call(): readonly Statement[] {
    const random = this.#random
    const { name, by: ways, parameters, more: always } = random.pick(this.#task.callable)
    const by = random.pick(ways)
    const passed = parameters
      .filter(() => random.chance(0.8))
      .map((parameter) => `, ${parameter}: ${this.#values.plain(random.pick(ANY_KIND))}`)
      .join('')
    const each = by === 'render' && random.chance(0.2) ? random.pick([' with', ' for']) : ''
    const more =
      each === ''
        ? `${passed}${always}`
        : `${each} ${this.#values.plain(each === ' for' ? 'list' : 'any')} as ${parameters[0] ?? 'item'}${passed}${always}`
    const target = by === 'function' || by === 'background' ? this.#set(by === 'function' ? 'any' : 'text') : null
    const call: Call = { kind: 'call', id: this.#task.nextCall(), by, partial: name, target, more }
    return by === 'function' && random.chance(0.5)
      ? [call, { kind: 'output', value: `${target}${random.pick(['', '.title', '.first', " | append: 'x'"])}` }]
      : [call]
  }

  /** Generates a condition that sometimes leaves the file or the loop. */
  #guard(): readonly Statement[] {
    const random = this.#random
    const word = random.weighted([
      [3, `return ${this.#values.filtered(random.pick(ANY_KIND))}`],
      [1, `return ${this.#values.literal('hash')}`],
      [1, 'return'],
      [1, 'break'],
    ])
    return [block(`if ${this.#values.condition()}`, [tag(word)], 'endif')]
  }

  #query(): readonly Statement[] {
    const random = this.#random
    if (random.chance(0.3)) {
      const name = this.#set('hash')
      return [
        { kind: 'verbatim', text: `{% graphql ${name} %}${INLINE}{% endgraphql %}` },
        { kind: 'output', value: `${name}.records.results.first.id` },
      ]
    }
    const query = random.pick(Object.keys(QUERIES))
    this.#task.use(query)
    const passed = (QUERIES[query]?.passed ?? []).filter((each, at, all) =>
      query === 'things/create'
        ? at === 0
        : random.chance(0.4) && all.findIndex((other) => other.split(':')[0] === each.split(':')[0]) === at,
    )
    const dug = query === 'things/list' && random.chance(0.15)
    const filters = dug ? " | dig: 'records', 'results' | first" : ''
    const name = this.#set(dug ? 'any' : 'hash')
    const read = dug ? `${name}.title` : `${name}.${random.pick(PATHS[query] ?? [])}`
    const loop = query === 'things/list' && !dug && random.chance(0.5)
    const item = random.pick(this.#task.names)
    return [
      tag(`graphql ${name} = '${query}'${passed.map((each) => `, ${each}`).join('')}${filters}`),
      loop
        ? block(
            `for ${item} in ${name}.records.results`,
            [
              {
                kind: 'output',
                value: `${item}.${random.pick(['title', 'price | plus: 1', 'tags | join', 'open', 'constructor'])}`,
              },
            ],
            'endfor',
          )
        : { kind: 'output', value: read },
    ]
  }

  #transaction(depth: number): readonly Statement[] {
    this.#inTransaction = true
    const body = [...this.#inner(depth)]
    if (this.#random.chance(0.4)) body.push(block(`if ${this.#values.condition()}`, [tag('rollback')], 'endif'))
    this.#inTransaction = false
    return [block(`transaction${this.#random.chance(0.3) ? ' timeout: 5' : ''}`, body, 'endtransaction')]
  }

  #cache(depth: number): readonly Statement[] {
    const before = this.#quiet
    this.#quiet = true
    const body = this.#inner(depth)
    this.#quiet = before
    return [
      block(
        `cache ${this.#random.pick(["'k'", "'m'", 'context.params.text', 'context.params.empty'])}`,
        body,
        'endcache',
      ),
    ]
  }

  #background(depth: number): readonly Statement[] {
    const { variables } = this.#values
    const known = variables.filter(({ name }) => /^[a-z_]+$/i.test(name)).slice(-2)
    const passed = known.map(({ name }) => `${name}: ${name}`).join(', ')
    if (passed === '') return []
    const inner = new StatementMaker({ ...this.#task, variables: known, effects: false, forms: [], callable: [] })
    return [block(`background ${passed}`, [...inner.body(2, depth + 1), tag(`log ${known[0]?.name}`)], 'endbackground')]
  }

  #block(depth: number): readonly Statement[] {
    const name = this.#random.pick(['side', 'top'])
    return this.#random.chance(0.6)
      ? [block(`content_for '${name}'`, this.#inner(depth), 'endcontent_for')]
      : [tag(`yield '${name}'`)]
  }

  #export(): readonly Statement[] {
    const { variables } = this.#values
    const { name } = this.#random.pick(variables)
    const read = this.#random.chance(0.5) ? `context.exports.kept.${name}` : 'context.exports.kept'
    return [tag(`export ${name}, namespace: 'kept'`), { kind: 'output', value: read }]
  }

  #parseJson(): readonly Statement[] {
    const value = this.#values.plain()
    const name = this.#set('hash')
    return [
      {
        kind: 'verbatim',
        text: `{% parse_json ${name} %}{ "a": {{ ${value} | json }}, "b": [1, {{ ${value} | json }}] }{% endparse_json %}`,
      },
      { kind: 'output', value: `${name}${this.#random.pick(['', '.a', '.b.last', '.b'])}` },
    ]
  }
}

function tag(markup: string): Statement {
  return { kind: 'tag', markup }
}

function block(open: string, body: readonly Statement[], end: string): Statement {
  return { kind: 'block', branches: [{ open, body }], end }
}
