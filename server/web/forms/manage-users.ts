/**
 * Users for the command line. They are created and changed as by a form of the resource `User`, so that the same rules
 * check them and the same code hashes passwords and ends sessions.
 */
import * as z from 'zod'
import { parameter, sql, type Sql, toStatement } from '../../../runtime/data/sql/sql.ts'
import type { QueryHost } from '../../../runtime/data/query/host.ts'
import type { PropertyType } from '../../../runtime/page/compiled.ts'
import type { FormEntry } from '../../../runtime/page/site.ts'
import { createRequest } from '../http/message.ts'
import type { SiteHost, Visit } from '../site/host.ts'
import type { FormDependencies, Submission } from './model.ts'
import { changeUser, field, type UserChange, userForm } from './user-changes.ts'

/** A user that is not deleted. */
interface ListedUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly roles: readonly string[]
  /** The day of the sign-up, as 2026-02-28. */
  readonly created: string
}

export interface UserManager {
  /** The declared type of the property `roles` of users; null when `app/user.yml` does not declare it. */
  readonly rolesType: PropertyType | null
  /** Creates a user. An empty list of roles leaves the property at its default. */
  create(email: string, password: string, roles: readonly string[]): Promise<UserChange>
  /** Returns the id of the user with an email address, in any case; null when there is none. */
  find(email: string): Promise<string | null>
  /** Returns the oldest users. @param limit maximum number */
  list(limit: number): Promise<readonly ListedUser[]>
  /** Replaces the roles of a user. */
  setRoles(id: string, roles: readonly string[]): Promise<UserChange>
  /** Replaces the password of a user, and ends all sessions of the user. */
  setPassword(id: string, password: string): Promise<UserChange>
  /** Soft-deletes a user, and ends all sessions of the user. */
  remove(id: string): Promise<UserChange>
}

/** The property of users that stores the names of their roles. */
const ROLES = 'roles'
/** Timeout of a statement in seconds. */
const TIMEOUT = 20

const ROLE_LIST = z.array(z.string())

/**
 * Creates the manager of a site's users.
 * @param host of an app with a database
 * @param hashPassword see `FormDependencies`
 * @throws Error without a database
 */
export function createUserManager(host: SiteHost, hashPassword: FormDependencies['hashPassword']): UserManager {
  const visit = createVisit(host)
  const { data } = visit
  if (data === null) throw new Error('Users need a database.')
  const query = data.query(null)
  const dependencies: FormDependencies = {
    host,
    catalog: query.catalog,
    files: null,
    challenge: host.services.challenge,
    hashPassword,
    signIn: async () => ({ refused: 'wrong' }),
  }
  const change = (form: FormEntry, operation: Submission['operation'], id: string | null, raw: object) =>
    changeUser(dependencies, visit, { form, operation, id, raw, table: null, trusted: true })
  const rolesDeclaration = host.loadedSite.site.data.user.find(({ name }) => name === ROLES)
  return {
    rolesType: rolesDeclaration?.type ?? null,
    create: (email, password, roles) =>
      roles.length === 0
        ? change(NEW_USER, 'create', null, { email, password })
        : change(NEW_USER_WITH_ROLES, 'create', null, { email, password, properties: { roles: [...roles] } }),
    find: (email) => findUser(query, email),
    list: (limit) => listUsers(query, limit),
    setRoles: (id, roles) => change(USER_ROLES, 'update', id, { properties: { roles: [...roles] } }),
    setPassword: async (id, password) => change(USER_PASSWORD, 'update', id, { password }),
    async remove(id) {
      const removed = await change(USER_PASSWORD, 'delete', id, {})
      if ('id' in removed) await run(query, sql`delete from ingot.sessions where user_id = ${parameter(id, 'bigint')}`)
      return removed
    },
  }
}

function createVisit(host: SiteHost): Visit {
  const visit: Visit = {
    request: REQUEST,
    params: {},
    session: null,
    data: host.data === null ? null : host.data(null, null, () => visit),
    failedForm: null,
    sharedState: { context: null },
    job: null,
  }
  return visit
}

const REQUEST = createRequest({
  method: 'POST',
  url: '/',
  protocol: 'http',
  host: 'localhost',
  ip: '127.0.0.1',
  headers: {},
  body: null,
  id: 'terminal',
})

const PRESENCE = {
  kind: 'presence',
  options: {},
  message: null,
  if: null,
  allowNil: false,
  allowBlank: false,
  on: null,
} as const

const ROLES_FIELD = field(ROLES, 'array')
const NEW_USER = userForm([field('email'), field('password')], [])
const NEW_USER_WITH_ROLES = userForm([field('email'), field('password')], [ROLES_FIELD])
const USER_ROLES = userForm([], [ROLES_FIELD])
const USER_PASSWORD = userForm([field('password', 'string', [PRESENCE])], [])

async function findUser(query: QueryHost, email: string): Promise<string | null> {
  const [row] = await run(
    query,
    sql`select id::text from ingot.users where lower(email) = lower(${parameter(email.trim(), 'text')})
      and deleted_at is null`,
  )
  return row === undefined ? null : String(row[0])
}

async function listUsers(query: QueryHost, limit: number): Promise<readonly ListedUser[]> {
  const rows = await run(
    query,
    sql`select id::text, email, name, (properties -> ${parameter(ROLES, 'text')})::text,
      to_char(created_at, 'YYYY-MM-DD') from ingot.users
      where deleted_at is null order by id limit ${parameter(String(limit), 'integer')}`,
  )
  return rows.map(([id, email, name, roles, created]) => ({
    id: String(id),
    email: String(email),
    name: typeof name === 'string' ? name : '',
    roles: parseRoles(roles),
    created: String(created),
  }))
}

/** Parses stored roles. A site may store something else under this name, which is not shown. */
function parseRoles(storedValue: unknown): readonly string[] {
  const value: unknown = typeof storedValue === 'string' ? JSON.parse(storedValue) : storedValue
  return ROLE_LIST.safeParse(value).data ?? []
}

async function run(query: QueryHost, statement: Sql): Promise<readonly (readonly unknown[])[]> {
  return query.run(toStatement(statement), { write: true, replica: false, timeout: TIMEOUT })
}
