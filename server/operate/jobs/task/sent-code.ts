/**
 * Stores the code of sent templates. Jobs that they queue are in no build, so their code is kept in the database, compressed, as long as
 * a job refers to it.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { Sql } from 'postgres'
import * as z from 'zod'
import { prepared, sql as statement } from '../../../../runtime/data/sql/sql.ts'
import type { CompiledSite } from '../../../../runtime/page/site.ts'
import { changedData } from '../../../web/site/changed-data.ts'
import type { RequestData } from '../../../web/site/host.ts'
import { MissingCode } from './failure.ts'

/** Files of a build of modules. */
const BUILD_FILES = ['modules.json', 'site.mjs', 'site.mjs.map'] as const
/** Timeout in seconds. */
const STATEMENT_TIMEOUT = 10

const packed = z.record(z.enum(BUILD_FILES), z.string())
const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

const STORE_CODE = prepared<[digest: string, code: string]>(
  (digest, code) => statement`insert into ingot.sent_code (digest, code) values (${digest}::text, ${code}::text)
    on conflict (digest) do update set wanted_at = now()`,
)

/** The parts of a site that jobs can run. */
type JobUnits = Pick<CompiledSite, 'jobs' | 'partials'>

interface SentCode {
  readonly digest: string
  readonly text: string
}

/**
 * Wraps the data of a sent template, so that jobs that it queues keep their code.
 * @param folder folder of the template's code
 * @param sent the compiled template
 * @param served the served site, whose units need no stored code; null when it is unknown
 */
export function withStoredCode(
  folder: string,
  sent: JobUnits,
  served: JobUnits | null,
): (data: RequestData) => RequestData {
  const isOwn = (unit: string): boolean => has(sent, unit) && (served === null || !has(served, unit))
  let sentCode: Promise<SentCode> | null = null
  return (data) =>
    changedData(data, {
      jobs: {
        ...data.jobs,
        async enqueue(unit, values, options) {
          if (!isOwn(unit)) return data.jobs.enqueue(unit, values, options)
          sentCode ??= readCode(folder)
          const { digest, text } = await sentCode
          await data
            .query(null)
            .run(STORE_CODE(digest, text), { write: true, replica: false, timeout: STATEMENT_TIMEOUT })
          const task = { kind: 'unit', unit, values, code: digest } as const
          const [id] = await data.queue([{ task, origin: data.origin(), options }])
          return id ?? ''
        },
      },
    })
}

function has({ jobs, partials }: JobUnits, unit: string): boolean {
  return Object.hasOwn(jobs, unit) || Object.hasOwn(partials, unit)
}

async function readCode(folder: string): Promise<SentCode> {
  const texts = await Promise.all(
    BUILD_FILES.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
  )
  const text = JSON.stringify(Object.fromEntries(texts))
  const bytes = await compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  return { digest: createHash('sha256').update(text).digest('hex'), text: bytes.toString('base64') }
}

/**
 * Writes stored code to a new folder.
 * @throws MissingCode when it is no longer stored
 */
export async function writeCode(sql: Sql, digest: string, folder: string): Promise<void> {
  const [row] = await sql<{ code: string }[]>`select code from ingot.sent_code where digest = ${digest}`
  if (row === undefined) throw new MissingCode('the code of the template that queued the job is no longer stored')
  const texts = packed.parse(JSON.parse((await decompress(Buffer.from(row.code, 'base64'))).toString('utf8')))
  await mkdir(folder, { recursive: true })
  await Promise.all(BUILD_FILES.map((name) => writeFile(join(folder, name), texts[name])))
}
