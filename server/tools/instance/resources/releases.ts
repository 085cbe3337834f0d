/** Deploys: `POST marketplace_releases` accepts the archive of a site, and `GET marketplace_releases/:id` returns its state. */
import type { Sql } from 'postgres'
import { storeFile } from '../deploys/blobs.ts'
import type { SiteFinding } from '../deploys/compiler.ts'
import { addDeploy, assetsOf, type DeployRow, findDeploy, unfinishedBefore } from '../deploys/rows.ts'
import { formatFinding, formatErrorLines } from '../deploys/lines.ts'
import { json, Refusal } from '../replies.ts'
import type { Resource } from '../resource.ts'

/** Returns the name of a form field. */
const field = (name: string): string => `marketplace_builder[${name}]`
/** Maximum number of printed warnings; `ingot check` shows all of them. */
const MAX_WARNINGS = 20

export const startRelease: Resource = {
  method: 'POST',
  path: 'app_builder/marketplace_releases',
  scopes: ['deploy'],
  async answer({ sql }, { body }) {
    const file = body.file(field('zip_file'))
    if (file === null) throw new Refusal(422, `the form has no file \`${field('zip_file')}\``)
    const { digest } = await storeFile(sql, file.path)
    const id = await addDeploy(sql, {
      kind: 'deploy',
      archive: digest,
      partial: body.field(field('partial_deploy')) === 'true',
      dryRun: body.field(field('dry_run')) === 'true',
    })
    return json(200, { id: Number(id), status: 'ready_for_import' })
  },
}

export const showRelease: Resource = {
  method: 'GET',
  path: 'app_builder/marketplace_releases/:id',
  scopes: ['deploy'],
  async answer({ sql, addresses }, { path, request }) {
    const id = path['id'] ?? ''
    const row = await findDeploy(sql, id)
    if (row === null) throw new Refusal(404, `there is no deploy '${id}'`)
    if (row.request.kind === 'backup')
      return json(
        200,
        backupState(row, (key) => addresses.address('see', request, key)),
      )
    return json(200, { id: Number(row.id), status: row.status, ...(await deployState(sql, row)) })
  },
}

/** Returns the state of a backup, in the words that clients expect. */
function backupState(row: DeployRow, address: (key: string) => string): object {
  const { id, status, result } = row
  const state = { id: Number(id), status: BACKUP_STATUSES[status] }
  if (status === 'error') return { ...state, error: errorOf(row) }
  return result.key === null ? state : { ...state, zip_file: { url: address(result.key) } }
}

const BACKUP_STATUSES: Readonly<Record<DeployRow['status'], string>> = {
  ready_for_import: 'ready_for_export',
  in_progress: 'ready_for_export',
  success: 'success',
  error: 'failed',
}

async function deployState(sql: Sql, row: DeployRow): Promise<object> {
  const { status, result, id } = row
  if (status === 'ready_for_import') {
    const other = await unfinishedBefore(sql, id)
    return other === null ? {} : { warning: `Deploy ${other} is running: this one begins when it is done.` }
  }
  if (status === 'in_progress') return {}
  if (status === 'error') return { error: errorOf(row) }
  const warning = [
    ...result.errors.map((error) => `Error: ${formatFinding(error)}`),
    ...formatWarnings(result.warnings),
  ]
  return {
    report: result.report,
    ...(warning.length > 0 && { warning: warning.join('\n') }),
    ...(await assetState(sql, id)),
  }
}

/** Returns the state of the assets, which are sent after the site. */
async function assetState(sql: Sql, id: string): Promise<object> {
  const assets = await assetsOf(sql, id)
  if (assets === null) return {}
  if (assets.status === 'error') return { asset_error: { error: errorOf(assets).error } }
  if (assets.status !== 'success') return { asset_status: 'in_progress' }
  return { asset_report: assets.result.report['Asset'] ?? { upserted: [], deleted: [], skipped: [] } }
}

interface ErrorAnswer {
  /** All errors, one line each. */
  readonly error: string
  readonly details: { readonly file_path?: string }
  readonly warnings: readonly string[]
}

/** Returns why a deploy failed, in the form that the client prints. */
function errorOf({ result }: DeployRow): ErrorAnswer {
  const { errors, warnings } = result
  const files = new Set(errors.map(({ file }) => file))
  const [file] = files
  return {
    error: formatErrorLines(result).join('\n'),
    details: files.size === 1 && file !== undefined ? { file_path: file } : {},
    warnings: formatWarnings(warnings),
  }
}

/** Formats the warnings of the application, which its author can fix. Warnings of modules are only counted. */
function formatWarnings(warnings: readonly SiteFinding[]): readonly string[] {
  const own = warnings.filter(({ file }) => !file.startsWith('modules/'))
  const lines = own.slice(0, MAX_WARNINGS).map(formatFinding)
  const more = own.length - lines.length
  const ofModules = warnings.length - own.length
  const rest = [
    ...(more === 0 ? [] : [`${more} more in the application`]),
    ...(ofModules === 0 ? [] : [`${ofModules} in modules`]),
  ]
  return rest.length === 0 ? lines : [...lines, `${rest.join(', and ')}: \`ingot check\` shows them.`]
}
