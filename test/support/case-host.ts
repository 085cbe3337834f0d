/** The host of a case: services in memory that record their calls, and a queue whose jobs run after the render. */
import type { Engine, EngineOptions } from '../../compiler/tools/engine.ts'
import { LiquidFault, type Services, Unwind } from '../../runtime/index.ts'
import type { JobOptions } from '../../runtime/page/services.ts'
import { toJson } from '../../runtime/page/values/json.ts'

interface Job {
  readonly id: string
  readonly unit: string
  readonly values: Readonly<Record<string, unknown>>
}

/** An open `transaction`. Its jobs are queued when it ends. */
interface Transaction {
  readonly jobs: Job[]
}

export class CaseHost {
  /** One line for each call of the host, in order. */
  readonly effects: string[] = []
  readonly services: NonNullable<EngineOptions['services']>
  readonly #queue: Job[] = []
  readonly #open: Transaction[] = []
  readonly #context: Record<string, unknown>
  #count = 0

  /**
   * @param context the `context` that the case renders with: tags write the session into it
   * @param answers results of queries as JSON, by query name
   */
  constructor(context: unknown, answers: ReadonlyMap<string, string>) {
    this.#context = isRecord(context) ? context : {}
    this.services = {
      jobs: { enqueue: async (unit, values, options) => this.#enqueue(unit, values, options) },
      graphql: { run: async (operation, variables) => this.#ask(operation, variables, answers) },
      transactions: { run: (options, body) => this.#transact(options, body), rollback: () => this.#rollback() },
      cache: recordingCache(this.effects),
      sessions: this.#sessions(),
      forms: {
        render: async (name, options) => `[form ${name} ${JSON.stringify(options)}]`,
        open: (attributes) => `<form ${JSON.stringify(attributes)}>`,
      },
      challenge: {
        html: (strategy, action) => `[challenge ${strategy} ${action}]`,
        verify: async () => true,
      },
      log: {
        write: ({ message, type, env, line }) =>
          this.#say(`log ${type}${env === 'all' ? '' : ` in ${env}`} line ${line}: ${JSON.stringify(message ?? null)}`),
      },
    }
  }

  /** Runs all queued jobs, including the jobs that they queue. */
  async runJobs(engine: Pick<Engine, 'render'>): Promise<void> {
    for (let job = this.#queue.shift(); job !== undefined; job = this.#queue.shift()) {
      this.#say(`run ${job.id}`)
      try {
        // The output of a job is ignored.
        await engine.render(job.unit, { ...job.values, context: { language: 'en', exports: {} } })
      } catch (error) {
        if (!(error instanceof LiquidFault)) throw error
        this.#say(`dead ${job.id}: ${error.file}:${error.line} ${error.message}`)
      }
    }
  }

  #say(line: string): void {
    this.effects.push(line)
  }

  #ask(
    operation: { readonly name: string } | { readonly document: string },
    variables: Readonly<Record<string, unknown>>,
    answers: ReadonlyMap<string, string>,
  ): Record<string, unknown> {
    const name = 'name' in operation ? operation.name : ''
    this.#say(`query ${'name' in operation ? name : operation.document.trim()} ${JSON.stringify(variables)}`)
    const answer = answers.get(name)
    if (answer === undefined) throw new LiquidFault(`there is no answer to the query '${name}'`)
    if (answer.startsWith('!')) throw new LiquidFault(answer.slice(1))
    return JSON.parse(answer) as Record<string, unknown>
  }

  #enqueue(unit: string, values: Readonly<Record<string, unknown>>, options: JobOptions): string {
    const text = JSON.stringify(values)
    const id = `job-${++this.#count}`
    const { delay, priority, maxAttempts, sourceName } = options
    this.#say(`queue ${id} ${unit} ${text} delay ${delay} ${priority} x${maxAttempts} "${sourceName}"`)
    const level = this.#open.at(-1)
    const job = { id, unit, values: JSON.parse(text) as Job['values'] }
    if (level === undefined) this.#queue.push(job)
    else level.jobs.push(job)
    return id
  }

  /** Runs a transaction block. A nested block can be rolled back separately, but is committed only together with the outermost block. */
  async #transact(options: { readonly timeout: number | null }, body: () => Promise<void>): Promise<void> {
    const level: Transaction = { jobs: [] }
    this.#open.push(level)
    this.#say(options.timeout === null ? 'begin' : `begin ${options.timeout} s`)
    try {
      await body()
      this.#open.pop()
      const outer = this.#open.at(-1)
      if (outer === undefined) this.#queue.push(...level.jobs)
      else outer.jobs.push(...level.jobs)
      this.#say('commit')
    } catch (error) {
      this.#open.pop()
      this.#say('undone')
      if (!(error instanceof Unwind) || error.fault !== null) throw error
    }
  }

  #rollback(): never {
    if (this.#open.length === 0) throw new LiquidFault('rollback performed outside of transaction')
    throw new Unwind(null)
  }

  #sessions(): NonNullable<Services['sessions']> {
    const session = (): Record<string, unknown> => {
      const known = this.#context['session']
      if (isRecord(known)) return known
      const made = {}
      this.#context['session'] = made
      return made
    }
    return {
      set: (field, value) => {
        this.#say(`session ${field} = ${toJson(value ?? null)}`)
        session()[field] = value
      },
      signIn: async (user, minutes) => {
        this.#say(`sign in ${user}${minutes === null ? '' : ` for ${minutes} min`}`)
        this.#context['current_user'] = { id: user }
      },
    }
  }
}

function recordingCache(effects: string[]): NonNullable<Services['cache']> {
  const fragments = new Map<string, string>()
  return {
    async fragment(key, expire, compute) {
      const known = fragments.get(key)
      effects.push(`cache ${key}${expire === null ? '' : ` for ${expire} s`}: ${known === undefined ? 'made' : 'kept'}`)
      if (known !== undefined) return known
      const { text, keep } = await compute()
      if (keep) fragments.set(key, text)
      return text
    },
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
