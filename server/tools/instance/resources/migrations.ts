/** `migrations`: lists the migrations of a site, proposes a new one, and runs one by hand. */
import { type MigrationState, migrationStates } from '../../../operate/jobs/migration-states.ts'
import { StartError } from '../../../core/start-error.ts'
import { json, Refusal } from '../replies.ts'
import type { Ask, InstanceContext, Resource } from '../resource.ts'

export const migrationList: Resource = {
  method: 'GET',
  path: 'app_builder/migrations',
  scopes: ['deploy', 'read', 'write'],
  async answer(parts) {
    const states = await readStates(parts)
    return json(200, { migrations: states.map(formatState) })
  },
}

/** Creates the name and the text of a new migration. Nothing is stored, because the client deploys the file. */
export const newMigration: Resource = {
  method: 'POST',
  path: 'app_builder/migrations',
  scopes: ['deploy'],
  async answer(_parts, ask) {
    const name = requireField(ask, 'name')
    if (!/^\w{1,100}$/.test(name))
      throw new Refusal(422, 'The name of a migration may have only letters, digits and underscores')
    return json(200, {
      name: `${timestamp(new Date())}_${name}`,
      body: '{% comment %} Runs once, with the next deploy or by hand. {% endcomment %}\n',
    })
  },
}

export const migrationRun: Resource = {
  method: 'POST',
  path: 'app_builder/migrations/run',
  scopes: ['deploy'],
  async answer(parts, ask) {
    const wantedName = requireField(ask, 'timestamp')
    const { name } = findPending(await readStates(parts), wantedName)
    const after = await parts
      .migrate((migration) => migration.name === name)
      .catch((error: unknown) => {
        if (error instanceof StartError) throw new Refusal(422, error.message)
        throw error
      })
    const now = after.find((migration) => migration.name === name)
    if (now?.state === 'error')
      throw new Refusal(422, `The migration ${name} failed, and its changes were rolled back: ${now.error}`)
    return json(200, { name })
  },
}

function readStates({ sql, app }: InstanceContext): Promise<readonly MigrationState[]> {
  return migrationStates(sql, app().host().loadedSite.site)
}

function formatState({ name, state, error }: MigrationState): object {
  return { id: timestampOf(name), name, state, error_messages: error }
}

/** Returns the pending migration with a timestamp or name. @throws Refusal when there is none */
function findPending(states: readonly MigrationState[], wantedName: string): MigrationState {
  const matches = states.filter(({ name }) => name === wantedName || timestampOf(name) === wantedName)
  const [first, second] = matches
  if (first === undefined) throw new Refusal(422, `The site has no migration '${wantedName}'`)
  if (second !== undefined)
    throw new Refusal(
      422,
      `Several migrations begin with '${wantedName}': ${matches.map(({ name }) => name).join(', ')}`,
    )
  if (first.state === 'done')
    throw new Refusal(422, `The migration ${first.name} is already done, and cannot run again`)
  return first
}

/** Returns the timestamp at the beginning of a migration's file name. */
function timestampOf(name: string): string {
  return /^\d*/.exec(name.slice(name.lastIndexOf('/') + 1))?.[0] ?? ''
}

function requireField({ body }: Ask, name: string): string {
  const value = body.field(name)
  if (value === null || value === '') throw new Refusal(422, `${name} is missing`)
  return value
}

function timestamp(at: Date): string {
  return at.toISOString().replace(/\D/g, '').slice(0, 14)
}
