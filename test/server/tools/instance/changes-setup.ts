/** Sends mutations that change files of a deployed site, and reads what is served then. */
import { expect } from 'vitest'
import type { Instance, InstanceSetup } from './instance-setup.ts'

/** The fields of results that tests use further. Tests only compare the other fields. */
interface Item {
  readonly id: string
  readonly name: string
  readonly properties: readonly Item[]
  readonly results: readonly Item[]
}

interface Result {
  readonly data: Readonly<Record<string, Item>> | null
  readonly errors?: readonly {
    readonly message: string
    readonly path?: readonly string[]
    readonly extensions?: object
  }[]
}

export interface Changer {
  ask(query: string, variables?: object, token?: string): Promise<Result>
  /** Runs one mutation, and returns its value. */
  change(call: string, selection: string, variables?: object, types?: string): Promise<Item | undefined>
  /** Runs one mutation that is refused, and returns its message. */
  refusal(call: string, selection?: string, variables?: object, types?: string): Promise<string>
  /** Returns the statuses and texts that many concurrent visitors receive, each on a new connection. */
  shown(path: string): Promise<readonly string[]>
  /** Returns the text of a file of the served site; null when there is none. */
  fileText(path: string): Promise<string | null>
}

export function changerOf(instance: Instance, ground: InstanceSetup): Changer {
  const ask: Changer['ask'] = async (query, variables = {}, token = instance.token) => {
    const response = await fetch(`${instance.url}/api/graph`, {
      method: 'POST',
      headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    return (await response.json()) as Result
  }
  return {
    ask,
    async change(call, selection, variables = {}, types = '') {
      const { data, errors } = await ask(`mutation${types} { it: ${call} { ${selection} } }`, variables)
      expect(errors, call).toBeUndefined()
      return data?.['it']
    },
    async refusal(call, selection = 'id', variables = {}, types = '') {
      const { data, errors = [] } = await ask(`mutation${types} { it: ${call} { ${selection} } }`, variables)
      expect(data ?? null, call).toBeNull()
      expect(errors[0]?.path, errors[0]?.message).toEqual(['it'])
      return errors.map(({ message }) => message).join('\n')
    },
    async shown(path) {
      const answers = Array.from({ length: 8 }, async () => {
        const answer = await fetch(instance.url + path, { headers: { connection: 'close' } })
        return `${answer.status} ${(await answer.text()).trim()}`
      })
      return [...new Set(await Promise.all(answers))]
    },
    async fileText(path) {
      const [row] = await ground.ingot.database.sql<{ bytes: Buffer }[]>`
        with base as (select files, release from ingot.deploys where files is not null order by id desc limit 1)
        select p.bytes from base
        left join lateral (
          select true as found, digest from ingot.edited_files e
          where e.release = base.release and e.path = ${path} order by revision desc limit 1
        ) e on true
        join ingot.blob_parts p on p.digest = case when e.found then e.digest else base.files->${path}->>'digest' end
        order by p.number limit 1`
      return row === undefined ? null : row.bytes.toString()
    },
  }
}
