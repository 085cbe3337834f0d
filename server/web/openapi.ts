/** Prints and serves the OpenAPI document of a site's forms: `ingot openapi`, and `/api/openapi.json` in development. */
import { readCommandLine } from '../core/command-line.ts'
import { openApi } from '../../runtime/data/openapi/index.ts'
import type { Reply, Request } from './http/message.ts'
import type { LoadedSite } from './site/load.ts'
import { StartError } from '../core/start-error.ts'

const PATH = '/api/openapi.json'

/**
 * Prints the document.
 * @param rest the arguments after `openapi`
 * @param load loads the built site of a folder
 * @param version of this software
 * @returns the exit code
 * @throws StartError
 */
export async function openApiCommand(
  rest: readonly string[],
  load: (dir: string) => Promise<LoadedSite>,
  version: string,
  out: (text: string) => void = (text) => void process.stdout.write(text),
): Promise<number> {
  const { dir, url } = readOpenApiLine(rest)
  const { site, name } = await load(dir)
  out(`${JSON.stringify(openApi(site, { title: name, version, url }), null, 2)}\n`)
  return 0
}

/**
 * Parses the arguments after `ingot openapi`.
 * @throws StartError
 */
export function readOpenApiLine(rest: readonly string[]): { readonly dir: string; readonly url: string } {
  const { words, value } = readCommandLine('ingot openapi', rest, { switches: [], values: ['url'] })
  const [dir = '.', other] = words
  if (other !== undefined) throw new StartError(`\`ingot openapi\` takes one folder, not '${dir}' and '${other}'.`)
  const url = value('url') ?? '/'
  if (url !== '/' && (!URL.canParse(url) || !/^https?:\/\//i.test(url)))
    throw new StartError('The option --url needs the address of the site: --url=https://shop.example')
  return { dir, url: url === '/' ? url : url.replace(/\/+$/, '') }
}

/** The site that the document describes. */
interface OpenApiHost {
  readonly site: LoadedSite['site']
  readonly name: string
  readonly version: string
}

/** Answers with the document; null for other requests. */
export function answerOpenApi({ site, name, version }: OpenApiHost, request: Request): Reply | null {
  if (request.path !== PATH || (request.method !== 'GET' && request.method !== 'HEAD')) return null
  const document = openApi(site, { title: name, version, url: `${request.protocol}://${request.host}` })
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify(document),
  }
}
